// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of blocks, and the reference.
#include "tests/conformance/suite/flow_cases.h"

#include <algorithm>

#include "tests/conformance/suite/items.h"

namespace lathe::conformance {
namespace {

constexpr unsigned groups = 2, mostItems = 256, n = 5;

std::vector<LaunchOptions> launches() {
  std::vector<LaunchOptions> out;
  for (const Extent3 group :
       {Extent3{256}, Extent3{1}, Extent3{31}, Extent3{32}, Extent3{33}, Extent3{64}, Extent3{96}, Extent3{100},
        Extent3{12, 8}, Extent3{33, 3}, Extent3{8, 4, 3}, Extent3{5, 7, 2}, Extent3{1, 1, 40}})
    out.push_back({.grid = {groups}, .group = group});
  return out;
}

}  // namespace

Case flowCase(const std::string& name, FlowKernel kernel) {
  const auto reference = [kernel](Arguments& arguments, const Environment& environment) {
    const auto place = [](const Extent3& from) { return Place{from.x, from.y, from.z}; };
    const std::string problem = runItems(place(environment.launch.grid), place(environment.launch.group), [&] {
      kernel(arguments[0].as<unsigned>(), arguments[1].as<unsigned>(), *arguments[2].as<unsigned>());
    });
    // A kernel without a meaning has no right result.
    if (!problem.empty()) std::fill(arguments[1].bytes.begin(), arguments[1].bytes.end(), std::byte{0xdd});
  };
  std::vector<LaunchOptions> all = launches();
  Case out{.name = name,
           .kernel = name,
           .launch = all.front(),
           .arguments = {array(scrambled<unsigned>(groups * mostItems, 17)), zeros<unsigned>(groups * mostItems),
                         value<unsigned>(n)},
           .reference = reference};
  out.otherLaunches.assign(all.begin() + 1, all.end());
  return out;
}

}  // namespace lathe::conformance
