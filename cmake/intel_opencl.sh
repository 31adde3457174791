#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# intel_opencl.sh FOLDER: Intel's OpenCL runtime for CPUs, from the Python index, in a virtual environment FOLDER. Prints the
# path of its library, which finds its own by LD_LIBRARY_PATH; where it cannot be had, the reason on standard error, and fails.
set -euo pipefail
folder=$1
library=$folder/lib/libintelocl.so
if [ ! -e "$library" ]; then
  python3 -m venv "$folder" >&2 || { echo "intel_opencl: python3 makes no virtual environment (Debian: python3-venv)" >&2; exit 1; }
  "$folder/bin/pip" install --quiet --disable-pip-version-check 'intel-opencl-rt>=2024.2' intel-cmplr-lib-rt >&2 || {
    echo "intel_opencl: intel-opencl-rt cannot be installed from the Python index" >&2
    exit 1
  }
fi
[ -e "$library" ] || { echo "intel_opencl: the package holds no libintelocl.so" >&2; exit 1; }
echo "$library"
