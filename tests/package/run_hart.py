#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The target of examples/hart_target, executed by the emulator Unicorn: the conformance suite, a faulty kernel, and what is said
where the emulator is missing. LATHE_HART=all: every case of the suite. Exits with 77 where there is no Unicorn 2.

usage: run_hart.py LATHE TARGETS SOURCES
"""
import ctypes
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

lathe, targets, sources = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
CASES = ["kernels_basics", "kernels_indexing", "kernels_barriers", "kernels_integers", "kernels_math_sin", "kernels_math_pow", "cuda_block_reduce"]


def library():
    """The emulator's library: as named, of the system, or of the Python package; None: there is none."""
    names = [os.environ.get("LATHE_UNICORN_LIBRARY"), "libunicorn.so.2"]
    if package := importlib.util.find_spec("unicorn"):
        names.append(str(pathlib.Path(package.origin).parent / "lib/libunicorn.so.2"))
    for name in filter(None, names):
        try:
            ctypes.CDLL(name)
            return name
        except OSError:
            continue
    return None


def run(*arguments, code=0, emulator):
    environment = dict(os.environ, LATHE_TARGET_PATH=targets, LATHE_UNICORN_LIBRARY=emulator)
    done = subprocess.run([lathe, *map(str, arguments)], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == code, f"{arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def code_lines(path):
    comment = "#" if path.suffix == ".yaml" else "//"
    return sum(1 for line in map(str.strip, path.read_text().splitlines()) if line and not line.startswith(comment))


lines = code_lines(sources / "hart.yaml") + code_lines(sources / "runtime.cpp")
assert lines < 300, f"descriptor and runtime have {lines} lines"
with tempfile.TemporaryDirectory() as folder:
    kernel = pathlib.Path(folder) / "double.cpp"
    kernel.write_text("#include <lathe/device.h>\nLATHE_KERNEL void k(long from, int* p) {\n"
                      "  p[lathe::global_id().x] = 2 * p[from + lathe::global_id().x];\n}\n")
    launch = ["run", kernel, "-t", "hart", "--grid", 1, "--group", 4, "--arg"]
    text = run(*launch, 0, "--arg", "iota:i32[4]", code=3, emulator="/nowhere/libunicorn.so.2")
    assert "hart: /nowhere/libunicorn.so.2: cannot open" in text and "hint: install libunicorn2" in text, text
    emulator = library()
    if not emulator:
        print("not run: no libunicorn.so.2 (cmake/unicorn.sh fetches it; Debian: libunicorn2; or name one by LATHE_UNICORN_LIBRARY)")
        sys.exit(77)
    assert "0 2 4 6" in run(*launch, 0, "--arg", "iota:i32[4]", "--print", "p:4", emulator=emulator)
    text = run(*launch, 1 << 40, "--arg", "iota:i32[4]", code=3, emulator=emulator)
    assert "hart: the kernel stopped: Invalid memory read" in text, text
cases = [] if os.environ.get("LATHE_HART") == "all" else [word for case in CASES for word in ("--case", case)]
text = run("conformance", "--target", "hart", *cases, emulator=emulator)
counts = re.search(r"hart: (\d+) passed, (\d+) failed, (\d+) absent", text)
assert counts and int(counts[1]) > 20 and int(counts[2]) == 0, text
print(f"{counts[0]}; {lines} lines of descriptor and runtime")
