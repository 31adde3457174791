// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device's runtime API beside launches: NVIDIA's names, which its library defines; kernels that ask nothing of it
// need no library; graphs exist on cuda alone.
// RUN: %compile %s -t cuda:sm_90 -k graphs -k asks --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %compile %s -t cuda:sm_90 -k heap --emit ptx -o - | FileCheck %s --check-prefix=HEAP --implicit-check-not=__cudaCDP2
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -c %t.ptx -o %t.cubin %}
// RUN: %lathe run %s -t cpu -k asks --grid 1 --group 1 --arg 'zeros:i32[8]' --print 0 | FileCheck %s --check-prefix=VALUES
// RUN: not %compile %s -t cpu -k graphs -o %t.o 2>&1 | FileCheck %s --check-prefix=CPU
#include <cuda_runtime.h>

// CHECK-LABEL: .entry _Z6graphs
// CHECK: call.uni {{.*}}cudaGraphSetConditional,
// CHECK: call.uni (retval0), cudaGraphKernelNodeSetParam,
// CHECK: mov.u64 %rd[[GRAPH:[0-9]+]], %current_graph_exec;
// CHECK: call.uni (retval0), cudaGraphLaunch,
// CHECK: call.uni (retval0), cudaGraphKernelNodeSetEnabled,
// CHECK: call.uni (retval0), cudaGraphKernelNodeSetGridDim,
// CHECK: call.uni (retval0), cudaGraphKernelNodeUpdatesApply,
// CPU: device_runtime.cu:[[@LINE+2]]:{{[0-9]+}}: error: 'cudaGraphSetConditional' is called but nothing defines it
__global__ void graphs(cudaGraphConditionalHandle handle, cudaGraphDeviceNode_t node, float value) {
  cudaGraphSetConditional(handle, 1);
  cudaGraphKernelNodeSetParam(node, 8, value);
  cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
  cudaGraphKernelNodeUpdate update{};
  update.node = node;
  update.field = cudaGraphKernelNodeFieldEnabled;
  cudaGraphKernelNodeSetEnabled(node, false);
  cudaGraphKernelNodeSetGridDim(node, dim3(4));
  cudaGraphKernelNodeUpdatesApply(&update, 1);
}

__global__ void child(int* out) { *out = 1; }
// CHECK-LABEL: .entry _Z4asksPi(
// CHECK-DAG: call.uni (retval0), __cudaCDP2DeviceGetLimit,
// CHECK-DAG: call.uni (retval0), __cudaCDP2DeviceGetCacheConfig,
// CHECK-DAG: call.uni (retval0), __cudaCDP2FuncGetAttributes,
// CHECK-DAG: call.uni (retval0), __cudaCDP2DeviceGetAttribute,
// CHECK: call.uni (retval0), __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
// VALUES: 801 801 0 1 801 801 801 0
__global__ void asks(int* out) {
  int value = 0;
  size_t limit = 0;
  cudaFuncCache config;
  cudaFuncAttributes attributes;
  out[4] = cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  out[5] = cudaDeviceGetCacheConfig(&config);
  out[6] = cudaFuncGetAttributes(&attributes, child);
  out[7] = cudaPeekAtLastError() || cudaGetErrorName(cudaSuccess)[0] == 0;
  out[0] = cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0);
  out[1] = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&value, child, 128, 0, 0) |
           cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, child, 128, 0);
  out[2] = cudaGetDevice(&value);
  out[3] = cudaGetDeviceCount(&value) == cudaSuccess;
}

// HEAP: .entry _Z4heapPPv(
// HEAP: malloc
// HEAP: free
__global__ void heap(void** out) {
  cudaMalloc(out, 100);
  cudaFree(out[1]);
}

// What only host code leads to is no entry point: of copies there is a kernel, which this program does not launch.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s --check-prefix=FEW --implicit-check-not=writeSlices
// FEW: .entry _Z6graphs
__host__ __device__ inline int copies(int* to, const int* from) {
  return cudaMemcpyAsync(to, from, 4, cudaMemcpyDefault, nullptr) | cudaMemsetAsync(to + 1, 0, 4, nullptr);
}
void host(int* to) { copies(to, to + 4); }
