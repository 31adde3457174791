#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs kernels in a dialect from outside the tree through the tool, and what goes wrong without it.

usage: run_dialect.py LATHE PLUGIN
"""
import pathlib
import subprocess
import sys
import tempfile

lathe, plugin = sys.argv[1], sys.argv[2]

KERNEL = """kernel void triple(int n, float* data) {
  each_cell(i, n) data[i] *= 3.0f;
}
"""


def run(*arguments, code=0):
    done = subprocess.run([lathe, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == code, f"{arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    source, image = scratch / "triple.stencil", scratch / "triple.limg"
    source.write_text(KERNEL)
    # By its ending, and by its name under another ending.
    expected = " ".join(f"{3 * value:g}" for value in range(8))
    for isolation in ("worker", "in-process"):
        text = run("run", source, "-t", "cpu", "--plugin", plugin, "--isolation", isolation, "--grid", 1, "--group", 4, "--arg", 8,
                   "--arg", "iota:f32[8]", "--print", "data:8")
        assert expected in text, text
    other = scratch / "triple.cpp"
    other.write_text(KERNEL)
    assert "triple" in run("compile", other, "-x", "stencil", "-t", "cuda:sm_90", "-e", "asm", "--plugin", plugin, "-o", "-")
    assert "stencil 1.0" in run("compile", source, "-t", "cpu", "--plugin", plugin, "-o", image, "--explain")
    # An error in the source stands at the source's line, and in the dialect's words.
    wrong = scratch / "wrong.stencil"
    wrong.write_text("void plain(float* data) {}\n")
    text = run("compile", wrong, "-t", "cpu", "--plugin", plugin, "--kernel", "plain", code=1)
    assert "mark the function with kernel" in text, text
    # Without the plugin the name is unknown.
    text = run("compile", other, "-x", "stencil", "-t", "cpu", code=1)
    assert "no dialect is called 'stencil'" in text, text
    # A bundle needs the plugin, and says so.
    bundle = scratch / "triple.lathejob"
    run("job", "save", source, "-t", "cpu", "--plugin", plugin, "-o", bundle)
    assert "identical" in run("job", "replay", bundle, "--plugin", plugin)
    text = run("job", "replay", bundle, code=1)
    assert "dialect stencil of stencil 1.0, which is not here" in text, text
print("a dialect from outside the tree compiles, runs and is missed when it is gone")
