// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of saxpy.cu.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

/// One kernel a type, of fewer items than elements.
template <class T>
Case axpyCase(const std::string& type) {
  return {.name = "axpy_" + type,
          .kernel = "axpy<" + type + ">",
          .launch = {.grid = {2}, .group = {32}},
          .arguments = {value(100), value(T(3)), counting<T>(100), counting<T>(100, T(2))},
          .reference = [](Arguments& a, const DeviceInfo&) {
            for (int i = 0; i < 100; ++i) a[3].as<T>()[i] += 3 * a[2].as<T>()[i];
          }};
}

}  // namespace

std::vector<Case> cases_cuda_saxpy() {
  return {{.name = "saxpy",
           .kernel = "saxpy",
           .launch = {.grid = {4}, .group = {64}},
           .arguments = {value(250), value(2.0f), counting<float>(250), counting<float>(250, 3.0f)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 for (int i = 0; i < 250; ++i) a[3].as<float>()[i] += 2 * a[2].as<float>()[i];
               }},
          axpyCase<float>("float"),
          axpyCase<double>("double")};
}

}  // namespace lathe::conformance
