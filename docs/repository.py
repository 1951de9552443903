"""A preprocessor of mdBook: links that lead out of the book, or to a directory, go to the repository."""

import json
import posixpath
import re
import sys

LINK = re.compile(r"\]\(([^)\s:#]+)(#[^)\s]*)?\)")


def of_repository(page, url):
    """Returns the function that replaces a link of a page."""

    def replace(link):
        target = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), link[1]))
        is_directory = not posixpath.splitext(target)[1]
        if target.startswith("docs/") and not is_directory:
            return link[0]
        return f"]({url}/{'tree' if is_directory else 'blob'}/main/{target}{link[2] or ''})"

    return replace


def rewrite(items, url):
    for chapter in (item["Chapter"] for item in items if "Chapter" in item):
        if chapter["path"]:
            chapter["content"] = LINK.sub(of_repository(chapter["path"], url), chapter["content"])
        rewrite(chapter["sub_items"], url)


def main():
    if sys.argv[1:2] == ["supports"]:
        return
    context, book = json.load(sys.stdin)
    rewrite(book.get("items") or book["sections"], context["config"]["output"]["html"]["git-repository-url"])
    json.dump(book, sys.stdout)


main()
