// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language's own bfloat16, Clang's `__bf16`: kept in arrays, structures, vectors and shared memory, passed to a function
// that stays one, chosen, converted and computed with. What is not a number is written as 0x7fff.
struct Kept {
  int before;
  __bf16 value;
  __bf16 more[2];
};
typedef __bf16 Four __attribute__((ext_vector_type(4)));

__device__ unsigned short bitsOf(__bf16 x) {
  const auto bits = __builtin_bit_cast(unsigned short, x);
  return (bits & 0x7fff) > 0x7f80 ? 0x7fff : bits;
}

__device__ __attribute__((noinline)) __bf16 larger(__bf16 x, __bf16 y, const Kept* kept) {
  return x > y ? x : kept->before > 4 ? kept->value : y;
}

__constant__ __bf16 table[4] = {1.0f, -0.5f, 3.140625f, 0x1p-130f};

__global__ void keep(const unsigned short* bits, unsigned short* out, int n) {
  const auto* const in = reinterpret_cast<const __bf16*>(bits);
  __shared__ __bf16 turned[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  turned[63 - threadIdx.x] = in[i];
  __syncthreads();
  out[i] = bitsOf(turned[threadIdx.x]);
  Kept kept = {i % 9, in[i], {in[n - 1 - i], table[i % 4]}};
  out[n + i] = bitsOf(larger(in[i], in[n - 1 - i], &kept));
  __bf16 local[4];
  for (int k = 0; k < 4; ++k) local[k] = in[(i + k) % n];
  out[2 * n + i] = bitsOf(local[bits[i] % 4]);
  Four four = {kept.more[0], kept.more[1], in[i], local[3]};
  four = four.wzyx;
  *reinterpret_cast<Four*>(out + 3 * n + 4 * i) = four;
}

__global__ void compute(const unsigned short* bits, const float* floats, const int* integers, const long long* longs,
                        unsigned short* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto* const in = reinterpret_cast<const __bf16*>(bits);
  const __bf16 x = in[i], y = in[(i * 7 + 3) % n];
  out[i] = bitsOf(x + y);
  out[n + i] = bitsOf(x - y);
  out[2 * n + i] = bitsOf(x * y);
  out[3 * n + i] = bitsOf(x / y);
  out[4 * n + i] = bitsOf(-x);
  out[5 * n + i] = bitsOf(static_cast<__bf16>(floats[i]));
  out[6 * n + i] = bitsOf(static_cast<__bf16>(integers[i]));
  out[7 * n + i] = bitsOf(static_cast<__bf16>(static_cast<unsigned>(integers[i])));
  out[8 * n + i] = bitsOf(static_cast<__bf16>(longs[i]));
  out[9 * n + i] = static_cast<unsigned short>((x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3);
}
