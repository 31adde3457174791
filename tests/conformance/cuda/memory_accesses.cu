// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with cache hints of all sizes, addresses of shared memory there and back, and clocks that do not go
// backwards.
template <class T>
__device__ void hinted(const T* in, T* out) {
  const unsigned i = threadIdx.x;
  in += 6 * i, out += 6 * i;
  const T values[] = {__ldg(in), __ldca(in + 1), __ldcg(in + 2), __ldcs(in + 3), __ldlu(in + 4), __ldcv(in + 5)};
  __stwb(out, values[5]);
  __stcg(out + 1, values[4]);
  __stcs(out + 2, values[3]);
  __stwt(out + 3, values[2]);
  out[4] = values[1], out[5] = values[0];
}
__global__ void bytes(const signed char* in, signed char* out) { hinted(in, out); }
__global__ void shorts(const unsigned short* in, unsigned short* out) { hinted(in, out); }
__global__ void words(const int* in, int* out) { hinted(in, out); }
__global__ void longs(const unsigned long long* in, unsigned long long* out) { hinted(in, out); }
__global__ void pairs(const double2* in, double2* out) { hinted(in, out); }
__global__ void fours(const float4* in, float4* out) { hinted(in, out); }

/// Each store is seen by the load behind it.
__global__ void watched(const int* in, int* box, int* out) {
  const unsigned i = threadIdx.x;
  __stwt(box + i, in[i]);
  int sum = __ldcv(box + i);
  __stcg(box + i, in[i] + 1);
  sum += 1000 * __ldcg(box + i);
  __stwt(box + i, in[i] + 2);
  sum += 1000000 * __ldlu(box + i);
  out[i] = sum;
}

__global__ void shared(const int* in, int* out) {
  __shared__ int tile[64];
  const unsigned i = threadIdx.x;
  tile[i] = in[i];
  __syncthreads();
  const unsigned long address = __cvta_generic_to_shared(&tile[63 - i]);
  const unsigned long first = __cvta_generic_to_shared(&tile[0]);
  out[2 * i] = *static_cast<int*>(__cvta_shared_to_generic(address));
  int* const same = static_cast<int*>(__cvta_global_to_generic(__cvta_generic_to_global(out)));
  same[2 * i + 1] = static_cast<int>(address - first);
}

__global__ void clocks(int* out) {
  const clock_t start = clock();
  const long long wide = clock64();
  out[threadIdx.x] = clock64() >= wide && clock() - start >= 0;
}

struct __attribute__((packed)) Tagged {
  unsigned char tag;
  float number;
};

/// The least bits of numbers that were just computed, and numbers that are stored byte by byte.
__global__ void floatParts(const float* in, unsigned char* bytes, unsigned short* halves, Tagged* packed) {
  const unsigned i = threadIdx.x;
  const float number = in[i] * 3;
  bytes[i] = static_cast<unsigned char>(__float_as_uint(number));
  halves[i] = static_cast<unsigned short>(__float_as_uint(number - 1));
  packed[i] = {static_cast<unsigned char>(i), number + 2};
}
__global__ void doubleParts(const double* in, unsigned char* bytes, unsigned short* halves, unsigned* words) {
  const unsigned i = threadIdx.x;
  bytes[i] = static_cast<unsigned char>(__double_as_longlong(in[i] * 3));
  halves[i] = static_cast<unsigned short>(__double_as_longlong(in[i] + 7));
  words[i] = static_cast<unsigned>(__double_as_longlong(in[i] / 3));
}
