// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/opencl/opencl_icd.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/support/text.h"

namespace lathe::detail {
namespace {

/// Places in the table, those of the functions that Lathe calls.
constexpr std::pair<std::string_view, int> slots[] = {
    {"clGetPlatformIDs", 0},
    {"clGetPlatformInfo", 1},
    {"clGetDeviceIDs", 2},
    {"clGetDeviceInfo", 3},
    {"clCreateContext", 4},
    {"clReleaseContext", 7},
    {"clReleaseCommandQueue", 11},
    {"clCreateBuffer", 14},
    {"clReleaseMemObject", 18},
    {"clCreateProgramWithSource", 26},
    {"clReleaseProgram", 29},
    {"clBuildProgram", 30},
    {"clGetProgramBuildInfo", 33},
    {"clCreateKernel", 34},
    {"clReleaseKernel", 37},
    {"clSetKernelArg", 38},
    {"clGetKernelWorkGroupInfo", 40},
    {"clWaitForEvents", 41},
    {"clGetEventInfo", 42},
    {"clReleaseEvent", 44},
    {"clGetEventProfilingInfo", 45},
    {"clFlush", 46},
    {"clFinish", 47},
    {"clEnqueueNDRangeKernel", 59},
    {"clSetEventCallback", 81},
    {"clCreateUserEvent", 84},
    {"clSetUserEventStatus", 85},
    {"clEnqueueReadBufferRect", 86},
    {"clEnqueueWriteBufferRect", 87},
    {"clEnqueueCopyBufferRect", 88},
    {"clEnqueueMarkerWithWaitList", 105},
    {"clEnqueueBarrierWithWaitList", 106},
    {"clGetExtensionFunctionAddressForPlatform", 107},
    {"clCreateCommandQueueWithProperties", 123},
    {"clSVMAlloc", 126},
    {"clSVMFree", 127},
    {"clEnqueueSVMMemcpy", 129},
    {"clEnqueueSVMMemFill", 130},
    {"clSetKernelArgSVMPointer", 134},
    {"clSetKernelExecInfo", 135},
    {"clCreateProgramWithIL", 138},
    {"clGetKernelSubGroupInfo", 142},
};

using GetPlatformIDs = ClStatus (*)(std::uint32_t entries, ClPlatform* platforms, std::uint32_t* count);
using GetPlatformInfo = ClStatus (*)(ClPlatform platform, std::uint32_t what, std::size_t bytes, void* value,
                                     std::size_t* size);
using FindExtension = void* (*)(const char* name);
using FindForPlatform = void* (*)(ClPlatform platform, const char* name);

Error lacks(std::string_view symbol) {
  return {
      .code = ErrorCode::DriverTooOld,
      .message = fmt::format("opencl: the library lacks the function {}; install one of OpenCL 2.0 or later", symbol),
      .target = "opencl"};
}

/// Looks each function up by `find`, which returns null for those that are not there.
template <class Find>
Result<OpenClEntryPoints> bind(const Find& find) {
  OpenClEntryPoints out;
#define LATHE_OPENCL(name, result, parameters)                                           \
  out.functions.name = reinterpret_cast<decltype(out.functions.name)>(find("cl" #name)); \
  if (!out.functions.name) return lacks("cl" #name);
#include "runtimes/opencl/opencl_functions.def"
  out.createProgramWithIL = reinterpret_cast<ClCreateProgramWithIL>(find("clCreateProgramWithIL"));
  out.getKernelSubGroupInfo = reinterpret_cast<ClGetKernelSubGroupInfo>(find("clGetKernelSubGroupInfo"));
  return out;
}

/// "OpenCL 3.0 …" as 300; 0 where the platform says nothing of the kind.
unsigned versionOf(GetPlatformInfo info, ClPlatform platform) {
  std::array<char, 128> text{};
  constexpr std::string_view before = "OpenCL ";
  if (!info || info(platform, ClPlatformInfo::version, text.size() - 1, text.data(), nullptr) != 0) return 0;
  const std::string_view said = text.data();
  if (!said.starts_with(before) || said.size() < before.size() + 3) return 0;
  return 100 * static_cast<unsigned>(said[before.size()] - '0') + static_cast<unsigned>(said[before.size() + 2] - '0');
}

/// By the table that the platform object begins with. It is as long as the platform's version has functions.
Result<OpenClEntryPoints> bindByTable(ClPlatform platform, GetPlatformIDs platformIds) {
  void* const* const table = *reinterpret_cast<void* const* const*>(platform);
  if (!table) return lacks("clGetPlatformInfo");
  const auto info = reinterpret_cast<GetPlatformInfo>(table[icdSlotOf("clGetPlatformInfo")]);
  const unsigned version = versionOf(info, platform);
  if (version < 200)
    return Error{
        .code = ErrorCode::DriverTooOld,
        .message = "opencl: the library is a driver of an OpenCL before 2.0, which has no shared virtual memory",
        .hint = "install a newer driver of the device",
        .target = "opencl"};
  return bind([&](std::string_view name) -> void* {
    if (name == "clGetPlatformIDs") return reinterpret_cast<void*>(platformIds);
    if ((name == "clCreateProgramWithIL" || name == "clGetKernelSubGroupInfo") && version < 201) return nullptr;
    return table[icdSlotOf(name)];
  });
}

/// The drivers' libraries, by name or path, in the loader's order.
std::vector<std::string> namedDrivers() {
  std::vector<std::string> out;
  const char* const names = std::getenv("OCL_ICD_FILENAMES");
  for (const std::string_view name : parts(names ? names : "", ':')) out.emplace_back(name);
  const char* const vendors = std::getenv("OCL_ICD_VENDORS");
  std::error_code ignored;
  const std::filesystem::path place = vendors && *vendors ? vendors : "/etc/OpenCL/vendors";
  const auto addFile = [&](const std::filesystem::path& file) {
    std::string line;
    if (file.extension() == ".icd" && std::getline(std::ifstream(file), line)) out.push_back(std::move(line));
  };
  addFile(place);
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator at(place, ignored); !ignored && at != end; at.increment(ignored))
    addFile(at->path());
  std::erase(out, "");
  return out;
}

/// Opens the drivers that a loader will find (OCL_ICD_FILENAMES, and the files of OCL_ICD_VENDORS or
/// /etc/OpenCL/vendors), where this process has a Clang as a shared library. A driver with another Clang (PoCL) would
/// call functions of this one, whose names are the same; opened here, each looks for names among its own libraries
/// first, and stays so when the loader opens it. They stay open. Elsewhere nothing is opened: a host that replaces
/// `operator new` replaces it for drivers too.
void openDriversApart() {
  // clang::getClangFullVersion(). Sanitizers' runtimes refuse what is opened in this way.
  if (!::dlsym(RTLD_DEFAULT, "_ZN5clang19getClangFullVersionB5cxx11Ev") || ::dlsym(RTLD_DEFAULT, "__asan_init") ||
      ::dlsym(RTLD_DEFAULT, "__tsan_init"))
    return;
  for (const std::string& driver : namedDrivers())
    (void)::dlopen(driver.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
}

}  // namespace

int icdSlotOf(std::string_view function) {
  const auto* const found = std::ranges::find(slots, function, &std::pair<std::string_view, int>::first);
  return found == std::end(slots) ? -1 : found->second;
}

Result<OpenClEntryPoints> openClEntryPoints(const DynamicLibrary& library) {
  const auto extension = reinterpret_cast<FindExtension>(library.symbol("clGetExtensionFunctionAddress"));
  if (library.symbol("clGetPlatformIDs") || !extension) {
    openDriversApart();
    return bind([&](const char* name) { return library.symbol(name); });
  }
  const auto find = [&](const char* name) {
    void* const exported = library.symbol(name);
    return exported ? exported : extension(name);
  };
  const auto platformIds = reinterpret_cast<GetPlatformIDs>(find("clIcdGetPlatformIDsKHR"));
  if (!platformIds) return lacks("clIcdGetPlatformIDsKHR");
  ClPlatform platform = nullptr;
  std::uint32_t count = 0;
  if (platformIds(1, &platform, &count) != 0 || count == 0 || !platform)
    return Error{.code = ErrorCode::DeviceNotFound,
                 .message = "opencl: the driver finds no platform, so no device of its own",
                 .hint = "run on a machine with such a device, or name another library in LATHE_OPENCL_LIBRARY",
                 .target = "opencl"};
  const auto forPlatform = reinterpret_cast<FindForPlatform>(find("clIcdGetFunctionAddressForPlatformKHR"));
  if (!forPlatform) return bindByTable(platform, platformIds);
  return bind([&](const char* name) {
    return name == std::string_view("clGetPlatformIDs") ? reinterpret_cast<void*>(platformIds)
                                                        : forPlatform(platform, name);
  });
}

}  // namespace lathe::detail
