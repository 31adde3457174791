#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two assembly files of AMD GPUs kernel by kernel: fails if the first has more instructions in one, s_nop aside.

usage: fewer_instructions.py OURS THEIRS
"""
import re
import sys


def counts(path):
    """Instructions of each function, by its label."""
    out, name = {}, None
    for line in open(path):
        if label := re.match(r"(\w+):", line):
            name = label.group(1)
            out[name] = 0
        elif name and re.match(r"\s+(?:[vs]|ds|global|flat|buffer)_\w+", line) and "s_nop" not in line:
            out[name] += 1
            if "s_endpgm" in line:
                name = None
    return out


ours, theirs = counts(sys.argv[1]), counts(sys.argv[2])
common = sorted(set(ours) & set(theirs))
assert common, "no kernel is in both"
worse = [f"{name}: {ours[name]}, not {theirs[name]} or less" for name in common if ours[name] > theirs[name]]
print("\n".join(worse or [f"{name}: {ours[name]} of {theirs[name]}" for name in common]))
sys.exit(bool(worse))
