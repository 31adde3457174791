// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of vector_types.cu.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

struct alignas(16) Double2 {
  double x, y;
};

void positions(Arguments& a, const DeviceInfo&) {
  unsigned i = 0;
  for (unsigned group = 0; group < 2 * 3 * 2; ++group)
    for (unsigned z = 0; z < 2; ++z)
      for (unsigned y = 0; y < 3; ++y)
        for (unsigned x = 0; x < 5; ++x) a[0].as<unsigned>()[i++] = x | y << 8 | z << 16 | group << 24;
}

}  // namespace

std::vector<Case> cases_cuda_vector_types() {
  return {
      {.name = "add_float4",
       .kernel = "addVectors",
       .launch = {.grid = {2}, .group = {32}},
       .arguments = {counting<float>(200, 0.5f), counting<float>(200, -3), zeros<float>(200), value(50)},
       .reference =
           [](Arguments& a, const DeviceInfo&) {
             for (int i = 0; i < 200; ++i) a[2].as<float>()[i] = a[0].as<float>()[i] + a[1].as<float>()[i];
           }},
      {.name = "bytes_to_float3",
       .kernel = "unpack",
       .launch = {.grid = {2}, .group = {32}},
       .arguments = {array(scrambled<unsigned char>(200, 9)), zeros<float>(150), value(Double2{0.25, -3}), value(50)},
       .reference =
           [](Arguments& a, const DeviceInfo&) {
             for (int i = 0; i < 150; ++i)
               a[1].as<float>()[i] = static_cast<float>(a[0].as<unsigned char>()[i / 3 * 4 + i % 3]) * 0.25f - 3;
           }},
      {.name = "builtin_variables",
       .kernel = "positions",
       .launch = {.grid = {2, 3, 2}, .group = {5, 3, 2}},
       .arguments = {zeros<unsigned>(360)},
       .reference = positions}};
}

}  // namespace lathe::conformance
