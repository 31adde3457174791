#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Public functions that return a Result say by what errors: their comment, or the one on the line, has "Errors:" and then
names of error_codes.def, or names the function whose errors they are. A name after "Errors:" that is written like a code
has to be one.

usage: error_docs.py ROOT
"""
import pathlib
import re
import sys

FUNCTION = re.compile(r"\bResult<.*>\s+(?:\w+::)?(\w+)\s*\(")
# How else a comment may say it: "Errors: what open() gives", "Errors: as download()", "Errors: none".
OTHERS = re.compile(r"\b\w+\(\)|\bnone\b")


def comments(lines, at):
    """The /// block above line `at`, above attributes and template heads, and what stands behind the line itself."""
    found = [lines[at].partition("///")[2]]
    while at > 0 and re.match(r"\s*(template\b|requires\b|\[\[|LATHE_API\s*$)", lines[at - 1]):
        at -= 1
    while at > 0 and lines[at - 1].lstrip().startswith("///"):
        at -= 1
        found.insert(0, lines[at].strip()[3:])
    return " ".join(found)


def faults(path, codes, documented):
    lines = path.read_text().splitlines()
    private = False
    for at, line in enumerate(lines):
        access = re.match(r"\s*(public|protected|private):|}", line)
        private = bool(access) and access.group(1) == "private" if access else private
        if private:
            continue
        match = FUNCTION.search(line.partition("//")[0])
        if not match or line.lstrip().startswith(("return", "using")):
            continue
        name = match.group(1)
        _, has, text = comments(lines, at).partition("Errors:")
        words = set(re.findall(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)*\b", text)) & codes
        if has and (words or OTHERS.search(text)):
            documented.add((path, name))
        elif (path, name) not in documented:  # an overload beside one that says it needs no second text
            yield f"{path}:{at + 1}: {name}() can fail and its comment has no 'Errors:' with codes"


def main():
    root = pathlib.Path(sys.argv[1])
    table = (root / "include/lathe/error_codes.def").read_text()
    codes = set(re.findall(r"^LATHE_ERROR\((\w+)", table, re.MULTILINE))
    headers = sorted([*(root / "include/lathe").glob("*.h"), *(root / "include/lathe/sdk").glob("*.h")])
    documented = set()
    found = [fault for path in headers for fault in faults(path, codes, documented)]
    print("\n".join(found) if found else f"{len(documented)} functions of {len(headers)} headers")
    return 1 if found or not documented else 0


if __name__ == "__main__":
    sys.exit(main())
