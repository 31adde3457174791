#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python package has Lathe's version. It stands in python/pyproject.toml too, since copies of that folder and source packages
made of it have no other file of the tree.

usage: python_version.py ROOT
"""
import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    ours = (root / "VERSION").read_text().strip()
    found = re.search(r'^version = "(.*?)"', (root / "python/pyproject.toml").read_text(), re.M)
    if found and found[1] == ours:
        return 0
    print(f"python/pyproject.toml: its version is {found[1] if found else 'missing'}, and Lathe's is {ours} (VERSION)")
    return 1


if __name__ == "__main__":
    sys.exit(main())
