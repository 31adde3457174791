// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/opencl/opencl_subgroups.h"

#include <array>
#include <string>

namespace lathe::detail {
namespace {

/// A group that every device takes, and whose subgroups are whole where they have up to so many items.
constexpr std::size_t probedItems = 64;

}  // namespace

ClGetKernelSubGroupInfo subgroupQueryOf(const ClFunctions& cl, ClGetKernelSubGroupInfo ofLibrary, ClPlatform platform,
                                        std::string_view version, std::string_view extensions) {
  if (ofLibrary && version >= "OpenCL 2.1") return ofLibrary;
  if (extensions.find("cl_khr_subgroups") == std::string_view::npos) return nullptr;
  return reinterpret_cast<ClGetKernelSubGroupInfo>(
      cl.GetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR"));
}

std::size_t subgroupItemsOf(ClGetKernelSubGroupInfo query, ClKernel kernel, ClDevice device, std::size_t items) {
  const std::array<std::size_t, 3> group = {items, 1, 1};
  std::size_t out = 0;
  const ClStatus status =
      query(kernel, device, ClKernelSubGroupInfo::mostItems, sizeof(group), group.data(), sizeof(out), &out, nullptr);
  return status == 0 ? out : 0;
}

std::size_t usualSubgroupOf(const ClFunctions& cl, ClGetKernelSubGroupInfo query, ClDevice device,
                            std::string_view language) {
  constexpr std::string_view text =
      "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
      "kernel void probe(global uint* out) { out[get_global_id(0)] = get_sub_group_local_id(); }\n";
  ClStatus status = 0;
  const ClContext context = cl.CreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  if (status != 0) return 0;
  const char* source = text.data();
  const std::size_t bytes = text.size();
  std::size_t out = 0;
  if (const ClProgram program = cl.CreateProgramWithSource(context, 1, &source, &bytes, &status); status == 0) {
    const std::string options = "-cl-std=" + std::string(language);
    status = cl.BuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
    const ClKernel kernel = status == 0 ? cl.CreateKernel(program, "probe", &status) : nullptr;
    if (kernel && status == 0) {
      out = subgroupItemsOf(query, kernel, device, probedItems);
      // Some drivers answer with the size that they are asked about (PoCL 3).
      if (out != subgroupItemsOf(query, kernel, device, 2 * probedItems)) out = 0;
      (void)cl.ReleaseKernel(kernel);
    }
    (void)cl.ReleaseProgram(program);
  }
  (void)cl.ReleaseContext(context);
  return out;
}

}  // namespace lathe::detail
