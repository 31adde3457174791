// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel says of its launches becomes the directives that nvcc writes: groups, clusters, registers. The image says
// it too. Where there are no clusters, a kernel that asks for some is warned of; a function that is no kernel has no launch.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx 2> %t.messages
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty < %t.messages
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_90 %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.ptx %t.nvcc.ptx "^\.(maxn|req|min|explicit|blocksare|maxcluster)[^/]*" any-order %}
// RUN: %compile %s -t cuda:sm_90 -o %t.limg && %lathe inspect %t.limg | FileCheck %s --check-prefix=IMAGE
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.80.ptx 2>&1 | FileCheck %s --check-prefix=OLDER
// RUN: FileCheck %s --check-prefix=OLDER-PTX < %t.80.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.80.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.cpu.limg 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not %compile %s -t cpu -D DEVICE_FUNCTION -o %t.no 2>&1 | FileCheck %s --check-prefix=NO-KERNEL
// RUN: not %compile %s -t cuda:sm_90 -D EMPTY -o %t.no 2>&1 | FileCheck %s --check-prefix=EMPTY
// QUIET-NOT: {{warning|error}}
// IMAGE: {{^}}pair(
// IMAGE: bounds: clusters of 2x1x1
// IMAGE: {{^}}whole(
// IMAGE: bounds: {{.*}}group size 128x2x1, clusters of 2x1x1
// IMAGE: {{^}}bounded(
// IMAGE: bounds: {{.*}}clusters of at most 4
// OLDER-DAG: launch_attributes.cu:[[#@LINE+11]]:{{.*}}warning: kernel 'pair{{.*}}clusters of 2x1x1 groups were asked for; on cuda:sm_80 each group is a cluster of its own
// OLDER-PTX-NOT: cluster
// OLDER-PTX: .maxnreg 32
// CPU-DAG: launch_attributes.cu:[[#@LINE+8]]:{{.*}}warning: kernel 'pair{{.*}}clusters of 2x1x1 groups were asked for; on cpu:{{.*}} each group is a cluster of its own
// CPU-DAG: warning: kernel 'whole
// CPU-NOT: kernel 'alone
// CPU-NOT: kernel 'bounded
// CHECK-LABEL: .entry pair(
// CHECK: .explicitcluster
// CHECK: .reqnctapercluster 2, 1, 1
extern "C"
__global__ void __cluster_dims__(2, 1, 1) pair(int* p) {
  p[0] = 1;
}
// CHECK-LABEL: .entry alone(
// CHECK: .explicitcluster
// CHECK: .reqnctapercluster 1, 1, 1
extern "C" __global__ void __cluster_dims__(1) alone(int* p) {
  p[0] = 1;
}
// CHECK-LABEL: .entry few(
// CHECK: .maxnreg 32
extern "C" __global__ void __maxnreg__(32) few(int* p) {
  p[0] = 1;
}
// CHECK-LABEL: .entry whole(
// CHECK: .reqntid 128, 2, 1
// CHECK: .reqnctapercluster 2, 1, 1
// CHECK: .blocksareclusters
extern "C" __global__ void __block_size__((128, 2, 1), (2, 1, 1)) whole(int* p) {
  p[0] = 1;
}
extern "C" __global__ void __block_size__((64, 1, 1)) sized(int* p) {
  p[0] = 1;
}
// CHECK-LABEL: .entry bounded(
// CHECK: .maxntid 256
// CHECK: .minnctapersm 2
// CHECK: .maxclusterrank 4
extern "C" __global__ void __launch_bounds__(256, 2, 4) bounded(int* p) {
  p[0] = 1;
}
extern "C" __global__ void __launch_bounds__(256) __cluster_dims__(1, 2) both(int* p) {
  p[0] = 1;
}
// CHECK-LABEL: .entry _Z5sizesILi2EEvPi(
// CHECK: .reqnctapercluster 4, 1, 1
template <int N>
__global__ void __cluster_dims__(2 * N, 1, 1) __launch_bounds__(32 * N) sizes(int* p) {
  p[0] = N;
}
template __global__ void sizes<2>(int*);

#ifdef DEVICE_FUNCTION
// NO-KERNEL: launch_attributes.cu:[[#@LINE+1]]:{{.*}}error: function 'helper(int*)' is marked with a number of registers, which only a kernel can have
__device__ void __maxnreg__(32) helper(int* p) {
  p[0] = 1;
}
__global__ void calls(int* p) {
  helper(p);
}
#endif
#ifdef EMPTY
// EMPTY: launch_attributes.cu:[[#@LINE+1]]:{{.*}}error: kernel '{{.*}}': a cluster has three extents of at least 1
__global__ void __cluster_dims__(0, 1, 1) empty(int* p) {
  p[0] = 1;
}
#endif
