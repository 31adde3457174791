// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int threads = 96;

}  // namespace

std::vector<Case> cases_cuda_leaders() {
  return {{.name = "tickets",
           .kernel = "tickets",
           .launch = {.group = {threads}},
           .arguments = {zeros<int>(1), zeros<int>(threads)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 *a[0].as<int>() = threads / 3;
                 std::fill_n(a[1].as<int>(), threads / 3, 1);
               }},
          {.name = "broadcasts",
           .kernel = "broadcasts",
           .launch = {.group = {threads}},
           .arguments = {counting<int>(threads / 32, 10), zeros<int>(threads)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 for (int i = 0; i < threads; ++i) a[1].as<int>()[i] = i / 32 * 10 + 1;
                 for (int i = 0; i < threads / 32; ++i) a[0].as<int>()[i] += 7;
               }},
          {.name = "passed",
           .kernel = "passed",
           .launch = {.group = {threads}},
           .arguments = {zeros<int>(1), zeros<int>(threads)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 for (int i = 0; i < threads; ++i) {
                   a[1].as<int>()[i] = i % 7 == 3 ? 100 + i : -1;
                   *a[0].as<int>() += i % 7 == 3;
                 }
               }},
          {.name = "kept",
           .kernel = "kept",
           .launch = {.group = {threads}},
           .arguments = {array(std::vector{42, 33, 2}), zeros<int>(3)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             const int out[] = {147, 148, 5};
             std::copy_n(out, 3, a[1].as<int>());
           }}};
}

}  // namespace lathe::conformance
