// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of large_parameters.cpp.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

struct Table {
  double scale;
  int values[1500];
};
static_assert(sizeof(Table) > 4096);

Table table(double scale, int first) {
  Table out{scale, {}};
  for (int i = 0; i < 1500; ++i) out.values[i] = first + 3 * i;
  return out;
}

}  // namespace

std::vector<Case> cases_kernels_large_parameters() {
  const LaunchOptions launch{.grid = {3}, .group = {64}};
  return {
      {.name = "look_up",
       .kernel = "look_up",
       .launch = launch,
       .arguments = {value(170U), value(table(0.5, -40)), value(short{-9}), zeros<double>(192)},
       .reference =
           [](Arguments& a, const DeviceInfo&) {
             const Table given = *a[1].as<Table>();
             for (unsigned i = 0; i < 170; ++i)
               a[3].as<double>()[i] = given.scale * (given.values[7 * i % 1500] + *a[2].as<short>());
           }},
      {.name = "two",
       .kernel = "look_up_both",
       .launch = launch,
       .otherLaunches = std::vector<LaunchOptions>(50, launch),
       .arguments = {value(table(0.25, 7)), zeros<double>(192), value(table(2, -1))},
       .reference =
           [](Arguments& a, const DeviceInfo&) {
             const Table first = *a[0].as<Table>(), second = *a[2].as<Table>();
             for (int i = 0; i < 192; ++i)
               a[1].as<double>()[i] = first.scale * first.values[i] - second.scale * second.values[2 * i];
           }},
      {.name = "changed",
       .kernel = "change",
       .launch = launch,
       .arguments = {value(table(2, 5)), zeros<double>(384)},
       .reference =
           [](Arguments& a, const DeviceInfo&) {
             const Table given = *a[0].as<Table>();
             for (int i = 0; i < 192; ++i) {
               double sum = -i;
               for (int k = 1; k < 9; ++k) sum += given.values[i + k];
               a[1].as<double>()[2 * i] = 3 * sum;
               a[1].as<double>()[2 * i + 1] = -i + given.values[i + 1];
             }
           }},
  };
}

}  // namespace lathe::conformance
