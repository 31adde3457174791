// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/opencl/opencl_kernel.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "runtimes/common/kernel_state.h"
#include "runtimes/opencl/opencl_devices.h"

namespace lathe::detail {

OpenClKernel::OpenClKernel(OpenClContext& context, ClKernel kernel, const EntryPoint& entry)
    : context_(context), kernel_(kernel), dynamicShared_(entry.dynamicShared) {
  for (const auto* const list : {&entry.parameters, &entry.hidden}) {
    for (const Parameter& parameter : *list)
      parameters_.push_back(parameter.type.kind == TypeKind::pointer ? 0 : std::size_t{parameter.type.size});
  }
  oneRow_ = std::ranges::any_of(entry.hidden, isGroupShape);
}

std::unique_ptr<OpenClKernel> OpenClKernel::create(const OpenClProgram& program, const EntryPoint& entry,
                                                   const char* symbol, ClStatus& status) {
  const ClKernel kernel = program.context.cl().CreateKernel(program.program, symbol, &status);
  if (status != 0) return nullptr;
  return std::unique_ptr<OpenClKernel>(new OpenClKernel(program.context, kernel, entry));
}

ClStatus OpenClKernel::facts(GpuFunctionFacts& out) const {
  const ClFunctions& cl = context_.cl();
  const ClDevice device = context_.device().device;
  std::size_t items = 0;
  std::uint64_t shared = 0, local = 0;
  ClStatus status =
      cl.GetKernelWorkGroupInfo(kernel_, device, ClKernelGroupInfo::maxItems, sizeof(items), &items, nullptr);
  const auto ask = [&](std::uint32_t what, std::uint64_t& value) {
    if (status == 0) status = cl.GetKernelWorkGroupInfo(kernel_, device, what, sizeof(value), &value, nullptr);
  };
  ask(ClKernelGroupInfo::localMemory, shared);
  ask(ClKernelGroupInfo::privateMemory, local);
  out.maxItems = static_cast<int>(std::min<std::size_t>(items, INT32_MAX));
  out.sharedBytes = static_cast<int>(std::min<std::uint64_t>(shared, INT32_MAX));
  out.localBytes = static_cast<int>(std::min<std::uint64_t>(local, INT32_MAX));
  out.registers = out.constantBytes = -1;
  return status;
}

ClStatus OpenClKernel::setArguments(const LaunchOptions& options, const void* const* arguments) {
  const ClFunctions& cl = context_.cl();
  std::uint32_t index = 0;
  for (const ValueBytes bytes : parameters_) {
    const void* const argument = arguments[index];
    ClStatus status;
    if (bytes != 0) {
      status = cl.SetKernelArg(kernel_, index, bytes, argument);
    } else {
      void* address = nullptr;
      std::memcpy(&address, argument, sizeof(address));
      status = cl.SetKernelArgSVMPointer(kernel_, index, address);
    }
    if (status != 0) return status;
    ++index;
  }
  // OpenCL allows no array of no bytes.
  if (!dynamicShared_) return 0;
  return cl.SetKernelArg(kernel_, index, std::max<std::size_t>(options.dynamicSharedBytes, 1), nullptr);
}

ClStatus OpenClKernel::launch(const LaunchOptions& options, OpenClQueue* queue, const void* const* arguments) {
  const Extent3 group = oneRow_ ? Extent3{static_cast<std::uint32_t>(options.group.count())} : options.group;
  const Extent3& grid = options.grid;
  const std::array<std::size_t, 3> local = {group.x, group.y, group.z};
  const std::array<std::size_t, 3> global = {std::size_t{grid.x} * group.x, std::size_t{grid.y} * group.y,
                                             std::size_t{grid.z} * group.z};
  const std::uint32_t dimensions = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;
  const std::scoped_lock lock(mutex_);
  ClStatus status = setArguments(options, arguments);
  if (status == 0) status = context_.tellMemory(kernel_, knownMemory_);
  if (status != 0) return status;
  return context_.enqueue(queue, [&](ClQueue target) {
    return context_.cl().EnqueueNDRangeKernel(target, kernel_, dimensions, nullptr, global.data(), local.data(), 0,
                                              nullptr, nullptr);
  });
}

}  // namespace lathe::detail
