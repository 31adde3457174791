#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# pack.sh BUILD_DIR OUT.tar.xz: the portable bundle, in two archives. OUT.tar.xz is for users: bin/lathe, and in lib/ the two
# libraries, those with NVRTC's interface, and what they need beside glibc and libstdc++. OUT-tests.tar.xz, unpacked over
# it, adds the benchmarks and the tests that need no build folder. Everything finds its libraries by relative path.
set -euo pipefail
build=$(cd "$1" && pwd)
mkdir -p "$(dirname "$2")"
out=$(cd "$(dirname "$2")" && pwd)/$(basename "$2" .tar.xz)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
user=$stage/user/lathe tests=$stage/tests/lathe
mkdir -p "$user/bin" "$user/lib" "$tests/bin" "$tests/bench"

# What carries a compiler of its own (tests of its parts, the single-file tool) is too large to ship many of; what uses the
# libraries is not. Tests and the benchmark of BPF programs need the machine's libbpf.
most_bytes=$((32 << 20))
for program in "$build"/bin/*; do
  name=$(basename "$program")
  case $name in lathe|*_generator|*_packer|cuda_driver_test|lathe_nvrtc_test|lathe_bpf_*|bench_bpf) continue ;; esac
  [ -f "$program" ] && [ "$(stat -c %s "$program")" -le $most_bytes ] && cp "$program" "$tests/bin/$name"
done
cp "$build/shared/lathe" "$user/bin/lathe"
cp -P "$build"/lib/liblathe*.so* "$user/lib/"
for library in libyaml-cpp.so.0.7; do
  cp -L "$(ldd "$build/lib/liblathe.so" | awk -v want="$library" '$1 == want {print $3}')" "$user/lib/$library"
done
for major in 12 13; do
  mkdir -p "$user/lib/nvrtc/$major"
  cp -P "$build/lib/nvrtc/$major"/libnvrtc.so* "$user/lib/nvrtc/$major/"
  patchelf --set-rpath '$ORIGIN/../..' "$user/lib/nvrtc/$major/libnvrtc.so.$major"
done
find "$stage" -type f -exec strip --strip-unneeded {} + 2>/dev/null || true
for file in "$stage"/*/lathe/bin/* "$stage"/*/lathe/lib/*.so.*.*.*; do
  [ -L "$file" ] || patchelf --set-rpath '$ORIGIN/../lib:$ORIGIN' "$file" 2>/dev/null || true
done
# After the stripping, which is not for GPU code.
code=$build/bin/bench_gpu_kernels_code
if [ -d "$code" ]; then cp -r "$code" "$tests/bin/"; fi
cp "$here/bench/run" "$tests/bench/"

# pack FOLDER ARCHIVE XZ_OPTIONS…
pack() {
  local folder=$1 archive=$2
  shift 2
  tar -C "$folder" --sort=name --owner=0 --group=0 -cf - lathe | xz -T1 "$@" > "$archive.part"
  mv "$archive.part" "$archive"
  ls -l "$archive"
}
# The filter for branches of x86 code makes the libraries a tenth smaller; the tests, which have much in common, are
# smaller without it and where the window holds many of them.
pack "$stage/user" "$out.tar.xz" --x86 --lzma2=preset=9e,dict=128MiB
pack "$stage/tests" "$out-tests.tar.xz" --lzma2=preset=5,dict=64MiB
