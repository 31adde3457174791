// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures of the runtime that programs pass to kernels are laid out as the toolkit's. Members that CUDA 13 took away
// keep their names.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: %if nvcc %{ %nvcc -DWITHOUT_OLD -ptx -arch=sm_80 %s -o - | FileCheck %s %}
// CHECK: .entry _Z4warp14cudaDevicePropPi(
// CHECK: ld.param.{{.}}32 {{.*}}param_0+308]
static_assert(sizeof(cudaDeviceProp) == 1008 && offsetof(cudaDeviceProp, luid) == 272);
static_assert(offsetof(cudaDeviceProp, totalGlobalMem) == 288 && offsetof(cudaDeviceProp, multiProcessorCount) == 384);
static_assert(offsetof(cudaDeviceProp, memoryBusWidth) == 592 && offsetof(cudaDeviceProp, clusterLaunch) == 748);
static_assert(sizeof(cudaPointerAttributes) == 88 && offsetof(cudaPointerAttributes, hostPointer) == 16);
static_assert(sizeof(cudaResourceDesc) == 144 && sizeof(cudaResourceViewDesc) == 112);
static_assert(sizeof(cudaFuncAttributes) == 144);
static_assert(sizeof(cudaLaunchAttributeValue) == 64 && offsetof(cudaLaunchAttributeValue, programmaticEvent.flags) == 8);
static_assert(sizeof(cudaLaunchAttributeValue::syncPolicy) == 4 && sizeof(cudaLaunchMemSyncDomainMap) == 2);

__global__ void warp(cudaDeviceProp properties, int* to) {
  to[0] = properties.warpSize;
}

#ifndef WITHOUT_OLD
inline __host__ bool isOld(const cudaDeviceProp& properties) {
  return properties.clockRate > 0 && properties.memoryClockRate > 0 && !properties.deviceOverlap;
}
#endif

// Enumerations by their tags, as wrappers of the runtime name them.
typedef enum cudaGraphInstantiateFlags InstantiateFlags;
typedef enum cudaGraphConditionalHandleFlags HandleFlags;
typedef enum cudaGetDriverEntryPointFlags EntryFlags;
typedef enum cudaGraphDependencyType_enum DependencyType;
static_assert(static_cast<InstantiateFlags>(8) == cudaGraphInstantiateFlagUseNodePriority);
static_assert(static_cast<EntryFlags>(0) == cudaEnableDefault);
