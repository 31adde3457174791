// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and maxima of a warp by shuffles, for 32- and 64-bit types.
template <typename T>
__device__ __forceinline__ T warpSum(T value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

__global__ void warpSums(const float* in, float* sums, double* wide, int* maxima) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % warpSize, warp = i / warpSize;
  const float sum = warpSum(in[i]);
  const double wideSum = warpSum(static_cast<double>(in[i]));
  int best = static_cast<int>(in[i]);
  for (int mask = warpSize / 2; mask > 0; mask /= 2) best = max(best, __shfl_xor_sync(0xffffffffu, best, mask));
  if (lane == 0) {
    sums[warp] = sum;
    wide[warp] = wideSum;
    maxima[warp] = best;
  }
}

__global__ void warpScan(const int* in, int* inclusive, long long* firstOfEight) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % warpSize;
  int value = in[i];
  for (int delta = 1; delta < warpSize; delta *= 2) {
    const int below = __shfl_up_sync(0xffffffff, value, delta);
    if (lane >= delta) value += below;
  }
  inclusive[i] = value;
  firstOfEight[i] = __shfl_sync(0xffffffff, static_cast<long long>(in[i]) << 33, 0, 8);
}
