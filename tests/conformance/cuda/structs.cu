// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By-value arguments: nested classes with padding, arrays in classes, member functions, a lambda and a functor. Fields of
// 128 bits, and bit-fields of packed structures.
#include <cassert>

struct Complex {
  float re, im;
  __host__ __device__ Complex(float re = 0, float im = 0) : re(re), im(im) {}
  __host__ __device__ Complex operator*(const Complex& o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  __host__ __device__ float norm2() const { return re * re + im * im; }
};

struct View {
  char tag;
  Complex origin;
  double step;
  int size[2];
};

__global__ void escapeTimes(__grid_constant__ const View view, int limit, int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= view.size[0] || y >= view.size[1]) return;
  assert(limit > 0 && "a positive limit");
  const Complex c(view.origin.re + x * static_cast<float>(view.step),
                  view.origin.im + y * static_cast<float>(view.step));
  Complex z;
  int k = 0;
  for (; k < limit && z.norm2() < 4.f; ++k) {
    z = z * z;
    z.re += c.re;
    z.im += c.im;
  }
  out[y * view.size[0] + x] = k;
}

struct Scale {
  float by;
  __device__ float operator()(float x) const { return by * x; }
};

template <class F>
__global__ void transform(F f, const float* in, float* out, int n) {
  const auto guarded = [&](int i) { return f(in[i]); };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = guarded(i);
}
template __global__ void transform<Scale>(Scale, const float*, float*, int);

struct Wide {
  unsigned first;
  __int128 number;
  unsigned last[5];
};
__constant__ Wide wideTable[2] = {{1, -2, {3, 4, 5, 6, 7}}, {8, 9, {10, 11, 12, 13, 14}}};

// In the result a structure's fields are ten words.
__global__ void wideFields(Wide value, const Wide* in, unsigned* out) {
  __shared__ Wide shared[8];
  Wide local[2] = {value, in[threadIdx.x]};
  local[threadIdx.x & 1].number += local[~threadIdx.x & 1].number << 40;
  shared[threadIdx.x] = local[threadIdx.x & 1];
  shared[threadIdx.x].first += wideTable[threadIdx.x & 1].last[threadIdx.x % 5];
  __syncthreads();
  const Wide& other = shared[7 - threadIdx.x];
  unsigned* const words = out + threadIdx.x * 10;
  words[0] = other.first;
  for (int i = 0; i < 4; ++i) words[1 + i] = static_cast<unsigned>(other.number >> (32 * i));
  for (int i = 0; i < 5; ++i) words[5 + i] = other.last[i];
  words[5 + threadIdx.x % 5] += static_cast<unsigned>(wideTable[threadIdx.x & 1].number);
}

struct __attribute__((packed)) Bits {
  unsigned char tag;
  unsigned a : 22;
  signed long long b : 35;
  unsigned c : 31;
  unsigned char end;
};

__global__ void packedBits(const unsigned char* in, unsigned char* out) {
  Bits x = reinterpret_cast<const Bits*>(in)[threadIdx.x];
  x.b += x.a;
  x.c ^= static_cast<unsigned>(x.b);
  x.a = x.c + x.tag;
  reinterpret_cast<Bits*>(out)[threadIdx.x] = x;
}

/// What is a hole in the one member of a union is part of the other.
union Parts {
  struct {
    char first;
    int a, b, c, d, e;
  } members;
  unsigned char bytes[24];
};
__global__ void chosenUnions(const unsigned char* in, int n, unsigned char* out) {
  Parts even, odd;
  for (int i = 0; i < n; ++i) {
    odd.bytes[i] = in[i];
    even.bytes[i] = in[sizeof(Parts) + i];
  }
  const Parts chosen = *(threadIdx.x & 1 ? &odd : &even);
  for (int i = 0; i < n; ++i) out[threadIdx.x * sizeof(Parts) + i] = chosen.bytes[i];
}

/// Returned as the one member, read as the other.
union Halves {
  unsigned long long words[2];
  struct {
    unsigned low;
    unsigned long long high;
  } members;
};
struct Tagged {
  int tag;
  Halves halves;
};
__device__ __noinline__ Halves halves(const unsigned char* from) {
  Halves out;
  for (int i = 0; i < 16; ++i) reinterpret_cast<unsigned char*>(&out)[i] = from[i];
  return out;
}
__device__ __noinline__ Halves passedOn(const unsigned char* from) { return halves(from); }
__device__ __noinline__ Tagged tagged(const unsigned char* from, int tag) { return {tag, passedOn(from)}; }
__global__ void returnedUnions(const unsigned char* in, unsigned long long* out) {
  const unsigned i = threadIdx.x;
  const Halves one = halves(in + 16 * i);
  const Tagged two = tagged(in + 16 * i, 3);
  out[4 * i] = one.words[0];
  out[4 * i + 1] = one.words[1];
  out[4 * i + 2] = two.halves.words[0] * static_cast<unsigned>(two.tag);
  out[4 * i + 3] = two.halves.words[1];
}

struct Pair {
  int first[2];
  __int128 wide;
};
__device__ __noinline__ Pair paired(int x) {
  Pair out;
  out.first[0] = x;
  out.first[1] = ~x;
  out.wide = (static_cast<__int128>(x) << 70) - x;
  return out;
}
__global__ void returnedWide(const int* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const Pair pair = paired(in[i]);
  for (int word = 0; word < 4; ++word) out[6 * i + word] = static_cast<unsigned>(pair.wide >> 32 * word);
  out[6 * i + 4] = pair.first[0];
  out[6 * i + 5] = pair.first[1];
}
