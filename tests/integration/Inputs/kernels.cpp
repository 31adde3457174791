// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that the integration tests compile and run.
#include <lathe/device.h>

LATHE_KERNEL void saxpy(unsigned n, float a, const float* x, float* y) {
  const unsigned i = lathe::global_id().x;
  if (i < n) y[i] += a * x[i];
}

/// Reverses each group's part of `data` through shared memory.
LATHE_KERNEL void reverse(int* data) {
  LATHE_SHARED int part[64];
  const unsigned item = lathe::item_id().x;
  part[item] = data[lathe::global_id().x];
  lathe::barrier();
  data[lathe::global_id().x] = part[lathe::group_size().x - 1 - item];
}

/// The same with launch-sized shared memory.
LATHE_KERNEL void reverse_dynamic(int* data) {
  int* const part = lathe::dynamic_shared<int>();
  const unsigned item = lathe::item_id().x;
  part[item] = data[lathe::global_id().x];
  lathe::barrier();
  data[lathe::global_id().x] = part[lathe::group_size().x - 1 - item];
}

/// One item raises a flag that all others must see after the barrier.
LATHE_KERNEL void flag(unsigned* seen) {
  LATHE_SHARED unsigned raised;
  if (lathe::item_id().x == 0) raised = 7;
  lathe::barrier();
  seen[lathe::global_id().x] = raised;
}

struct Range {
  signed char tag;
  double low, high;
};
struct Task {
  Range range;
  unsigned short counts[3];
};

LATHE_KERNEL void unpack(Task task, double* out) {
  out[0] = task.range.tag;
  out[1] = task.range.low;
  out[2] = task.range.high;
  for (int i = 0; i < 3; ++i) out[3 + i] = task.counts[i];
}

template <class T>
LATHE_KERNEL void scale(T factor, T* data) {
  data[lathe::global_id().x] *= factor;
}

LATHE_KERNEL void index3(unsigned* out) {
  const lathe::uint3 at = lathe::global_id(), size = lathe::global_size();
  out[(at.z * size.y + at.y) * size.x + at.x] = at.x + 10 * at.y + 100 * at.z;
}

LATHE_KERNEL void out_of_bounds(int* data) {
  data[1ll << 40] = 1;
}

// Ends when somebody outside changes the flag: nobody does.
LATHE_KERNEL void endless(volatile int* flag) {
  while (*flag == 0) {
  }
}
