#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes Metal text on the host: Lathe writes it, Clang compiles it as C++ against a stand-in for Metal's header, and
the program compares with the host's own code. The one change made to the text: arrays of the group become static, for
C++ has no other storage that threads share inside a function."""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--lathe", required=True)
    arguments.add_argument("--clang", required=True)
    options = arguments.parse_args()
    failed = 0
    for level in ("-O0", "-O3"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            text = path / "kernels.metal"
            subprocess.run([options.lathe, "compile", here / "kernels.cpp", "-t", "metal", level, "--emit", "metal", "-o", text],
                           check=True, stdout=subprocess.DEVNULL)
            shared = re.compile(r"^  threadgroup (uchar \w+\[)", re.MULTILINE)
            text.write_text(shared.sub(r"  static \1", text.read_text()))
            program = path / "host"
            subprocess.run([options.clang, "--driver-mode=g++", "-std=c++20", "-O2", "-ffp-contract=off", "-pthread", "-Wall", "-Werror",
                            "-Wno-unknown-attributes", "-Wno-unknown-pragmas", "-Wno-unused-parameter",
                            "-Wno-unused-variable", "-Wno-unused-but-set-variable", "-Wno-ignored-attributes",
                            f"-I{here}", f"-I{folder}", here / "host.cpp", "-o", program], check=True)
            result = subprocess.run([program], stdout=subprocess.PIPE, text=True)
            print(f"{level}: {result.stdout}", end="")
            failed += result.returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
