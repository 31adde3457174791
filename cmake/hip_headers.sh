#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# hip_headers.sh FOLDER: AMD's declarations of HIP, which the tests compare Lathe's own with, from Debian's package. Only its
# files are taken: installed, it brings a HIP library without a device, which programs would find. Prints the include folder;
# fails, with the reason on standard error, where the package cannot be had.
set -euo pipefail
folder=$1
package=libamdhip64-dev
if [ ! -f "$folder/usr/include/hip/hip_runtime_api.h" ]; then
  mkdir -p "$folder"
  if ! (cd "$folder" && apt-get download -qq "$package" >/dev/null 2>&1 && dpkg -x "$package"_*.deb .); then
    echo "hip_headers.sh: $package cannot be downloaded; HIP's declarations are not compared" >&2
    exit 1
  fi
  rm -f "$folder/$package"_*.deb
fi
echo "$folder/usr/include"
