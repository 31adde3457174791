// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command lines of CUDA programs name older standards of C++ than Lathe's headers are written in: they are read as C++20.
// A newer one, or a macro that keeps the prelude out, is read as text and gives no warning of Lathe's own macros.
// RUN: %compile %s -t cpu --std c++11 -o %t.limg 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: %compile %s -t cpu --std gnu++14 -o %t.limg 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: %compile %s -t cpu --std c++17 --explain -o %t.limg 2>&1 | FileCheck %s --check-prefixes=QUIET,READY
// RUN: %compile %s -t cpu --std c++23 -o %t.limg 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: %compile %s -t cpu -D NDEBUG -o %t.limg 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: not %compile %s -t cpu --std c++9 -o %t.limg 2>&1 | FileCheck %s --check-prefix=WRONG
// QUIET-NOT: {{warning|error}}
// READY: prelude {{ *}}precompiled
// WRONG: invalid value 'c++9'
#include <cstdint>

__global__ void widen(const int* in, std::int64_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<std::int64_t>(in[i]) << 32;
}
