// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions for both sides that call the host's: as CUDA's compiler has it, that is a warning, and no kernel is taken to
// get there. Where one does, it ends.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: FileCheck %s < %t.ptx
// RUN: %compile %s -t cpu -o %t.img 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: %compile %s -x hip -t amdgpu:gfx90a -o %t.img 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: not %compile %s -t cuda:sm_80 -DDEVICE --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=DEVICE
// WARNING: host_calls.cu:[[#@LINE+15]]:26: warning: functions for both sides call functions of the host in {{[0-9]+}} places; a kernel that gets there ends with a trap
// WARNING: note: reference to __host__ function 'get' in __host__ __device__ function
// DEVICE: host_calls.cu:[[#@LINE+34]]:{{[0-9]+}}: error: reference to __host__ function 'get' in __device__ function
#include <cstdlib>

struct Log {
  Log();
  static Log& get();
  void write(const char* text) { ++lines; }
  int lines;
};

template <class T>
struct View {
  __host__ __device__ T& at(int i) {
    if (i >= count) Log::get().write("out of range");
    return data[i];
  }
  T* data;
  int count;
};

struct Shape {
  __host__ __device__ int area(int scale);
  int scaled(int by);
  __host__ __device__ virtual int sides(int n) { return n < 3 ? Log::get().lines : n; }
};
__host__ __device__ int Shape::area(int scale) { return scale > 100 ? scaled(scale) : scale; }
__host__ __device__ int plain(int x) {
  if (x == 7) {
    Log log;
    return log.lines;
  }
  return x;
}
#ifdef DEVICE
__device__ int onDevice(int x) { return Log::get().lines + x; }
#else
__device__ int onDevice(int x) { return x; }
#endif
/// No kernel needs it.
__host__ __device__ int unused(int x) { return Log::get().lines + x; }
template <class F>
__host__ __device__ void each(F f) { f(1); }

// CHECK-LABEL: .entry _Z6kernel
// CHECK-NOT: call
// CHECK: trap;
__global__ void kernel(View<int> v, int* out) {
  Shape shape;
  v.at(out[0]) = plain(out[1]);
  out[2] = shape.area(out[3]) + shape.sides(out[4]) + onDevice(out[5]);
  each([=] __host__ __device__(int i) {
    if (i + out[6] > 3) std::exit(Log::get().lines);
    out[7] = i;
  });
}
