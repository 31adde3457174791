// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conversion that control flow chooses depends on a value of the block that it is chosen from, where LLVM's
// StructurizeCFG would move it and choose another value (legalize: [free_choices]).
// RUN: %compile %s -t amdgpu -O2 -o %t.limg --dump-after late 2> %t.late
// RUN: FileCheck %s < %t.late
// RUN: %compile %s -t cuda -O2 -o %t.limg --dump-after late 2> %t.cuda
// RUN: FileCheck %s --check-prefix SAME < %t.cuda
// CHECK: [[KEPT:%[0-9]+]] = freeze i32
// CHECK-NEXT: [[WIDE:%[a-z0-9.]+]] = zext nneg i32 [[KEPT]] to i64
// CHECK: phi i64 {{.*}}[ [[WIDE]],
// SAME-NOT: freeze
__global__ void chosenByWay(const unsigned* in, unsigned long long* out) {
  const unsigned x = in[threadIdx.x] & 0xffffu;
  const unsigned steps = 1 + (~threadIdx.x & 15);
  unsigned turns = (steps + 7) / 8;
  unsigned long long sum = threadIdx.x;
  switch (steps % 8) {
    case 0:
      do {
        sum = (sum ^ x) * 0x9e3779b97f4a7c15ull;
        case 7:
          sum += (sum << 4) ^ ~17ull;
        case 6:
          sum += (sum << 2) ^ static_cast<unsigned long long>(x);
        case 5:
          sum += (sum << 7) ^ static_cast<unsigned long long>(x);
      } while (--turns > 0);
  }
  out[threadIdx.x] = sum;
}
