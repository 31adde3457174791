#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# pack.sh BUILD_DIR OUT.tar.xz: the portable bundle. bin/ has the tool, benchmarks and the tests that need no build folder,
# lib/ the two libraries and what they need beside glibc and libstdc++; everything finds its libraries by relative path.
set -euo pipefail
build=$(cd "$1" && pwd)
mkdir -p "$(dirname "$2")"
out=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/lathe/bin" "$stage/lathe/lib"

# What carries a compiler of its own (tests of its parts, the single-file tool) is too large to ship many of; what uses the
# libraries is not. Tests and the benchmark of BPF programs need the machine's libbpf.
most_bytes=$((32 << 20))
for program in "$build"/bin/* "$build"/shared/lathe; do
  name=$(basename "$program")
  case $name in *_generator|*_packer|cuda_driver_test|lathe_bpf_*|bench_bpf) continue ;; esac
  [ -f "$program" ] && [ "$(stat -c %s "$program")" -le $most_bytes ] && cp "$program" "$stage/lathe/bin/$name"
done
cp -P "$build"/lib/liblathe*.so* "$stage/lathe/lib/"
for library in libyaml-cpp.so.0.7; do
  cp -L "$(ldd "$build/lib/liblathe.so" | awk -v want="$library" '$1 == want {print $3}')" "$stage/lathe/lib/$library"
done
find "$stage/lathe" -type f -exec strip --strip-unneeded {} + 2>/dev/null || true
for file in "$stage"/lathe/bin/* "$stage"/lathe/lib/*.so.*.*.*; do
  [ -L "$file" ] || patchelf --set-rpath '$ORIGIN/../lib:$ORIGIN' "$file" 2>/dev/null || true
done
# After the stripping, which is not for GPU code.
code=$build/bin/bench_gpu_kernels_code
if [ -d "$code" ]; then cp -r "$code" "$stage/lathe/bin/"; fi
mkdir -p "$stage/lathe/bench"
cp "$here/bench/run" "$stage/lathe/bench/"
# One archive in two streams of xz. The filter for branches of x86 code makes the libraries a tenth smaller; the tests,
# which have much in common, are smaller without it and where the window holds many of them.
archive=$stage/lathe.tar
tar -C "$stage" -cf "$archive" lathe/lib lathe/bin lathe/bench
libraries=$(tar -tRf "$archive" | sed -n 's/^block \([0-9]*\): lathe\/bin\/$/\1/p')
bytes=$((libraries * 512))
{
  head -c "$bytes" "$archive" | xz -T0 --x86 --lzma2=preset=5,dict=64MiB
  tail -c +$((bytes + 1)) "$archive" | xz -T0 --lzma2=preset=5,dict=64MiB
} > "$out.part"
mv "$out.part" "$out"
ls -l "$out"
