// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's runtime API in kernels (CUDA Programming Guide, "CUDA Dynamic Parallelism", "API Reference"). Launches, memory
// and copies are there on every target whose kernels launch kernels; copies are kernels. What tells of the device or of
// a graph is NVIDIA's library for devices, libcudadevrt; elsewhere such functions return cudaErrorNotSupported or do
// not exist.
#ifndef LATHE_CUDA_DEVICE_RUNTIME_H
#define LATHE_CUDA_DEVICE_RUNTIME_H

#include <lathe/cuda/runtime/runtime_types.h>
#include <stdlib.h>
#include <string.h>

// The library's functions (cuda_device_runtime_api.h of CUDA 12 and later).
extern "C" {
__device__ cudaError_t __cudaCDP2DeviceGetAttribute(int*, cudaDeviceAttr, int);
__device__ cudaError_t __cudaCDP2DeviceGetLimit(size_t*, cudaLimit);
__device__ cudaError_t __cudaCDP2DeviceGetCacheConfig(cudaFuncCache*);
__device__ cudaError_t __cudaCDP2GetDeviceCount(int*);
__device__ cudaError_t __cudaCDP2GetDevice(int*);
__device__ cudaError_t __cudaCDP2StreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned);
__device__ cudaError_t __cudaCDP2EventCreateWithFlags(cudaEvent_t*, unsigned);
__device__ cudaError_t __cudaCDP2EventRecord(cudaEvent_t, cudaStream_t);
__device__ cudaError_t __cudaCDP2EventDestroy(cudaEvent_t);
__device__ cudaError_t __cudaCDP2FuncGetAttributes(cudaFuncAttributes*, const void*);
__device__ cudaError_t __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int*, const void*, int, size_t,
                                                                                    unsigned);
// Of graphs that kernels launch or change.
__device__ cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned);
__device__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t, size_t offset, const void* value,
                                                   size_t bytes);
__device__ cudaError_t cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t, bool);
__device__ cudaError_t cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t, dim3);
__device__ cudaError_t cudaGraphKernelNodeUpdatesApply(const cudaGraphKernelNodeUpdate*, size_t);
}
template <class T>
__device__ inline cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset, const T& value) {
  return cudaGraphKernelNodeSetParam(node, offset, &value, sizeof(T));
}
__device__ inline cudaGraphExec_t cudaGetCurrentGraphExec() {
  unsigned long long graph = 0;
  if (__lathe_target_is("cuda")) __asm__("mov.u64 %0, %%current_graph_exec;" : "=l"(graph));
  return reinterpret_cast<cudaGraphExec_t>(graph);
}

__device__ inline const char* cudaGetErrorString(cudaError_t) {
  return "an error";
}
__device__ inline const char* cudaGetErrorName(cudaError_t) {
  return "an error";
}
__device__ inline cudaError_t cudaGetLastError() {
  return static_cast<cudaError_t>(__lathe_launch_status());
}
// Macros that check for errors end up in device code that launches nothing, which needs no library for this.
__device__ inline cudaError_t cudaPeekAtLastError() {
  return cudaSuccess;
}

// What the compiler calls for `kernel<<<grid, block, shared, stream>>>(…)` in a kernel.
extern "C" __device__ void* cudaGetParameterBuffer(size_t align, size_t bytes) __asm__("__lathe_launch_arguments");
extern "C" __device__ inline cudaError_t cudaLaunchDevice(void* kernel, void* arguments, dim3 grid, dim3 block,
                                                          unsigned sharedBytes, cudaStream_t stream) {
  const unsigned when = stream == cudaStreamTailLaunch ? 2 : stream == cudaStreamFireAndForget ? 1 : 0;
  return static_cast<cudaError_t>(__lathe_launch(kernel, arguments, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                 sharedBytes, when,
                                                 when == 0 ? reinterpret_cast<unsigned long long>(stream) : 0));
}
__device__ inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = reinterpret_cast<cudaStream_t>(__lathe_launch_stream());
  return cudaSuccess;
}
__device__ inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  __lathe_launch_stream_end(reinterpret_cast<unsigned long long>(stream));
  return cudaSuccess;
}

// Events order streams. Targets without the library run what kernels launch in the order of the launches.
__device__ inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  if (__lathe_target_is("cuda")) return __cudaCDP2EventCreateWithFlags(event, flags);
  *event = reinterpret_cast<cudaEvent_t>(1);
  return flags & cudaEventDisableTiming ? cudaSuccess : cudaErrorNotSupported;
}
__device__ inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr) {
  return __lathe_target_is("cuda") ? __cudaCDP2EventRecord(event, stream) : cudaSuccess;
}
// The flags are for streams that are captured, which those of kernels are not.
__device__ inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned = 0) {
  return cudaEventRecord(event, stream);
}
__device__ inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0) {
  return __lathe_target_is("cuda") ? __cudaCDP2StreamWaitEvent(stream, event, flags) : cudaSuccess;
}
__device__ inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return __lathe_target_is("cuda") ? __cudaCDP2EventDestroy(event) : cudaSuccess;
}

// Memory of the heap that malloc() has too; the host cannot free it.
__device__ inline cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  *pointer = malloc(bytes);
  return *pointer || bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}
template <class T>
__device__ inline cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
__device__ inline cudaError_t cudaFree(void* pointer) {
  free(pointer);
  return cudaSuccess;
}

namespace lathe_cuda {
// Rows of bytes in slices: what is copied to, and what is copied from or all bytes are.
struct Slices {
  char* to;
  const char* from;
  size_t rowBytes, rows, slices, toPitch, toSlice, fromPitch, fromSlice;
  int value;
};
template <bool Copies, class Word>
__device__ inline void writeWords(const Slices& all) {
  const size_t words = all.rowBytes / sizeof(Word), step = size_t(gridDim.x) * blockDim.x;
  Word value;
  memset(&value, all.value, sizeof(Word));
  for (size_t row = blockIdx.y; row < all.rows * all.slices; row += gridDim.y) {
    const size_t y = row % all.rows, z = row / all.rows;
    const auto to = reinterpret_cast<Word*>(all.to + z * all.toSlice + y * all.toPitch);
    const auto from = reinterpret_cast<const Word*>(all.from + z * all.fromSlice + y * all.fromPitch);
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words; i += step)
      to[i] = Copies ? from[i] : value;
  }
}
// A template, as all that leads to it, so that sources without a call need not know the kernel; and no entry point of
// images whose kernels launch none.
template <bool Copies>
__attribute__((annotate("lathe.when-launched"))) __global__ void writeSlices(Slices all) {
  const size_t places = reinterpret_cast<size_t>(all.to) | reinterpret_cast<size_t>(all.from) | all.rowBytes |
                        all.toPitch | all.toSlice | all.fromPitch | all.fromSlice;
  if (places % sizeof(uint4) == 0)
    writeWords<Copies, uint4>(all);
  else
    writeWords<Copies, unsigned char>(all);
}
template <bool Copies>
__device__ inline cudaError_t write(const Slices& all, cudaStream_t stream) {
  constexpr size_t most = 1024, group = 256;
  const size_t rows = all.rows * all.slices, words = (all.rowBytes + sizeof(uint4) - 1) / sizeof(uint4);
  if (rows == 0 || words == 0) return cudaSuccess;
  const size_t groups = (words + group - 1) / group;
  void* const arguments = cudaGetParameterBuffer(alignof(Slices), sizeof(Slices));
  memcpy(arguments, &all, sizeof(Slices));
  return cudaLaunchDevice(reinterpret_cast<void*>(&writeSlices<Copies>), arguments,
                          dim3(groups < most ? groups : most, rows < most ? rows : most), group, 0, stream);
}
}  // namespace lathe_cuda

// Copies and fills in the order of a stream. The kind says nothing that addresses do not say.
template <class = void>
__device__ inline cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch,
                                                size_t rowBytes, size_t rows, cudaMemcpyKind,
                                                cudaStream_t stream = nullptr) {
  if (rowBytes > toPitch || rowBytes > fromPitch) return cudaErrorInvalidPitchValue;
  return lathe_cuda::write<true>(
      {static_cast<char*>(to), static_cast<const char*>(from), rowBytes, rows, 1, toPitch, 0, fromPitch, 0, 0}, stream);
}
template <class = void>
__device__ inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                              cudaStream_t stream = nullptr) {
  return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}
template <class = void>
__device__ inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* all, cudaStream_t stream = nullptr) {
  const cudaPitchedPtr &to = all->dstPtr, &from = all->srcPtr;
  const cudaPos &toPos = all->dstPos, &fromPos = all->srcPos;
  if (all->srcArray || all->dstArray) return cudaErrorNotSupported;
  if (toPos.x + all->extent.width > to.pitch || fromPos.x + all->extent.width > from.pitch)
    return cudaErrorInvalidPitchValue;
  return lathe_cuda::write<true>(
      {static_cast<char*>(to.ptr) + (toPos.z * to.ysize + toPos.y) * to.pitch + toPos.x,
       static_cast<const char*>(from.ptr) + (fromPos.z * from.ysize + fromPos.y) * from.pitch + fromPos.x,
       all->extent.width, all->extent.height, all->extent.depth, to.pitch, to.pitch * to.ysize, from.pitch,
       from.pitch * from.ysize, 0},
      stream);
}
template <class = void>
__device__ inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                                                cudaStream_t stream = nullptr) {
  if (extent.width > to.pitch) return cudaErrorInvalidPitchValue;
  return lathe_cuda::write<false>({static_cast<char*>(to.ptr), nullptr, extent.width, extent.height, extent.depth,
                                   to.pitch, to.pitch * to.ysize, 0, 0, value},
                                  stream);
}
template <class = void>
__device__ inline cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t rowBytes, size_t rows,
                                                cudaStream_t stream = nullptr) {
  return cudaMemset3DAsync({to, pitch, rowBytes, rows}, value, {rowBytes, rows, 1}, stream);
}
template <class = void>
__device__ inline cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream = nullptr) {
  return cudaMemset2DAsync(to, bytes, value, bytes, 1, stream);
}

// What the device and its kernels are.
__device__ inline cudaError_t cudaGetDevice(int* device) {
  if (__lathe_target_is("cuda")) return __cudaCDP2GetDevice(device);
  *device = 0;
  return cudaSuccess;
}
__device__ inline cudaError_t cudaGetDeviceCount(int* count) {
  if (__lathe_target_is("cuda")) return __cudaCDP2GetDeviceCount(count);
  *count = 1;
  return cudaSuccess;
}
__device__ inline cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
__device__ inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return __lathe_target_is("cuda") ? __cudaCDP2DeviceGetAttribute(value, attribute, device) : cudaErrorNotSupported;
}
__device__ inline cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return __lathe_target_is("cuda") ? __cudaCDP2DeviceGetLimit(value, limit) : cudaErrorNotSupported;
}
__device__ inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return __lathe_target_is("cuda") ? __cudaCDP2DeviceGetCacheConfig(config) : cudaErrorNotSupported;
}
__device__ inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  return __lathe_target_is("cuda") ? __cudaCDP2FuncGetAttributes(attributes, kernel) : cudaErrorNotSupported;
}
template <class... P>
__device__ inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(P...)) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
__device__ inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                                     int threads, size_t sharedBytes,
                                                                                     unsigned flags) {
  return __lathe_target_is("cuda")
             ? __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, sharedBytes, flags)
             : cudaErrorNotSupported;
}
template <class... P>
__device__ inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void (*kernel)(P...),
                                                                                     int threads, size_t sharedBytes,
                                                                                     unsigned flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(kernel), threads,
                                                                sharedBytes, flags);
}
template <class Kernel>
__device__ inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel kernel, int threads,
                                                                            size_t sharedBytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, sharedBytes,
                                                                cudaOccupancyDefault);
}

#endif
