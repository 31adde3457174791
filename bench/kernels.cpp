// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels' texts.
#include "kernels.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

namespace lathe::bench {
namespace {

constexpr KernelSource saxpy{"saxpy", R"cuda(
extern "C" __global__ void saxpy(unsigned n, float a, const float* __restrict__ x, const float* __restrict__ y,
                                 float* __restrict__ out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}
)cuda"};

constexpr KernelSource stencil{"stencil", R"cuda(
extern "C" __global__ void stencil(unsigned width, unsigned height, const float* __restrict__ in,
                                   float* __restrict__ out) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x + 1 >= width || y + 1 >= height) return;
  const unsigned at = y * width + x;
  out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
}
)cuda"};

constexpr KernelSource matmul{"matmul", R"cuda(
extern "C" __global__ void matmul(unsigned n, const float* __restrict__ a, const float* __restrict__ b,
                                  float* __restrict__ c) {
  __shared__ float tileA[16][16];
  __shared__ float tileB[16][16];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (unsigned tile = 0; tile < n; tile += 16) {
    tileA[y][x] = a[row * n + tile + x];
    tileB[y][x] = b[(tile + y) * n + column];
    __syncthreads();
    for (unsigned k = 0; k < 16; ++k) sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
)cuda"};

constexpr KernelSource reduceTree{"reduceTree", R"cuda(
extern "C" __global__ void reduceTree(unsigned n, const float* __restrict__ x, float* __restrict__ partial) {
  __shared__ float sums[256];
  const unsigned item = threadIdx.x;
  float sum = 0;
  for (unsigned i = blockIdx.x * 256 + item; i < n; i += gridDim.x * 256) sum += x[i];
  sums[item] = sum;
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (item < half) sums[item] += sums[item + half];
    __syncthreads();
  }
  if (item == 0) partial[blockIdx.x] = sums[0];
}
)cuda"};

constexpr KernelSource reduceShuffle{"reduceShuffle", R"cuda(
static __device__ float warpSum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}
extern "C" __global__ void reduceShuffle(unsigned n, const float* __restrict__ x, float* __restrict__ out) {
  __shared__ float warps[32];
  float sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  sum = warpSum(sum);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = warpSum(threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}
)cuda"};

constexpr KernelSource nbody{"nbody", R"cuda(
struct Body { float x, y, z, mass; };
extern "C" __global__ void nbody(unsigned n, float dt, const Body* __restrict__ in, Body* __restrict__ out,
                                 float* __restrict__ velocity) {
  __shared__ Body tile[128];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const Body self = in[i];
  float ax = 0, ay = 0, az = 0;
  for (unsigned first = 0; first < n; first += 128) {
    tile[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    for (unsigned j = 0; j < 128; ++j) {
      const float dx = tile[j].x - self.x, dy = tile[j].y - self.y, dz = tile[j].z - self.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
      const float pull = tile[j].mass * inverse * inverse * inverse;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    __syncthreads();
  }
  float* v = velocity + 3 * i;
  v[0] += dt * ax;
  v[1] += dt * ay;
  v[2] += dt * az;
  out[i] = Body{self.x + dt * v[0], self.y + dt * v[1], self.z + dt * v[2], self.mass};
}
)cuda"};

constexpr KernelSource mandelbrot{"mandelbrot", R"cuda(
extern "C" __global__ void mandelbrot(unsigned width, unsigned height, unsigned limit, float* __restrict__ out) {
  const unsigned px = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  const float cx = -2.0f + 3.0f * float(px) / float(width), cy = -1.5f + 3.0f * float(py) / float(height);
  float x = 0, y = 0;
  unsigned step = 0;
  for (; step < limit && x * x + y * y < 256.0f; ++step) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
  }
  out[py * width + px] = step == limit ? 0.0f : float(step) + 1.0f - log2f(0.5f * logf(x * x + y * y));
}
)cuda"};

constexpr KernelSource nothing{"nothing", R"cuda(
extern "C" __global__ void nothing(unsigned n, float a, float* x) {
  if (n > 1u << 31) x[0] = a;
}
)cuda"};

constexpr std::string_view openclText = R"opencl(
__kernel void saxpy(uint n, float a, __global const float* restrict x, __global const float* restrict y,
                    __global float* restrict out) {
  const uint i = get_global_id(0);
  if (i < n) out[i] = a * x[i] + y[i];
}
__kernel void stencil(uint width, uint height, __global const float* restrict in, __global float* restrict out) {
  const uint x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == 0 || x + 1 >= width || y + 1 >= height) return;
  const uint at = y * width + x;
  out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width]);
}
__kernel void matmul(uint n, __global const float* restrict a, __global const float* restrict b,
                     __global float* restrict c) {
  __local float tileA[16][16];
  __local float tileB[16][16];
  const uint x = get_local_id(0), y = get_local_id(1);
  const uint row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
  float sum = 0;
  for (uint tile = 0; tile < n; tile += 16) {
    tileA[y][x] = a[row * n + tile + x];
    tileB[y][x] = b[(tile + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; ++k) sum += tileA[y][k] * tileB[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
__kernel void reduceTree(uint n, __global const float* restrict x, __global float* restrict partial) {
  __local float sums[256];
  const uint item = get_local_id(0);
  float sum = 0;
  for (uint i = get_group_id(0) * 256 + item; i < n; i += get_num_groups(0) * 256) sum += x[i];
  sums[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_ = 128; half_ > 0; half_ /= 2) {
    if (item < half_) sums[item] += sums[item + half_];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) partial[get_group_id(0)] = sums[0];
}
)opencl";

}  // namespace

const std::array<KernelSource, 4>& computeKernels() {
  static constexpr std::array<KernelSource, 4> kernels = {saxpy, stencil, matmul, reduceTree};
  return kernels;
}

const std::array<KernelSource, 6>& compileKernels() {
  static constexpr std::array<KernelSource, 6> kernels = {saxpy, stencil, matmul, reduceShuffle, nbody, mandelbrot};
  return kernels;
}

const KernelSource& kernelNamed(std::string_view name) {
  for (const KernelSource& kernel : computeKernels())
    if (kernel.name == name) return kernel;
  for (const KernelSource& kernel : compileKernels())
    if (kernel.name == name) return kernel;
  std::fprintf(stderr, "bench: no kernel is called '%.*s'\n", int(name.size()), name.data());
  std::exit(2);
}

const KernelSource& emptyKernel() {
  return nothing;
}

std::string_view openclKernels() {
  return openclText;
}

std::string uniqueText(const KernelSource& kernel) {
  // The process's number keeps apart the sources of processes that count from zero alike.
  static std::atomic<unsigned> counter = 0;
  const std::string serial = std::to_string(getpid()) + "_" + std::to_string(counter.fetch_add(1));
  return "static __device__ const char* serial_" + serial + "() { return \"" + serial + "\"; }\n" +
         std::string(kernel.text);
}

Image compileWithTool(const ScratchFolder& folder, const KernelSource& kernel, const std::string& target) {
  const std::string name(kernel.name);
  const std::string source = folder.write(name + ".cu", uniqueText(kernel)), out = folder.path(name + ".limg");
  const ChildResult child = runChild({toolPath(), "compile", source, "--target", target, "-o", out}, true);
  if (!child.ok)
    fail("lathe: " + name + " does not compile for " + target + " ($LATHE_TOOL names the tool):\n" + child.output);
  return need(Image::open(out));
}

}  // namespace lathe::bench
