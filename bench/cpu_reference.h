// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The four computations as one would write them by hand for a host: OpenMP for the cores, OpenMP SIMD for the vectors.
#pragma once

namespace lathe::bench {

struct CpuReference {
  const char* march;  ///< what it was compiled for: "native"
  void (*saxpy)(unsigned n, float a, const float* x, const float* y, float* out);
  void (*stencil)(unsigned width, unsigned height, const float* in, float* out);
  void (*matmul)(unsigned n, const float* a, const float* b, float* c);
  float (*sum)(unsigned n, const float* x);
};

/// The best one built in that this machine can run.
[[nodiscard]] const CpuReference& cpuReference();

}  // namespace lathe::bench
