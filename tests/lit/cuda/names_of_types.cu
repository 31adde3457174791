// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types by names that the toolkit's and the C library's headers give them beside the usual ones.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=remark:
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: %lathe run %s -t cpu -k numbers --grid 1 --group 1 --arg 'zeros:i64[2]' --arg 'zeros:f16[1]' --arg 'zeros:f16[2]' --print 0 | FileCheck %s --check-prefix=VALUES
// VALUES: to i64[2]: 12 4
#include <cuda_fp16.h>
#include <dlfcn.h>

template <cudaDataType_t kind>
constexpr int bits = kind == CUDA_R_4F_E2M1 || kind == CUDA_R_4I ? 4 : kind == CUDA_C_64U ? 128 : 8;

extern "C" __device__ unsigned __nvvm_get_smem_pointer(void* pointer);

// CHECK: .entry _Z7numbersPlP6__halfP7__half2
__global__ void numbers(__int64_t* to, __nv_half* halves, __nv_half2* pairs) {
  static_assert(sizeof(__uint8_t) == 1 && sizeof(__uint16_t) == 2 && sizeof(__int32_t) == 4 && sizeof(__uint64_t) == 8);
  const __nv_half_raw one = halves[0];
  const __nv_half2_raw two = pairs[0];
  const nullptr_t none = nullptr;
  __shared__ int words[8];
  to[1] = __nvvm_get_smem_pointer(words + 1) - __nvvm_get_smem_pointer(words);
  to[0] = one.x + two.y + bits<CUDA_R_4F_E2M1> + bits<CUDA_R_8F_UE4M3> + (halves == none);
}

__host__ int ask(int* groups, int* items) {
  Dl_info info;
  const cudaChannelFormatDesc half = cudaCreateChannelDescHalf2();
  return dladdr(dlsym(RTLD_DEFAULT, "ask"), &info) + half.x +
         cudaOccupancyMaxPotentialBlockSizeWithFlags(groups, items, numbers, 0, 0, 0);
}
