// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -g, statements of code as text have the source's lines, so that compilers of drivers name those.
// RUN: %compile %s -t opencl-c -g --emit cl -o - | FileCheck %s
// RUN: %compile %s -t metal -g --emit metal -o - | FileCheck %s
// RUN: %compile %s -t opencl-c --emit cl -o - | FileCheck %s --check-prefix=PLAIN
// CHECK: #line [[#@LINE+7]] "{{.*}}text_lines.cu"
// CHECK-NEXT: *
// CHECK: #line [[#@LINE+6]] "{{.*}}text_lines.cu"
// CHECK: *(
// PLAIN-NOT: #line
__global__ void stored(int* out, int x) {
  const int twice = 2 * x;
  out[0] = twice;
  out[1] = twice + 1;
}
