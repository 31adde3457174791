#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# try_bundle.sh BUNDLE.tar.xz: unpacks a portable bundle elsewhere and runs its tool there in an empty environment. What it
# loads has to lie in it or be part of glibc or GCC's run-time libraries; so has what the tests load, BUNDLE-tests.tar.xz.
set -euo pipefail
bundle=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
tar -xf "$bundle"
[ "$(ls lathe/bin)" = lathe ] || { echo "a user's bundle has more in bin/ than the tool" >&2; exit 1; }

allowed='^(linux-vdso|ld-linux[a-z0-9-]*|libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)\.so'
# Ends with an error if a program or library here loads anything else.
check_libraries() {
  local file name path failed=0
  for file in lathe/bin/* lathe/lib/*.so* lathe/lib/nvrtc/*/*.so*; do
    while read -r name _ path _; do
      case $path in "$folder"/*) continue ;; esac
      [[ $(basename "$name") =~ $allowed ]] && continue
      echo "$file loads $name from outside of the bundle (${path:-not found})" >&2
      failed=1
    done < <(env -i "$(command -v ldd)" "$file" 2>/dev/null | grep -v 'statically linked' || true)
  done
  return "$failed"
}
check_libraries

printf '#include <lathe/device.h>\nLATHE_KERNEL void twice(float* x) { x[lathe::global_id().x] *= 2; }\n' > twice.cpp
tool=lathe/bin/lathe
env -i "$tool" --version
env -i "$tool" demo
for target in cpu cuda:sm_90 amdgpu:gfx1100 spirv; do env -i "$tool" compile twice.cpp --target "$target" -o twice.limg; done
[ "$(env -i "$tool" run twice.cpp --grid 1 --group 4 --arg iota:f32[4] --print 0 | head -n 1)" = 'x f32[4]: 0 2 4 6' ]
echo "the bundle's tool works in an empty environment"

tests=${bundle%.tar.xz}-tests.tar.xz
if [ -f "$tests" ]; then
  tar -xf "$tests"
  check_libraries
  [ -x lathe/bench/run ] && [ -x lathe/bin/cpu_test ]
  echo "its tests and benchmarks find their libraries in it"
fi
