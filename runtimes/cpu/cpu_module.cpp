// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binding and launching host kernels.
#include "runtimes/cpu/cpu_module.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <map>
#include <new>

#include <fmt/format.h>

#include "runtimes/common/kernel_state.h"
#include "runtimes/common/launch_check.h"
#include "runtimes/cpu/cpu_stream.h"
#include "runtimes/cpu/own_of_thread.h"

namespace lathe::detail {
namespace {

std::size_t atLeastZero(std::int64_t value) {
  return value < 0 ? 0 : static_cast<std::size_t>(value);
}

std::size_t roundUp(std::size_t value) {
  return (value + abi::groupBlockAlign - 1) / abi::groupBlockAlign * abi::groupBlockAlign;
}

/// An image is only bytes from somewhere: what the launch path relies on is checked when a kernel is bound.
Result<void> checkLayout(const EntryPoint& entry) {
  const auto broken = [&](std::string_view what) {
    return Error{.code = ErrorCode::ImageCorrupt,
                 .message = fmt::format("image: kernel '{}': {}", entry.name, what),
                 .target = "cpu"};
  };
  constexpr std::uint64_t most = 1 << 20;
  if (entry.parameterBytes > most || entry.parameterAlign > 4096 || !std::has_single_bit(entry.parameterAlign))
    return broken("its parameter block makes no sense");
  for (const auto* list : {&entry.parameters, &entry.hidden}) {
    for (const Parameter& parameter : *list) {
      if (parameter.byReference) return broken(fmt::format("parameter '{}' is passed by reference", parameter.name));
      if (parameter.offset > entry.parameterBytes || parameter.type.size > entry.parameterBytes - parameter.offset) {
        return broken(fmt::format("parameter '{}' lies outside of the parameter block", parameter.name));
      }
    }
  }
  // 1 MiB an item is beyond any compiler; the product with the largest group then fits well into 64 bits.
  if (entry.resources.contextBytes > static_cast<std::int64_t>(most))
    return broken("it keeps too much across barriers");
  return {};
}

}  // namespace

LaunchLimits limitsOfGroupEntry(const DeviceInfo& device, const EntryPoint& entry) {
  LaunchLimits out = limitsOf(device, entry);
  out.maxItemsAlongAxis = abi::maxGridItems - 1;
  return out;
}

Result<std::shared_ptr<LoadedKernel>> CpuModule::kernel(const EntryPoint& entry) {
  auto made = cpuKernel(entry);
  if (!made) return std::move(made).error();
  return std::shared_ptr<LoadedKernel>(*std::move(made));
}

Result<std::shared_ptr<CpuKernel>> CpuModule::cpuKernel(const EntryPoint& entry) const {
  if (auto sound = checkLayout(entry); !sound) return std::move(sound).error();
  void* const code = object_->function(entry.symbol);
  if (!code) {
    return Error{.code = ErrorCode::ImageCorrupt,
                 .message = fmt::format("image: kernel '{}': its code has no function '{}'", entry.name, entry.symbol),
                 .target = "cpu"};
  }
  auto self = std::static_pointer_cast<const CpuModule>(shared_from_this());
  return std::make_shared<CpuKernel>(entry, std::move(self), reinterpret_cast<abi::GroupEntry>(code));
}

Result<std::pair<void*, std::size_t>> CpuModule::global(const GlobalVariable& global) {
  const auto found = object_->variable(global.symbol);
  if (found.first) return found;
  return Error{.code = ErrorCode::ImageCorrupt,
               .message = fmt::format("image: variable '{}': its code has no symbol '{}'", global.name, global.symbol),
               .target = "cpu"};
}

namespace {

/// What launches of a thread use one after another.
struct ThreadMemory {
  GrowingBlock parameters;
  GrowingBlock block;  ///< of the state
  StateMemory state;
};

/// The thread's state memory; kept from launch to launch, freed with the thread.
StateMemory threadState() noexcept {
  auto* const own = ownOfThread<ThreadMemory>();
  if (!own) return {};
  if (!own->state.exists()) {
    own->state = StateMemory(own->block.require(stateBytes));
    if (own->state.exists()) own->state.initialise();
  }
  return own->state;
}

}  // namespace

bool CpuKernel::pack(std::span<const void* const> arguments, GrowingBlock& block) const noexcept {
  const auto& parameters = entry().parameters;
  std::byte* const to = block.require(static_cast<std::size_t>(entry().parameterBytes));
  if (!to && entry().parameterBytes != 0) return false;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    std::memcpy(to + parameters[i].offset, arguments[i], static_cast<std::size_t>(parameters[i].type.size));
  return true;
}

Result<void> CpuKernel::run(const LaunchOptions& options, GrowingBlock& parameters) const {
  DeviceLaunches launches;
  if (auto done = runAlone(options, parameters, launches); !done || launches.empty()) return done;
  try {
    return module_->runLaunched(launches.take());
  } catch (const std::bad_alloc&) {
    return outOfMemory();
  }
}

Result<void> CpuModule::runLaunched(std::vector<DeviceLaunch> launches) const {
  std::map<void*, std::shared_ptr<CpuKernel>> kernels;
  // The next one is the last. What a grid launches runs before what its own grid launched after it.
  std::ranges::reverse(launches);
  GrowingBlock parameters;
  while (!launches.empty()) {
    const DeviceLaunch next = std::move(launches.back());
    launches.pop_back();
    std::shared_ptr<CpuKernel>& kernel = kernels[next.code];
    if (!kernel) {
      const auto& entries = image().info().entries;
      const auto entry = std::ranges::find_if(
          entries, [&](const EntryPoint& one) { return object_->function(one.symbol) == next.code; });
      if (entry == entries.end()) {
        return Error{.code = ErrorCode::LaunchFailed,
                     .message = "a kernel launched what is no kernel of its image",
                     .target = "cpu"};
      }
      auto made = cpuKernel(*entry);
      if (!made) return std::move(made).error();
      kernel = *std::move(made);
    }
    const LaunchOptions options{.grid = next.grid, .group = next.group, .dynamicSharedBytes = next.dynamicSharedBytes};
    const EntryPoint& entry = kernel->entry();
    if (auto fits = checkLaunch(entry, kernel->limits(), options); !fits) return fits;
    const auto bytes = static_cast<std::size_t>(entry.parameterBytes);
    std::byte* const to = parameters.require(bytes);
    if (!to && bytes != 0) return kernel->outOfMemory();
    if (to) std::memcpy(to, next.arguments.data(), std::min(bytes, next.arguments.size()));
    DeviceLaunches more;
    if (auto done = kernel->runAlone(options, parameters, more); !done) return done;
    std::vector<DeviceLaunch> inner = more.take();
    std::move(inner.rbegin(), inner.rend(), std::back_inserter(launches));
  }
  return {};
}

Result<void> CpuKernel::runAlone(const LaunchOptions& options, GrowingBlock& parameters,
                                 DeviceLaunches& launches) const {
  const ResourceUse& use = entry().resources;
  Grid grid{.entry = code_,
            .parameters = parameters.require(static_cast<std::size_t>(entry().parameterBytes)),
            .groups = options.grid,
            .items = options.group,
            .dynamicSharedBytes = options.dynamicSharedBytes,
            .together = options.cooperative};
  grid.sharedBytes = roundUp(limits().sharedBytes) + options.dynamicSharedBytes;
  grid.contextBytes = atLeastZero(use.contextBytes) * static_cast<std::size_t>(abi::paddedItems(options.group.count()));
  PrintOutput& output = module_->device().printOutput();
  const DeviceBuffers& buffers = module_->device().buffers();
  const auto hidden = std::ranges::find_if(entry().hidden, isState);
  if (hidden == entry().hidden.end()) {
    abi::ExceptionRecord exception;
    return finish(grid, HostLaunch(entry().name, exception, output, buffers, launches));
  }
  StateMemory state = threadState();
  if (!state.exists()) return outOfMemory();
  const HiddenArgument argument = hiddenArgument(*hidden, {&state.exception(), &state.print(), 0, nullptr, nullptr});
  std::memcpy(static_cast<std::byte*>(const_cast<void*>(grid.parameters)) + hidden->offset, argument.bytes.data(),
              static_cast<std::size_t>(hidden->type.size));
  auto done = finish(grid, HostLaunch(entry().name, state.exception(), output, buffers, launches));
  state.drainPrints(output);
  return done;
}

Result<void> CpuKernel::finish(const Grid& grid, HostLaunch launch) const {
  if (!runGrid(module_->device().scheduler(), grid, cost_, launch) || launch.lackedMemory()) return outOfMemory();
  const bool failed = launch.exception().claimed != 0;
  if (launch.findings().empty()) return failed ? errorOf(launch.exception(), entry().name, "cpu") : Result<void>();
  Error out = launch.findings().error(entry().name);
  if (!failed) return out;
  // A failed assertion is often what a finding leads to.
  const Error failure = errorOf(launch.exception(), entry().name, "cpu");
  out.diagnostics.push_back({.code = failure.code, .message = failure.message, .location = failure.location});
  return out;
}

Error CpuKernel::outOfMemory() const {
  return {.code = ErrorCode::OutOfHostMemory,
          .message =
              fmt::format("kernel '{}': no memory is left for what its groups keep; use smaller groups", entry().name),
          .target = "cpu"};
}

Result<void> CpuKernel::launch(const LaunchOptions& options, StreamDriver* stream,
                               std::span<const void* const> arguments) const {
  if (options.cooperative && options.grid.count() > mostTogether) {
    return Error{
        .code = ErrorCode::LaunchFailed,
        .message = fmt::format("kernel '{}': a cooperative grid of {} groups is larger than {}, the most whose "
                               "groups run at once here",
                               entry().name, options.grid.count(), mostTogether),
        .hint = "launch fewer groups, and let each do the work of several",
        .target = "cpu"};
  }
  if (stream) return static_cast<CpuStream*>(stream)->queue().push(shared_from_this(), options, arguments);
  auto* const own = ownOfThread<ThreadMemory>();
  if (!own || !pack(arguments, own->parameters)) return outOfMemory();
  module_->device().drainStreams();
  return run(options, own->parameters);
}

}  // namespace lathe::detail
