// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's runtime API, declared and never defined: host code in a kernel file is parsed, because it says which instances
// of kernel templates are wanted, and is not compiled. Every function takes what the CUDA Runtime API reference says.
#ifndef LATHE_CUDA_RUNTIME_API_H
#define LATHE_CUDA_RUNTIME_API_H

#include <lathe/cuda/runtime/runtime_types.h>

#define CUDART_VERSION 13000
#define __CUDART_API_VERSION CUDART_VERSION
#define CUDARTAPI
#define CUDART_CB

extern "C" {
__host__ cudaError_t cudaDeviceReset();
__host__ cudaError_t cudaDeviceSynchronize();
__host__ cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
__host__ cudaError_t cudaDeviceGetLimit(size_t*, cudaLimit);
__host__ cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
__host__ cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache*);
__host__ cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
__host__ cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig*);
__host__ cudaError_t cudaDeviceGetStreamPriorityRange(int*, int*);
__host__ cudaError_t cudaDeviceGetByPCIBusId(int*, const char*);
__host__ cudaError_t cudaDeviceGetPCIBusId(char*, int, int);
__host__ cudaError_t cudaDeviceGetAttribute(int*, cudaDeviceAttr, int);
__host__ cudaError_t cudaDeviceCanAccessPeer(int*, int, int);
__host__ cudaError_t cudaDeviceEnablePeerAccess(int, unsigned);
__host__ cudaError_t cudaDeviceDisablePeerAccess(int);
__host__ cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t*, int);
__host__ cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t);
__host__ cudaError_t cudaDeviceGetMemPool(cudaMemPool_t*, int);
__host__ cudaError_t cudaThreadExit();
__host__ cudaError_t cudaThreadSynchronize();
__host__ cudaError_t cudaThreadSetCacheConfig(cudaFuncCache);
__host__ cudaError_t cudaThreadSetLimit(cudaLimit, size_t);
__host__ cudaError_t cudaGetLastError();
__host__ cudaError_t cudaPeekAtLastError();
__host__ cudaError_t cudaGetDeviceCount(int*);
__host__ cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int);
__host__ cudaError_t cudaChooseDevice(int*, const cudaDeviceProp*);
__host__ cudaError_t cudaSetDevice(int);
__host__ cudaError_t cudaGetDevice(int*);
__host__ cudaError_t cudaSetDeviceFlags(unsigned);
__host__ cudaError_t cudaGetDeviceFlags(unsigned*);
__host__ cudaError_t cudaSetValidDevices(int*, int);
__host__ cudaError_t cudaDriverGetVersion(int*);
__host__ cudaError_t cudaRuntimeGetVersion(int*);
__host__ cudaError_t cudaStreamCreate(cudaStream_t*);
__host__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned);
__host__ cudaError_t cudaStreamCreateWithPriority(cudaStream_t*, unsigned, int);
__host__ cudaError_t cudaStreamDestroy(cudaStream_t);
__host__ cudaError_t cudaStreamSynchronize(cudaStream_t);
__host__ cudaError_t cudaStreamQuery(cudaStream_t);
__host__ cudaError_t cudaStreamGetPriority(cudaStream_t, int*);
__host__ cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned*);
__host__ cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
__host__ cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void*, unsigned);
__host__ cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
__host__ cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*);
__host__ cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus*);
__host__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned);
__host__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
__host__ cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = 0, unsigned = 0);
__host__ cudaError_t cudaEventQuery(cudaEvent_t);
__host__ cudaError_t cudaEventSynchronize(cudaEvent_t);
__host__ cudaError_t cudaEventDestroy(cudaEvent_t);
__host__ cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);
__host__ cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void*);
__host__ cudaError_t cudaFree(void*);
__host__ cudaError_t cudaFreeHost(void*);
__host__ cudaError_t cudaFreeArray(cudaArray_t);
__host__ cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t);
__host__ cudaError_t cudaFreeAsync(void*, cudaStream_t);
__host__ cudaError_t cudaHostRegister(void*, size_t, unsigned);
__host__ cudaError_t cudaHostUnregister(void*);
__host__ cudaError_t cudaHostGetFlags(unsigned*, void*);
__host__ cudaError_t cudaMallocArray(cudaArray_t*, const cudaChannelFormatDesc*, size_t, size_t = 0, unsigned = 0);
__host__ cudaError_t cudaMalloc3D(cudaPitchedPtr*, cudaExtent);
__host__ cudaError_t cudaMalloc3DArray(cudaArray_t*, const cudaChannelFormatDesc*, cudaExtent, unsigned = 0);
__host__ cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t*, const cudaChannelFormatDesc*, cudaExtent, unsigned,
                                              unsigned = 0);
__host__ cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t*, cudaMipmappedArray_const_t, unsigned);
__host__ cudaError_t cudaMemGetInfo(size_t*, size_t*);
__host__ cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
__host__ cudaError_t cudaMemcpyPeer(void*, int, const void*, int, size_t);
__host__ cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t = 0);
__host__ cudaError_t cudaMemcpyPeerAsync(void*, int, const void*, int, size_t, cudaStream_t = 0);
__host__ cudaError_t cudaMemcpy2D(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind);
__host__ cudaError_t cudaMemcpy2DAsync(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind,
                                       cudaStream_t = 0);
__host__ cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void*, size_t, size_t, size_t,
                                         cudaMemcpyKind);
__host__ cudaError_t cudaMemcpy2DFromArray(void*, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
                                           cudaMemcpyKind);
__host__ cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t,
                                              size_t, cudaMemcpyKind);
__host__ cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms*);
__host__ cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms*, cudaStream_t = 0);
__host__ cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void*, size_t, cudaMemcpyKind);
__host__ cudaError_t cudaMemcpyFromArray(void*, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind);
__host__ cudaError_t cudaMemset(void*, int, size_t);
__host__ cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t = 0);
__host__ cudaError_t cudaMemset2D(void*, size_t, int, size_t, size_t);
__host__ cudaError_t cudaMemset2DAsync(void*, size_t, int, size_t, size_t, cudaStream_t = 0);
__host__ cudaError_t cudaMemset3D(cudaPitchedPtr, int, cudaExtent);
__host__ cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int);
}
__host__ cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation);
extern "C" {
__host__ cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = 0);
}
__host__ cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t = 0);
extern "C" {
__host__ cudaError_t cudaPointerGetAttributes(cudaPointerAttributes*, const void*);
__host__ cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*);
__host__ cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*);
__host__ cudaError_t cudaMemPoolCreate(cudaMemPool_t*, const cudaMemPoolProps*);
__host__ cudaError_t cudaMemPoolDestroy(cudaMemPool_t);
__host__ cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t);
__host__ cudaError_t cudaCreateTextureObject(cudaTextureObject_t*, const cudaResourceDesc*, const cudaTextureDesc*,
                                             const cudaResourceViewDesc*);
__host__ cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
// Texture references, whose functions take a reference of any type and a descriptor or none.
}
template <class... Arguments>
__host__ cudaError_t cudaBindTexture(Arguments&&...);
template <class... Arguments>
__host__ cudaError_t cudaBindTexture2D(Arguments&&...);
template <class... Arguments>
__host__ cudaError_t cudaBindTextureToArray(Arguments&&...);
template <class... Arguments>
__host__ cudaError_t cudaUnbindTexture(Arguments&&...);
template <class... Arguments>
__host__ cudaError_t cudaGetTextureReference(Arguments&&...);
template <class... Arguments>
__host__ cudaError_t cudaGetTextureAlignmentOffset(Arguments&&...);
extern "C" {
__host__ cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t*, const cudaResourceDesc*);
__host__ cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
__host__ cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc*, cudaArray_const_t);
__host__ cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc*, cudaExtent*, unsigned*, cudaArray_t);
__host__ cudaError_t cudaProfilerStart();
__host__ cudaError_t cudaProfilerStop();
__host__ cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t);
__host__ cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t);
__host__ cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*);
__host__ cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned);
__host__ cudaError_t cudaIpcCloseMemHandle(void*);
__host__ cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned);
__host__ cudaError_t cudaGraphDestroy(cudaGraph_t);
__host__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long = 0);
}
__host__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, cudaGraphNode_t*, char*, size_t);
extern "C" {
__host__ cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
__host__ cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
__host__ cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t);
__host__ cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t*, size_t*);
__host__ cudaError_t cudaGraphClone(cudaGraph_t*, cudaGraph_t);
__host__ cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                            const cudaKernelNodeParams*);
__host__ cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                            const cudaMemcpy3DParms*);
__host__ cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                            const cudaMemsetParams*);
__host__ cudaError_t cudaGraphAddHostNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                          const cudaHostNodeParams*);
__host__ cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle*, cudaGraph_t, unsigned = 0,
                                                      unsigned = 0);
__host__ cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t*, cudaStream_t = 0);
__host__ cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t*, cudaStream_t = 0);
__host__ cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t);
__host__ cudaError_t cudaGraphicsResourceGetMappedPointer(void**, size_t*, cudaGraphicsResource_t);
__host__ cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t*, cudaGraphicsResource_t, unsigned, unsigned);
__host__ cudaError_t cudaCtxResetPersistingL2Cache();

__host__ const char* cudaGetErrorName(cudaError_t);
__host__ const char* cudaGetErrorString(cudaError_t);
__host__ cudaError_t cudaEventCreate(cudaEvent_t*);
}
__host__ cudaError_t cudaEventCreate(cudaEvent_t*, unsigned);
extern "C" {
__host__ cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**);
__host__ cudaError_t cudaGetDriverEntryPoint(const char*, void**, unsigned long long,
                                             cudaDriverEntryPointQueryResult* = nullptr);
__host__ cudaError_t cudaGetDriverEntryPointByVersion(const char*, void**, unsigned, unsigned long long,
                                                      cudaDriverEntryPointQueryResult* = nullptr);
// What the compiler calls for `kernel<<<grid, block, shared, stream>>>(…)`.
}
extern "C" __host__ int cudaConfigureCall(dim3 grid, dim3 block, size_t sharedBytes = 0, cudaStream_t stream = nullptr);

// Of the C interface too, whose addresses programs take.
extern "C" {
__host__ cudaError_t cudaMalloc(void**, size_t);
__host__ cudaError_t cudaMallocHost(void**, size_t);
__host__ cudaError_t cudaMallocManaged(void**, size_t, unsigned = cudaMemAttachGlobal);
__host__ cudaError_t cudaMallocAsync(void**, size_t, cudaStream_t);
}
template <class T>
__host__ cudaError_t cudaMalloc(T**, size_t);
template <class T>
__host__ cudaError_t cudaMallocHost(T**, size_t, unsigned = 0);
template <class T>
__host__ cudaError_t cudaHostAlloc(T**, size_t, unsigned);
template <class T>
__host__ cudaError_t cudaHostGetDevicePointer(T**, void*, unsigned);
template <class T>
__host__ cudaError_t cudaMallocManaged(T**, size_t, unsigned = cudaMemAttachGlobal);
template <class T>
__host__ cudaError_t cudaMallocPitch(T**, size_t*, size_t, size_t);
template <class T>
__host__ cudaError_t cudaMallocAsync(T**, size_t, cudaStream_t);
template <class T>
__host__ cudaError_t cudaMallocAsync(T**, size_t, cudaMemPool_t, cudaStream_t);
template <class T>
__host__ cudaError_t cudaMallocFromPoolAsync(T**, size_t, cudaMemPool_t, cudaStream_t);
template <class T>
__host__ cudaError_t cudaMemcpyToSymbol(const T&, const void*, size_t, size_t = 0,
                                        cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T>
__host__ cudaError_t cudaMemcpyFromSymbol(void*, const T&, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <class T>
__host__ cudaError_t cudaMemcpyToSymbolAsync(const T&, const void*, size_t, size_t = 0,
                                             cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = 0);
template <class T>
__host__ cudaError_t cudaMemcpyFromSymbolAsync(void*, const T&, size_t, size_t = 0,
                                               cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t = 0);
template <class T>
__host__ cudaError_t cudaGetSymbolAddress(void**, const T&);
template <class T>
__host__ cudaError_t cudaGetSymbolSize(size_t*, const T&);
template <class F>
__host__ cudaError_t cudaFuncSetAttribute(F*, cudaFuncAttribute, int);
template <class F>
__host__ cudaError_t cudaFuncSetCacheConfig(F*, cudaFuncCache);
template <class F>
__host__ cudaError_t cudaFuncSetSharedMemConfig(F*, cudaSharedMemConfig);
template <class F>
__host__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, F*);
template <class F>
__host__ cudaError_t cudaLaunchKernel(F*, dim3, dim3, void**, size_t = 0, cudaStream_t = 0);
template <class F>
__host__ cudaError_t cudaLaunchCooperativeKernel(F*, dim3, dim3, void**, size_t = 0, cudaStream_t = 0);
template <class... P, class... A>
__host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t*, void (*)(P...), A&&...);
template <class F>
__host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, F, int, size_t);
template <class F>
__host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int*, F, int, size_t, unsigned);
template <class F>
__host__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int*, int*, F, size_t = 0, int = 0);
template <class F>
__host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int*, int*, F, size_t = 0, int = 0, unsigned = 0);
template <class S, class F>
__host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int*, int*, F, S, int = 0);
template <class S, class F>
__host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int*, int*, F, S, int = 0, unsigned = 0);
template <class F>
__host__ cudaError_t cudaOccupancyMaxActiveClusters(int*, F*, const cudaLaunchConfig_t*);
template <class F>
__host__ cudaError_t cudaOccupancyMaxPotentialClusterSize(int*, F*, const cudaLaunchConfig_t*);
template <class F>
__host__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t*, F*, int, int);
template <class A>
__host__ cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const A*);
template <class P>
__host__ cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const P*);
template <class... A>
__host__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, A...);
template <class T>
__host__ cudaChannelFormatDesc cudaCreateChannelDesc();
extern "C" {
__host__ cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, cudaChannelFormatKind);
__host__ cudaChannelFormatDesc cudaCreateChannelDescHalf();
__host__ cudaChannelFormatDesc cudaCreateChannelDescHalf1();
__host__ cudaChannelFormatDesc cudaCreateChannelDescHalf2();
__host__ cudaChannelFormatDesc cudaCreateChannelDescHalf4();
}
__host__ cudaExtent make_cudaExtent(size_t, size_t, size_t);
__host__ cudaPos make_cudaPos(size_t, size_t, size_t);
__host__ cudaPitchedPtr make_cudaPitchedPtr(void*, size_t, size_t, size_t);

#include <lathe/cuda/runtime/device_runtime.h>
#include <lathe/cuda/runtime/rarer_api.h>

// A grid that begins before the one it depends on has ended (programmatic dependent launch, sm_90). Where grids of a
// stream run one after the other there is nothing to wait for.
__device__ inline void cudaGridDependencySynchronize() {
  if (__lathe_target_is("cuda") && __lathe_arch_at_least(90)) __asm__ volatile("griddepcontrol.wait;" ::: "memory");
}
__device__ inline void cudaTriggerProgrammaticLaunchCompletion() {
  if (__lathe_target_is("cuda") && __lathe_arch_at_least(90))
    __asm__ volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

#endif
