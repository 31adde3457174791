// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processors and their generic families, after the tables "AMDGPU Processors" and "AMDGPU Generic Processors" of LLVM's
// User Guide for AMDGPU Backend (llvm.org/docs/AMDGPUUsage.html).
#include "runtimes/hip/hip_code.h"

#include <algorithm>

namespace lathe::detail {
namespace {

struct Family {
  std::string_view generic;
  std::string_view members;  ///< separated and surrounded by spaces
};
constexpr Family families[] = {
    {"gfx9-generic", " gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c "},
    {"gfx9-4-generic", " gfx942 gfx950 "},
    {"gfx10-1-generic", " gfx1010 gfx1011 gfx1012 gfx1013 "},
    {"gfx10-3-generic", " gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 "},
    {"gfx11-generic", " gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 "},
    {"gfx12-generic", " gfx1200 gfx1201 "},
};

bool covers(std::string_view generic, std::string_view processor) {
  return std::ranges::any_of(families, [&](const Family& family) {
    return family.generic == generic && family.members.find(" " + std::string(processor) + " ") != std::string::npos;
  });
}

/// True if `features` ("+sramecc,-xnack") ask for the opposite of a setting in a driver's name (":sramecc+:xnack-").
bool contradicts(std::string_view features, std::string_view settings) {
  for (std::size_t at = 0; at < settings.size(); ++at) {
    if (settings[at] != '+' && settings[at] != '-') continue;
    const std::size_t begin = settings.rfind(':', at) + 1;
    const std::string opposite =
        (settings[at] == '+' ? "-" : "+") + std::string(settings.substr(begin, at - begin)) + ",";
    if ((std::string(features) + ",").find(opposite) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

std::string_view processorOf(std::string_view driverName) {
  return driverName.substr(0, driverName.find(':'));
}

std::vector<const Code*> amdCodeFor(const Image& image, std::string_view driverName) {
  const std::string_view processor = processorOf(driverName);
  std::vector<const Code*> out;
  if (contradicts(image.info().features, driverName.substr(processor.size()))) return out;
  for (const Code& code : image.code())
    if (code.format == "hsaco" && code.arch == processor) out.push_back(&code);
  for (const Code& code : image.code())
    if (code.format == "hsaco" && covers(code.arch, processor)) out.push_back(&code);
  return out;
}

}  // namespace lathe::detail
