#!/usr/bin/env python3
"""Reads and writes the archives in which the cases are packed: `SET/GROUP.txt`, or `SET/cases.txt` for a set of one group.

    archive.py unpack DIR [TEXT]   writes the files of all cases, or of those whose path contains TEXT, below DIR/SET/GROUP/CASE
    archive.py pack DIR            puts the cases below DIR (the same paths) into their archives, in place of those of these names
    archive.py remove SET/GROUP/CASE…
    archive.py sort ARCHIVE…       writes archives as they are written after `pack`, for those that were edited

The scripts that ask a reference use `opened(ARCHIVE)`. The format is explained in `corpus/generator/src/archive.rs`.
"""

import contextlib
import os
import re
import sys
import tempfile

CONFORMANCE = os.path.dirname(os.path.abspath(__file__))
# The names of all cases start with three digits.
IS_CASE = re.compile(r"[0-9]{3}-")
# Characters that an editor may hide or change.
HIDDEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]")
HEADERS = (b"=== ", b"-- ")
# Whether the bytes are escaped, and whether they have no newline at the end; an end is no end of a later one.
FORMS = [
    (True, True, b" -- escaped, without newline"),
    (True, False, b" -- escaped"),
    (False, True, b" -- without newline"),
    (False, False, b" --"),
]


def hide(data):
    return "".join(f"\\x{byte:02x}" for byte in data)


def escaped(line):
    start = 1 if line.startswith(HEADERS) else 0
    # What is not UTF-8 becomes surrogates.
    text = line[start:].decode("utf-8", "surrogateescape").replace("\\", "\\\\")
    shown = HIDDEN.sub(lambda found: hide(found[0].encode()), text)
    shown = re.sub("[\udc80-\udcff]", lambda found: hide(found[0].encode("utf-8", "surrogateescape")), shown)
    return (hide(line[:start]) + shown).encode()


def unescaped(line):
    def byte(found):
        if found[0] == rb"\\":
            return b"\\"
        if not found[1]:
            raise ValueError(f"invalid escape: {line}")
        return bytes([int(found[1], 16)])

    return re.sub(rb"\\(?:x([0-9a-fA-F]{2})|\\|)", byte, line)


def parse(text):
    """The comment at the start, and the files of each case as bytes."""
    comment, cases, files, file = b"", {}, None, None

    def end():
        if file:
            path, lines, is_escaped, lacks_newline = file
            if path in files:
                raise ValueError(f"{path}: twice in a case")
            data = b"".join(line + b"\n" for line in lines)
            files[path] = data[:-1] if lacks_newline else data

    if text and not text.endswith(b"\n"):
        raise ValueError("the last line has no end")
    for line in text.split(b"\n")[:-1]:
        if line.startswith(HEADERS):
            end()
            file = None
        if line.startswith(b"=== "):
            name = line[4:].decode()
            if name in cases:
                raise ValueError(f"{name}: twice")
            files = cases[name] = {}
        elif line.startswith(b"-- "):
            form = next((form for form in FORMS if line.endswith(form[2])), None)
            if form is None or files is None:
                raise ValueError(f"invalid header: {line}")
            file = (line[3 : -len(form[2])].decode(), [], *form[:2])
        elif file:
            file[1].append(unescaped(line) if file[2] else line.removeprefix(b"\\"))
        elif files is None:
            comment += line + b"\n"
        else:
            raise ValueError(f"outside of a file: {line}")
    end()
    return comment, cases


def printed(comment, cases):
    out = [comment]
    for name, files in sorted(cases.items(), key=lambda each: each[0].encode()):
        out.append(b"=== " + name.encode() + b"\n")
        for path, data in sorted(files.items(), key=lambda each: each[0].encode()):
            try:
                is_escaped = HIDDEN.search(data.decode()) is not None
            except UnicodeDecodeError:
                is_escaped = True
            lacks_newline = data != b"" and not data.endswith(b"\n")
            end = next(end for *form, end in FORMS if form == [is_escaped, lacks_newline])
            out.append(b"-- " + path.encode() + end + b"\n")
            lines = data.split(b"\n")
            for line in lines if lacks_newline else lines[:-1]:
                if is_escaped:
                    line = escaped(line)
                elif line.startswith((*HEADERS, b"\\")):
                    line = b"\\" + line
                out.append(line + b"\n")
    return b"".join(out)


def read(archive):
    try:
        with open(archive, "rb") as file:
            return parse(file.read())
    except FileNotFoundError:
        return b"", {}
    except ValueError as error:
        raise SystemExit(f"{archive}: {error}")


def write(archive, comment, cases):
    os.makedirs(os.path.dirname(archive), exist_ok=True)
    with open(archive, "wb") as file:
        file.write(printed(comment, cases))


def archives():
    """All archives, each with the path of its group: `SET/GROUP` or `SET`."""
    found = []
    for name in os.listdir(CONFORMANCE):
        for directory, _, files in os.walk(os.path.join(CONFORMANCE, name)):
            for file in files:
                path = os.path.join(directory, file)
                if file.endswith(".txt") and is_archive(path):
                    found.append((group_of(path), path))
    return sorted(found)


def is_archive(path):
    """Other texts of the corpus have other forms."""
    with open(path, "rb") as file:
        return re.search(rb"^=== [0-9]{3}-", file.read(65536), re.M) is not None


def group_of(archive):
    group = os.path.relpath(os.path.abspath(archive), CONFORMANCE).removesuffix(".txt")
    return os.path.dirname(group) if os.path.basename(group) == "cases" else group


def archive_of(group):
    """The archive of the cases `SET/GROUP`, or `SET`."""
    path = os.path.join(CONFORMANCE, group)
    return f"{path}.txt" if "/" in group else os.path.join(path, "cases.txt")


def unpack(cases, directory):
    for name, files in cases.items():
        for path, data in files.items():
            file = os.path.join(directory, name, path)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "wb") as out:
                out.write(data)


def packed(directory):
    """The files of the cases in a directory."""
    cases = {}
    for name in sorted(os.listdir(directory)):
        case = os.path.join(directory, name)
        if not IS_CASE.match(name) or not os.path.isdir(case):
            continue
        files = cases[name] = {}
        for inside, _, names in os.walk(case):
            for each in names:
                path = os.path.join(inside, each)
                with open(path, "rb") as file:
                    files[os.path.relpath(path, case)] = file.read()
    return cases


@contextlib.contextmanager
def opened(archive, is_kept=False):
    """A directory with the cases of an archive. What is in it at the end replaces them, unless the archive is kept as it is."""
    comment, cases = read(archive)
    with tempfile.TemporaryDirectory() as directory:
        unpack(cases, directory)
        try:
            yield directory
        finally:
            # Answers are kept if a later one fails.
            if not is_kept:
                write(archive, comment, packed(directory))


def main(command, *arguments):
    if command == "unpack":
        directory, text = arguments if len(arguments) == 2 else (*arguments, "")
        for group, archive in archives():
            _, cases = read(archive)
            unpack({name: files for name, files in cases.items() if text in f"{group}/{name}"}, os.path.join(directory, group))
    elif command == "pack":
        (directory,) = arguments
        for inside, directories, _ in os.walk(directory):
            new = packed(inside)
            directories[:] = [name for name in directories if name not in new]
            if new:
                archive = archive_of(os.path.relpath(inside, directory))
                comment, cases = read(archive)
                write(archive, comment, cases | new)
    elif command == "remove":
        for case in arguments:
            archive = archive_of(os.path.dirname(case))
            comment, cases = read(archive)
            del cases[os.path.basename(case)]
            write(archive, comment, cases)
    elif command == "sort":
        for archive in arguments:
            write(archive, *read(archive))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["help"]))
