// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, stencils and transposes.
#include "../reference/reference.h"
#include "cases.h"

namespace lathe::bench {
namespace {

constexpr CpuCase cases[] = {
    {"saxpy",
     "",
     {1u << 16, 1u << 20, 1u << 24},
     [](unsigned n, unsigned) {
       return lines(n, {n, n, n}, {value(n), value(saxpyFactor), buffer(0), buffer(1), buffer(2)}, 1e-6);
     }},
    {"transpose",
     R"(
KERNEL transpose(unsigned n, IN in, OUT out) {
  SHARED float tile[16][17];
  const unsigned x = X, y = Y;
  tile[y][x] = in[(GROUP_Y * 16 + y) * n + GROUP * 16 + x];
  BARRIER;
  out[(GROUP * 16 + y) * n + GROUP_Y * 16 + x] = tile[x][y];
}
)",
     {256, 1024, 4096},
     [](unsigned n, unsigned) { return squares(n, {16, 16}, {n * n, n * n}, {value(n), buffer(0), buffer(1)}, 0); }},
    {"stencil",
     "",
     {256, 1024, 4096},
     [](unsigned n, unsigned) {
       return squares(n, {stencilGroupX, stencilGroupY}, {n * n, n * n}, {value(n), value(n), buffer(0), buffer(1)},
                      1e-5);
     }},
    {"convolve",
     R"(
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
)",
     {1u << 16, 1u << 20, 1u << 24},
     [](unsigned n, unsigned) { return lines(n, {n, 17, n}, {value(n), buffer(0), buffer(1), buffer(2)}, 1e-5); }},
    {"heatSteps",
     R"(
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
)",
     {1u << 14, 1u << 18, 1u << 21},
     [](unsigned n, unsigned) { return lines(n, {n, n}, {value(heatSteps), buffer(0), buffer(1)}, 1e-5); }},
    {"heat3d",
     R"(
KERNEL heat3d(unsigned n, IN in, OUT out) {
  const unsigned x = GROUP * 32 + X, y = GROUP_Y * 4 + Y, z = GROUP_Z * 2 + Z;
  if (x == 0 || y == 0 || z == 0 || x + 1 >= n || y + 1 >= n || z + 1 >= n) return;
  const unsigned at = (z * n + y) * n + x, plane = n * n;
  out[at] = 0.4f * in[at] + 0.1f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - plane] + in[at + plane]);
}
)",
     {64, 128, 256},
     [](unsigned n, unsigned) {
       return cubes(n, {32, 4, 2}, {n * n * n, n * n * n}, {value(n), buffer(0), buffer(1)}, 1e-5);
     }},
};

}  // namespace

std::span<const CpuCase> memoryCases() {
  return cases;
}

}  // namespace lathe::bench
