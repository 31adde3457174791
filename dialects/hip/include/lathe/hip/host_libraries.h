// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers of hipBLAS, hipFFT, hipRAND, hipSPARSE, hipSOLVER and of ROCm's own libraries behind them, as far as
// kernels need them: <lathe/cuda/host_libraries.h> under HIP's names.
#ifndef LATHE_HIP_HOST_LIBRARIES_H
#define LATHE_HIP_HOST_LIBRARIES_H

#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_fp16.h>
#include <lathe/cuda/host_libraries.h>

#define hipblasHandle_t cublasHandle_t
#define hipblasLtHandle_t cublasLtHandle_t
#define hipblasStatus_t cublasStatus_t
#define HIPBLAS_STATUS_SUCCESS CUBLAS_STATUS_SUCCESS
#define hipblasOperation_t cublasOperation_t
#define HIPBLAS_OP_N CUBLAS_OP_N
#define HIPBLAS_OP_T CUBLAS_OP_T
#define HIPBLAS_OP_C CUBLAS_OP_C
#define hipblasComputeType_t cublasComputeType_t
#define HIPBLAS_COMPUTE_16F CUBLAS_COMPUTE_16F
#define HIPBLAS_COMPUTE_32F CUBLAS_COMPUTE_32F
#define HIPBLAS_COMPUTE_32F_FAST_TF32 CUBLAS_COMPUTE_32F_FAST_TF32
#define HIPBLAS_COMPUTE_64F CUBLAS_COMPUTE_64F
#define hipblasMath_t cublasMath_t
#define HIPBLAS_DEFAULT_MATH CUBLAS_DEFAULT_MATH
#define hipblasGemmAlgo_t cublasGemmAlgo_t
#define HIPBLAS_GEMM_DEFAULT CUBLAS_GEMM_DEFAULT
#define hipblasPointerMode_t cublasPointerMode_t
#define HIPBLAS_POINTER_MODE_HOST CUBLAS_POINTER_MODE_HOST
#define HIPBLAS_POINTER_MODE_DEVICE CUBLAS_POINTER_MODE_DEVICE
#define hipblasFillMode_t cublasFillMode_t
#define HIPBLAS_FILL_MODE_LOWER CUBLAS_FILL_MODE_LOWER
#define HIPBLAS_FILL_MODE_UPPER CUBLAS_FILL_MODE_UPPER
#define hipblasSideMode_t cublasSideMode_t
#define HIPBLAS_SIDE_LEFT CUBLAS_SIDE_LEFT
#define HIPBLAS_SIDE_RIGHT CUBLAS_SIDE_RIGHT
#define hipblasDiagType_t cublasDiagType_t
#define HIPBLAS_DIAG_NON_UNIT CUBLAS_DIAG_NON_UNIT
#define HIPBLAS_DIAG_UNIT CUBLAS_DIAG_UNIT
#define hipblasComplex cuFloatComplex
#define hipblasDoubleComplex cuDoubleComplex
#define hipblasHalf __half
#define hipblasBfloat16 __hip_bfloat16
#define hipblasLtHalf __half
#define hipblasLtBfloat16 __hip_bfloat16
#define hipsparseHandle_t cusparseHandle_t
#define hipsparseMatDescr_t cusparseMatDescr_t
#define hipsparseSpMatDescr_t cusparseSpMatDescr_t
#define hipsparseDnVecDescr_t cusparseDnVecDescr_t
#define hipsparseDnMatDescr_t cusparseDnMatDescr_t
#define hipsparseStatus_t cusparseStatus_t
#define HIPSPARSE_STATUS_SUCCESS CUSPARSE_STATUS_SUCCESS
#define hipsolverHandle_t cusolverDnHandle_t
#define hipsolverDnHandle_t cusolverDnHandle_t
#define hipsolverStatus_t cusolverStatus_t
#define HIPSOLVER_STATUS_SUCCESS CUSOLVER_STATUS_SUCCESS
#define hiprandGenerator_t curandGenerator_t
#define hiprandStatus_t curandStatus_t
#define HIPRAND_STATUS_SUCCESS CURAND_STATUS_SUCCESS
#define hipfftHandle cufftHandle
#define hipfftResult cufftResult
#define HIPFFT_SUCCESS CUFFT_SUCCESS
#define hipfftReal cufftReal
#define hipfftDoubleReal cufftDoubleReal
#define hipfftComplex cufftComplex
#define hipfftDoubleComplex cufftDoubleComplex
#define hipfftType cufftType
#define HIPFFT_R2C CUFFT_R2C
#define HIPFFT_C2R CUFFT_C2R
#define HIPFFT_C2C CUFFT_C2C
#define HIPFFT_D2Z CUFFT_D2Z
#define HIPFFT_Z2D CUFFT_Z2D
#define HIPFFT_Z2Z CUFFT_Z2Z
#define HIPFFT_FORWARD CUFFT_FORWARD
#define HIPFFT_BACKWARD CUFFT_INVERSE
#define rocblas_handle cublasHandle_t
#define rocblas_status cublasStatus_t
#define rocblas_status_success CUBLAS_STATUS_SUCCESS
#define rocblas_half __half
#define rocblas_bfloat16 __hip_bfloat16
#define rocblas_float_complex cuFloatComplex
#define rocblas_double_complex cuDoubleComplex
#define rocblas_int int

#endif
