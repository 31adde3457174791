// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes of the C++ library by value: a warning for those that GCC's library lays out otherwise, none for names of the
// toolkit, whose classes have libc++'s layout, and none for classes that are the same in both.
// RUN: %compile %s -t cpu -o %t.limg 2>&1 | FileCheck %s --implicit-check-not=warning:
#include <array>
#include <cuda/std/complex>
#include <cuda/std/tuple>
#include <cuda/std/variant>
#include <optional>
#include <span>
#include <thrust/complex.h>
#include <thrust/tuple.h>
#include <tuple>
#include <utility>

struct Sizes {
  std::pair<int, int> low;
  std::tuple<int, int> high;
};
struct Config : Sizes {
  float scale;
};
struct Shifted {
  int first;
  cuda::std::complex<float> second;  // the toolkit's begins at a multiple of 8
};

// CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: kernel 'triple': parameter 'three' has type 'std::tuple<int, int, int>', which the host's C++ library may lay out otherwise
__global__ void triple(std::tuple<int, int, int> three, int* out) {
  *out = std::get<0>(three);
}
// CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: kernel 'nested': parameter 'config' holds a 'std::tuple<int, int>' ('high'), which the host's
__global__ void nested(Config config, int* out) {
  *out = std::get<0>(config.high);
}
// CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: kernel 'toolkits': parameter 'either' has type 'cuda::std::variant<int, float>', which the toolkit may lay out otherwise
__global__ void toolkits(cuda::std::variant<int, float> either, int* out) {
  *out = static_cast<int>(either.index());
}
// CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: kernel 'shifted': parameter 'pair' holds a 'cuda::std::complex<float>' ('second'), which the toolkit may
__global__ void shifted(Shifted pair, float* out) {
  *out = pair.second.real();
}

__global__ void silent(thrust::tuple<int, int> a, cuda::std::tuple<int, float> b, std::pair<int, char> c,
                       std::array<std::optional<int>, 2> d, std::span<int> e, std::tuple<int> f,
                       thrust::complex<float> g, int* out) {
  *out = thrust::get<0>(a) + cuda::std::get<0>(b) + c.first + *d[0] + e[0] + std::get<0>(f) + static_cast<int>(g.real());
}
// Deduced, so it may be either library's; this source uses the toolkit's.
template <class T>
__global__ void deduced(T value, int* out) {
  *out = cuda::std::get<0>(value);
}
void host() {
  deduced<<<1, 1>>>(cuda::std::make_tuple(1, 2), static_cast<int*>(nullptr));
}
