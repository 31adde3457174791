// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clocks, traps, printf, assert, the heap, and inline PTX, which both compilers have to leave alone.
#include <cassert>
#include <cstdio>

extern "C" __global__ void counted_clocks(long long* out) {
  out[0] = clock64();
  out[1] = clock();
  out[2] = clock64();
}
extern "C" __global__ void traps(int* p) {
  if (p[0] > 3) __trap();
  p[1] = 1;
}
extern "C" __global__ void breaks(int* p) {
  if (p[0] > 3) __brkpt();
  p[1] = 1;
}
extern "C" __global__ void barriers_by_number(int* p) {
  p[threadIdx.x] = 1;
  __barrier_sync(0);
  p[0] = p[threadIdx.x + 1];
  __barrier_sync(3);
  p[1] = p[threadIdx.x + 2];
  __barrier_sync_count(4, 64);
  p[2] = p[threadIdx.x + 3];
}
extern "C" __global__ void profiled(int* p) {
  __prof_trigger(2);
  p[0] = 1;
}
extern "C" __global__ void sleeps(unsigned n) { __nanosleep(n); }
extern "C" __global__ void prints(int n) { printf("%d of %d\n", static_cast<int>(threadIdx.x), n); }
extern "C" __global__ void asserts(int n) { assert(n > 3); }
extern "C" __global__ void allocates(int** out, int n) { *out = static_cast<int*>(malloc(n)); }
extern "C" __global__ void releases(int* p) { free(p); }

extern "C" __global__ void counted_inline_ptx(int* p, unsigned long long* times) {
  int value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(p + value) : "memory");
  asm volatile("st.release.cta.global.u32 [%0], %1;" ::"l"(p + 1), "r"(value) : "memory");
  asm volatile("{ .reg .u32 t; atom.add.acq_rel.gpu.u32 t, [%1], 1; mov.u32 %0, t; }" : "=r"(value) : "l"(p) : "memory");
  asm volatile("red.release.sys.global.add.u32 [%0], %1;" ::"l"(p + 2), "r"(value) : "memory");
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("fence.sc.sys;" ::: "memory");
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(times[0]));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(p[5]));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
}
extern "C" __device__ unsigned __nvvm_get_smem_pointer(void* pointer);  // programs declare it themselves
extern "C" __global__ void address_in_shared(unsigned* p) {
  __shared__ unsigned words[32];
  words[threadIdx.x] = p[1];
  __syncthreads();
  p[0] = words[__nvvm_get_smem_pointer(words + threadIdx.x) - __nvvm_get_smem_pointer(words)];
}
