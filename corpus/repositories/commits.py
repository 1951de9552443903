#!/usr/bin/env python3
"""Compares what `affected` says of the last commits of public repositories with what `expand` gives before and after each.

    python3 corpus/repositories/commits.py target/release/simd-hcl CHECKOUTS [--commits 100] [NAME...]

CHECKOUTS has a clone for each repository, with its history; a copy of it is checked out, commit by commit, each compared with its
first parent. No root module whose values differ between the two may be missing from `affected --since PARENT --roots`. Values are
those of `expand`: without more, and with each file of variables in the directory of the root module. Prints what is missing, and for each
repository how many root modules there are, how many changed, and how many were named. The exit status is the number of repositories
with something missing.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile


def git(directory, *arguments):
    return subprocess.run(["git", "-C", directory, *arguments], capture_output=True, text=True, check=True).stdout.strip()


def roots(binary, directory):
    """The root modules, as far as the directory has any."""
    done = subprocess.run([binary, "roots", "--format", "json", "."], cwd=directory, capture_output=True, text=True)
    try:
        return sorted(os.path.normpath(root["path"]) for root in json.loads(done.stdout)["roots"])
    except ValueError:
        return []


def values(binary, directory, root):
    """What `expand` gives for a root module, in each of its ways, without places."""
    names = sorted(os.listdir(os.path.join(directory, root)))
    files = [name for name in names if name.endswith((".tfvars", ".tfvars.json")) and not name.startswith("terraform.") and ".auto." not in name]
    found = hashlib.sha256()
    for given in [[], *(["--var-file", os.path.join(root, name)] for name in files)]:
        done = subprocess.run([binary, "expand", root, "--format", "json", "--show-sensitive", *given], cwd=directory, capture_output=True, text=True)
        try:
            answer = json.loads(done.stdout)
            answer.pop("diagnostics", None)
            answer.pop("incomplete", None)
            text = json.dumps(answer, sort_keys=True)
        except ValueError:
            text = str(done.returncode)
        found.update(text.encode() + b"\n")
    return found.hexdigest()


def all_values(binary, directory):
    return {root: values(binary, directory, root) for root in roots(binary, directory)}


def compare(binary, source, number, without):
    """Compares the last commits of a repository. Returns what is missing."""
    missing, changed, named, gaps, most = [], 0, 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="commits-") as work:
        copy = os.path.join(os.path.realpath(work), "copy")
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", "--shared", source, copy], check=True)
        if without:
            git(copy, "sparse-checkout", "set", "--no-cone", "/*", *(f"!{pattern}" for pattern in without))
        commits = git(copy, "rev-list", "--first-parent", f"--max-count={number + 1}", "HEAD").split()[::-1]
        git(copy, "checkout", "--quiet", "--force", commits[0])
        before = all_values(binary, copy)
        for parent, commit in zip(commits, commits[1:]):
            git(copy, "checkout", "--quiet", "--force", commit)
            after = all_values(binary, copy)
            command = [binary, "affected", "--since", f"{parent}..{commit}", "--roots", "--format", "json"]
            done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
            try:
                told = json.loads(done.stdout)
            except ValueError:
                missing.append((commit, done.stderr))
                before = after
                continue
            known = {os.path.normpath(module["path"]) for module in told["modules"]}
            gaps += bool(told["incomplete"])
            differ = {root for root in after if after[root] != before.get(root)}
            missing.extend((commit, root) for root in sorted(differ - known))
            changed, named, most = changed + len(differ), named + len(known), max(most, len(after))
            before = after
        print(f"  {len(commits) - 1} commits, at most {most} root modules: {changed} changed, {named} affected, {len(missing)} missing, {gaps} answers with gaps", flush=True)
    for commit, root in missing:
        print(f"  missing: {commit}: {root}")
    return missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("checkouts")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--without", action="append", default=[], help="a pattern of files that the clones lack")
    options = parser.parse_args()
    binary, failed = os.path.abspath(options.binary), 0
    for name in options.names or sorted(os.listdir(options.checkouts)):
        print(name, flush=True)
        failed += bool(compare(binary, os.path.join(options.checkouts, name), options.commits, options.without))
    sys.exit(min(failed, 100))


if __name__ == "__main__":
    main()
