#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the size of machine code: for each function of docs/cuda-names.md a kernel that calls it (names.py) is compiled by
nvcc and by Lathe for one architecture, both with the same assembler, and the instructions are counted. The page
docs/cuda-sizes.md lists what takes more than a tenth more, each with its reason from larger.txt; LATHE_BLESS=1 renews it. A kernel's load of operands and store of
its result count on both sides.

usage: sizes.py ROOT --lathe LATHE [--nvcc NVCC] [--arch SM] [--all] [--only PATTERN ...]
Ends with 77, a skipped test, where there is no nvcc, and with 1 where the page is not current. `--all` prints every size.
"""
import argparse
import fnmatch
import math
import os
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
import names  # noqa: E402

RELEASE = "13.0"  # of nvcc, by which the page is
NOP, BRANCH = 0x918, 0x947
WORSE = 1.1


def instructions(cubin):
    """kernel → number of instructions, from the ELF file: 16 bytes each, of which the lowest 12 bits are the operation.
    What fills the section up, no-operations and a last branch to itself, does not count."""
    sections, entry, count, names_at = struct.unpack_from("<Q", cubin, 0x28)[0], *struct.unpack_from("<HHH", cubin, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", cubin, sections + entry * i) for i in range(count)]
    texts = headers[names_at]
    out = {}
    for name_at, _, _, _, offset, size in headers:
        begin = texts[4] + name_at
        name = cubin[begin:cubin.index(b"\0", begin)].decode()
        if not name.startswith(".text."):
            continue
        operations = [struct.unpack_from("<H", cubin, at)[0] & 0xFFF for at in range(offset, offset + size, 16)]
        operations = [operation for operation in operations if operation != NOP]
        out[name.removeprefix(".text.")] = len(operations) - (operations[-1:] == [BRANCH])
    return out


def run(command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"sizes: {' '.join(map(str, command))}\n{result.stderr[-2000:]}")
    return result.stdout


def measured(options, source, folder):
    """kernel → (instructions by nvcc, by Lathe)."""
    theirs, ptx, ours = (folder / f"{source.stem}{end}" for end in (".nvcc.cubin", ".ptx", ".lathe.cubin"))
    ptxas = pathlib.Path(options.nvcc).with_name("ptxas")
    run([options.nvcc, "-cubin", "-O3", "-std=c++20", "-w", "--expt-relaxed-constexpr", f"-arch={options.arch}", source, "-o", theirs])
    run([options.lathe, "compile", source, "-x", "cuda", "--target", f"cuda:{options.arch}", "--emit", "ptx", "-o", ptx])
    run([ptxas, f"-arch={options.arch}", "-O3", ptx, "-o", ours])
    a, b = instructions(theirs.read_bytes()), instructions(ours.read_bytes())
    return {kernel: (a[kernel], b[kernel]) for kernel in a if kernel in b}


def reasons():
    """[(pattern, reason)] of larger.txt."""
    out, reason = [], ""
    for line in (HERE / "larger.txt").read_text().splitlines():
        if line.startswith("  "):
            out.append((line.strip(), reason))
        elif line and not line.startswith("#"):
            reason = line
    return out


def unexplained(worse):
    """What larger.txt lacks, and what it has too much."""
    names = [kernel.removeprefix("call_") for kernel in worse]
    known = [pattern for pattern, _ in reasons()]
    return [f"{name} has no reason in larger.txt" for name in names if not any(fnmatch.fnmatchcase(name, pattern) for pattern in known)] + [
        f"{pattern} is in larger.txt and no larger than nvcc's" for pattern in known if not fnmatch.filter(names, pattern)]


def larger_ones(sizes):
    return sorted((kernel for kernel, (theirs, ours) in sizes.items() if ours > WORSE * theirs),
                  key=lambda kernel: (-sizes[kernel][1] / sizes[kernel][0], kernel))


def page(sizes, arch):
    ratios = {kernel: ours / theirs for kernel, (theirs, ours) in sizes.items()}
    mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    worse, why = larger_ones(sizes), reasons()
    smaller = sum(ratio < 1 / WORSE for ratio in ratios.values())
    out = [f"{len(ratios)} calls for {arch}, nvcc {RELEASE}: geometric mean of the sizes {mean:.2f} × nvcc's; {len(worse)} are above "
           f"{WORSE} ×, {smaller} below {1 / WORSE:.2f} ×.", "", "| call | nvcc | Lathe | ratio | why |", "|---|---:|---:|---:|---|"]
    for kernel in worse:
        name = kernel.removeprefix("call_")
        reason = next((reason for pattern, reason in why if fnmatch.fnmatchcase(name, pattern)), "")
        out.append(f"| `{name}` | {sizes[kernel][0]} | {sizes[kernel][1]} | {ratios[kernel]:.2f} | {reason} |")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--lathe", required=True)
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", nargs="+", default=[])
    options = parser.parse_args()
    if not options.nvcc:
        print("sizes: no nvcc here to compare with")
        return 77
    if f"release {RELEASE}," not in run([options.nvcc, "--version"]):
        print(f"sizes: the page is by nvcc {RELEASE}")
        return 77
    sizes = {}
    with tempfile.TemporaryDirectory() as folder:
        for source in names.write(HERE / "names.txt", pathlib.Path(folder)):
            if options.only:
                lines = source.read_text().splitlines(keepends=True)
                kept = [line for line in lines if "call_" not in line or any(
                    fnmatch.fnmatchcase(re.search(r"call_(\w+)", line)[1], pattern) for pattern in options.only)]
                source.write_text("".join(kept))
            sizes |= measured(options, source, pathlib.Path(folder))
    if options.all or options.only:
        for kernel, (theirs, ours) in sorted(sizes.items(), key=lambda item: -item[1][1] / item[1][0]):
            print(f"{ours / theirs:7.2f} {theirs:6} {ours:6} {kernel.removeprefix('call_')}")
        return 0
    for complaint in (complaints := unexplained(larger_ones(sizes))):
        print(f"sizes: {complaint}")
    if complaints:
        return 1
    return generated.check(options.root / "docs/cuda-sizes.md", "tests/semantic/sizes.py", page(sizes, options.arch), "ctest -R semantic.sizes")


if __name__ == "__main__":
    sys.exit(main())
