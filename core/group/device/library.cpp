// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device code of machines without items: what of it a compile for one of them may link.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/TargetParser/Triple.h"

#include "core/descriptor/descriptor.h"
#include "core/group/split/shuffle_batches.h"
#include "core/lower/machine_libraries.h"

extern "C" const char lathe_shared_group_machine[], lathe_shared_group_machine_end[];    // machine.cpp
extern "C" const char lathe_shared_group_services[], lathe_shared_group_services_end[];  // services.cpp

namespace lathe::detail {

std::vector<PortableLibrary> machineLibraries(const Descriptor& descriptor) {
  if (descriptor.pipeline != PipelineKind::groups) return {};
  const auto between = [](const char* begin, const char* end) {
    return std::string_view(begin, static_cast<std::size_t>(end - begin));
  };
  const unsigned size = descriptor.subgroupSizes.front();
  const bool wide = llvm::Triple(llvm::Triple::normalize(descriptor.triple)).isArch64Bit();
  std::vector<PortableLibrary> out;
  out.push_back({.name = "group machine",
                 .bitcode = between(lathe_shared_group_machine, lathe_shared_group_machine_end),
                 .variants = {".subgroup" + std::to_string(size), wide ? ".pointers64" : ".pointers32"},
                 .arrays = {{exchangeName, descriptor.limits.subgroupGroupItems + 2 * std::uint64_t{size}}}});
  // Lathe's runtime, which is told of failures, is for machines of 64 bits: elsewhere these entries are absent.
  if (wide) {
    out.push_back({.name = "group services",
                   .bitcode = between(lathe_shared_group_services, lathe_shared_group_services_end),
                   .variants = {},
                   .arrays = {}});
  }
  return out;
}

}  // namespace lathe::detail
