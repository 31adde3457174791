// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes that hold the host libraries' handles and modes and come near device code: their objects are captured by what a
// kernel takes, so that an unknown type in one would be an error of the kernel.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=remark: --implicit-check-not=error:
// RUN: %compile %s -t cpu -o %t.limg
// CHECK: .entry _Z5solveI4PlanEvT_Pf
#include <cublasLt.h>
#include <cublas_v2.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

struct Plan {
  cusolverDnHandle_t handle = nullptr;
  cusolverDnParams_t params = nullptr;
  syevjInfo_t info = nullptr;
  cusolverEigMode_t mode = CUSOLVER_EIG_MODE_VECTOR;
  cusparseConstSpMatDescr_t matrix = nullptr;
  cusparseIndexType_t index = CUSPARSE_INDEX_32I;
  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixLayout_t layout = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtOrder_t storage = CUBLASLT_ORDER_ROW;
  curandRngType_t numbers = CURAND_RNG_PSEUDO_PHILOX4_32_10;
  curandOrdering order = CURAND_ORDERING_PSEUDO_SEEDED;
  float factor = 2;
  __host__ __device__ float scaled(float x) const { return index == CUSPARSE_INDEX_32I && numbers == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? factor * x : x; }
};

template <class T>
__global__ void solve(T plan, float* x) {
  x[threadIdx.x] = plan.scaled(x[threadIdx.x]);
}

void run(float* x) {
  solve<<<1, 32>>>(Plan{}, x);
}
