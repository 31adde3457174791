// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of iterations of a loop over every n-th element takes a division. It is paid where the loads of several
// iterations can be issued together, also if they are guarded, and not where a branch or a store keeps them apart.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// CHECK-LABEL: .entry tile(
// CHECK: div.u
// CHECK-LABEL: .entry guarded(
// CHECK: div.u
// CHECK-LABEL: .entry guardedSum(
// CHECK: div.u
// CHECK-LABEL: .entry copyApart(
// CHECK: div.u
// CHECK-LABEL: .entry flush(
// CHECK-NOT: div.u
// CHECK-LABEL: .entry either(
// CHECK-NOT: div.u
// CHECK-LABEL: .entry continued(
// CHECK-NOT: div.u
// CHECK-LABEL: .entry conditionalRoot(
// CHECK-NOT: div.u
// CHECK-LABEL: .entry left(
// CHECK-NOT: div.u
// CHECK-LABEL: .entry counted(
// CHECK-NOT: div.u
// CHECK-LABEL: .entry inPlace(
// CHECK-NOT: div.u
// CHECK-LABEL: .entry fill(
// CHECK-NOT: div.u
// CHECK-LABEL: .entry wide(
// CHECK-NOT: div.u
// CHECK-LABEL: .entry downwards(
// CHECK-NOT: div.u
// CHECK-LABEL: .entry doWhile(
// CHECK-NOT: div.u
// CHECK-LABEL: .entry inner(
// CHECK-NOT: div.u
//
// A distance that is known costs no division: those loops are unrolled whatever is in them.
// CHECK-LABEL: .entry known(
// CHECK-COUNT-5: {{red|atom}}{{.*}}.add
#define KERNEL extern "C" __global__ void

KERNEL tile(const float* in, float* out) {
  __shared__ float tile[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = in[blockIdx.x * 1024 + i];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 5];
}

KERNEL guarded(const float* in, float* out, int n) {
  __shared__ float tile[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] = i < n ? in[i] : 0;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 5];
}

KERNEL guardedSum(const float* weights, const float* in, float* out) {
  float sum = 0;
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (weights[i] > 0) sum += in[i];
  out[threadIdx.x] = sum;
}

KERNEL copyApart(const float* __restrict__ in, float* __restrict__ out) {
  for (int i = threadIdx.x; i < 256; i += blockDim.x) out[i] = in[i];
}

KERNEL flush(unsigned* out) {
  extern __shared__ unsigned histogram[];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (histogram[i]) atomicAdd(out + i, histogram[i]);
}

KERNEL either(const float* in, float* __restrict__ out) {
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    if (in[i] > 0)
      out[i] = in[i];
    else
      out[i + 256] = expf(in[i]);
  }
}

KERNEL continued(float* x, int* flags) {
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    if (flags[i] == 0) continue;
    x[i] *= 3;
    flags[i] = 7;
  }
}

KERNEL conditionalRoot(const float* in, float* out) {
  float sum = 0;
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (in[i] > 0) sum += sqrtf(in[i]);
  out[threadIdx.x] = sum;
}

KERNEL left(const int* in, int* out, int value) {
  int found = -1;
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    if (in[i] == value) {
      found = i;
      break;
    }
  }
  out[threadIdx.x] = found;
}

KERNEL counted(int* counts, const unsigned char* in) {
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(counts + in[i], 1);
}

KERNEL inPlace(float* x) {
  for (int i = threadIdx.x; i < 256; i += blockDim.x) x[i] = 2 * x[i];
}

KERNEL fill(float* x, float value) {
  for (int i = threadIdx.x; i < 256; i += blockDim.x) x[i] = value;
}

KERNEL wide(float* x, long long n) {
  for (long long i = threadIdx.x; i < n; i += blockDim.x)
    if (x[i] > 0) x[i] *= 3;
}

KERNEL downwards(float* x, int n) {
  for (int i = 255 - static_cast<int>(threadIdx.x); i >= 0; i -= blockDim.x)
    if (x[i] > 0) x[i] *= 2;
}

KERNEL doWhile(float* x, int n) {
  int i = threadIdx.x;
  do {
    if (x[i] > 0) x[i] *= 3;
    i += blockDim.x;
  } while (i < 256);
}

KERNEL inner(const float* in, float* out, int n, int width) {
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    float sum = 0;
#pragma unroll 1
    for (int j = 0; j < width; ++j) sum += in[i * width + j];
    out[i] = sum;
  }
}

KERNEL known(int* counts, const unsigned char* in, int n) {
#pragma unroll 1
  for (int row = 0; row < n; ++row)
    for (int i = threadIdx.x; i < n; i += 128)
      if (in[i] > 3) atomicAdd(counts + in[i], row);
}
