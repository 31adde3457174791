#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses a target and a runtime from outside the tree through the tool, and what goes wrong with one.

usage: run_plugin.py LATHE FOLDER
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

lathe, folder = sys.argv[1], pathlib.Path(sys.argv[2])

KERNEL = """#include <lathe/device.h>
LATHE_KERNEL void halve(int n, float* data) {
  LATHE_SHARED float tile[64];
  const unsigned i = lathe::global_id().x, own = lathe::item_id().x;
  tile[own] = data[i];
  lathe::barrier();
  if (int(i) < n) data[i] = tile[63 - own] * 0.5f;
}
"""


def run(*arguments, code=0, environment=None):
    done = subprocess.run([lathe, *map(str, arguments)], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == code, f"{arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def launch(source, *more, **keywords):
    return run("run", source, "-t", "blink", "--grid", 2, "--group", 64, "--arg", 128, "--arg", "iota:f32[128]", "--print",
               "data:128", *more, **keywords)


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    kernel = scratch / "halve.cpp"
    kernel.write_text(KERNEL)
    expected = " ".join(f"{value / 2:g}" for group in (0, 64) for value in range(group + 63, group - 1, -1))
    for isolation in ("worker", "in-process"):
        text = launch(kernel, "--plugin", folder, "--isolation", isolation)
        assert expected in text and "on blink:" in text and "Blink, played by the host" in text, text
    # Found by the search path; compiled now, run later.
    here = dict(os.environ, LATHE_TARGET_PATH=str(folder))
    image = scratch / "halve.limg"
    run("compile", kernel, "-t", "blink", "-o", image, environment=here)
    assert expected in launch(image, environment=here)
    info = json.loads(run("inspect", image, "--json"))
    assert info["runtime"] == "blink" and info["entries"][0]["resources"]["constant_bytes"] > 0, info
    assert "blink" in run("targets", environment=here)
    assert "blink 1.0" in run("compile", kernel, "-t", "blink", "-o", image, "--explain", environment=here)
    # Its hook refuses, with the source's lines.
    double = scratch / "double.cpp"
    double.write_text("#include <lathe/device.h>\nLATHE_KERNEL void k(double* p) {\n  p[lathe::global_id().x] *= 2.0;\n}\n")
    text = run("compile", double, "-t", "blink", code=1, environment=here)
    assert "double.cpp:3:" in text and "blink computes in single precision only" in text, text
    # A hook's own error ends the compile, in Lathe's form.
    table = scratch / "table.cpp"
    numbers = ", ".join(str(7 * value + 1) for value in range(20000))
    table.write_text("#include <lathe/device.h>\nLATHE_CONSTANT int table[] = {" + numbers + "};\n"
                     "LATHE_KERNEL void k(int* p) { p[lathe::global_id().x] = table[p[0]]; }\n")
    for isolation in ("worker", "in-process"):
        text = run("compile", table, "-t", "blink", "--isolation", isolation, code=1, environment=here)
        assert "error: blink has 65536 bytes for code, these kernels take " in text, text
        assert "hint: compile fewer kernels into one image" in text, text
    # A bundle needs the plugin, and says so.
    bundle = scratch / "halve.lathejob"
    run("job", "save", kernel, "-t", "blink", "-o", bundle, environment=here)
    assert "identical" in run("job", "replay", bundle, environment=here)
    text = run("job", "replay", bundle, code=1)
    assert "plugin 'blink 1.0', which is not here" in text, text
    # A descriptor that does not agree with its runtime: the suite computes with neither.
    narrow = scratch / "narrow"
    narrow.mkdir()
    (narrow / "narrow.yaml").write_text("lathe: 1\nname: narrow\nextends: blink\ndescription: other subgroups\nsubgroup: {size: 16}\n")
    text = run("conformance", "--target", "narrow", "--case", "cuda_saxpy_saxpy", code=3,
               environment=dict(os.environ, LATHE_TARGET_PATH=f"{narrow}:{folder}"))
    assert "runtime 'blink' says that a subgroup has 32 items, and kernels of target 'narrow' see 16" in text, text
    # Without the runtime, and with a broken one.
    assert "no runtime here launches" in launch(image, code=1)
    broken = scratch / "targets" / "blink"
    shutil.copytree(folder / "blink", broken)
    shutil.copy(folder / "blink" / "blink.so", broken / "blink-runtime.so")
    text = launch(image, code=1, environment=dict(os.environ, LATHE_TARGET_PATH=str(broken.parent)))
    assert "it has no symbol 'lathe_runtime'" in text, text
    (broken / "blink-runtime.so").write_text("no library")
    text = launch(image, code=1, environment=dict(os.environ, LATHE_TARGET_PATH=str(broken.parent)))
    assert "error: runtime " in text and "blink-runtime.so: " in text, text
print("a target from outside the tree compiles, runs, refuses and is missed when it is gone")
