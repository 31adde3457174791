// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/opencl/opencl_devices.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "runtimes/opencl/opencl_status.h"
#include "runtimes/opencl/opencl_subgroups.h"

namespace lathe::detail {
namespace {

/// Architectures that name no size have subgroups of so many items.
constexpr std::uint32_t usualSubgroup = 32;
/// The sizes of those that do, best first: sources for CUDA count on 32, which a larger subgroup holds.
constexpr std::size_t otherSubgroups[] = {64, 16, 8};
constexpr std::string_view sizeMark = "-sg";

class Asker {
 public:
  Asker(const ClFunctions& cl, ClDevice device) : cl_(cl), device_(device) {}

  template <class T>
  [[nodiscard]] T number(std::uint32_t what) const {
    T out{};
    return cl_.GetDeviceInfo(device_, what, sizeof(out), &out, nullptr) == 0 ? out : T{};
  }
  /// Empty where the device does not know the question.
  template <class T>
  [[nodiscard]] std::vector<T> list(std::uint32_t what) const {
    std::size_t bytes = 0;
    if (cl_.GetDeviceInfo(device_, what, 0, nullptr, &bytes) != 0) return {};
    std::vector<T> out(bytes / sizeof(T));
    if (cl_.GetDeviceInfo(device_, what, bytes, out.data(), nullptr) != 0) return {};
    return out;
  }
  [[nodiscard]] std::string text(std::uint32_t what) const {
    const std::vector<char> all = list<char>(what);
    return {all.begin(), std::ranges::find(all, '\0')};
  }

 private:
  const ClFunctions& cl_;
  ClDevice device_;
};

std::uint32_t saturated(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, UINT32_MAX));
}

DeviceInfo describe(const Asker& ask) {
  DeviceInfo out;
  out.runtime = "opencl";
  out.name = ask.text(ClDeviceInfo::name);
  out.driverVersion = ask.text(ClDeviceInfo::driverVersion);
  out.memoryBytes = ask.number<std::uint64_t>(ClDeviceInfo::globalMemory);
  out.multiprocessors = ask.number<std::uint32_t>(ClDeviceInfo::computeUnits);
  out.maxItemsPerGroup = saturated(ask.number<std::size_t>(ClDeviceInfo::maxGroupItems));
  out.maxSharedBytes = saturated(ask.number<std::uint64_t>(ClDeviceInfo::localMemory));
  std::vector<std::size_t> most = ask.list<std::size_t>(ClDeviceInfo::maxItemSizes);
  most.resize(3, 1);
  out.maxGroup = {saturated(most[0]), saturated(most[1]), saturated(most[2])};
  // OpenCL bounds no grid.
  out.maxGrid = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
  return out;
}

/// All versions of OpenCL C, as 100 * major + minor; devices before OpenCL 3.0 name the last one.
std::vector<unsigned> languageVersions(const Asker& ask) {
  std::vector<unsigned> out;
  for (const ClNameVersion& one : ask.list<ClNameVersion>(ClDeviceInfo::languageVersions))
    out.push_back(100 * (one.version >> 22) + (one.version >> 12 & 0x3FF));
  // "OpenCL C 2.0 …"
  const std::string last = ask.text(ClDeviceInfo::languageVersion);
  constexpr std::string_view before = "OpenCL C ";
  if (out.empty() && last.starts_with(before) && last.size() >= before.size() + 3)
    out.push_back(100 * static_cast<unsigned>(last[before.size()] - '0') +
                  static_cast<unsigned>(last[before.size() + 2] - '0'));
  return out;
}

/// The device, or why Lathe cannot use it.
Result<OpenClDevice> examine(const OpenClEntryPoints& library, ClPlatform platform, ClDevice device) {
  const ClFunctions& cl = library.functions;
  const Asker ask(cl, device);
  OpenClDevice out;
  out.platform = platform;
  out.device = device;
  out.info = describe(ask);
  out.subgroupSizes = ask.list<std::size_t>(ClDeviceInfo::subgroupSizes);
  out.doubles = ask.number<std::uint64_t>(ClDeviceInfo::doubleAbilities) != 0;
  const std::string extensions = ask.text(ClDeviceInfo::extensions);
  out.halves = extensions.find("cl_khr_fp16") != std::string::npos;
  out.longAtomics = extensions.find("cl_khr_int64_base_atomics") != std::string::npos;
  out.clock = extensions.find("cl_khr_kernel_clock") != std::string::npos &&
              (ask.number<std::uint64_t>(ClDeviceInfo::kernelClock) & clSubgroupClock) != 0;
  if (extensions.find("cl_ext_float_atomics") != std::string::npos) {
    out.floatAtomics = ask.number<std::uint64_t>(ClDeviceInfo::floatAtomics);
    out.doubleAtomics = ask.number<std::uint64_t>(ClDeviceInfo::doubleAtomics);
    out.halfAtomics = ask.number<std::uint64_t>(ClDeviceInfo::halfAtomics);
  }
  if (extensions.find("cl_khr_spirv_queries") != std::string::npos) {
    const auto names = ask.list<const char*>(ClDeviceInfo::spirvExtensions);
    out.spirvExtensions.emplace(names.begin(), names.end());
  }
  const auto cannot = [&](std::string why) {
    return Error{.code = ErrorCode::IncompatibleDevice,
                 .message = fmt::format("{} ({}) {}", out.info.name, ask.text(ClDeviceInfo::version), why)};
  };
  if (ask.number<std::uint32_t>(ClDeviceInfo::available) == 0) return cannot("is not available");
  // "OpenCL 3.0 …"
  const std::string version = ask.text(ClDeviceInfo::version);
  out.createProgram = library.createProgramWithIL && version >= "OpenCL 2.1"
                          ? library.createProgramWithIL
                          : reinterpret_cast<ClCreateProgramWithIL>(
                                cl.GetExtensionFunctionAddressForPlatform(platform, "clCreateProgramWithILKHR"));
  const std::string versions = ask.text(ClDeviceInfo::ilVersion);
  if (out.createProgram) out.archs = spirvArchs(versions);
  if (ask.number<std::uint32_t>(ClDeviceInfo::compiler) != 0) {
    const bool generic = ask.number<std::uint32_t>(ClDeviceInfo::genericPointers) != 0;
    const std::vector<unsigned> versionsOfC = languageVersions(ask);
    const auto languages = languageArchs(versionsOfC, generic);
    out.newLanguage = !versionsOfC.empty() && std::ranges::max(versionsOfC) >= 300 ? "CL3.0" : "CL2.0";
    out.archs.insert(out.archs.end(), languages.begin(), languages.end());
  }
  out.exactDivision = (ask.number<std::uint64_t>(ClDeviceInfo::floatAbilities) & clExactDivision) != 0;
  if (out.archs.empty())
    return cannot(versions.empty() ? "takes neither SPIR-V nor OpenCL C"
                                   : fmt::format("takes {} only, and Lathe makes SPIR-V 1.2 to 1.6", versions));
  out.svm = ask.number<std::uint64_t>(ClDeviceInfo::svmCapabilities);
  if ((out.svm & (ClSvm::coarse | ClSvm::fine | ClSvm::fineSystem)) == 0) return cannot("has no shared virtual memory");
  // Drivers before 2.1 do not know the question, and answer 0 as those of devices without subgroups do.
  const bool hasSubgroups = version < "OpenCL 2.1" || ask.number<std::uint32_t>(ClDeviceInfo::mostSubgroups) != 0;
  if (out.subgroupSizes.empty() && !out.newLanguage.empty() && hasSubgroups) {
    out.subgroupQuery = subgroupQueryOf(cl, library.getKernelSubGroupInfo, platform, version, extensions);
    const std::size_t size = out.subgroupQuery ? usualSubgroupOf(cl, out.subgroupQuery, device, out.newLanguage) : 0;
    if (size != 0) out.subgroupSizes = {size};
  }
  out.archs = withSubgroupSizes(std::move(out.archs), out.subgroupSizes);
  out.info.arch = out.archs.front();
  const std::uint32_t items = subgroupItemsOf(out.info.arch);
  const bool offered = std::ranges::find(out.subgroupSizes, items) != out.subgroupSizes.end();
  out.info.subgroupSize = offered ? items : 1;
  return out;
}

std::vector<ClPlatform> platformsOf(const ClFunctions& cl) {
  std::uint32_t count = 0;
  if (cl.GetPlatformIDs(0, nullptr, &count) != 0) return {};
  std::vector<ClPlatform> out(count);
  if (count == 0 || cl.GetPlatformIDs(count, out.data(), nullptr) != 0) return {};
  return out;
}

std::string nameOf(const ClFunctions& cl, ClPlatform platform) {
  std::array<char, 256> out{};
  (void)cl.GetPlatformInfo(platform, ClPlatformInfo::name, out.size() - 1, out.data(), nullptr);
  return out.data();
}

}  // namespace

std::vector<std::string> spirvArchs(std::string_view ilVersion) {
  std::vector<std::string> out;
  for (const char minor : {'6', '5', '4', '3', '2'}) {
    const std::string version = fmt::format("SPIR-V_1.{}", minor);
    const std::size_t at = ilVersion.find(version);
    const bool whole = at != std::string_view::npos &&
                       (at + version.size() == ilVersion.size() || ilVersion[at + version.size()] == ' ');
    if (whole) out.push_back(fmt::format("spv1.{}", minor));
  }
  return out;
}

std::vector<std::string> languageArchs(const std::vector<unsigned>& versions, bool genericPointers) {
  std::vector<std::string> out;
  const unsigned last = versions.empty() ? 0 : std::ranges::max(versions);
  // What Lathe uses of 3.0 is in 2.0 too; a compiler of 3.0 may lack it, but has 1.2.
  if (last >= 300 ? genericPointers : last >= 200) out.emplace_back("cl3.0");
  if (last >= 102) out.emplace_back("cl1.2");
  return out;
}

std::vector<std::string> withSubgroupSizes(std::vector<std::string> archs, const std::vector<std::size_t>& sizes) {
  const auto offers = [&](std::size_t size) { return std::ranges::find(sizes, size) != sizes.end(); };
  std::vector<std::string> sized;
  for (const std::size_t size : otherSubgroups) {
    for (const std::string& arch : archs) {
      // Before SPIR-V 1.3 and in OpenCL C 1.2 there are none.
      if (offers(size) && arch != "spv1.2" && arch != "cl1.2")
        sized.push_back(fmt::format("{}{}{}", arch, sizeMark, size));
    }
  }
  archs.insert(offers(usualSubgroup) ? archs.end() : archs.begin(), sized.begin(), sized.end());
  return archs;
}

std::uint32_t subgroupItemsOf(std::string_view arch) {
  std::uint32_t out = usualSubgroup;
  if (const std::size_t at = arch.find(sizeMark); at != std::string_view::npos)
    std::from_chars(arch.data() + at + sizeMark.size(), arch.data() + arch.size(), out);
  return out;
}

OpenClDevices findOpenClDevices(const OpenClEntryPoints& library) {
  const ClFunctions& cl = library.functions;
  OpenClDevices out;
  for (const ClPlatform platform : platformsOf(cl)) {
    std::uint32_t count = 0;
    ClStatus status = cl.GetDeviceIDs(platform, clDeviceTypeAll, 0, nullptr, &count);
    std::vector<ClDevice> devices(count);
    if (status == 0 && count != 0) status = cl.GetDeviceIDs(platform, clDeviceTypeAll, count, devices.data(), nullptr);
    if (status != 0 || count == 0) {
      out.others.push_back(fmt::format("platform {} has no device ({})", nameOf(cl, platform), clStatusName(status)));
      continue;
    }
    for (const ClDevice device : devices) {
      auto examined = examine(library, platform, device);
      if (!examined) {
        out.others.push_back(examined.error().message);
        continue;
      }
      examined->info.index = static_cast<int>(out.usable.size());
      out.usable.push_back(*std::move(examined));
    }
  }
  return out;
}

}  // namespace lathe::detail
