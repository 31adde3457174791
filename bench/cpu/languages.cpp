// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One text, two languages: a prefix of macros makes the text of a case CUDA C++ or OpenCL C.
#include <array>

#include "cases/cases.h"

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
#define Z threadIdx.z
#define GROUP blockIdx.x
#define GROUP_Y blockIdx.y
#define GROUP_Z blockIdx.z
#define GROUPS gridDim.x
#define INCREMENT(place) atomicAdd(place, 1u)
#define BITS(number) __float_as_uint(number)
)cuda";

constexpr std::string_view openclPrefix = R"opencl(
#define KERNEL __kernel void
#define IN __global const float* restrict
#define OUT __global float* restrict
#define SHARED __local
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define X (uint)get_local_id(0)
#define Y (uint)get_local_id(1)
#define Z (uint)get_local_id(2)
#define GROUP (uint)get_group_id(0)
#define GROUP_Y (uint)get_group_id(1)
#define GROUP_Z (uint)get_group_id(2)
#define GROUPS (uint)get_num_groups(0)
#define INCREMENT(place) atomic_inc(place)
#define BITS(number) as_uint(number)
#define expf exp
#define logf log
#define sqrtf sqrt
#define erfcf erfc
#define cosf cos
#define sinf sin
#define rintf rint
#define fmaxf fmax
#define fminf fmin
#define fabsf fabs
)opencl";

}  // namespace

std::span<const std::span<const CpuCase>> cpuCases() {
  static const std::array kinds = {memoryCases(),   algebraCases(),  reduceCases(),   networkCases(),
                                   simulateCases(), sequenceCases(), transformCases()};
  return kinds;
}

std::string cudaText(const CpuCase& entry) {
  if (entry.text.empty()) return std::string(kernelNamed(entry.name).text);
  return std::string(cudaPrefix) + std::string(entry.text);
}

std::string openclText() {
  std::string out = std::string(openclKernels()) + std::string(openclPrefix);
  for (const std::span<const CpuCase> kind : cpuCases())
    for (const CpuCase& entry : kind) out += entry.text;
  return out;
}

}  // namespace lathe::bench
