#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C++ by Lathe against C by clang, program by program: instructions in the object, and instructions that the kernel's
verifier went through. Usage: compare.py LATHE [CLANG]; needs the rights to load programs and libbpf's headers."""
import math
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).parent
lathe = sys.argv[1]
clang = sys.argv[2] if len(sys.argv) > 2 else "clang-22"
machine = subprocess.run(["uname", "-m"], capture_output=True, text=True).stdout.strip()
includes = ["-I", "/usr/include", "-I", f"/usr/include/{machine}-linux-gnu"]


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


def programs(elf):
    """Name → instructions, in the order of the file."""
    found = re.findall(r"^ *\d+: \w+ +(\d+) FUNC +GLOBAL +\S+ +\S+ +(\w+)$", run("llvm-readelf-22", "-sW", elf), re.M)
    return {name: int(size) // 8 for size, name in found}


def verified(elf, name):
    return int(re.search(r"^processed (\d+) insns", run(lathe, "bpf", "load", elf, "-k", name, "--log"), re.M)[1])


def table(title, ours, theirs):
    print(f"\n{title}\n\n| program | instructions | clang | ratio | verified | clang | ratio |\n|---|---|---|---|---|---|---|")
    logs = [0.0, 0.0]
    a, b = programs(ours), programs(theirs)
    for name in b:
        numbers = [a[name], b[name], verified(ours, name), verified(theirs, name)]
        ratios = [numbers[0] / numbers[1], numbers[2] / numbers[3]]
        logs = [total + math.log(ratio) for total, ratio in zip(logs, ratios)]
        print(f"| `{name}` | {numbers[0]} | {numbers[1]} | {ratios[0]:.2f} | {numbers[2]} | {numbers[3]} | {ratios[1]:.2f} |")
    means = [math.exp(total / len(b)) for total in logs]
    print(f"| geometric mean of {len(b)} | | | {means[0]:.3f} | | | {means[1]:.3f} |")


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    run(clang, "-O2", "-g", "--target=bpf", f"-D__TARGET_ARCH_{'x86' if machine == 'x86_64' else 'arm64'}", *includes, "-c",
        here / "pairs.bpf.c", "-o", work / "clang.o")
    run(lathe, "compile", here / "pairs.bpf.cpp", "-t", "bpf", "--emit", "object", "-o", work / "cxx.o")
    run(lathe, "compile", here / "pairs.bpf.c", "-t", "bpf", *includes, "--emit", "object", "-o", work / "c.o")
    table("C++ by Lathe against C by clang -O2", work / "cxx.o", work / "clang.o")
    table("The same C by Lathe", work / "c.o", work / "clang.o")
