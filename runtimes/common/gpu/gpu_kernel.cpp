// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules and kernels of the GPU runtimes.
#include "runtimes/common/gpu/gpu_kernel.h"

#include <fmt/format.h>

#include "runtimes/common/gpu/gpu_stream.h"

namespace lathe::detail {

GpuKernel::GpuKernel(const EntryPoint& entry, const LaunchLimits& limits, const GpuFunctionFacts& facts,
                     std::size_t heapBytes, std::shared_ptr<const GpuModule> module, GpuFunction function,
                     Coarse coarse)
    : LoadedKernel(entry, limits),
      facts_(facts),
      module_(std::move(module)),
      device_(module_->device()),
      function_(std::move(function)),
      coarse_(std::move(coarse)),
      leastItems_(entry.coarse.leastItems * std::max(device_.info().multiprocessors, 1U)),
      heapBytes_(heapBytes),
      takesReferences_(std::ranges::any_of(entry.parameters, &Parameter::byReference)) {
  const std::uint32_t plain = device_.api().plainSharedBytes();
  waitsForGrid_ = wantsOfState(entry, "grid");
  if (entry.abi == EntryAbi::state) number_ = device_.states().kernels().numberOf(entry.name);
  allowed_ = plain - std::min(plain, limits.sharedBytes);
}

Result<void> GpuKernel::launch(const LaunchOptions& options, StreamDriver* stream,
                               std::span<const void* const> arguments) const {
  const auto* const own = static_cast<const GpuStream*>(stream);
  GpuQueueState& state = own ? own->state() : device_.states().defaultQueue();
  const auto captured = own ? own->captured() : nullptr;
  if (captured) {
    if (auto possible = checkNode(); !possible) return possible;
  }
  const Handle native = own ? own->nativeHandle() : nullptr;
  const auto launchOn = [&](Handle function, const LaunchOptions& launched, const void* const* all) {
    return device_.api().launch(function, launched, native, all);
  };
  return named(device_.in("launching a kernel", [&] {
    if (captured) {
      captured->keep(module_);
      return submitNode(*captured, options, arguments, launchOn);
    }
    const auto queue = [&](std::span<const void* const> passed) {
      return submit(options, state, /*counts=*/true, passed, launchOn);
    };
    if (!takesReferences_) return queue(arguments);
    return state.parameters().launch(device_.api(), native, entry(), arguments, queue);
  }));
}

Result<void> GpuKernel::checkNode() const {
  if (!takesReferences_) return {};
  const auto large = std::ranges::find_if(entry().parameters, &Parameter::byReference);
  return Error{.code = ErrorCode::Unsupported,
               .message = fmt::format("kernel '{}': parameter '{}' of {} bytes is copied to device memory by each "
                                      "launch, which a launch in a graph cannot do",
                                      entry().name, large->name, large->type.size),
               .hint = "put the value into device memory, and pass the kernel a pointer to it",
               .target = device_.info().runtime};
}

Result<void> GpuKernel::named(Result<void> queued) const {
  if (!queued) {
    Error& error = queued.error();
    error.message = fmt::format("kernel '{}': {}", entry().name, error.message);
    if (error.code == ErrorCode::DriverError) error.code = ErrorCode::LaunchFailed;
  }
  return queued;
}

Result<ResourceUse> GpuKernel::resources() const {
  ResourceUse out = entry().resources;
  out.registers = facts_.registers;
  out.sharedBytes = facts_.sharedBytes;
  out.localBytes = facts_.localBytes;
  out.constantBytes = facts_.constantBytes;
  return out;
}

Result<std::uint32_t> GpuKernel::groupsAtOnce(std::uint32_t groupItems, std::uint32_t dynamicSharedBytes) const {
  int out = 0;
  auto asked = device_.in("asking how many groups run at once", [&] {
    // The driver counts no more than the function may have.
    if (const Status status = allowShared(dynamicSharedBytes); status != 0) return status;
    return device_.api().groupsAtOnce(out, function_.handle(), groupItems, dynamicSharedBytes);
  });
  if (!asked) return std::move(asked).error();
  return static_cast<std::uint32_t>(out);
}

LaunchOptions GpuKernel::asDriverTakes(LaunchOptions options, const ClusterBounds& bounds) {
  if (bounds.size[0] == 0) return options;
  options.cluster = {};
  if (bounds.countsClusters)
    options.grid = {options.grid.x / bounds.size[0], options.grid.y / bounds.size[1], options.grid.z / bounds.size[2]};
  return options;
}

GpuApi::Status GpuKernel::allowShared(std::uint32_t bytes) const {
  if (bytes <= allowed_.load(std::memory_order_relaxed)) return 0;
  const std::uint32_t most = limits().maxSharedBytes - limits().sharedBytes;
  const Status status = device_.api().allowDynamicShared(function_.handle(), most);
  if (status == 0) allowed_.store(most, std::memory_order_relaxed);
  return status;
}

bool GpuKernel::isCoarse(const LaunchOptions& options) const {
  if (!coarse_.function.handle() || options.cooperative || options.cluster != Extent3{} ||
      options.dynamicSharedBytes != 0)
    return false;
  return options.grid.x >= entry().coarse.groups && options.group.count() <= coarse_.maxItems &&
         options.grid.count() * options.group.count() >= leastItems_;
}

void GpuKernel::addHidden(AllArguments& all, const LaunchOptions& options, const std::uint64_t& shape,
                          const void* state) const {
  const void* const size = &options.dynamicSharedBytes;
  for (const Parameter& one : entry().hidden) all.add(isState(one) ? state : isGroupShape(one) ? &shape : size);
}

Result<std::pair<void*, std::size_t>> GpuModule::global(const GlobalVariable& global) {
  std::pair<void*, std::size_t> out;
  auto found = device_->in("finding a variable", [&] {
    return device_->api().findGlobal(out.first, out.second, module_, global.symbol.c_str());
  });
  if (!found) return std::move(found).error();
  return out;
}

Result<std::shared_ptr<LoadedKernel>> GpuModule::kernel(const EntryPoint& entry) {
  GpuFunction function;
  GpuKernel::Coarse coarse;
  GpuFunctionFacts facts;
  const GpuApi& api = device_->api();
  auto found = device_->in(fmt::format("finding kernel '{}'", entry.name), [&] {
    GpuApi::Status status = function.find(api, module_, entry, entry.symbol);
    if (status == 0) status = api.functionFacts(facts, function.handle());
    if (status != 0 || entry.coarse.groups == 0) return status;
    GpuFunctionFacts ofCoarse;
    status = coarse.function.find(api, module_, entry, entry.coarse.symbol);
    if (status == 0) status = api.functionFacts(ofCoarse, coarse.function.handle());
    coarse.maxItems = static_cast<std::uint32_t>(ofCoarse.maxItems);
    return status;
  });
  if (!found) return std::move(found).error();
  LaunchLimits limits = limitsOf(device_->info(), entry);
  limits.sharedBytes = static_cast<std::uint32_t>(facts.sharedBytes);
  limits.maxItems = std::min(limits.maxItems, static_cast<std::uint32_t>(facts.maxItems));
  std::size_t heapBytes = 0;
  if (wantsOfState(entry, "heap")) {
    auto bytes = GpuHeap::bytes();
    if (!bytes) return std::move(bytes).error();
    heapBytes = *bytes;
  }
  auto self = std::static_pointer_cast<const GpuModule>(shared_from_this());
  return std::shared_ptr<LoadedKernel>(std::make_shared<GpuKernel>(entry, limits, facts, heapBytes, std::move(self),
                                                                   std::move(function), std::move(coarse)));
}

}  // namespace lathe::detail
