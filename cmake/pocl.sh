#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# pocl.sh FOLDER: PoCL from the Python index (the newest there: 3.0), in a virtual environment FOLDER. Prints the path of its
# library, an OpenCL driver without a loader; where it cannot be had, the reason on standard error, and fails.
exec "$(dirname "${BASH_SOURCE[0]}")/python_library.sh" "$1" 'lib/python3*/site-packages/pyopencl/.libs/libpocl-*.so' pocl-binary-distribution
