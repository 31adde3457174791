// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target that does not take the dialect of a file's ending says so once, and what it takes; files with C++'s own endings
// are its own dialect's, and -x decides where it is given.
//
// RUN: not %compile %s -t bpf -o %t 2>&1 | FileCheck %s --implicit-check-not='error:'
// RUN: not %compile %s -t bpfeb -o %t 2>&1 | FileCheck %s --check-prefix=BIG --implicit-check-not='error:'
// RUN: cp %s %t.cu && not %compile %t.cu -t bpf -o %t 2>&1 | FileCheck %s --check-prefix=CUDA --implicit-check-not='error:'
// RUN: cp %s %t.bpf.c && not %compile %t.bpf.c -t cpu -o %t 2>&1 | FileCheck %s --check-prefix=CPU --implicit-check-not='error:'
// RUN: not %compile %s -t wasm32 -o %t 2>&1 | FileCheck %s --check-prefix=NATIVE --implicit-check-not='error:'
// RUN: not %compile %s -t bpf -x hip -o %t 2>&1 | FileCheck %s --check-prefix=NAMED --implicit-check-not='error:'
// RUN: not %compile %s -t bpf -x bpf -o %t 2>&1 | FileCheck %s --check-prefix=READ
//
// CHECK: targets_without_hip.hip: error: target 'bpf' takes no sources of dialect 'hip', which files that end in .hip are in
// CHECK: hint: it takes ir, bpf, bpf-c; -x reads the file as one of them
// BIG: error: target 'bpfeb' takes no sources of dialect 'hip'
// CUDA: error: target 'bpf' takes no sources of dialect 'cuda', which files that end in .cu are in
// CPU: error: target 'cpu' takes no sources of dialect 'bpf-c', which files that end in .bpf.c are in
// NATIVE: error: dialect 'hip' gives portable IR only, and target 'wasm32' takes sources that are compiled for its own triple
// NATIVE: hint: write the kernels in the dialect 'kernel'
// NAMED: error: target 'bpf' takes no sources of dialect 'hip'
// READ: unknown type name '__global__'
__global__ void k(int* p) { p[threadIdx.x] = 1; }
