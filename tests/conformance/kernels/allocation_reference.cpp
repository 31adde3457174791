// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of allocation.cpp.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

void lists(Arguments& a, const DeviceInfo&) {
  for (unsigned i = 0; i < a[1].count(); ++i) {
    unsigned sum = 0;
    for (unsigned k = a[0].as<unsigned>()[i]; k-- > 0;) sum = sum * 31 + i * 1000 + k;
    a[1].as<unsigned>()[i] = sum;
  }
}

void handedOn(Arguments& a, const DeviceInfo&) {
  for (unsigned i = 0; i < 40; ++i) a[1].as<unsigned>()[i] = (39 - i) * (39 - i);
}

std::vector<unsigned> lengths(unsigned count) {
  std::vector<unsigned> out = scrambled<unsigned>(count, 5);
  for (unsigned& length : out) length %= 9;
  return out;
}

}  // namespace

std::vector<Case> cases_kernels_allocation() {
  return {{.name = "lists",
           .kernel = "lists",
           .launch = {.grid = {3}, .group = {72}},
           .arguments = {array(lengths(216)), zeros<unsigned>(216)},
           .reference = lists},
          {.name = "blocks",
           .kernel = "blocks",
           .launch = {.grid = {2}, .group = {48}},
           .arguments = {value(6u), array(std::vector<unsigned>(96, 7))},
           .reference = [](Arguments& a, const DeviceInfo&) { a[1] = zeros<unsigned>(96); }},
          // Addresses differ, so they are not compared.
          {.name = "handed_on",
           .kernel = "handed_on",
           .launch = {.group = {40}},
           .arguments = {zeros<std::uint64_t>(40), zeros<unsigned>(40)},
           .reference = handedOn,
           .normalise = [](Arguments& a) { a[0] = zeros<std::uint64_t>(40); }},
          {.name = "too_much",
           .kernel = "too_much",
           .launch = {.group = {2}},
           .arguments = {zeros<unsigned>(2)},
           .reference = [](Arguments& a, const DeviceInfo&) { a[0] = counting<unsigned>(2, 0, 1); }}};
}

}  // namespace lathe::conformance
