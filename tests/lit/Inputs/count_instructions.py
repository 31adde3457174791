#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of kernels NAME_library and NAME_by_hand in assembly (PTX, or what LLVM prints for CPUs and
AMD GPUs) and fails where the first has more than 1.05 times those of the second.

usage: count_instructions.py FILE PAIRS
"""
import re
import sys

LIMIT = 1.05
NAME = re.compile(r"([a-z]+)_(library|by_hand)")


def counts(text):
    """(pair, kind) → instructions, of all functions that a kernel became."""
    out = {}
    inside = None
    ptx = ".entry" in text
    for line in text.splitlines():
        label = re.search(r"\.entry\s+(\S+?)\(", line) if ptx else re.match(r"([A-Za-z_]\S*):", line)
        if label:
            found = NAME.search(label.group(1))
            inside = found.groups() if found else None
        word = line.strip()
        if ptx:
            counted = word.endswith(";") and not word.startswith(".")
        else:
            counted = line.startswith("\t") and word and not word.startswith((".", "#", "//", ";"))
        if inside and counted:
            out[inside] = out.get(inside, 0) + 1
    return out


def main():
    found = counts(open(sys.argv[1]).read())
    pairs = sorted({pair for pair, _ in found})
    if len(pairs) != int(sys.argv[2]):
        sys.exit(f"found {pairs}, expected {sys.argv[2]} pairs")
    failed = False
    for pair in pairs:
        library, by_hand = found[(pair, "library")], found[(pair, "by_hand")]
        over = library > LIMIT * by_hand
        failed = failed or over
        print(f"{pair}: {library} instructions, {by_hand} by hand{': over the limit' if over else ''}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
