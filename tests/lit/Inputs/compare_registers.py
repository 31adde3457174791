# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# compare_registers.py PTXAS ARCH LATHE.ptx NVCC.ptx [NAME]: assembles both and fails where a kernel of the first, or one
# whose name contains NAME, takes more registers than the second's, or more spilled bytes.
import re
import subprocess
import sys


def taken(path):
    """Kernel → registers, bytes of spilled registers."""
    text = subprocess.run([sys.argv[1], f"-arch={sys.argv[2]}", "-v", path, "-o", "/dev/null"], check=True,
                          capture_output=True, text=True).stderr
    found = re.findall(r"function '(\w+)'.*?(\d+) bytes spill stores.*?Used (\d+) registers", text, re.S)
    return {name: (int(registers), int(spilled)) for name, spilled, registers in found}


ours, theirs = (taken(path) for path in sys.argv[3:5])
if not ours or ours.keys() != theirs.keys():
    sys.exit(f"the kernels are not the same: {sorted(ours)}, {sorted(theirs)}")
ours = {name: costs for name, costs in ours.items() if "".join(sys.argv[5:]) in name}
if not ours:
    sys.exit(f"no kernel is called {sys.argv[5]}")
for name in sorted(ours):
    print(f"{name}: {ours[name]} registers and spilled bytes, nvcc: {theirs[name]}")
sys.exit(any(mine > other for name in ours for mine, other in zip(ours[name], theirs[name])))
