// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP's runtime API for host code, declared and never defined: CUDA's under HIP's names, and what HIP has beside it.
// Functions of the latter take anything: host code is only parsed, for its launches.
#ifndef LATHE_HIP_RUNTIME_API_H
#define LATHE_HIP_RUNTIME_API_H

#include <lathe/hip/constant_names.h>
#include <lathe/hip/function_names.h>

#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 4
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 60400000

typedef struct ihipModule_t* hipModule_t;
typedef struct ihipCtx_t* hipCtx_t;
typedef int hipDevice_t;
typedef void* hipDeviceptr_t;
typedef struct ihipMemGenericAllocationHandle* hipMemGenericAllocationHandle_t;
typedef void *hipExternalMemory_t, *hipExternalSemaphore_t;

struct hipDeviceArch_t {
  unsigned hasGlobalInt32Atomics : 1, hasGlobalFloatAtomicExch : 1, hasSharedInt32Atomics : 1;
  unsigned hasSharedFloatAtomicExch : 1, hasFloatAtomicAdd : 1, hasGlobalInt64Atomics : 1, hasSharedInt64Atomics : 1;
  unsigned hasDoubles : 1, hasWarpVote : 1, hasWarpBallot : 1, hasWarpShuffle : 1, hasFunnelShift : 1;
  unsigned hasThreadFenceSystem : 1, hasSyncThreadsExt : 1, hasSurfaceFuncs : 1, has3dGrid : 1,
      hasDynamicParallelism : 1;
};
struct hipDeviceProp_t : cudaDeviceProp {
  char gcnArchName[256];
  int gcnArch, clockInstructionRate, isLargeBar, asicRevision;
  hipDeviceArch_t arch;
  size_t maxSharedMemoryPerMultiProcessor;
};
struct hipPointerAttribute_t : cudaPointerAttributes {
  cudaMemoryType memoryType;
  int isManaged;
  unsigned allocationFlags;
};
struct hipLaunchParams {
  void* func;
  dim3 gridDim, blockDim;
  void** args;
  size_t sharedMem;
  hipStream_t stream;
};
enum hipDeviceAttribute_t {
  hipDeviceAttributeEccEnabled,
  hipDeviceAttributeAccessPolicyMaxWindowSize,
  hipDeviceAttributeAsyncEngineCount,
  hipDeviceAttributeCanMapHostMemory,
  hipDeviceAttributeCanUseHostPointerForRegisteredMem,
  hipDeviceAttributeClockRate,
  hipDeviceAttributeComputeMode,
  hipDeviceAttributeComputePreemptionSupported,
  hipDeviceAttributeConcurrentKernels,
  hipDeviceAttributeConcurrentManagedAccess,
  hipDeviceAttributeCooperativeLaunch,
  hipDeviceAttributeCooperativeMultiDeviceLaunch,
  hipDeviceAttributeDeviceOverlap,
  hipDeviceAttributeDirectManagedMemAccessFromHost,
  hipDeviceAttributeGlobalL1CacheSupported,
  hipDeviceAttributeHostNativeAtomicSupported,
  hipDeviceAttributeIntegrated,
  hipDeviceAttributeIsMultiGpuBoard,
  hipDeviceAttributeKernelExecTimeout,
  hipDeviceAttributeL2CacheSize,
  hipDeviceAttributeLocalL1CacheSupported,
  hipDeviceAttributeLuid,
  hipDeviceAttributeLuidDeviceNodeMask,
  hipDeviceAttributeComputeCapabilityMajor,
  hipDeviceAttributeManagedMemory,
  hipDeviceAttributeMaxBlocksPerMultiProcessor,
  hipDeviceAttributeMaxBlockDimX,
  hipDeviceAttributeMaxBlockDimY,
  hipDeviceAttributeMaxBlockDimZ,
  hipDeviceAttributeMaxGridDimX,
  hipDeviceAttributeMaxGridDimY,
  hipDeviceAttributeMaxGridDimZ,
  hipDeviceAttributeMaxSurface1D,
  hipDeviceAttributeMaxSurface1DLayered,
  hipDeviceAttributeMaxSurface2D,
  hipDeviceAttributeMaxSurface2DLayered,
  hipDeviceAttributeMaxSurface3D,
  hipDeviceAttributeMaxSurfaceCubemap,
  hipDeviceAttributeMaxSurfaceCubemapLayered,
  hipDeviceAttributeMaxTexture1DWidth,
  hipDeviceAttributeMaxTexture1DLayered,
  hipDeviceAttributeMaxTexture1DLinear,
  hipDeviceAttributeMaxTexture1DMipmap,
  hipDeviceAttributeMaxTexture2DWidth,
  hipDeviceAttributeMaxTexture2DHeight,
  hipDeviceAttributeMaxTexture2DGather,
  hipDeviceAttributeMaxTexture2DLayered,
  hipDeviceAttributeMaxTexture2DLinear,
  hipDeviceAttributeMaxTexture2DMipmap,
  hipDeviceAttributeMaxTexture3DWidth,
  hipDeviceAttributeMaxTexture3DHeight,
  hipDeviceAttributeMaxTexture3DDepth,
  hipDeviceAttributeMaxTexture3DAlt,
  hipDeviceAttributeMaxTextureCubemap,
  hipDeviceAttributeMaxTextureCubemapLayered,
  hipDeviceAttributeMaxThreadsDim,
  hipDeviceAttributeMaxThreadsPerBlock,
  hipDeviceAttributeMaxThreadsPerMultiProcessor,
  hipDeviceAttributeMaxPitch,
  hipDeviceAttributeMemoryBusWidth,
  hipDeviceAttributeMemoryClockRate,
  hipDeviceAttributeComputeCapabilityMinor,
  hipDeviceAttributeMultiGpuBoardGroupID,
  hipDeviceAttributeMultiprocessorCount,
  hipDeviceAttributeName,
  hipDeviceAttributePageableMemoryAccess,
  hipDeviceAttributePageableMemoryAccessUsesHostPageTables,
  hipDeviceAttributePciBusId,
  hipDeviceAttributePciDeviceId,
  hipDeviceAttributePciDomainID,
  hipDeviceAttributePersistingL2CacheMaxSize,
  hipDeviceAttributeMaxRegistersPerBlock,
  hipDeviceAttributeMaxRegistersPerMultiprocessor,
  hipDeviceAttributeReservedSharedMemPerBlock,
  hipDeviceAttributeMaxSharedMemoryPerBlock,
  hipDeviceAttributeSharedMemPerBlockOptin,
  hipDeviceAttributeSharedMemPerMultiprocessor,
  hipDeviceAttributeSingleToDoublePrecisionPerfRatio,
  hipDeviceAttributeStreamPrioritiesSupported,
  hipDeviceAttributeSurfaceAlignment,
  hipDeviceAttributeTccDriver,
  hipDeviceAttributeTextureAlignment,
  hipDeviceAttributeTexturePitchAlignment,
  hipDeviceAttributeTotalConstantMemory,
  hipDeviceAttributeTotalGlobalMem,
  hipDeviceAttributeUnifiedAddressing,
  hipDeviceAttributeUuid,
  hipDeviceAttributeWarpSize,
  hipDeviceAttributeMemoryPoolsSupported,
  hipDeviceAttributeClockInstructionRate,
  hipDeviceAttributeArch,
  hipDeviceAttributeMaxSharedMemoryPerMultiprocessor,
  hipDeviceAttributeGcnArch,
  hipDeviceAttributeGcnArchName,
  hipDeviceAttributeHdpMemFlushCntl,
  hipDeviceAttributeHdpRegFlushCntl,
  hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc,
  hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim,
  hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim,
  hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem,
  hipDeviceAttributeIsLargeBar,
  hipDeviceAttributeAsicRevision,
  hipDeviceAttributeCanUseStreamWaitValue,
  hipDeviceAttributeImageSupport,
  hipDeviceAttributePhysicalMultiProcessorCount,
  hipDeviceAttributeFineGrainSupport
};
#define HIP_LAUNCH_PARAM_BUFFER_POINTER (reinterpret_cast<void*>(1))
#define HIP_LAUNCH_PARAM_BUFFER_SIZE (reinterpret_cast<void*>(2))
#define HIP_LAUNCH_PARAM_END (reinterpret_cast<void*>(3))
#define hipTextureType1D 1
#define hipTextureType2D 2
#define hipTextureType3D 3
#define hipTextureTypeCubemap 12

__host__ hipError_t hipGetDeviceProperties(hipDeviceProp_t*, int);
__host__ int hipGetStreamDeviceId(hipStream_t);
__host__ hipError_t hipDeviceGetAttribute(int*, hipDeviceAttribute_t, int);

#define LATHE_HIP_ANY(name)     \
  template <class... Arguments> \
  __host__ hipError_t name(Arguments&&...);
LATHE_HIP_ANY(hipChooseDeviceR0600)
LATHE_HIP_ANY(hipCtxCreate) LATHE_HIP_ANY(hipCtxDestroy) LATHE_HIP_ANY(hipCtxGetCurrent) LATHE_HIP_ANY(hipCtxGetDevice) LATHE_HIP_ANY(
    hipCtxPopCurrent) LATHE_HIP_ANY(hipCtxPushCurrent) LATHE_HIP_ANY(hipCtxSetCurrent) LATHE_HIP_ANY(hipCtxSynchronize) LATHE_HIP_ANY(hipDestroyExternalMemory)
    LATHE_HIP_ANY(hipDestroyExternalSemaphore) LATHE_HIP_ANY(hipDeviceComputeCapability) LATHE_HIP_ANY(hipDeviceGet) LATHE_HIP_ANY(
        hipDeviceGetGraphMemAttribute) LATHE_HIP_ANY(hipDeviceGetName) LATHE_HIP_ANY(hipDeviceGetP2PAttribute) LATHE_HIP_ANY(hipDeviceGetUuid)
        LATHE_HIP_ANY(hipDeviceGraphMemTrim) LATHE_HIP_ANY(hipDevicePrimaryCtxGetState) LATHE_HIP_ANY(hipDevicePrimaryCtxRelease) LATHE_HIP_ANY(
            hipDevicePrimaryCtxRetain) LATHE_HIP_ANY(hipDeviceTotalMem) LATHE_HIP_ANY(hipDrvGetErrorName) LATHE_HIP_ANY(hipDrvGetErrorString)
            LATHE_HIP_ANY(hipEventRecordWithFlags) LATHE_HIP_ANY(hipExtGetLinkTypeAndHopCount) LATHE_HIP_ANY(hipExtLaunchKernel) LATHE_HIP_ANY(
                hipExtLaunchMultiKernelMultiDevice) LATHE_HIP_ANY(hipExtMallocWithFlags) LATHE_HIP_ANY(hipExtModuleLaunchKernel) LATHE_HIP_ANY(hipExtStreamCreateWithCUMask)
                LATHE_HIP_ANY(hipExtStreamGetCUMask) LATHE_HIP_ANY(hipExternalMemoryGetMappedBuffer) LATHE_HIP_ANY(hipFuncGetAttribute) LATHE_HIP_ANY(
                    hipGraphAddChildGraphNode) LATHE_HIP_ANY(hipGraphAddDependencies) LATHE_HIP_ANY(hipGraphAddEmptyNode)
                    LATHE_HIP_ANY(hipGraphAddEventRecordNode) LATHE_HIP_ANY(hipGraphAddEventWaitNode) LATHE_HIP_ANY(hipGraphAddMemAllocNode) LATHE_HIP_ANY(
                        hipGraphAddMemFreeNode) LATHE_HIP_ANY(hipGraphAddMemcpyNode1D) LATHE_HIP_ANY(hipGraphAddMemcpyNodeFromSymbol)
                        LATHE_HIP_ANY(hipGraphAddMemcpyNodeToSymbol) LATHE_HIP_ANY(hipGraphDebugDotPrint) LATHE_HIP_ANY(
                            hipGraphExecHostNodeSetParams) LATHE_HIP_ANY(hipGraphExecMemcpyNodeSetParams) LATHE_HIP_ANY(hipGraphExecMemcpyNodeSetParams1D)
                            LATHE_HIP_ANY(hipGraphExecMemcpyNodeSetParamsFromSymbol) LATHE_HIP_ANY(hipGraphExecMemcpyNodeSetParamsToSymbol) LATHE_HIP_ANY(
                                hipGraphExecMemsetNodeSetParams) LATHE_HIP_ANY(hipGraphGetEdges) LATHE_HIP_ANY(hipGraphGetRootNodes) LATHE_HIP_ANY(hipGraphInstantiateWithFlags)
                                LATHE_HIP_ANY(hipGraphKernelNodeGetParams) LATHE_HIP_ANY(hipGraphKernelNodeSetParams) LATHE_HIP_ANY(
                                    hipGraphNodeGetType) LATHE_HIP_ANY(hipHostMalloc) LATHE_HIP_ANY(hipImportExternalMemory)
                                    LATHE_HIP_ANY(hipImportExternalSemaphore) LATHE_HIP_ANY(hipInit) LATHE_HIP_ANY(hipLaunchCooperativeKernelMultiDevice) LATHE_HIP_ANY(
                                        hipMemAddressFree) LATHE_HIP_ANY(hipMemAddressReserve) LATHE_HIP_ANY(hipMemCreate) LATHE_HIP_ANY(hipMemGetAddressRange)
                                        LATHE_HIP_ANY(hipMemGetAllocationGranularity) LATHE_HIP_ANY(hipMemMap) LATHE_HIP_ANY(hipMemPoolGetAccess) LATHE_HIP_ANY(
                                            hipMemPoolSetAccess) LATHE_HIP_ANY(hipMemRangeGetAttribute) LATHE_HIP_ANY(hipMemRelease)
                                            LATHE_HIP_ANY(hipMemSetAccess) LATHE_HIP_ANY(hipMemUnmap) LATHE_HIP_ANY(hipMemcpy2DFromArrayAsync) LATHE_HIP_ANY(
                                                hipMemcpy2DToArrayAsync) LATHE_HIP_ANY(hipMemcpyAtoH) LATHE_HIP_ANY(hipMemcpyDtoD)
                                                LATHE_HIP_ANY(hipMemcpyDtoDAsync) LATHE_HIP_ANY(hipMemcpyDtoH) LATHE_HIP_ANY(
                                                    hipMemcpyDtoHAsync) LATHE_HIP_ANY(hipMemcpyHtoA) LATHE_HIP_ANY(hipMemcpyHtoD)
                                                    LATHE_HIP_ANY(hipMemcpyHtoDAsync) LATHE_HIP_ANY(hipMemcpyParam2D) LATHE_HIP_ANY(
                                                        hipMemcpyWithStream) LATHE_HIP_ANY(hipMemset3DAsync) LATHE_HIP_ANY(hipMemsetD16)
                                                        LATHE_HIP_ANY(hipMemsetD16Async) LATHE_HIP_ANY(
                                                            hipMemsetD32) LATHE_HIP_ANY(hipMemsetD32Async)
                                                            LATHE_HIP_ANY(hipMemsetD8) LATHE_HIP_ANY(hipMemsetD8Async) LATHE_HIP_ANY(
                                                                hipModuleGetFunction) LATHE_HIP_ANY(hipModuleGetGlobal)
                                                                LATHE_HIP_ANY(hipModuleGetTexRef) LATHE_HIP_ANY(
                                                                    hipModuleLaunchCooperativeKernel) LATHE_HIP_ANY(hipModuleLaunchKernel)
                                                                    LATHE_HIP_ANY(hipModuleLoad) LATHE_HIP_ANY(hipModuleLoadData) LATHE_HIP_ANY(
                                                                        hipModuleLoadDataEx) LATHE_HIP_ANY(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor)
                                                                        LATHE_HIP_ANY(hipModuleOccupancyMaxPotentialBlockSize) LATHE_HIP_ANY(
                                                                            hipModuleUnload) LATHE_HIP_ANY(hipPointerGetAttribute)
                                                                            LATHE_HIP_ANY(hipPointerGetAttributes) LATHE_HIP_ANY(
                                                                                hipSignalExternalSemaphoresAsync)
                                                                                LATHE_HIP_ANY(hipStreamAttachMemAsync) LATHE_HIP_ANY(
                                                                                    hipStreamGetCaptureInfo) LATHE_HIP_ANY(hipStreamGetDevice)
                                                                                    LATHE_HIP_ANY(hipStreamUpdateCaptureDependencies) LATHE_HIP_ANY(
                                                                                        hipStreamWaitValue32) LATHE_HIP_ANY(hipStreamWaitValue64)
                                                                                        LATHE_HIP_ANY(hipStreamWriteValue32) LATHE_HIP_ANY(
                                                                                            hipStreamWriteValue64) LATHE_HIP_ANY(hipTexObjectCreate)
                                                                                            LATHE_HIP_ANY(hipTexObjectDestroy) LATHE_HIP_ANY(
                                                                                                hipTexRefSetAddress) LATHE_HIP_ANY(hipTexRefSetAddressMode)
                                                                                                LATHE_HIP_ANY(hipTexRefSetArray) LATHE_HIP_ANY(
                                                                                                    hipTexRefSetFilterMode)
                                                                                                    LATHE_HIP_ANY(
                                                                                                        hipTexRefSetFlags)
                                                                                                        LATHE_HIP_ANY(
                                                                                                            hipTexRefSetFormat)
                                                                                                            LATHE_HIP_ANY(
                                                                                                                hipThreadExchangeStreamCaptureMode)
                                                                                                                LATHE_HIP_ANY(
                                                                                                                    hipUserObjectCreate)
                                                                                                                    LATHE_HIP_ANY(
                                                                                                                        hipWaitExternalSemaphoresAsync)
#undef LATHE_HIP_ANY

// Launches as the compiler knows them. The argument of HIP_KERNEL_NAME is one with commas.
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(name) name
#define hipLaunchKernelGGL(kernel, ...) LATHE_HIP_LAUNCH((kernel), __VA_ARGS__)
#define hipLaunchKernel_ex hipLaunchKernelGGL
#define LATHE_HIP_LAUNCH(kernel, grid, block, bytes, stream, ...) \
  do {                                                            \
    kernel<<<(grid), (block), (bytes), (stream)>>>(__VA_ARGS__);  \
  } while (0)
#define hipExtLaunchKernelGGL(kernel, grid, block, bytes, stream, begin, end, flags, ...) \
  LATHE_HIP_LAUNCH((kernel), grid, block, bytes, stream, __VA_ARGS__)

#endif
