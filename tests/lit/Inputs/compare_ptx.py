# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# compare_ptx.py LATHE.ptx NVCC.ptx PATTERN [any-order]: compares, kernel by kernel, the instructions and directives whose
# text matches PATTERN. Types of loads through the read-only cache are left out (.f32 and .b32 are one instruction there),
# and so are extents of 1 at the end.
import re
import sys


def facts(path, pattern):
    kernels, name = {}, None
    for line in open(path, encoding="utf-8"):
        entry = re.search(r"\.entry (\w+)", line)
        if entry:
            name = entry.group(1)
            kernels[name] = []
        found = re.search(pattern, line)
        if name and found and not line.lstrip().startswith("//"):
            text = re.sub(r"(\.nc(\.v\d)?)\.[suf](\d+)", r"\1.b\3", found.group(0))
            kernels[name].append(re.sub(r"(, 1)+$", "", text.strip()))
    if "any-order" in sys.argv[4:]:
        kernels = {name: sorted(found) for name, found in kernels.items()}
    return kernels


ours, theirs = (facts(path, sys.argv[3]) for path in sys.argv[1:3])
if ours.keys() != theirs.keys() or not any(theirs.values()):
    sys.exit(f"the kernels are not the same, or have nothing to compare: {sorted(ours)}, {sorted(theirs)}")
wrong = [name for name in sorted(ours) if ours[name] != theirs[name]]
for name in wrong:
    print(f"{name}: {ours[name]}\n  nvcc: {theirs[name]}")
sys.exit(bool(wrong))
