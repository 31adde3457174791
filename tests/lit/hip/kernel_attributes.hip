// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes by which a source tunes kernels for AMD's GPUs reach LLVM as Clang's own compiler for these GPUs writes them, and
// the second number of launch bounds is waves of an execution unit, as AMD's header has it. Other targets ignore them, but for
// the most items of a group; on NVIDIA's GPUs the second number counts groups of a multiprocessor.
//
// RUN: %compile %s -t amdgpu:gfx90a --emit ir -o - | FileCheck %s --check-prefix=AMD
// RUN: clang -x hip --offload-arch=gfx90a -nogpulib -nogpuinc --cuda-device-only -DBY_CLANG -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=AMD
// RUN: %compile %s -t amdgpu:gfx90a --emit asm -o - | FileCheck %s --check-prefix=ASM
// RUN: clang -x hip --offload-arch=gfx90a -nogpulib -nogpuinc --cuda-device-only -DBY_CLANG -O3 -S %s -o - | FileCheck %s --check-prefix=ASM
// RUN: %compile %s --emit portable -o %t.limg
// RUN: %compile %t.limg -t amdgpu:gfx90a --emit ir -o - | FileCheck %s --check-prefix=AMD
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %compile %s -t spirv -o %t.spv
// RUN: %compile %s -t cpu -o %t.o
#ifdef BY_CLANG
#define __global__ __attribute__((global))
// As amd_hip_runtime.h defines it.
#define LAUNCH_BOUNDS(items, waves) __attribute__((amdgpu_flat_work_group_size(1, items), amdgpu_waves_per_eu(waves)))
#else
#include <hip/hip_runtime.h>
#define LAUNCH_BOUNDS(items, waves) __launch_bounds__(items, waves)
#endif
#define TUNED(...) extern "C" __global__ __attribute__((__VA_ARGS__)) void

// AMD: amdgpu_kernel void @waves({{.*}} #[[WAVES:[0-9]+]]
TUNED(amdgpu_waves_per_eu(2, 4)) waves(float* p) { *p = 1; }
// AMD: amdgpu_kernel void @least({{.*}} #[[LEAST:[0-9]+]]
TUNED(amdgpu_waves_per_eu(3)) least(float* p) { *p = 1; }
// AMD: amdgpu_kernel void @vector({{.*}} #[[VECTOR:[0-9]+]]
TUNED(amdgpu_num_vgpr(32)) vector(float* p) { *p = 1; }
// AMD: amdgpu_kernel void @scalar({{.*}} #[[SCALAR:[0-9]+]]
TUNED(amdgpu_num_sgpr(40)) scalar(float* p) { *p = 1; }
// AMD: amdgpu_kernel void @sizes({{.*}} #[[SIZES:[0-9]+]]
TUNED(amdgpu_flat_work_group_size(64, 256)) sizes(float* p) { *p = 1; }
// AMD: amdgpu_kernel void @groups({{.*}} #[[GROUPS:[0-9]+]]
TUNED(amdgpu_max_num_work_groups(8, 4)) groups(float* p) { *p = 1; }
// AMD: amdgpu_kernel void @bounds({{.*}} #[[BOUNDS:[0-9]+]]
extern "C" __global__ void LAUNCH_BOUNDS(256, 6) bounds(float* p) { *p = 1; }
// AMD: amdgpu_kernel void @{{.*}}templated{{.*}}({{.*}} #[[TEMPLATED:[0-9]+]]
template <int Items, int Waves>
__global__ void LAUNCH_BOUNDS(Items, Waves) templated(float* p) { *p = 1; }
template __global__ void templated<128, 5>(float*);

// AMD-DAG: attributes #[[WAVES]] = { {{.*}}"amdgpu-waves-per-eu"="2,4"
// AMD-DAG: attributes #[[LEAST]] = { {{.*}}"amdgpu-waves-per-eu"="3"
// AMD-DAG: attributes #[[VECTOR]] = { {{.*}}"amdgpu-num-vgpr"="32"
// AMD-DAG: attributes #[[SCALAR]] = { {{.*}}"amdgpu-num-sgpr"="40"
// AMD-DAG: attributes #[[SIZES]] = { {{.*}}"amdgpu-flat-work-group-size"="64,256"
// AMD-DAG: attributes #[[GROUPS]] = { {{.*}}"amdgpu-max-num-workgroups"="8,4,1"
// AMD-DAG: attributes #[[BOUNDS]] = { {{.*}}"amdgpu-flat-work-group-size"="1,256"{{.*}}"amdgpu-waves-per-eu"="6"
// AMD-DAG: attributes #[[TEMPLATED]] = { {{.*}}"amdgpu-flat-work-group-size"="1,128"{{.*}}"amdgpu-waves-per-eu"="5"

// The metadata that a loader reads.
// ASM: .max_flat_workgroup_size:{{ +}}256
// ASM: .name:{{ +}}sizes
// ASM: .max_num_workgroups_x:{{ +}}8
// ASM: .max_num_workgroups_y:{{ +}}4
// ASM: .max_num_workgroups_z:{{ +}}1
// ASM: .name:{{ +}}groups

// PTX: .entry sizes(
// PTX: .maxntid 256
// PTX: .entry bounds(
// PTX: .maxntid 256
// PTX-NEXT: .minnctapersm 6
