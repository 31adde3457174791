#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# unicorn.sh FOLDER: the emulator Unicorn, which examples/hart_target runs on, from the Python index, in a virtual environment
# FOLDER. Prints the path of its library; where it cannot be had, the reason on standard error, and fails.
exec "$(dirname "${BASH_SOURCE[0]}")/python_library.sh" "$1" 'lib/python3*/site-packages/unicorn/lib/libunicorn.so.2' 'unicorn>=2'
