// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that must be inlined and would bring a kernel some thousand loops at once: they are inlined, each after it
// was simplified, which leaves half as much code, and give what they would have given.
// RUN: %compile %s -t cuda:sm_80 --emit ir -o %t.ll && FileCheck %s < %t.ll
// RUN: %python -c "import sys; sys.exit(len(open(sys.argv[1]).readlines()) > 800)" %t.ll
// RUN: %lathe run %s -t cpu -k total --grid 1 --group 1 --arg zeros:i32[1] --arg 2 --print 0 | FileCheck %s --check-prefix=SUM
// CHECK-LABEL: define {{.*}}total
// CHECK-NOT: {{ call .*count}}
// CHECK: ret void
// CHECK-NOT: lathe-inlined-late
// SUM: 1613472
template <int Depth>
struct Nest {
  __device__ __forceinline__ static int count(int times) {
    int sum = 0;
    for (int i = 0; i < times; ++i) sum += Nest<Depth - 1>::count(times);
    for (int i = 0; i < times; ++i) sum += Nest<Depth - 1>::count(times);
    for (int i = 0; i < times + 3; ++i) sum += Nest<Depth - 1>::count(times);
    for (int i = 0; i < times + 3; ++i) sum += Nest<Depth - 1>::count(times);
    return sum;
  }
};
template <>
struct Nest<0> {
  __device__ __forceinline__ static int count(int times) { return times + 1; }
};

__global__ void total(int* out, int times) {
  *out = Nest<5>::count(times);
}
