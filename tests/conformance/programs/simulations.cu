// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulations: bodies that attract each other, particles in cells, random walks, option prices, a cellular automaton,
// an image of a set.
#include <cuda_runtime.h>
#include <curand_kernel.h>

template <int Tile>
__global__ void __launch_bounds__(Tile) gravity(const float4* bodies, float4* forces, int n, float softening) {
  __shared__ float4 tile[Tile];
  const int i = blockIdx.x * Tile + threadIdx.x;
  const float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += Tile) {
    tile[threadIdx.x] = first + threadIdx.x < n ? bodies[first + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < Tile; ++j) {
      const float3 d = make_float3(tile[j].x - me.x, tile[j].y - me.y, tile[j].z - me.z);
      const float square = d.x * d.x + d.y * d.y + d.z * d.z + softening, inverse = rsqrtf(square);
      const float scale = tile[j].w * inverse * inverse * inverse;
      sum.x += d.x * scale;
      sum.y += d.y * scale;
      sum.z += d.z * scale;
    }
    __syncthreads();
  }
  if (i < n) forces[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

// Counting sort of particles into the cells of a grid, and the number of close neighbours of each.
struct Cells {
  int perSide;
  __device__ int of(float2 p) const { return static_cast<int>(p.y * perSide) * perSide + static_cast<int>(p.x * perSide); }
};
__global__ void neighbours(const float2* particles, int n, int perSide, int* starts, int* order, int* counts, float reach) {
  extern __shared__ int cell[];
  const Cells cells = {perSide};
  const int all = perSide * perSide;
  for (int c = threadIdx.x; c < all; c += blockDim.x) cell[c] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&cell[cells.of(particles[i])], 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int c = 0; c < all; ++c) {
      starts[c] = sum;
      sum += cell[c];
      cell[c] = starts[c];
    }
    starts[all] = sum;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) order[atomicAdd(&cell[cells.of(particles[i])], 1)] = i;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float2 p = particles[i];
    const int cx = cells.of(p) % perSide, cy = cells.of(p) / perSide;
    int near = 0;
    for (int y = max(cy - 1, 0); y <= min(cy + 1, perSide - 1); ++y)
      for (int k = starts[y * perSide + max(cx - 1, 0)]; k < starts[y * perSide + min(cx + 1, perSide - 1) + 1]; ++k) {
        const float dx = particles[order[k]].x - p.x, dy = particles[order[k]].y - p.y;
        near += order[k] != i && dx * dx + dy * dy < reach * reach;
      }
    counts[i] = near;
  }
}

// Points in a quarter of a disc, from a generator of whole numbers that the host repeats.
__global__ void disc(unsigned seed, int each, unsigned long long* inside) {
  __shared__ unsigned hits;
  if (threadIdx.x == 0) hits = 0;
  __syncthreads();
  unsigned state = (seed + blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u | 1u, mine = 0;
  for (int i = 0; i < each; ++i) {
    unsigned xy[2];
    for (unsigned& v : xy) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      v = state >> 17;
    }
    mine += xy[0] * xy[0] + xy[1] * xy[1] < (1u << 30);
  }
  atomicAdd(&hits, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(inside, static_cast<unsigned long long>(hits));
}

// cuRAND's Philox: every number below one and above zero, and their sum's deviation small. Returns statistics.
__global__ void uniform(unsigned long long seed, int each, int* outside, double* sum) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  double mine = 0;
  for (int i = 0; i < each; i += 4) {
    const float4 four = curand_uniform4(&state);
    for (const float x : {four.x, four.y, four.z, four.w}) {
      if (!(x > 0 && x <= 1)) atomicAdd(outside, 1);
      mine += x;
    }
  }
  atomicAdd(sum, mine);
}

__device__ inline float normalDistribution(float d) {
  return 0.5f * erfcf(-d * M_SQRT1_2);
}
__global__ void blackScholes(const float* stock, const float* strike, const float* years, float* call, float* put, float rate,
                             float volatility, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const float root = sqrtf(years[i]);
    const float d1 = (logf(stock[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
    const float discounted = strike[i] * expf(-rate * years[i]);
    call[i] = stock[i] * normalDistribution(d1) - discounted * normalDistribution(d1 - volatility * root);
    put[i] = call[i] - stock[i] + discounted;
  }
}

// Life on a torus, 32 cells a word: neighbours by bit planes.
__global__ void life(const unsigned* in, unsigned* out, int words, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= words || y >= height) return;
  unsigned ones = 0, twos = 0, fours = 0;
  auto add = [&](unsigned bits) {
    const unsigned carry = ones & bits, more = twos & carry;
    ones ^= bits;
    twos ^= carry;
    fours |= more;
  };
  for (int j = -1; j <= 1; ++j) {
    const unsigned* const row = in + (y + j + height) % height * words;
    const unsigned here = row[x], left = row[(x + words - 1) % words], right = row[(x + 1) % words];
    add(__funnelshift_l(left, here, 1));
    add(__funnelshift_r(here, right, 1));
    if (j != 0) add(here);
  }
  out[y * words + x] = ~fours & twos & (ones | in[y * words + x]);
}

__global__ void julia(unsigned char* image, int width, int height, double cr, double ci) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  double re = 3.0 * x / width - 1.5, im = 2.0 * y / height - 1.0;
  int i = 0;
  while (i < 255 && re * re + im * im <= 4.0) {
    const double next = __dadd_rn(__dadd_rn(__dmul_rn(re, re), -__dmul_rn(im, im)), cr);
    im = __dadd_rn(__dmul_rn(2.0 * re, im), ci);
    re = next;
    ++i;
  }
  image[y * width + x] = static_cast<unsigned char>(i);
}

int main() {
  gravity<64><<<4, 64>>>(nullptr, nullptr, 200, 0.01f);
}
