// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations for the host of functions that Lathe has for both sides, as PyTorch's headers have one of __assert_fail
// for Clang under NDEBUG. Kernels' assertions stay CUDA's.
// RUN: %compile %s -t cuda:sm_90 -DNDEBUG --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %compile %s -t cpu -DNDEBUG -o %t.limg
// CHECK: .entry _Z5checkPi
#include <cassert>
#include <shared_mutex>

extern "C" {
void __assert_fail(const char* text, const char* file, unsigned line, const char* function) noexcept
    __attribute__((__noreturn__));
}

struct Table {
  std::shared_mutex readers;
  int size() {
    std::shared_lock<std::shared_mutex> lock(readers);
    return lock.owns_lock() ? 1 : (__assert_fail("size", __FILE__, __LINE__, __func__), 0);
  }
};

__global__ void check(int* x) {
  if (x[0] < 0) __assert_fail("x[0] >= 0", __FILE__, __LINE__, __func__);
  x[threadIdx.x] = 1;
}

int main() {
  Table table;
  check<<<1, table.size()>>>(nullptr);
}
