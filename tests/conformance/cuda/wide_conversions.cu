// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between integers of 128 bits and floating point, powers with whole exponents that only the run knows, and
// memory from the heap that has to be zero.
__global__ void toReals(const __int128* in, double* doubles, float* floats) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  doubles[2 * i] = static_cast<double>(in[i]);
  doubles[2 * i + 1] = static_cast<double>(static_cast<unsigned __int128>(in[i]));
  floats[2 * i] = static_cast<float>(in[i]);
  floats[2 * i + 1] = static_cast<float>(static_cast<unsigned __int128>(in[i]));
}

__global__ void toIntegers(const double* doubles, const float* floats, __int128* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[4 * i] = static_cast<__int128>(doubles[i]);
  out[4 * i + 1] = static_cast<unsigned __int128>(fabs(doubles[i]));
  out[4 * i + 2] = static_cast<__int128>(floats[i]);
  out[4 * i + 3] = static_cast<unsigned __int128>(fabsf(floats[i]));
}

__global__ void powers(const double* x, const int* n, double* doubles, float* floats) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  doubles[2 * i] = __builtin_powi(x[i], n[i]);
  doubles[2 * i + 1] = __builtin_powi(x[i], 5);
  floats[2 * i] = __builtin_powif(static_cast<float>(x[i]), n[i]);
  floats[2 * i + 1] = __builtin_powif(static_cast<float>(x[i]), -2);
}

__global__ void zeroedMemory(const int* at, int* out) {
  const int i = threadIdx.x;
  int* const cleared = static_cast<int*>(malloc(64));
  int* const made = new int[16]();
  if (cleared == nullptr || made == nullptr) return;
  memset(cleared, 0, 64);
  cleared[at[i]] += i;
  made[at[i]] += 2 * i;
  for (int k = 0; k < 16; ++k) out[i] = out[i] * 3 + cleared[k] + made[k];
  free(cleared);
  delete[] made;
}
