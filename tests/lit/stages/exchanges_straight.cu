// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where items of a CPU's group exchange values, branches around cheap code between two exchanges become selects: the
// exchanges are in one block, and need one barrier each. So four steps of a sort are five regions, behind the first.
// (Each step has two shuffles, which share theirs.)
// RUN: %dump-after work_groups -t cpu 2>&1 | FileCheck %s
// RUN: %lathe run %s -t cpu -k steps --grid 1 --group 32 --arg 'iota:f32[32]' --arg 'iota:i32[32]' --print 1:4 | FileCheck %s --check-prefix=RAN
// CHECK: define internal void @steps.group(
// CHECK-NOT: region.6
// CHECK: region.5.item:
// CHECK-NOT: region.6
// CHECK: !0
struct Pair {
  float key;
  int value;
};
__device__ bool isGreater(const Pair& a, const Pair& b) {
  return a.key > b.key || (a.key == b.key && a.value > b.value);
}
__device__ Pair step(Pair own, int distance, bool keepsGreater) {
  Pair other;
  other.key = __shfl_xor_sync(0xffffffff, own.key, distance);
  other.value = __shfl_xor_sync(0xffffffff, own.value, distance);
  return isGreater(own, other) == keepsGreater ? own : other;
}
extern "C" __global__ void steps(float* keys, int* values) {
  const int t = static_cast<int>(threadIdx.x);
  Pair own{keys[t], values[t]};
  for (int distance = 1; distance < 16; distance *= 2) own = step(own, distance, (t & distance) == 0);
  keys[t] = own.key;
  values[t] = own.value;
}
// RAN: 15 14 13 12
