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

/// The sign of `setting` in "+sramecc,-xnack", of which the last one counts; none: it is open.
char signOf(std::string_view features, std::string_view setting) {
  char sign = 0;
  for (std::size_t begin = 0, end = 0; begin < features.size(); begin = end + 1) {
    end = std::min(features.find(',', begin), features.size());
    const std::string_view word = features.substr(begin, end - begin);
    if (word.substr(std::min<std::size_t>(word.size(), 1)) == setting) sign = word.front();
  }
  return sign;
}

/// True if `features` ask for the opposite of a setting in a driver's name (":sramecc+:xnack-").
bool contradicts(std::string_view features, std::string_view settings) {
  for (std::size_t at = settings.find_first_of("+-"); at != std::string_view::npos;
       at = settings.find_first_of("+-", at + 1)) {
    const std::size_t begin = settings.rfind(':', at) + 1;
    const char sign = signOf(features, settings.substr(begin, at - begin));
    if (sign != 0 && sign != settings[at]) return true;
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
