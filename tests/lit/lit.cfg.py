# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Lit's view of the lowering tests. `%dump-after STAGE …` compiles the test itself and shows the IR after a stage. An
# optional tool becomes a feature, and a test that requires it is reported as unsupported without it.
import json
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "lathe-lowering"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".c", ".cpp", ".cu", ".hip", ".ll", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join([config.llvm_tools, config.environment["PATH"]])
config.substitutions += [
    # The stage's IR goes to standard error, the result to a file that nobody reads.
    ("%dump-after", f"{config.lathe_tool} compile --isolation in-process -o %t.out %s --dump-after"),
    ("%compile", f"{config.lathe_tool} compile --isolation in-process"),
    ("%lathe", config.lathe_tool),
    ("%python", sys.executable),
]
if os.path.exists(config.ptxas):
    config.substitutions.append(("%ptxas", config.ptxas))
    config.available_features.add("ptxas")
# Tests are of Lathe's own headers, unless they name the toolkit's libraries.
config.environment["LATHE_CCCL"] = "none"
if os.path.exists(config.nvcc):
    cccl = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(config.nvcc))), "include", "cccl")
    if os.path.isdir(os.path.join(cccl, "cub")):
        config.substitutions.append(("%cccl", cccl))
        config.available_features.add("cccl")
    config.substitutions.append(("%nvcc", config.nvcc))
    config.available_features.add("nvcc")
# As the build decides whether kernels have a C++ library.
if os.path.exists(os.path.join(config.libcxx_headers, "__config")):
    config.available_features.add("libcxx")
# AMD's mathematics (Debian: rocm-device-libs).
ocml = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc"
if os.path.exists(ocml):
    config.substitutions.append(("%ocml", ocml))
    config.available_features.add("ocml")
# Folders of the machine can be hidden from a command.
if subprocess.run(["unshare", "--mount", "--map-root-user", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False).returncode == 0:
    config.available_features.add("mount-namespace")
if shutil.which("spirv-val", path=config.environment["PATH"]):
    config.available_features.add("spirv-val")

# The tool itself knows where it looks for libdevice; `doctor` says whether it found one.
doctor = subprocess.run([config.lathe_tool, "doctor", "--json"], capture_output=True, text=True, check=False)
if any(row.get("subject") == "libdevice" and row.get("state") == "ok" for row in json.loads(doctor.stdout or "{}").get("findings", [])):
    config.available_features.add("libdevice")
