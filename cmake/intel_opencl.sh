#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# intel_opencl.sh FOLDER: Intel's OpenCL runtime for CPUs, from the Python index, in a virtual environment FOLDER. Prints the
# path of its library, which finds its own by LD_LIBRARY_PATH; where it cannot be had, the reason on standard error, and fails.
exec "$(dirname "${BASH_SOURCE[0]}")/python_library.sh" "$1" lib/libintelocl.so 'intel-opencl-rt>=2024.2' intel-cmplr-lib-rt
