// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of function_addresses.cu.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int n = 32;

Case calling(const char* name, const char* kernel, int (*expected)(int item, int in)) {
  return {.name = name,
          .kernel = kernel,
          .launch = {.group = {n}},
          .arguments = {counting<int>(n, 3, 1), zeros<int>(n)},
          .reference = [expected](Arguments& a, const DeviceInfo&) {
            for (int i = 0; i < n; ++i) a[1].as<int>()[i] = expected(i, a[0].as<int>()[i]);
          }};
}

int inTables(int item, int in) {
  return in % 3 == 0 ? 3 * item : in % 3 == 1 ? item ^ 5 : item - 7;
}

int inStructures(int item, int in) {
  return in % 3 == 0 ? 9 * (item + 'a') : in % 3 == 1 ? item + 'b' : item + 'c' - 21;
}

int area(int kind, int in, int scale) {
  return kind == 0 ? in * scale : kind == 1 ? (in + 1) * (in + 1) * scale : -(in + 2) * (in + 2) * scale;
}
int ofObjects(int item, int in) {
  return area(in % 3, in, item) + area(item % 3, in, 1000);
}

int ofMembers(int, int in) {
  int at = 100;
  for (int k = 0; k < 5; ++k) at += (in >> k) & 1 ? -2 * (k + 1) : k + 1;
  return at;
}

/// What destroyed owners added to the sum, and what the functions returned.
int ofOwners(int, int in) {
  const bool isOdd = (in & 1) != 0;
  const int taken = in % 3 == 0 ? in + 7 : in % 3 == 1 ? 2 * in : in + 3;
  const int sum = (isOdd ? in + 7 : in) + taken;
  const int returned = (isOdd ? in + 7 : in * 1000) + taken;
  return sum * 100000 + returned;
}

int ofVariables(int item, int in) {
  constexpr int bytes[] = {5, 8, 3, 6}, counts[] = {10, 30, 20};
  return bytes[(in + 2 + (in & 1)) & 3] + counts[in % 3] * 100 + ((item & 3) + 1) * 10000;
}

}  // namespace

std::vector<Case> cases_cuda_function_addresses() {
  return {calling("in_tables", "inTables", inTables),    calling("in_structures", "inStructures", inStructures),
          calling("of_objects", "ofObjects", ofObjects), calling("of_members", "ofMembers", ofMembers),
          calling("of_owners", "ofOwners", ofOwners),    calling("of_variables", "ofVariables", ofVariables)};
}

}  // namespace lathe::conformance
