// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/opencl/opencl_kernel.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "runtimes/common/kernel_state.h"
#include "runtimes/opencl/opencl_devices.h"
#include "runtimes/opencl/opencl_subgroups.h"

namespace lathe::detail {

OpenClKernel::OpenClKernel(OpenClContext& context, ClKernel kernel, const EntryPoint& entry)
    : context_(context), kernel_(kernel), dynamicShared_(entry.dynamicShared) {
  for (const auto* const list : {&entry.parameters, &entry.hidden}) {
    for (const Parameter& parameter : *list) {
      const bool address = parameter.byReference || parameter.type.kind == TypeKind::pointer;
      arguments_.push_back({address, address ? sizeof(void*) : std::size_t{parameter.type.size}});
    }
  }
  oneRow_ = std::ranges::any_of(entry.hidden, isGroupShape);
}

std::unique_ptr<OpenClKernel> OpenClKernel::create(const OpenClProgram& program, const EntryPoint& entry,
                                                   const char* symbol, ClStatus& status) {
  const ClKernel kernel = program.context.cl().CreateKernel(program.program, symbol, &status);
  if (status != 0) return nullptr;
  std::unique_ptr<OpenClKernel> out(new OpenClKernel(program.context, kernel, entry));
  const OpenClDevice& device = program.context.device();
  // Of a kernel that could not ask for the size, the compiler chose it.
  if (program.subgroup == 0 || !device.subgroupQuery) return out;
  const std::size_t got = subgroupItemsOf(device.subgroupQuery, kernel, device.device, program.subgroup);
  if (got == 0 || got == program.subgroup) return out;
  status = ClError::noSubgroupSize;
  return nullptr;
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

ClStatus OpenClKernel::set(std::uint32_t index, const Argument& argument, const void* value) const {
  if (!argument.isAddress) return context_.cl().SetKernelArg(kernel_, index, argument.bytes, value);
  void* address = nullptr;
  std::memcpy(&address, value, sizeof(address));
  return context_.cl().SetKernelArgSVMPointer(kernel_, index, address);
}

ClStatus OpenClKernel::setArguments(const LaunchOptions& options, const void* const* arguments) {
  // What an address means to the library may have changed with the memory.
  const std::uint64_t memory = context_.memoryState();
  const bool sameMemory = std::exchange(argumentsMemory_, 0) == memory;
  std::uint32_t index = 0;
  for (Argument& argument : arguments_) {
    const void* const value = arguments[index];
    const bool mayKeep = sameMemory || !argument.isAddress;
    if (!mayKeep || argument.set.empty() || std::memcmp(argument.set.data(), value, argument.bytes) != 0) {
      argument.set.clear();
      if (const ClStatus status = set(index, argument, value); status != 0) return status;
      const auto* const bytes = static_cast<const std::byte*>(value);
      argument.set.assign(bytes, bytes + argument.bytes);
    }
    ++index;
  }
  argumentsMemory_ = memory;
  if (!dynamicShared_) return 0;
  // OpenCL allows no array of no bytes.
  const std::size_t shared = std::max<std::size_t>(options.dynamicSharedBytes, 1);
  if (shared == sharedBytes_) return 0;
  const ClStatus status = context_.cl().SetKernelArg(kernel_, index, shared, nullptr);
  sharedBytes_ = status == 0 ? shared : 0;
  return status;
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
