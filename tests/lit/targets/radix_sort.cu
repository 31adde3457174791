// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's radix sort takes no more registers than in nvcc's code. Each item counts the digits of its keys, and ranks the
// keys by them later. The digits are taken out of the keys twice, in two ways, so that NVIDIA's assembler does not keep
// them; a rank is added up before the next key is looked at, where LLVM's MachineSink would move it to its use.
// REQUIRES: cccl, nvcc, ptxas
// RUN: %compile %s -t cuda:sm_90 -I %cccl --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %nvcc -ptx -arch=sm_90 %s -o %t.nvcc.ptx
// RUN: %python %S/../Inputs/compare_registers.py %ptxas sm_90 %t.ptx %t.nvcc.ptx Onesweep
#include <cub/device/device_radix_sort.cuh>

// CHECK-LABEL: .entry {{.*}}DeviceRadixSortOnesweepKernel
// CHECK: shr.u32 [[SHIFTED:%r[0-9]+]], {{%r[0-9]+}}, [[BELOW:%r[0-9]+]];
// CHECK: and.b32 {{%r[0-9]+}}, [[SHIFTED]], {{%r[0-9]+}};
// CHECK: atom.shared.add.u32
// CHECK: bar.sync
// CHECK: and.b32 [[DIGIT:%r[0-9]+]], {{%r[0-9]+}}, {{%r[0-9]+}};
// CHECK: shr.u32 {{%r[0-9]+}}, [[DIGIT]], [[BELOW]];
// CHECK: popc.b32 [[COUNT:%r[0-9]+]],
// CHECK: shfl.sync.idx.b32 [[FIRST:%r[0-9]+]]
// CHECK-NEXT: add.s32 [[SUM:%r[0-9]+]], [[COUNT]], [[FIRST]];
// CHECK-NEXT: add.s32 [[RANK:%r[0-9]+]], [[SUM]], -1;
// CHECK: popc.b32
void ascending(void* room, std::size_t& bytes, unsigned* in, unsigned* out, int count) {
  cub::DeviceRadixSort::SortKeys(room, bytes, in, out, count);
}
void pairs(void* room, std::size_t& bytes, unsigned* keys, unsigned* sorted, unsigned* values, unsigned* taken, int count) {
  cub::DeviceRadixSort::SortPairs(room, bytes, keys, sorted, values, taken, count);
}
