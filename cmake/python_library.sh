#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# python_library.sh FOLDER LIBRARY PACKAGE …: a shared library that packages of the Python index hold, in a virtual environment
# FOLDER. LIBRARY is its path there, a pattern. Prints the path; where it cannot be had, the reason on standard error, and fails.
set -euo pipefail
folder=$1 pattern=$2
shift 2
find_library() { compgen -G "$folder/$pattern" | head -n 1; }
if ! find_library >/dev/null; then
  python3 -m venv "$folder" >&2 || { echo "$folder: python3 makes no virtual environment (Debian: python3-venv)" >&2; exit 1; }
  "$folder/bin/pip" install --quiet --disable-pip-version-check "$@" >&2 || {
    echo "$folder: $* cannot be installed from the Python index" >&2
    exit 1
  }
fi
find_library || { echo "$folder: $* hold no $pattern" >&2; exit 1; }
