// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rarer part of CUDA's runtime, as host code around kernels uses it: understood, with the layouts of the toolkit's
// types (nvcc is given the same assertions).
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID --allow-empty
// RUN: FileCheck %s < %t.ptx
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 -std=c++17 %s -o %t.nvcc.ptx %}
// SAID-NOT: {{[0-9]}}: {{warning|remark}}
// CHECK-DAG: .entry _Z4stepILi1EEvPf
// CHECK-DAG: .entry _Z4stepILi2EEvPf
#include <cuda_runtime.h>

template <int way>
__global__ void step(float* x) { x[threadIdx.x] += way; }

static_assert(sizeof(cudaGraphNodeParams) == 256 && alignof(cudaGraphNodeParams) == 8);
static_assert(sizeof(cudaGraphEdgeData) == 8 && sizeof(cudaGraphInstantiateParams) == 32);
static_assert(sizeof(cudaMemcpy3DPeerParms) == 168 && sizeof(cudaMemAllocNodeParams) == 120);
static_assert(sizeof(cudaExternalMemoryHandleDesc) == 104 && sizeof(cudaExternalMemoryBufferDesc) == 88);
static_assert(sizeof(cudaExternalSemaphoreSignalParams) == 144 && sizeof(cudaExternalSemaphoreWaitParams) == 144);
static_assert(sizeof(cudaArraySparseProperties) == 48 && sizeof(cudaArrayMemoryRequirements) == 32);

/// A graph by nodes.
int byNodes(cudaStream_t stream, float* x) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t kernel, empty, roots[2];
  cudaKernelNodeParams params{};
  void* arguments[] = {&x};
  params.func = reinterpret_cast<void*>(&step<1>);
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = arguments;
  cudaGraphAddEmptyNode(&empty, graph, nullptr, 0);
  cudaGraphAddKernelNode(&kernel, graph, &empty, 1, &params);
  cudaGraphNodeType type;
  size_t count = 2;
  cudaGraphNodeGetType(kernel, &type);
  cudaGraphGetRootNodes(graph, roots, &count);
  cudaUserObject_t object;
  cudaUserObjectCreate(&object, x, [](void*) {}, 1, cudaUserObjectNoDestructorSync);
  cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
  cudaGraphExec_t runs;
  cudaGraphInstantiateWithFlags(&runs, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  cudaGraphExecKernelNodeSetParams(runs, kernel, &params);
  cudaGraphDebugDotPrint(graph, "graph.dot", cudaGraphDebugDotFlagsVerbose);
  return cudaGraphLaunch(runs, stream) == cudaSuccess && type == cudaGraphNodeTypeKernel ? int(count) : 0;
}

/// Capture that another library began.
void captured(cudaStream_t stream, float* x) {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&mode);
  cudaStreamCaptureStatus status;
  unsigned long long id;
  cudaStreamGetCaptureInfo(stream, &status, &id);
  int device = 0;
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, device);
  cudaMemAccessDesc access{};
  access.location = {cudaMemLocationTypeDevice, device};
  access.flags = cudaMemAccessFlagsProtReadWrite;
  cudaMemPoolSetAccess(pool, &access, 1);
  cudaStreamAttachMemAsync(stream, x);
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal);
  if (status == cudaStreamCaptureStatusNone && id == 0) step<2><<<1, 32, 0, stream>>>(x);
}
