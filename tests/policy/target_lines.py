#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/targets.md says how much each target in the tree is made of: lines of YAML and of C++, without blank lines and
comments. This checks that the table is current, or renews it with LATHE_BLESS=1.

usage: target_lines.py ROOT
"""
import pathlib
import re
import sys

import generated


def code_lines(path):
    comment = "#" if path.suffix == ".yaml" else "//"
    lines = (line.strip() for line in path.read_text().splitlines())
    return sum(1 for line in lines if line and not line.startswith(comment))


def rows(root):
    for folder in sorted(p for p in (root / "targets").iterdir() if p.is_dir()):
        yaml = folder / f"{folder.name}.yaml"
        text = yaml.read_text()
        extends = re.search(r"^extends: *(\S+)", text, re.MULTILINE)
        front = re.search(r"^frontend: *(\S+)", text, re.MULTILINE)
        triple = re.search(r"^triple: *(\S+)", text, re.MULTILINE)
        # Headers that device code alone includes.
        headers = {folder / name for p in folder.glob("device*.cpp") for name in re.findall(r'^#include "([^"/]+)"', p.read_text(), re.MULTILINE)}
        count = {name: sum(code_lines(p) for p in folder.glob(name)) for name in ("device*.cpp", "hooks*.cpp")}
        count["device*.cpp"] += sum(code_lines(p) for p in headers)
        known = {yaml, *folder.glob("device*.cpp"), *headers, *folder.glob("hooks*.cpp")}
        rest = sum(code_lines(p) for p in folder.rglob("*") if p.suffix in {".cpp", ".h"} and p not in known)
        yield [folder.name, triple.group(1) if triple else "", extends.group(1) if extends else "",
               front.group(1) if front else "", code_lines(yaml), count["device*.cpp"], count["hooks*.cpp"] + rest]


def table(root):
    out = ["| target | triple | extends | front end | YAML | device code | hooks | total |", "|---|---|---|---|---|---|---|---|"]
    for name, triple, extends, front, *numbers in rows(root):
        out.append(f"| {name} | {triple or '↑'} | {extends} | {front or ('↑' if extends else 'device')} | "
                   + " | ".join(str(n) for n in (*numbers, sum(numbers))) + " |")
    return "\n".join(out)


def main():
    root = pathlib.Path(sys.argv[1])
    return generated.check(root / "docs/targets.md", "tests/policy/target_lines.py", table(root), f"{sys.argv[0]} {root}")


if __name__ == "__main__":
    sys.exit(main())
