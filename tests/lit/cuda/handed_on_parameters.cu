// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structure that a kernel is passed by value and hands on by value is read where it was passed, also by an index.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s
// CHECK: .entry {{.*}}handedOn
// CHECK-NOT: .local
// CHECK: ld.param.b64 {{.*}}[{{%rd[0-9]+}}];
// CHECK-NOT: {{(ld|st)}}.local
struct Levels {
  const float* textures[16];
  float* out;
  int column;
};
static __device__ void read(const Levels levels) {
  levels.out[threadIdx.x] = levels.textures[threadIdx.x & 15][levels.column];
}
__global__ void handedOn(const Levels levels) { read(levels); }
