#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the places that matrix_model prints with the tables of the AMD Matrix Instruction Calculator.

usage: matrix_model layouts | matrix_layouts.py MATRIX_CALCULATOR.PY
"""
import collections
import re
import subprocess
import sys

own = collections.defaultdict(set)
for line in sys.stdin:
    arch, name, matrix, *numbers = line.split()
    own[arch, name, matrix].add(tuple(map(int, numbers)))

for (arch, name, matrix), places in sorted(own.items()):
    wave = ["-w", "32"] if arch.startswith("rdna") else []
    table = subprocess.run([sys.executable, sys.argv[1], "-a", arch, "-i", name, *wave, "-R", f"-{matrix}", "--csv"], capture_output=True,
                           text=True, check=True).stdout
    theirs = set()
    for line in table.splitlines():
        row, *cells = line.split(",")
        if not row.isdigit():
            continue
        for column, cell in enumerate(cells):
            # "v1{17}.[31:16]": register 1 of lane 17, from bit 16 on
            for register, lane, low in re.findall(r"v(\d+)\{(\d+)\}(?:\.\[\d+:(\d+)\])?", cell):
                theirs.add((int(row), column, int(lane), 32 * int(register) + int(low or 0)))
    assert theirs, f"{arch} {name}: no table of {matrix}"
    assert theirs == places, f"{arch} {name} {matrix}: {sorted(theirs ^ places)[:4]}"
    print(f"{arch} {name} {matrix}: {len(places)} places agree")
