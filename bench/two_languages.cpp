// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels for host processors, written once: a prefix of macros makes their text CUDA C++ or OpenCL C. They cover what
// the four of kernels.cpp do not: barriers in loops, sorting networks, gathers, divergent loops, mathematics, atomics.
#include "kernels.h"

namespace lathe::bench {
namespace {

constexpr std::string_view cudaPrefix = R"cuda(
#define KERNEL extern "C" __global__ void
#define IN const float* __restrict__
#define OUT float* __restrict__
#define SHARED __shared__
#define BARRIER __syncthreads()
#define X threadIdx.x
#define Y threadIdx.y
#define GROUP blockIdx.x
#define GROUP_Y blockIdx.y
#define GROUPS gridDim.x
#define INCREMENT(place) atomicAdd(place, 1u)
)cuda";

constexpr std::string_view openclPrefix = R"opencl(
#define KERNEL __kernel void
#define IN __global const float* restrict
#define OUT __global float* restrict
#define SHARED __local
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define X (uint)get_local_id(0)
#define Y (uint)get_local_id(1)
#define GROUP (uint)get_group_id(0)
#define GROUP_Y (uint)get_group_id(1)
#define GROUPS (uint)get_num_groups(0)
#define INCREMENT(place) atomic_inc(place)
#define expf exp
#define logf log
#define sqrtf sqrt
#define rsqrtf rsqrt
#define erfcf erfc
#define fmaxf fmax
#define fabsf fabs
)opencl";

constexpr std::array<KernelSource, 12> bodies = {{
    {"transpose", R"(
KERNEL transpose(unsigned n, IN in, OUT out) {
  SHARED float tile[16][17];
  const unsigned x = X, y = Y;
  tile[y][x] = in[(GROUP_Y * 16 + y) * n + GROUP * 16 + x];
  BARRIER;
  out[(GROUP * 16 + y) * n + GROUP_Y * 16 + x] = tile[x][y];
}
)"},
    {"convolve", R"(
KERNEL convolve(unsigned n, IN in, IN weights, OUT out) {
  SHARED float line[256 + 16];
  const unsigned x = X, i = GROUP * 256 + x;
  line[x + 8] = in[i];
  if (x < 8) line[x] = i >= 8 ? in[i - 8] : 0.0f;
  if (x >= 248) line[x + 16] = i + 8 < n ? in[i + 8] : 0.0f;
  BARRIER;
  float sum = 0;
  for (unsigned k = 0; k < 17; ++k) sum += weights[k] * line[x + k];
  out[i] = sum;
}
)"},
    {"scanBlocks", R"(
KERNEL scanBlocks(unsigned n, IN in, OUT out) {
  SHARED float sums[256];
  const unsigned x = X, i = GROUP * 256 + x;
  sums[x] = in[i];
  BARRIER;
  for (unsigned step = 1; step < 256; step *= 2) {
    const float before = x >= step ? sums[x - step] : 0.0f;
    BARRIER;
    sums[x] += before;
    BARRIER;
  }
  out[i] = sums[x];
}
)"},
    {"bitonicSort", R"(
KERNEL bitonicSort(unsigned n, IN in, OUT out) {
  SHARED float line[256];
  const unsigned x = X, i = GROUP * 256 + x;
  line[x] = in[i];
  BARRIER;
  for (unsigned size = 2; size <= 256; size *= 2) {
    for (unsigned step = size / 2; step > 0; step /= 2) {
      const unsigned other = x ^ step;
      if (other > x) {
        const float a = line[x], b = line[other];
        if ((a > b) == ((x & size) == 0)) {
          line[x] = b;
          line[other] = a;
        }
      }
      BARRIER;
    }
  }
  out[i] = line[x];
}
)"},
    {"softmaxRows", R"(
KERNEL softmaxRows(unsigned columns, IN in, OUT out) {
  SHARED float part[256];
  const unsigned x = X, row = GROUP * columns;
  float most = -1e30f;
  for (unsigned i = x; i < columns; i += 256) most = fmaxf(most, in[row + i]);
  part[x] = most;
  BARRIER;
  for (unsigned half_ = 128; half_ > 0; half_ /= 2) {
    if (x < half_) part[x] = fmaxf(part[x], part[x + half_]);
    BARRIER;
  }
  most = part[0];
  BARRIER;
  float sum = 0;
  for (unsigned i = x; i < columns; i += 256) {
    const float e = expf(in[row + i] - most);
    out[row + i] = e;
    sum += e;
  }
  part[x] = sum;
  BARRIER;
  for (unsigned half_ = 128; half_ > 0; half_ /= 2) {
    if (x < half_) part[x] += part[x + half_];
    BARRIER;
  }
  const float scale = 1.0f / part[0];
  for (unsigned i = x; i < columns; i += 256) out[row + i] *= scale;
}
)"},
    {"blackScholes", R"(
KERNEL blackScholes(unsigned n, IN a, IN b, OUT out) {
  const unsigned i = GROUP * 256 + X;
  if (i >= n) return;
  const float price = 60.0f + 50.0f * a[i], strike = 60.0f + 50.0f * b[i], years = 2.0f, rate = 0.02f, spread = 0.3f;
  const float root = spread * sqrtf(years);
  const float d1 = (logf(price / strike) + (rate + 0.5f * spread * spread) * years) / root, d2 = d1 - root;
  const float n1 = 0.5f * erfcf(-0.70710678f * d1), n2 = 0.5f * erfcf(-0.70710678f * d2);
  out[i] = price * n1 - strike * expf(-rate * years) * n2;
}
)"},
    {"nbodyStep", R"(
KERNEL nbodyStep(unsigned n, IN bodies, OUT forces) {
  SHARED float xs[256], ys[256], zs[256], ms[256];
  const unsigned x = X, i = GROUP * 256 + x;
  const float px = bodies[i], py = bodies[n + i], pz = bodies[2 * n + i];
  float fx = 0, fy = 0, fz = 0;
  for (unsigned tile = 0; tile < n; tile += 256) {
    xs[x] = bodies[tile + x];
    ys[x] = bodies[n + tile + x];
    zs[x] = bodies[2 * n + tile + x];
    ms[x] = bodies[3 * n + tile + x];
    BARRIER;
    for (unsigned k = 0; k < 256; ++k) {
      const float dx = xs[k] - px, dy = ys[k] - py, dz = zs[k] - pz;
      const float square = dx * dx + dy * dy + dz * dz + 0.01f;
      const float inverse = 1.0f / sqrtf(square), pull = ms[k] * inverse * inverse * inverse;
      fx += pull * dx;
      fy += pull * dy;
      fz += pull * dz;
    }
    BARRIER;
  }
  forces[i] = fx;
  forces[n + i] = fy;
  forces[2 * n + i] = fz;
}
)"},
    {"escapeTime", R"(
KERNEL escapeTime(unsigned n, unsigned limit, OUT out) {
  const unsigned px = GROUP * 16 + X, py = GROUP_Y * 16 + Y;
  const float cx = -2.0f + 3.0f * (float)px / (float)n, cy = -1.5f + 3.0f * (float)py / (float)n;
  float x = 0, y = 0;
  unsigned step = 0;
  for (; step < limit && x * x + y * y < 4.0f; ++step) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
  }
  out[py * n + px] = (float)step;
}
)"},
    {"histogram", R"(
KERNEL histogram(unsigned n, IN in, OUT out) {
  SHARED unsigned bins[256];
  const unsigned x = X;
  bins[x] = 0;
  BARRIER;
  for (unsigned i = GROUP * 256 + x; i < n; i += GROUPS * 256) INCREMENT(&bins[(unsigned)((in[i] + 1.0f) * 127.5f)]);
  BARRIER;
  out[GROUP * 256 + x] = (float)bins[x];
}
)"},
    {"spmv", R"(
KERNEL spmv(unsigned n, IN values, IN places, IN vector, OUT out) {
  const unsigned row = GROUP * 256 + X;
  if (row >= n) return;
  float sum = 0;
  for (unsigned k = 0; k < 16; ++k) {
    const unsigned column = (unsigned)((places[k * n + row] + 1.0f) * 0.5f * (float)(n - 1));
    sum += values[k * n + row] * vector[column];
  }
  out[row] = sum;
}
)"},
    {"heatSteps", R"(
KERNEL heatSteps(unsigned steps, IN in, OUT out) {
  SHARED float line[2][258];
  const unsigned x = X, i = GROUP * 256 + x;
  line[0][x + 1] = in[i];
  if (x == 0) line[0][0] = line[1][0] = line[0][257] = line[1][257] = 0.0f;
  BARRIER;
  for (unsigned step = 0; step < steps; ++step) {
    const unsigned from = step & 1;
    line[1 - from][x + 1] = 0.5f * line[from][x + 1] + 0.25f * (line[from][x] + line[from][x + 2]);
    BARRIER;
  }
  out[i] = line[steps & 1][x + 1];
}
)"},
    {"dct8", R"(
KERNEL dct8(unsigned n, IN basis, IN in, OUT out) {
  SHARED float block[8][8], rows[8][8];
  const unsigned x = X, y = Y, at = (GROUP_Y * 8 + y) * n + GROUP * 8 + x;
  block[y][x] = in[at];
  BARRIER;
  float sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum += basis[x * 8 + k] * block[y][k];
  rows[y][x] = sum;
  BARRIER;
  sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum += basis[y * 8 + k] * rows[k][x];
  out[at] = sum;
}
)"},
}};

}  // namespace

std::span<const KernelSource> hostKernels() {
  static const std::array<std::string, bodies.size()> texts = [] {
    std::array<std::string, bodies.size()> out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::string(cudaPrefix) + std::string(bodies[i].text);
    return out;
  }();
  static const std::array<KernelSource, bodies.size()> kernels = [] {
    std::array<KernelSource, bodies.size()> out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = {bodies[i].name, texts[i]};
    return out;
  }();
  return kernels;
}

std::string openclHostKernels() {
  std::string out(openclPrefix);
  for (const KernelSource& kernel : bodies) out += kernel.text;
  return out;
}

}  // namespace lathe::bench
