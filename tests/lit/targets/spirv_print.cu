// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf is OpenCL's: the literal's conversions say how the arguments are passed, and literals are constants.
//
// RUN: %compile %s -DGOOD -t spirv --emit spvasm -o - | FileCheck %s
// RUN: %compile %s -DGOOD -t spirv -O 0 --emit spvasm -o - | FileCheck %s
// RUN: not %compile %s -t spirv --emit spvasm -o - 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not %compile %s -t spirv -O 0 --emit spvasm -o - 2>&1 | FileCheck %s --check-prefix=BAD
#include <cuda_runtime.h>

#ifdef GOOD
// CHECK: OpExtInstImport "OpenCL.std"
// CHECK: OpConstantComposite %{{[0-9]+}} %{{[0-9]+}}
// CHECK: OpExtInst %{{[0-9]+}} %{{[0-9]+}} printf %{{[0-9]+}} %{{[0-9]+}} %{{[0-9]+}} %{{[0-9]+}} %{{[0-9]+}} %{{[0-9]+$}}
// CHECK: OpExtInst %{{[0-9]+}} %{{[0-9]+}} printf %{{[0-9]+$}}
__global__ void report(const int* p, double d, long long wide) {
  printf("%-3d|%8.3f|%lld|%c %s\n", p[0], d, wide, 'x', "done");
  printf("100%%\n");
}
#else
// BAD-DAG: spirv_print.cu:[[#@LINE+2]]:{{[0-9]+}}: error: a format of printf that is not a literal
__global__ void chosen(const char* format) {
  printf(format, 1);
}
// BAD-DAG: spirv_print.cu:[[#@LINE+2]]:{{[0-9]+}}: error: printf: a string of %s that is not a literal
__global__ void text(const char* string) {
  printf("%s\n", string);
}
// BAD-DAG: spirv_print.cu:[[#@LINE+2]]:{{[0-9]+}}: error: printf: conversion 'n' is not known on a device
__global__ void count(int* place) {
  printf("%d%n\n", 1, place);
}
#endif
