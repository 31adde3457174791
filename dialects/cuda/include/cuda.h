// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's driver API, as far as host code beside kernels calls it: declared and never defined. Numbers are those of the
// CUDA Driver API reference.
#ifndef LATHE_CUDA_DRIVER_API_H
#define LATHE_CUDA_DRIVER_API_H

#include <lathe/cuda/prelude.h>

#define __cuda_cuda_h__
#define CUDA_VERSION 13000
#define CUDAAPI

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef struct CUarray_st* CUarray;
typedef struct CUlinkState_st* CUlinkState;
typedef int CUjit_option;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef struct CUmemPoolHandle_st* CUmemoryPool;
enum CUmemAllocationHandleType {
  CU_MEM_HANDLE_TYPE_NONE = 0,
  CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
  CU_MEM_HANDLE_TYPE_WIN32 = 2,
  CU_MEM_HANDLE_TYPE_FABRIC = 8
};
enum CUmemLocationType { CU_MEM_LOCATION_TYPE_INVALID, CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_LOCATION_TYPE_HOST };
enum CUmemAllocationType { CU_MEM_ALLOCATION_TYPE_INVALID, CU_MEM_ALLOCATION_TYPE_PINNED };
enum CUmemAccess_flags {
  CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
  CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
  CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
};
enum CUmemAllocationGranularity_flags { CU_MEM_ALLOC_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED };
struct CUmemLocation {
  CUmemLocationType type;
  int id;
};
struct CUmemAllocationProp {
  CUmemAllocationType type;
  CUmemAllocationHandleType requestedHandleTypes;
  CUmemLocation location;
  void* win32HandleMetaData;
  struct {
    unsigned char compressionType, gpuDirectRDMACapable;
    unsigned short usage;
  } allocFlags;
};
struct CUmemAccessDesc {
  CUmemLocation location;
  CUmemAccess_flags flags;
};

// Tensor maps, which the hardware's copies of tiles read. Kernels take one as a __grid_constant__ parameter.
typedef unsigned cuuint32_t;
typedef unsigned long cuuint64_t;
typedef struct __align__(128) CUtensorMap_st {
  cuuint64_t opaque[16];
} CUtensorMap;
enum CUtensorMapDataType {
  CU_TENSOR_MAP_DATA_TYPE_UINT8,
  CU_TENSOR_MAP_DATA_TYPE_UINT16,
  CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32,
  CU_TENSOR_MAP_DATA_TYPE_UINT64,
  CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
  CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
};
enum CUtensorMapInterleave { CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_INTERLEAVE_32B };
enum CUtensorMapSwizzle {
  CU_TENSOR_MAP_SWIZZLE_NONE,
  CU_TENSOR_MAP_SWIZZLE_32B,
  CU_TENSOR_MAP_SWIZZLE_64B,
  CU_TENSOR_MAP_SWIZZLE_128B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
};
enum CUtensorMapL2promotion {
  CU_TENSOR_MAP_L2_PROMOTION_NONE,
  CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B
};
enum CUtensorMapFloatOOBfill {
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
};

enum CUresult {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_INVALID_PTX = 218,
  CUDA_ERROR_INVALID_SOURCE = 300,
  CUDA_ERROR_FILE_NOT_FOUND = 301,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999
};
enum CUdevice_attribute {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
  CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95
};
enum CUfunction_attribute {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
};
enum { CU_CTX_SCHED_AUTO, CU_CTX_SCHED_SPIN, CU_CTX_SCHED_YIELD, CU_CTX_MAP_HOST = 8 };
enum { CU_EVENT_DEFAULT, CU_EVENT_BLOCKING_SYNC, CU_EVENT_DISABLE_TIMING };
enum { CU_STREAM_DEFAULT, CU_STREAM_NON_BLOCKING };

__host__ CUresult cuInit(unsigned);
__host__ CUresult cuDriverGetVersion(int*);
__host__ CUresult cuDeviceGet(CUdevice*, int);
__host__ CUresult cuDeviceGetCount(int*);
__host__ CUresult cuDeviceGetName(char*, int, CUdevice);
__host__ CUresult cuDeviceTotalMem(size_t*, CUdevice);
__host__ CUresult cuDeviceGetAttribute(int*, CUdevice_attribute, CUdevice);
__host__ CUresult cuDeviceComputeCapability(int*, int*, CUdevice);
__host__ CUresult cuDevicePrimaryCtxRetain(CUcontext*, CUdevice);
__host__ CUresult cuDevicePrimaryCtxRelease(CUdevice);
__host__ CUresult cuCtxCreate(CUcontext*, unsigned, CUdevice);
__host__ CUresult cuCtxDestroy(CUcontext);
__host__ CUresult cuCtxPushCurrent(CUcontext);
__host__ CUresult cuCtxPopCurrent(CUcontext*);
__host__ CUresult cuCtxSetCurrent(CUcontext);
__host__ CUresult cuCtxGetCurrent(CUcontext*);
__host__ CUresult cuCtxGetDevice(CUdevice*);
__host__ CUresult cuCtxSynchronize();
__host__ CUresult cuCtxSetLimit(int, size_t);
__host__ CUresult cuModuleLoad(CUmodule*, const char*);
__host__ CUresult cuModuleLoadData(CUmodule*, const void*);
__host__ CUresult cuModuleLoadDataEx(CUmodule*, const void*, unsigned, CUjit_option*, void**);
__host__ CUresult cuModuleUnload(CUmodule);
__host__ CUresult cuModuleGetFunction(CUfunction*, CUmodule, const char*);
__host__ CUresult cuModuleGetGlobal(CUdeviceptr*, size_t*, CUmodule, const char*);
__host__ CUresult cuMemGetInfo(size_t*, size_t*);
__host__ CUresult cuMemAlloc(CUdeviceptr*, size_t);
__host__ CUresult cuMemAllocPitch(CUdeviceptr*, size_t*, size_t, size_t, unsigned);
__host__ CUresult cuMemAllocManaged(CUdeviceptr*, size_t, unsigned);
__host__ CUresult cuMemFree(CUdeviceptr);
__host__ CUresult cuMemAllocHost(void**, size_t);
__host__ CUresult cuMemFreeHost(void*);
__host__ CUresult cuMemHostAlloc(void**, size_t, unsigned);
__host__ CUresult cuMemcpyHtoD(CUdeviceptr, const void*, size_t);
__host__ CUresult cuMemcpyDtoH(void*, CUdeviceptr, size_t);
__host__ CUresult cuMemcpyDtoD(CUdeviceptr, CUdeviceptr, size_t);
__host__ CUresult cuMemcpyHtoDAsync(CUdeviceptr, const void*, size_t, CUstream);
__host__ CUresult cuMemcpyDtoHAsync(void*, CUdeviceptr, size_t, CUstream);
__host__ CUresult cuMemsetD8(CUdeviceptr, unsigned char, size_t);
__host__ CUresult cuMemsetD16(CUdeviceptr, unsigned short, size_t);
__host__ CUresult cuMemsetD32(CUdeviceptr, unsigned, size_t);
__host__ CUresult cuMemsetD8Async(CUdeviceptr, unsigned char, size_t, CUstream);
__host__ CUresult cuMemsetD16Async(CUdeviceptr, unsigned short, size_t, CUstream);
__host__ CUresult cuMemsetD32Async(CUdeviceptr, unsigned, size_t, CUstream);
__host__ CUresult cuStreamCreate(CUstream*, unsigned);
__host__ CUresult cuStreamSynchronize(CUstream);
__host__ CUresult cuStreamDestroy(CUstream);
__host__ CUresult cuStreamQuery(CUstream);
__host__ CUresult cuEventCreate(CUevent*, unsigned);
__host__ CUresult cuEventRecord(CUevent, CUstream);
__host__ CUresult cuEventSynchronize(CUevent);
__host__ CUresult cuEventElapsedTime(float*, CUevent, CUevent);
__host__ CUresult cuEventDestroy(CUevent);
__host__ CUresult cuFuncGetAttribute(int*, CUfunction_attribute, CUfunction);
__host__ CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute, int);
__host__ CUresult cuFuncSetCacheConfig(CUfunction, int);
__host__ CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                 CUstream, void**, void**);
__host__ CUresult cuLaunchCooperativeKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                            unsigned, CUstream, void**);
__host__ CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int*, CUfunction, int, size_t);
__host__ CUresult cuGetErrorName(CUresult, const char**);
__host__ CUresult cuGetErrorString(CUresult, const char**);
__host__ CUresult cuLinkCreate(unsigned, CUjit_option*, void**, CUlinkState*);
__host__ CUresult cuLinkAddData(CUlinkState, int, void*, size_t, const char*, unsigned, CUjit_option*, void**);
__host__ CUresult cuLinkComplete(CUlinkState, void**, size_t*);
// A launch's attributes are the runtime's.
typedef cudaLaunchAttribute CUlaunchAttribute;
#define CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION cudaLaunchAttributeClusterDimension
#define CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE cudaLaunchAttributeClusterSchedulingPolicyPreference
#define CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION cudaLaunchAttributeProgrammaticStreamSerialization
__host__ CUresult cuLinkDestroy(CUlinkState);
__host__ CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                         const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                         CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
__host__ CUresult cuTensorMapEncodeIm2col(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                          const cuuint64_t*, const int*, const int*, cuuint32_t, cuuint32_t,
                                          const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                          CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
__host__ CUresult cuTensorMapReplaceAddress(CUtensorMap*, void*);

#endif
