// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks between a name and its parameters or bounds are the declaration's, as with nvcc 13.0 (--extended-lambda), whose PTX of this file has
// the same kernels and variables and for which the functions are the device's (cuDF writes its function objects so).
// Lines and columns of what follows stay.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID --allow-empty
// RUN: FileCheck %s < %t.ptx
// RUN: not %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx -DBROKEN 2>&1 | FileCheck %s --check-prefix=PLACE
// SAID-NOT: {{warning|remark}}
// CHECK-DAG: .global .align 4 .u32 plain;
// CHECK-DAG: .global .align 4 .u32 started = 5;
// CHECK-DAG: .global .align 4 .b8 bounded[12];
// CHECK-DAG: .const .align 4 .b8 table[16];
// CHECK-DAG: .entry _Z5applyPi(
// CHECK-DAG: .entry _Z6insideP8Internal(
// PLACE: late_marks.cu:[[@LINE+22]]:65: error: use of undeclared identifier 'missing'
#define SIDES __host__ __device__
#define MARKED __device__
#define TYPE(T) const T&
[[maybe_unused]] MARKED int directive();  // a directive's last word is no mark of what the next line begins with

struct Functions {
  int operator() __device__(int i) const { return i; }
  template <class T>
  T operator() SIDES(T a, int b) const {
    return a + b;
  }
  Functions operator+ __host__ __device__(int) const { return {}; }
  bool operator== __device__ __noinline__(const Functions&) const { return true; }
  Functions& operator=(TYPE(Functions) other) = default;
  operator TYPE(int)() const { return 1; }
  int* member __device__(int* p) const { return p; }
};

int plain __device__;
int started __device__ = 5;
#ifdef BROKEN
int bounded __device__[3]; int other __device__(int i) { return missing; }
#else
int bounded __device__[3];
#endif
int table __constant__[4];
int twice __device__(int i);

void apply __global__(int* out) {
  int row __shared__[32];
  auto by = [] __device__(int i) { return i + 1; };
  Functions f;
  row[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[0] = f(1) + f(2.0f, 3) + (f + 1 == f) + *f.member(out) + twice(by(4)) + row[out[1] & 31] + bounded[1] + table[out[2]] +
           plain + started;
}

int twice __device__(int i) { return 2 * i; }

typedef struct { int value; } Internal;
__global__ void inside(Internal* p) { p->value = twice(p->value); }
