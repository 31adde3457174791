# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Lit's view of the integration tests. Features name what this machine can run, as `lathe doctor` finds it.
import glob
import json
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "lathe"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join([config.llvm_tools, config.environment["PATH"]])
config.environment["TERM"] = "xterm"
config.environment["LATHE_CCCL"] = "none"  # tests are of Lathe's own headers
config.environment["LATHE_CACHE"] = "off"  # which ctest sets and lit does not pass on: a test would be served what its last run left
config.substitutions += [
    ("%lathe", config.lathe_tool),
    ("%load_object", config.load_object),
    ("%load_imports", config.load_imports),
    # Uninstalled, the runtime library does not find the compiler beside it.
    ("%load_portable", "env LD_LIBRARY_PATH=" + os.path.join(os.path.dirname(config.lathe_tool), "../lib") + " " + config.load_portable),
    ("%clang", config.clang),
    ("%generated", config.generated_headers),
    ("%python", sys.executable),
    ("%programs", os.path.join(config.test_source_root, "../../bench/programs/run.py")),
    ("%exits", "sh " + os.path.join(config.test_source_root, "Inputs", "exits.sh")),
]

# The compiler's library by the name that programs ask for, where it is one.
libraries = sorted(glob.glob(os.path.join(os.path.dirname(config.lathe_tool), "../lib/liblathe.so.*")), key=len)
if libraries:
    config.available_features.add("shared-library")
    config.substitutions.append(("%liblathe", os.path.abspath(libraries[0])))

# Compilers and emulators for the programs that call compiled objects.
for tool in ("gcc", "g++", "make", "nvcc", "node", "wasm-ld", "qemu-aarch64", "qemu-riscv64", "qemu-s390x", "qemu-x86_64", "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++",
             "riscv64-linux-gnu-gcc", "s390x-linux-gnu-gcc"):
    if shutil.which(tool):
        config.available_features.add(tool)

# A HIP library that is named is the tests' too.
if "LATHE_HIP_LIBRARY" in os.environ:
    config.environment["LATHE_HIP_LIBRARY"] = os.environ["LATHE_HIP_LIBRARY"]

# AMD's tables of the operands of matrix instructions: who has the calculator (github.com/ROCm/amd_matrix_instruction_calculator) names it.
calculator = os.environ.get("LATHE_MATRIX_CALCULATOR", "")
if os.path.isfile(calculator):
    config.available_features.add("matrix-calculator")
    config.substitutions.append(("%calculator", calculator))
    config.environment["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")  # its `tabulate`

# Signatures need it, and nothing else does.
if any(subprocess.run([sys.executable, "-c", f"import ctypes; ctypes.CDLL('{name}')"], stderr=subprocess.DEVNULL, check=False).returncode == 0
       for name in ("libsodium.so.23", "libsodium.so.26")):
    config.available_features.add("libsodium")

# The official schema is not ours to ship: whoever has it names the file.
schema = os.environ.get("LATHE_SARIF_SCHEMA", "")
for python in (sys.executable, shutil.which("python3")) if os.path.isfile(schema) else ():
    if subprocess.run([python, "-c", "import jsonschema"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        config.environment["LATHE_SARIF_SCHEMA"] = schema
        config.available_features.add("sarif-schema")
        config.substitutions.append(("%schema_python", python))
        break

found = json.loads(subprocess.run([config.lathe_tool, "doctor", "--json"], capture_output=True, check=True).stdout)
for finding in found["findings"]:
    if finding.get("state") == "ok":
        # "device-cuda", "target-amdgpu", "toolkit-ptxas"
        config.available_features.add(finding["area"] + "-" + finding["subject"].split(":")[0])
        if finding["subject"] == "ptxas":
            config.substitutions.append(("%ptxas", finding["detail"]))
