// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int threads = 256, takers = threads / 64;

}  // namespace

std::vector<Case> cases_cuda_locks() {
  return {{.name = "in_turns",
           .kernel = "inTurns",
           .launch = {.group = {threads}},
           .arguments = {zeros<int>(1), zeros<int>(1), zeros<int>(32)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 *a[1].as<int>() = takers;
                 int* const out = a[2].as<int>();
                 std::fill_n(out, takers + 1, 1);
                 std::fill_n(out + 16, 3, 1);
                 out[0] = out[16] = threads - takers;
               }},
          {.name = "pushed",
           .kernel = "pushed",
           .launch = {.group = {threads}},
           .arguments = {zeros<int>(threads + 1)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             for (int i = 3; i < threads; i += 64) a[0].as<int>()[i] = 1;
             a[0].as<int>()[threads] = takers;
           }}};
}

}  // namespace lathe::conformance
