#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles CUDA sources with the embedded headers alone and checks what their IR leaves for others to define.

Allowed are the device ABI's functions, the mathematics of core/abi/math.def, and LLVM's intrinsics. Anything else could only
ever work on one target. Inline assembly and vendors' intrinsics stand in functions that ask which target they are on.

usage: check_vocabulary.py --clang CLANG --include DIR [--include DIR ...] SOURCE [SOURCE ...]
"""
import argparse
import pathlib
import re
import subprocess
import sys

ARGUMENTS = (
    "-cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -x cuda -fcuda-is-device -target-cpu sm_120 "
    "-target-feature +ptx87 -fno-rtti -fdeclspec -fcuda-allow-variadic-functions -U__CUDA_ARCH__ -D__CUDA_ARCH__=900 "
    "-Wno-builtin-macro-redefined -Wno-unknown-cuda-version -nostdsysteminc -std=c++20 -O2 -disable-llvm-passes "
    "-ffp-contract=fast -fgnuc-version=4.2.1 -Werror -include lathe/cuda/prelude.h -emit-llvm -o -"
).split()
VENDOR_INTRINSIC = re.compile(r"@\"?(llvm\.(?:nvvm|amdgcn|r600|spv|x86|aarch64)\.[\w.]+)")


def find(includes, name):
    for folder in includes:
        if (pathlib.Path(folder) / name).is_file():
            return (pathlib.Path(folder) / name).read_text()
    sys.exit(f"check_vocabulary: {name} is in no --include folder")


def known_functions(includes):
    device_abi = set(re.findall(r"\b__lathe_\w+", find(includes, "lathe/device/abi_declarations.inc")))
    table = (pathlib.Path(__file__).parents[3] / "core/abi/math.def").read_text()
    mathematics = re.findall(r"LATHE_(?:OWN_|SPARE_)?MATH\((\w+), \"", table)
    return device_abi | {name + suffix for name in mathematics for suffix in ("", "f")}


def findings(clang, includes, source, known):
    command = [clang, *ARGUMENTS]
    for folder in includes:
        command += ["-internal-isystem", folder]
    result = subprocess.run([*command, source], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return [result.stderr.strip()]
    out = []
    for name in re.findall(r"^declare .*?@\"?([\w.$]+)\"?\(", result.stdout, re.MULTILINE):
        if not name.startswith("llvm.") and name not in known:
            out.append(f"{source}: leaves {name} undefined, which no target provides")
    # Launch-sized shared memory is the one variable that a launch defines.
    for name in re.findall(r"^@(\S+) = external (?!addrspace\(3\))", result.stdout, re.MULTILINE):
        out.append(f"{source}: leaves the variable {name} undefined")
    for function in re.findall(r"^define .*?^}", result.stdout, re.MULTILINE | re.DOTALL):
        if "@__lathe_target_is(" in function:
            continue
        name = re.search(r"@\"?([\w.$]+)", function).group(1)
        vendors = set(VENDOR_INTRINSIC.findall(function))
        if re.search(r"\bcall .* asm ", function):
            vendors.add("inline assembly")
        for what in sorted(vendors):
            out.append(f"{source}: {name} uses {what} and does not ask which target it is on")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--include", action="append", required=True, dest="includes")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    known = known_functions(options.includes)
    found = [line for source in options.sources for line in findings(options.clang, options.includes, source, known)]
    if found:
        print("\n".join(found))
    else:
        print(f"{len(options.sources)} sources: nothing undefined but what every target provides")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
