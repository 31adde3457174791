// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulations and random numbers: bodies, prices, rays, fractals, clusters.

struct Body {
  float x, y, z, mass;
};

extern "C" __global__ void nbodyForces(const Body* bodies, float* forces, int n) {
  __shared__ Body tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Body me = bodies[i];
  float fx = 0, fy = 0, fz = 0;
  for (int start = 0; start < n; start += 256) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; j++) {
      float dx = tile[j].x - me.x;
      float dy = tile[j].y - me.y;
      float dz = tile[j].z - me.z;
      float distance2 = dx * dx + dy * dy + dz * dz + 0.001f;
      float inv = rsqrtf(distance2);
      float f = tile[j].mass * inv * inv * inv;
      fx += f * dx;
      fy += f * dy;
      fz += f * dz;
    }
    __syncthreads();
  }
  forces[3 * i] = fx;
  forces[3 * i + 1] = fy;
  forces[3 * i + 2] = fz;
}

extern "C" __global__ void mandelbrot(int* out, int width, int height, int limit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float cx = -2.0f + 3.0f * px / width, cy = -1.5f + 3.0f * py / height;
  float x = 0, y = 0;
  int steps = 0;
  while (steps < limit && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    steps++;
  }
  out[py * width + px] = steps;
}

__device__ unsigned xorshift(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

extern "C" __global__ void monteCarloPi(const unsigned* seeds, unsigned* hits, int trials, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned state = seeds[i] | 1;
  unsigned inside = 0;
  for (int t = 0; t < trials; t++) {
    float x = xorshift(state) * 2.3283064e-10f;
    float y = xorshift(state) * 2.3283064e-10f;
    if (x * x + y * y < 1.0f) inside++;
  }
  hits[i] = inside;
}

extern "C" __global__ void philoxUniform(float4* out, unsigned key0, unsigned key1, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned c0 = i, c1 = 0, c2 = 0, c3 = 0;
  for (int round = 0; round < 10; round++) {
    unsigned hi0 = __umulhi(0xD2511F53u, c0), lo0 = 0xD2511F53u * c0;
    unsigned hi1 = __umulhi(0xCD9E8D57u, c2), lo1 = 0xCD9E8D57u * c2;
    c0 = hi1 ^ c1 ^ key0;
    c1 = lo1;
    c2 = hi0 ^ c3 ^ key1;
    c3 = lo0;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  const float unit = 1.0f / 16777216.0f;
  out[i] = make_float4((c0 >> 8) * unit, (c1 >> 8) * unit, (c2 >> 8) * unit, (c3 >> 8) * unit);
}

extern "C" __global__ void randomWalks(const unsigned long long* seeds, int2* places, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long state = seeds[i];
  int x = 0, y = 0;
  for (int s = 0; s < steps; s++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    switch (state >> 62) {
      case 0: x++; break;
      case 1: x--; break;
      case 2: y++; break;
      default: y--; break;
    }
  }
  places[i] = make_int2(x, y);
}

__device__ float normalDistribution(float x) {
  return 0.5f * erfcf(-x * 0.70710678f);
}

extern "C" __global__ void blackScholes(const float* price, const float* strike, const float* years, float* call,
                                        float* put, float rate, float volatility, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = price[i], k = strike[i], t = years[i];
  float root = volatility * sqrtf(t);
  float d1 = (logf(s / k) + (rate + 0.5f * volatility * volatility) * t) / root;
  float d2 = d1 - root;
  float discounted = k * expf(-rate * t);
  float n1 = normalDistribution(d1), n2 = normalDistribution(d2);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}

#define STEPS 256

// One block for each option; the tree of prices in shared memory.
extern "C" __global__ void binomialOptions(const float* price, const float* strike, float* value, float up, float down,
                                           float chance, float discount) {
  __shared__ float values[STEPS + 1];
  int t = threadIdx.x;
  float s = price[blockIdx.x], k = strike[blockIdx.x];
  for (int i = t; i <= STEPS; i += blockDim.x)
    values[i] = fmaxf(s * powf(up, (float)i) * powf(down, (float)(STEPS - i)) - k, 0.0f);
  __syncthreads();
  for (int step = STEPS; step > 0; step--) {
    float next = 0;
    if (t < step) next = discount * (chance * values[t + 1] + (1.0f - chance) * values[t]);
    __syncthreads();
    if (t < step) values[t] = next;
    __syncthreads();
  }
  if (t == 0) value[blockIdx.x] = values[0];
}

extern "C" __global__ void raySpheres(const float4* spheres, float4* out, int count, int width, int height) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float dx = (px + 0.5f) / width - 0.5f, dy = (py + 0.5f) / height - 0.5f, dz = 1.0f;
  float inv = rsqrtf(dx * dx + dy * dy + dz * dz);
  dx *= inv;
  dy *= inv;
  dz *= inv;
  float nearest = 1e20f;
  int hit = -1;
  for (int i = 0; i < count; i++) {
    float4 s = spheres[i];
    float b = s.x * dx + s.y * dy + s.z * dz;
    float c = s.x * s.x + s.y * s.y + s.z * s.z - s.w * s.w;
    float d = b * b - c;
    if (d > 0) {
      float t = b - sqrtf(d);
      if (t > 0.001f && t < nearest) {
        nearest = t;
        hit = i;
      }
    }
  }
  float4 color = make_float4(0.2f, 0.3f, 0.5f, 1.0f);
  if (hit >= 0) {
    float4 s = spheres[hit];
    float r = 1.0f / s.w;
    color = make_float4((dx * nearest - s.x) * r, (dy * nearest - s.y) * r, (dz * nearest - s.z) * r, nearest);
  }
  out[py * width + px] = color;
}

extern "C" __global__ void kMeansAssign(const float* points, const float* centers, int* cluster, float* distance,
                                        int clusters, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float p[8];
  for (int d = 0; d < 8; d++) p[d] = points[d * n + i];
  float best = 1e30f;
  int nearest = 0;
  for (int c = 0; c < clusters; c++) {
    float sum = 0;
    for (int d = 0; d < 8; d++) {
      float diff = p[d] - centers[c * 8 + d];
      sum += diff * diff;
    }
    if (sum < best) {
      best = sum;
      nearest = c;
    }
  }
  cluster[i] = nearest;
  distance[i] = sqrtf(best);
}
