// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each atomic function once a thread on its own cell; cells start as the host set them.
struct Cells {
  int add, sub, least, greatest, bitsAnd, bitsOr, bitsXor;
  unsigned inc, dec, unsignedGreatest;
  unsigned long long wideAdd, wideGreatest;
  long long wideLeast;
  float floatAdd;
  double doubleAdd;
  unsigned lock, guarded;
};

__global__ void everyAtomic(Cells* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&c->add, i);
  atomicSub(&c->sub, 1);
  atomicMin(&c->least, -i);
  atomicMax(&c->greatest, i);
  atomicAnd(&c->bitsAnd, ~(1 << (i & 15)));
  atomicOr(&c->bitsOr, 1 << (i & 31));
  atomicXor(&c->bitsXor, i);
  atomicInc(&c->inc, 6);
  atomicDec(&c->dec, 6);
  atomicMax(&c->unsignedGreatest, 0x80000000u + i);
  atomicAdd(&c->wideAdd, 1ull << 32);
  atomicMax(&c->wideGreatest, static_cast<unsigned long long>(i) << 40);
  atomicMin_system(&c->wideLeast, -(static_cast<long long>(i) << 40));
  atomicAdd(&c->floatAdd, 1);
  atomicAdd(&c->doubleAdd, 0.5);
}

/// A float maximum out of compare-and-swap, as everybody writes it.
__device__ float atomicMaxFloat(float* address, float value) {
  int* const bits = reinterpret_cast<int*>(address);
  int old = *bits, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) break;
    old = atomicCAS(bits, assumed, __float_as_int(value));
  } while (assumed != old);
  return __int_as_float(old);
}

__global__ void floatMaximum(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMaxFloat(out, in[i]);
}

/// Each value is taken out of the cell by exactly one thread: sum(out) + what is left = sum(in).
__global__ void exchangeChain(float* cell, const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = atomicExch(cell, in[i]);
}
