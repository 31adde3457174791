// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where items leave a loop one by one, the mask of those that go on is a mask from iteration to iteration, and one
// conjunction makes the next: on machines with registers for masks. Others keep an integer for each lane. What lanes
// begin with may be known in front of the loop only.
// RUN: %dump-after optimise -t cpu:x86-64-v4 --features -prefer-256-bit --group-size 16,1,1 2>&1 | FileCheck %s
// RUN: %dump-after optimise -t cpu:x86-64-v3 --group-size 16,1,1 2>&1 | FileCheck %s --check-prefix=V3

// CHECK-LABEL: define {{.*}}@escapeTime.group
// CHECK: %[[MASK:.*]] = phi <16 x i1> [ %{{.*}} ], [ %[[NEXT:.*]], %[[LOOP:.*]] ]
// CHECK: %[[NEXT]] = and <16 x i1> %[[MASK]], %
// CHECK-NEXT: %[[BITS:.*]] = bitcast <16 x i1> %[[NEXT]] to i16
// CHECK-NEXT: %[[NONE:.*]] = icmp eq i16 %[[BITS]], 0
// CHECK-NEXT: br i1 %[[NONE]], label %{{.*}}, label %[[LOOP]]
// CHECK-LABEL: define {{.*}}@escapes.group
// CHECK: %[[ALL:.*]] = phi <16 x i1> [ %{{.*}}, %{{.*}} ], [ %[[STAY:.*]], %[[LOOPS:.*]] ]
// CHECK: %[[STAY]] = and <16 x i1> %[[ALL]], %
// V3-NOT: phi <{{.*}} x i1>
// V3: phi <{{.*}} x i32> {{.*}}
// V3-NOT: phi <{{.*}} x i1>
extern "C" __global__ void escapeTime(unsigned limit, float* out) {
  const unsigned i = threadIdx.x;
  float x = out[i];
  unsigned step = 0;
  for (; step < limit && x < 4.0f; ++step) x = x * x + 0.25f;
  out[i] = static_cast<float>(step);
}

extern "C" __global__ void escapes(const int* limit, const float* in, int* out) {
  const unsigned i = threadIdx.x;
  const int most = *limit;  // which another item may have written
  const float x = in[i];
  float y = 0;
  int count = 0;
  for (int step = 0; step < most; ++step) {
    if (y * y >= 4.0f) break;
    y = y * y + x;
    ++count;
  }
  out[i] = count;
}
