// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that kernels allocate: malloc, new of one object and of many, with constructors and destructors.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %lathe run %s -t cpu -k lists --grid 2 --group 4 --arg 'zeros:i32[8]' --print 0:8 | FileCheck %s --check-prefix=VALUES
// CHECK-DAG: .func{{.*}} malloc
// CHECK-DAG: .func{{.*}} free
// VALUES: 6 10 14 18 22 26 30 34
#include <cuda_runtime.h>

struct Node {
  __device__ Node(int v, Node* n) : value(v), next(n) {}
  __device__ ~Node() { delete next; }
  int value;
  Node* next;
};

__global__ void lists(int* out) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  Node* head = nullptr;
  for (int i = 0; i < 4; ++i) head = new Node(id + i, head);
  int* const sums = new int[id + 2];
  sums[id] = 0;
  for (const Node* node = head; node; node = node->next) sums[id] += node->value;
  int* const copy = static_cast<int*>(malloc(sizeof(int)));
  *copy = sums[id];
  delete[] sums;
  delete head;
  out[id] = *copy;
  free(copy);
}
