// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of CUDA's runtime that fewer programs call: graphs by nodes, memory of other programs, pools, libraries of
// kernels, logs. Declared for host code, which is read and never emitted.
#ifndef LATHE_CUDA_RARER_API_H
#define LATHE_CUDA_RARER_API_H

#define cudaKernelNodeAttrID cudaLaunchAttributeID
#define cudaKernelNodeAttrValue cudaLaunchAttributeValue
struct cudaAsyncCallbackEntry;
typedef cudaAsyncCallbackEntry* cudaAsyncCallbackHandle_t;
typedef struct cudaAsyncNotificationInfo {
  cudaAsyncNotificationType type;
  union {
    struct {
      unsigned long long bytesOverBudget;
    } overBudget;
  } info;
} cudaAsyncNotificationInfo_t;
typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t*, void*, cudaAsyncCallbackHandle_t);
struct CUlogsCallbackEntry_st;
typedef CUlogsCallbackEntry_st* cudaLogsCallbackHandle;
typedef unsigned cudaLogIterator;
typedef void (*cudaLogsCallback_t)(void*, CUDAlogLevel, char*, size_t);
struct cudaArrayMemoryRequirements {
  size_t size, alignment;
  unsigned reserved[4];
};
struct cudaArraySparseProperties {
  struct {
    unsigned width, height, depth;
  } tileExtent;
  unsigned miptailFirstLevel;
  unsigned long long miptailSize;
  unsigned flags, reserved[4];
};
struct cudaMemcpy3DPeerParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  int srcDevice;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  int dstDevice;
  cudaExtent extent;
};
// Memory and semaphores of other interfaces.
struct cudaExternalMemoryHandleDesc {
  cudaExternalMemoryHandleType type;
  union {
    int fd;
    struct {
      void* handle;
      const void* name;
    } win32;
    const void* nvSciBufObject;
  } handle;
  unsigned long long size;
  unsigned flags, reserved[16];
};
struct cudaExternalMemoryBufferDesc {
  unsigned long long offset, size;
  unsigned flags, reserved[16];
};
struct cudaExternalMemoryMipmappedArrayDesc {
  unsigned long long offset;
  cudaChannelFormatDesc formatDesc;
  cudaExtent extent;
  unsigned flags, numLevels, reserved[16];
};
struct cudaExternalSemaphoreHandleDesc {
  cudaExternalSemaphoreHandleType type;
  union {
    int fd;
    struct {
      void* handle;
      const void* name;
    } win32;
    const void* nvSciSyncObj;
  } handle;
  unsigned flags, reserved[16];
};
struct cudaExternalSemaphoreSignalParams {
  struct {
    struct {
      unsigned long long value;
    } fence;
    union {
      void* fence;
      unsigned long long reserved;
    } nvSciSync;
    struct {
      unsigned long long key;
    } keyedMutex;
    unsigned reserved[12];
  } params;
  unsigned flags, reserved[16];
};
struct cudaExternalSemaphoreWaitParams {
  struct {
    struct {
      unsigned long long value;
    } fence;
    union {
      void* fence;
      unsigned long long reserved;
    } nvSciSync;
    struct {
      unsigned long long key;
      unsigned timeoutMs;
    } keyedMutex;
    unsigned reserved[10];
  } params;
  unsigned flags, reserved[16];
};
struct cudaExternalSemaphoreSignalNodeParams {
  cudaExternalSemaphore_t* extSemArray;
  const cudaExternalSemaphoreSignalParams* paramsArray;
  unsigned numExtSems;
};
struct cudaExternalSemaphoreWaitNodeParams {
  cudaExternalSemaphore_t* extSemArray;
  const cudaExternalSemaphoreWaitParams* paramsArray;
  unsigned numExtSems;
};
typedef cudaExternalSemaphoreSignalNodeParams cudaExternalSemaphoreSignalNodeParamsV2;
typedef cudaExternalSemaphoreWaitNodeParams cudaExternalSemaphoreWaitNodeParamsV2;
// Graphs.
typedef struct cudaGraphEdgeData_st {
  unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;
typedef struct cudaGraphInstantiateParams_st {
  unsigned long long flags;
  cudaStream_t uploadStream;
  cudaGraphNode_t errNode_out;
  cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;
struct cudaMemAllocNodeParams {
  cudaMemPoolProps poolProps;
  const cudaMemAccessDesc* accessDescs;
  size_t accessDescCount, bytesize;
  void* dptr;
};
typedef cudaMemAllocNodeParams cudaMemAllocNodeParamsV2;
struct cudaMemFreeNodeParams {
  void* dptr;
};
struct cudaMemcpyNodeParams {
  int flags, reserved[3];
  cudaMemcpy3DParms copyParams;
};
struct cudaEventRecordNodeParams {
  cudaEvent_t event;
};
struct cudaGraphExecUpdateResultInfo {
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
};
struct cudaEventWaitNodeParams {
  cudaEvent_t event;
};
struct cudaChildGraphNodeParams {
  cudaGraph_t graph;
  cudaGraphChildGraphNodeOwnership ownership;
};
struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  unsigned size;
  cudaGraph_t* phGraph_out;
};
typedef cudaKernelNodeParams cudaKernelNodeParamsV2;
typedef cudaMemsetParams cudaMemsetParamsV2;
typedef cudaHostNodeParams cudaHostNodeParamsV2;
struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    cudaKernelNodeParamsV2 kernel;
    cudaMemcpyNodeParams memcpy;
    cudaMemsetParamsV2 memset;
    cudaHostNodeParamsV2 host;
    cudaChildGraphNodeParams graph;
    cudaEventWaitNodeParams eventWait;
    cudaEventRecordNodeParams eventRecord;
    cudaExternalSemaphoreSignalNodeParamsV2 extSemSignal;
    cudaExternalSemaphoreWaitNodeParamsV2 extSemWait;
    cudaMemAllocNodeParamsV2 alloc;
    cudaMemFreeNodeParams free;
    cudaConditionalNodeParams conditional;
  };
  long long reserved2;
};

extern "C" {
__host__ cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t*, const cudaChannelFormatDesc*, int);
__host__ cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget,
                                                        cudaFlushGPUDirectRDMAWritesScope);
__host__ cudaError_t cudaDeviceRegisterAsyncNotification(int, cudaAsyncCallback, void*, cudaAsyncCallbackHandle_t*);
__host__ cudaError_t cudaDeviceUnregisterAsyncNotification(int, cudaAsyncCallbackHandle_t);
__host__ cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned*, const cudaAtomicOperation*, unsigned, int);
__host__ cudaError_t cudaDeviceGetNvSciSyncAttributes(void*, int, int);
__host__ cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int);
__host__ cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned*, const cudaAtomicOperation*, unsigned, int, int);
__host__ cudaError_t cudaInitDevice(int, unsigned, unsigned);
__host__ cudaError_t cudaStreamGetId(cudaStream_t, unsigned long long*);
__host__ cudaError_t cudaStreamGetDevice(cudaStream_t, int*);
__host__ cudaError_t cudaStreamCopyAttributes(cudaStream_t, cudaStream_t);
__host__ cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaStreamAttrID, cudaStreamAttrValue*);
__host__ cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t = 0, unsigned = 4);
__host__ cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t, cudaGraph_t, const cudaGraphNode_t*,
                                                   const cudaGraphEdgeData*, size_t, cudaStreamCaptureMode);
__host__ cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*);
__host__ cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus*, unsigned long long* = 0,
                                              cudaGraph_t* = 0, const cudaGraphNode_t** = 0,
                                              const cudaGraphEdgeData** = 0, size_t* = 0);
__host__ cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t*, const cudaGraphEdgeData*,
                                                         size_t, unsigned = 0);
__host__ cudaError_t cudaImportExternalMemory(cudaExternalMemory_t*, const cudaExternalMemoryHandleDesc*);
__host__ cudaError_t cudaExternalMemoryGetMappedBuffer(void**, cudaExternalMemory_t,
                                                       const cudaExternalMemoryBufferDesc*);
__host__ cudaError_t cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t*, cudaExternalMemory_t,
                                                               const cudaExternalMemoryMipmappedArrayDesc*);
__host__ cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t);
__host__ cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t*, const cudaExternalSemaphoreHandleDesc*);
__host__ cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t*,
                                                       const cudaExternalSemaphoreSignalParams*, unsigned,
                                                       cudaStream_t = 0);
__host__ cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t*,
                                                     const cudaExternalSemaphoreWaitParams*, unsigned,
                                                     cudaStream_t = 0);
__host__ cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t);
__host__ cudaError_t cudaFuncGetName(const char**, const void*);
__host__ cudaError_t cudaFuncGetParamInfo(const void*, size_t, size_t*, size_t*);
__host__ cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms*);
__host__ cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms*, cudaStream_t = 0);
__host__ cudaError_t cudaArrayGetPlane(cudaArray_t*, cudaArray_t, unsigned);
__host__ cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements*, cudaArray_t, int);
__host__ cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements*, cudaMipmappedArray_t, int);
__host__ cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties*, cudaArray_t);
__host__ cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties*, cudaMipmappedArray_t);
__host__ cudaError_t cudaMemcpyBatchAsync(void* const*, const void* const*, const size_t*, size_t,
                                          cudaMemcpyAttributes*, size_t*, size_t, cudaStream_t);
__host__ cudaError_t cudaMemcpy3DBatchAsync(size_t, cudaMemcpy3DBatchOp*, unsigned long long, cudaStream_t);
__host__ cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void*, size_t, size_t, size_t,
                                              cudaMemcpyKind, cudaStream_t = 0);
__host__ cudaError_t cudaMemcpy2DFromArrayAsync(void*, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
                                                cudaMemcpyKind, cudaStream_t = 0);
__host__ cudaError_t cudaMemPrefetchBatchAsync(void**, size_t*, size_t, cudaMemLocation*, size_t*, size_t,
                                               unsigned long long, cudaStream_t);
__host__ cudaError_t cudaMemDiscardBatchAsync(void**, size_t*, size_t, unsigned long long, cudaStream_t);
__host__ cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void**, size_t*, size_t, cudaMemLocation*, size_t*, size_t,
                                                         unsigned long long, cudaStream_t);
__host__ cudaError_t cudaMemRangeGetAttribute(void*, size_t, cudaMemRangeAttribute, const void*, size_t);
__host__ cudaError_t cudaMemRangeGetAttributes(void**, size_t*, cudaMemRangeAttribute*, size_t, const void*, size_t);
__host__ cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, size_t);
__host__ cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags*, cudaMemPool_t, cudaMemLocation*);
__host__ cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t*, cudaMemLocation*, cudaMemAllocationType);
__host__ cudaError_t cudaMemGetMemPool(cudaMemPool_t*, cudaMemLocation*, cudaMemAllocationType);
__host__ cudaError_t cudaMemSetMemPool(cudaMemLocation*, cudaMemAllocationType, cudaMemPool_t);
__host__ cudaError_t cudaMemPoolExportToShareableHandle(void*, cudaMemPool_t, cudaMemAllocationHandleType, unsigned);
__host__ cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t*, void*, cudaMemAllocationHandleType, unsigned);
__host__ cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData*, void*);
__host__ cudaError_t cudaMemPoolImportPointer(void**, cudaMemPool_t, cudaMemPoolPtrExportData*);
__host__ cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t, unsigned);
__host__ cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t*, cudaGraphicsResource_t);
__host__ cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc*, cudaTextureObject_t);
__host__ cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc*, cudaTextureObject_t);
__host__ cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc*, cudaTextureObject_t);
__host__ cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc*, cudaSurfaceObject_t);
__host__ cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t, void*, cudaLogsCallbackHandle*);
__host__ cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle);
__host__ cudaError_t cudaLogsCurrent(cudaLogIterator*, unsigned);
__host__ cudaError_t cudaLogsDumpToFile(cudaLogIterator*, const char*, unsigned);
__host__ cudaError_t cudaLogsDumpToMemory(cudaLogIterator*, char*, size_t*, unsigned);
__host__ cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t, cudaKernelNodeParams*);
__host__ cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t, const cudaKernelNodeParams*);
__host__ cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t, cudaGraphNode_t);
__host__ cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t, cudaKernelNodeAttrID, cudaKernelNodeAttrValue*);
__host__ cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t, cudaKernelNodeAttrID,
                                                     const cudaKernelNodeAttrValue*);
__host__ cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                                    const void*, const void*, size_t, size_t, cudaMemcpyKind);
__host__ cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                                      void*, const void*, size_t, size_t, cudaMemcpyKind);
__host__ cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, void*,
                                              const void*, size_t, cudaMemcpyKind);
__host__ cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t, cudaMemcpy3DParms*);
__host__ cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t, const cudaMemcpy3DParms*);
__host__ cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t, const void*, const void*, size_t, size_t,
                                                          cudaMemcpyKind);
__host__ cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t, void*, const void*, size_t, size_t,
                                                            cudaMemcpyKind);
__host__ cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t, void*, const void*, size_t, cudaMemcpyKind);
__host__ cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t, cudaMemsetParams*);
__host__ cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t, const cudaMemsetParams*);
__host__ cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t, cudaHostNodeParams*);
__host__ cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t, const cudaHostNodeParams*);
__host__ cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                                cudaGraph_t);
__host__ cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t, cudaGraph_t*);
__host__ cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t);
__host__ cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                                 cudaEvent_t);
__host__ cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t, cudaEvent_t*);
__host__ cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t, cudaEvent_t);
__host__ cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                               cudaEvent_t);
__host__ cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t, cudaEvent_t*);
__host__ cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t, cudaEvent_t);
__host__ cudaError_t cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*,
                                                              size_t, const cudaExternalSemaphoreSignalNodeParams*);
__host__ cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(cudaGraphNode_t,
                                                                    cudaExternalSemaphoreSignalNodeParams*);
__host__ cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(cudaGraphNode_t,
                                                                    const cudaExternalSemaphoreSignalNodeParams*);
__host__ cudaError_t cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*,
                                                            size_t, const cudaExternalSemaphoreWaitNodeParams*);
__host__ cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t,
                                                                  cudaExternalSemaphoreWaitNodeParams*);
__host__ cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(cudaGraphNode_t,
                                                                  const cudaExternalSemaphoreWaitNodeParams*);
__host__ cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                              cudaMemAllocNodeParams*);
__host__ cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t, cudaMemAllocNodeParams*);
__host__ cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, void*);
__host__ cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t, void*);
__host__ cudaError_t cudaDeviceGraphMemTrim(int);
__host__ cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType, void*);
__host__ cudaError_t cudaDeviceSetGraphMemAttribute(int, cudaGraphMemAttributeType, void*);
__host__ cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t*, cudaGraphNode_t, cudaGraph_t);
__host__ cudaError_t cudaGraphNodeGetType(cudaGraphNode_t, cudaGraphNodeType*);
__host__ cudaError_t cudaGraphGetRootNodes(cudaGraph_t, cudaGraphNode_t*, size_t*);
__host__ cudaError_t cudaGraphGetEdges(cudaGraph_t, cudaGraphNode_t*, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*);
__host__ cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*);
__host__ cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*);
__host__ cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*,
                                              const cudaGraphEdgeData*, size_t);
__host__ cudaError_t cudaGraphRemoveDependencies(cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*,
                                                 const cudaGraphEdgeData*, size_t);
__host__ cudaError_t cudaGraphDestroyNode(cudaGraphNode_t);
__host__ cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t*, cudaGraph_t, unsigned long long = 0);
__host__ cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t*, cudaGraph_t, cudaGraphInstantiateParams*);
__host__ cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t, unsigned long long*);
__host__ cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const cudaMemcpy3DParms*);
__host__ cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t, cudaGraphNode_t, const void*,
                                                              const void*, size_t, size_t, cudaMemcpyKind);
__host__ cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t, cudaGraphNode_t, void*, const void*,
                                                                size_t, size_t, cudaMemcpyKind);
__host__ cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t, cudaGraphNode_t, void*, const void*, size_t,
                                                        cudaMemcpyKind);
__host__ cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const cudaMemsetParams*);
__host__ cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const cudaHostNodeParams*);
__host__ cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, cudaGraph_t);
__host__ cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t, cudaGraphNode_t, cudaEvent_t);
__host__ cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t, cudaGraphNode_t, cudaEvent_t);
__host__ cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                                                        const cudaExternalSemaphoreSignalNodeParams*);
__host__ cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                                                      const cudaExternalSemaphoreWaitNodeParams*);
__host__ cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t, cudaGraphNode_t, unsigned);
__host__ cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t, cudaGraphNode_t, unsigned*);
__host__ cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char*, unsigned);
__host__ cudaError_t cudaUserObjectCreate(cudaUserObject_t*, void*, cudaHostFn_t, unsigned, unsigned);
__host__ cudaError_t cudaUserObjectRetain(cudaUserObject_t, unsigned = 1);
__host__ cudaError_t cudaUserObjectRelease(cudaUserObject_t, unsigned = 1);
__host__ cudaError_t cudaGraphRetainUserObject(cudaGraph_t, cudaUserObject_t, unsigned = 1, unsigned = 0);
__host__ cudaError_t cudaGraphReleaseUserObject(cudaGraph_t, cudaUserObject_t, unsigned = 1);
__host__ cudaError_t cudaGraphAddNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, const cudaGraphEdgeData*,
                                      size_t, cudaGraphNodeParams*);
__host__ cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t, cudaGraphNodeParams*);
__host__ cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, cudaGraphNodeParams*);
__host__ cudaError_t cudaLibraryLoadData(cudaLibrary_t*, const void*, cudaJitOption*, void**, unsigned,
                                         cudaLibraryOption*, void**, unsigned);
__host__ cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t*, const char*, cudaJitOption*, void**, unsigned,
                                             cudaLibraryOption*, void**, unsigned);
__host__ cudaError_t cudaLibraryUnload(cudaLibrary_t);
__host__ cudaError_t cudaLibraryGetKernel(cudaKernel_t*, cudaLibrary_t, const char*);
__host__ cudaError_t cudaLibraryGetGlobal(void**, size_t*, cudaLibrary_t, const char*);
__host__ cudaError_t cudaLibraryGetManaged(void**, size_t*, cudaLibrary_t, const char*);
__host__ cudaError_t cudaLibraryGetUnifiedFunction(void**, cudaLibrary_t, const char*);
__host__ cudaError_t cudaLibraryGetKernelCount(unsigned*, cudaLibrary_t);
__host__ cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t*, unsigned, cudaLibrary_t);
__host__ cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t, cudaFuncAttribute, int, int);
__host__ cudaError_t cudaGetExportTable(const void**, const cudaUUID_t*);
__host__ cudaError_t cudaGetFuncBySymbol(cudaFunction_t*, const void*);
__host__ cudaError_t cudaGetKernel(cudaKernel_t*, const void*);
__host__ cudaError_t cudaMemcpyArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t,
                                            cudaMemcpyKind = cudaMemcpyDeviceToDevice);
__host__ cudaError_t cudaMemcpyToArrayAsync(cudaArray_t, size_t, size_t, const void*, size_t, cudaMemcpyKind,
                                            cudaStream_t = 0);
__host__ cudaError_t cudaMemcpyFromArrayAsync(void*, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind,
                                              cudaStream_t = 0);
}
#endif
