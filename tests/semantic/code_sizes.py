#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares code for AMD GPUs and SPIR-V devices with that of clang, which has the same LLVM: the kernels of
sizes/kernels.cu, one text, are compiled by Lathe as CUDA C++ and by clang as HIP (sizes/hip.h) or OpenCL C (sizes/opencl.h).
Of each kernel the instructions, registers and memory are counted. Lathe's geometric mean may not be above clang's, nor any
number of a kernel above 1.05 × clang's, unless sizes/allowed.txt has a bound for it and the reason. The page
docs/code-sizes.md has the table: LATHE_BLESS=1 renews it.

usage: code_sizes.py ROOT --lathe LATHE [--clang CLANG] [--libclc FILE] [--only PATTERN ...] [--keep FOLDER]
Ends with 77, a skipped test, where there is no clang of that release, and with 1 where a bound is exceeded, a line of
allowed.txt is for nothing or the page is not current. `--only` prints some kernels' numbers, `--keep` keeps the code.
"""
import argparse
import fnmatch
import math
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "policy"))

import generated  # noqa: E402

RELEASE = "22.1"  # of clang, by which the page is
AMD = ("gfx1100", "gfx942")
SPIRV = "spv1.4"
MOST = 1.05
MEANS = ("instructions", "registers", "scalars")
UNITS = {"instructions": "instructions", "registers": "vector registers", "scalars": "scalar registers", "stack": "bytes of stack",
         "shared": "bytes of shared memory"}
SCALES = {"registers": "vgpr_count", "scalars": "sgpr_count", "stack": "private_segment_fixed_size", "shared": "group_segment_fixed_size"}
OP_ENTRY_POINT, OP_FUNCTION, OP_FUNCTION_PARAMETER, OP_FUNCTION_END, OP_CALL, OP_LABEL = 15, 54, 55, 56, 57, 248


def run(command):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"code_sizes: {' '.join(map(str, command))}\n{result.stderr[-2000:]}")
    return result.stdout


def of_assembly(text):
    """kernel → {"instructions", …}, from the back end's assembly: a line that is no label, directive or comment is an
    instruction. What stands behind a kernel's end is a directive there."""
    out, name, count = {}, None, 0
    for line in text.splitlines():
        label = re.match(r"(\w+):", line)
        if label:
            name, count = label[1], 0
        elif line.startswith(".Lfunc_end"):
            out[name] = {"instructions": count}
        elif re.match(r"\t[a-z]", line):
            if re.match(r"\ts_(swappc|setpc)", line):
                sys.exit(f"code_sizes: {name} calls a function, whose instructions nobody counts")
            count += 1
    kernels = {}
    for entry in re.split(r"\n  - \.", text[text.index("amdhsa.kernels:"):])[1:]:
        fields = dict(re.findall(r"\.?(\w+): +(\S+)\n", entry))
        sizes = out[fields["name"]]
        sizes |= {scale: int(fields[field]) for scale, field in SCALES.items()}
        kernels[fields["name"]] = sizes
    return kernels


def of_module(module):
    """kernel → {"instructions": …}, from the words of a SPIR-V module: what stands in the kernel and in the functions that
    it calls, but for labels and parameters."""
    words = struct.unpack(f"<{len(module) // 4}I", module)
    at, kernels, functions, function = 5, {}, {}, None
    while at < len(words):
        operation, length = words[at] & 0xFFFF, words[at] >> 16
        if operation == OP_ENTRY_POINT:
            kernels[words[at + 2]] = struct.pack(f"<{length - 3}I", *words[at + 3:at + length]).split(b"\0")[0].decode()
        elif operation == OP_FUNCTION:
            function = functions.setdefault(words[at + 2], {"instructions": 0, "calls": set()})
        elif operation == OP_FUNCTION_END:
            function = None
        elif function and operation not in (OP_FUNCTION_PARAMETER, OP_LABEL):
            function["instructions"] += 1
            if operation == OP_CALL:
                function["calls"].add(words[at + 3])
        at += length

    def with_calls(number, seen):
        seen.add(number)
        return functions[number]["instructions"] + sum(with_calls(called, seen) for called in functions[number]["calls"] - seen)

    return {name: {"instructions": with_calls(number, set())} for number, name in kernels.items()}


def measured(options, folder):
    """target → (kernel → numbers by clang, by Lathe)."""
    source = folder / "kernels.cu"
    source.write_text('#include "cuda.h"\n' + (HERE / "sizes/kernels.cu").read_text())
    out = {}
    for target in AMD:
        theirs, ours = folder / f"clang.{target}.s", folder / f"lathe.{target}.s"
        library = ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", options.libclc]
        run([options.clang, "-x", "hip", "--cuda-device-only", "-nogpulib", "-nogpuinc", "-std=c++20", "-O3", f"--offload-arch={target}",
             "-include", HERE / "sizes/hip.h", *library, "-S", HERE / "sizes/kernels.cu", "-o", theirs])
        compile_by_lathe(options, source, f"amdgpu:{target}", "asm", ours)
        out[target] = tuple(by_name(of_assembly(file.read_text())) for file in (theirs, ours))
    theirs, ours = folder / "clang.spv", folder / "lathe.spv"
    run([options.clang, f"--target=spirv64v{SPIRV.removeprefix('spv')}", "-x", "cl", "-cl-std=CL2.0", "-O3", "-ffp-contract=off",
         "-include", HERE / "sizes/opencl.h", "-c", HERE / "sizes/kernels.cu", "-o", theirs])
    compile_by_lathe(options, source, f"spirv:{SPIRV}", "object", ours)
    out[SPIRV] = tuple(by_name(of_module(file.read_bytes())) for file in (theirs, ours))
    return out


def compile_by_lathe(options, source, target, form, out):
    run([options.lathe, "compile", source, "-x", "cuda", "-I", HERE / "sizes", "--target", target, "--emit", form, "-o", out])


def by_name(kernels):
    """The same with the names of the source, which C++ has mangled."""
    names = {}
    for name in kernels:
        mangled = re.match(r"_Z(\d+)(.*)", name)
        names[name] = mangled[2][:int(mangled[1])] if mangled else name
    return {names[name]: sizes for name, sizes in kernels.items()}


def mean(pairs):
    return math.exp(sum(math.log(ours / theirs) for theirs, ours in pairs) / len(pairs))


class Bound:
    """A line of allowed.txt: the ratio that a kernel's number may have on a target, for the reason above it."""

    def __init__(self, kernel, target, scale, most):
        self.kernel, self.target, self.scale, self.most, self.needed = kernel, target, scale, float(most), False

    def __str__(self):
        return f"{self.kernel} | {self.target} | {self.scale} | {self.most}"


def read_bounds(path):
    bounds, reason = [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            reason = line
            continue
        cells = [cell.strip() for cell in line.split("|")]
        if reason is None or len(cells) != 4 or cells[2] not in SCALES | {"instructions": ""} or not re.fullmatch(r"\d\.\d+", cells[3]):
            sys.exit(f"{path}:{number}: expected '  KERNEL | TARGET | SCALE | RATIO' under a reason")
        bounds.append(Bound(*cells))
    return bounds


def faults(sizes, bounds):
    """What exceeds its bound, in words."""
    out = []
    for target, (theirs, ours) in sizes.items():
        if theirs.keys() != ours.keys():
            out.append(f"{target}: only one compiler has {', '.join(sorted(theirs.keys() ^ ours.keys()))}")
        for scale in next(iter(ours.values())):
            pairs = {kernel: (theirs[kernel][scale], ours[kernel][scale]) for kernel in theirs if kernel in ours}
            for kernel, (a, b) in pairs.items():
                if b <= a * MOST:
                    continue
                allowed = [bound for bound in bounds if (bound.kernel, bound.target, bound.scale) == (kernel, target, scale)]
                for bound in allowed:
                    bound.needed = True
                if not any(b <= a * bound.most for bound in allowed):
                    out.append(f"{target}: {kernel} has {b} {UNITS[scale]}, clang's {a}: above {MOST} × and above sizes/allowed.txt")
            counted = [pair for pair in pairs.values() if pair[0] and pair[1]]
            if scale in MEANS and mean(counted) > 1 + 1e-9:
                out.append(f"{target}: {mean(counted):.4f} × clang's {UNITS[scale]} in geometric mean")
    return out + [f"sizes/allowed.txt: nothing needs '{bound}'" for bound in bounds if not bound.needed]


def cell(a, b):
    return f"{a}" if a == b else f"{a} → {b} ({b / a:.2f})" if a else f"{a} → {b}"


def page(sizes):
    columns = [(target, scale) for target, (theirs, _) in sizes.items() for scale in MEANS if scale in next(iter(theirs.values()))
               if scale != "scalars"]
    kernels = list(next(iter(sizes.values()))[0])
    out = [f"{len(kernels)} kernels, clang {RELEASE}. Lathe's numbers over clang's in geometric mean:", "",
           "| target | instructions | vector registers | scalar registers |", "|---|---:|---:|---:|"]
    for target, (theirs, ours) in sizes.items():
        means = [f"{mean([(theirs[k][scale], ours[k][scale]) for k in kernels]):.3f}" if scale in theirs[kernels[0]] else "–" for scale in MEANS]
        out.append(f"| {target} | {' | '.join(means)} |")
    out += ["", "By kernel: clang's number, and Lathe's with the ratio where it is another.", "",
            "| kernel | " + " | ".join(f"{target}, {UNITS[scale]}" for target, scale in columns) + " |", "|---|" + "---:|" * len(columns)]
    for kernel in kernels:
        cells = [cell(*(side[kernel][scale] for side in sizes[target])) for target, scale in columns]
        out.append(f"| `{kernel}` | {' | '.join(cells)} |")
    return "\n".join(out)


def show(sizes, patterns):
    for target, (theirs, ours) in sizes.items():
        for kernel in theirs:
            if any(fnmatch.fnmatchcase(kernel, pattern) for pattern in patterns):
                print(f"{target:8} {kernel:20}", *(f"{scale} {cell(theirs[kernel][scale], ours[kernel][scale])};" for scale in ours[kernel]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--lathe", required=True)
    parser.add_argument("--clang", default=shutil.which("clang-22"))
    parser.add_argument("--libclc", type=pathlib.Path, default=pathlib.Path("/usr/lib/clc/amdgcn-amd-amdhsa.bc"))
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    if not options.clang:
        print("code_sizes: no clang here to compare with")
        return 77
    if f"version {RELEASE}." not in run([options.clang, "--version"]):
        print(f"code_sizes: the page is by clang {RELEASE}")
        return 77
    if not options.libclc.exists():
        print(f"code_sizes: no library of mathematics at {options.libclc}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
        sizes = measured(options, options.keep or pathlib.Path(folder))
    if options.only:
        show(sizes, options.only)
        return 0
    found = faults(sizes, read_bounds(HERE / "sizes/allowed.txt"))
    print("\n".join(found), end="\n" if found else "")
    stale = generated.check(options.root / "docs/code-sizes.md", "tests/semantic/code_sizes.py", page(sizes), "ctest -R semantic.code_sizes")
    return 1 if found or stale else 0


if __name__ == "__main__":
    sys.exit(main())
