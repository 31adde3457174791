// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public RawKernel: checks that hold for every runtime, then one call into it.
#include <lathe/runtime/kernel.h>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "runtimes/api/capture.h"
#include "runtimes/api/launches.h"
#include "runtimes/common/driver.h"
#include "runtimes/common/promises.h"

namespace lathe {
namespace {

Result<void> checkCount(const EntryPoint& entry, std::span<const void* const> arguments) {
  if (arguments.size() == entry.parameters.size()) return {};
  return Error{.code = ErrorCode::ArgumentMismatch,
               .message = fmt::format("kernel '{}': {} arguments were given for {} parameters", entry.name,
                                      arguments.size(), entry.parameters.size())};
}

Error invalidLaunch(const EntryPoint& entry, std::string_view why) {
  return {.code = ErrorCode::LaunchInvalid, .message = fmt::format("kernel '{}': {}", entry.name, why)};
}

}  // namespace

Result<void> detail::checkRequest(const LoadedKernel& kernel, const LaunchOptions& options,
                                  std::span<const void* const> arguments) {
  const EntryPoint& entry = kernel.entry();
  if (auto counted = checkCount(entry, arguments); !counted) return counted;
  if (auto possible = checkLaunch(entry, kernel.limits(), options); !possible) return possible;
  return kernel.hasPromises() ? checkArguments(entry, arguments) : Result<void>();
}

const EntryPoint& RawKernel::entry() const noexcept {
  return kernel_->entry();
}

Result<void> RawKernel::launch(const LaunchOptions& options, std::span<const void* const> arguments) const {
  if (auto possible = detail::checkRequest(*kernel_, options, arguments); !possible) return possible;
  if (!options.stream) return kernel_->launch(options, nullptr, arguments);
  Stream& stream = *options.stream;
  if (stream.driver_.get() != &kernel_->device())
    return invalidLaunch(entry(),
                         "the stream belongs to another device; create it from the device the module was loaded on");
  if (stream.capture_) {
    if (auto* const graph = stream.capture_->recorded()) return graph->addKernel({}, kernel_, options, arguments);
    stream.capture_->keep(kernel_);
  }
  return kernel_->launch(options, stream.stream_.get(), arguments);
}

Result<Job> RawKernel::specialised(Job job, const LaunchOptions& options,
                                   std::span<const void* const> arguments) const {
  const EntryPoint& entry = kernel_->entry();
  if (auto counted = checkCount(entry, arguments); !counted) return std::move(counted).error();
  job.entries = {entry.name};
  job.options.launchBounds.groupSize = {options.group.x, options.group.y, options.group.z};
  job.options.promises = detail::promisesOf(entry, arguments, std::move(job.options.promises));
  return job;
}

Result<ResourceUse> RawKernel::resources() const {
  return kernel_->resources();
}

CodeArchitectures RawKernel::architectures() const noexcept {
  return kernel_->architectures();
}

std::uint32_t RawKernel::maxItemsPerGroup() const noexcept {
  return kernel_->limits().maxItems;
}

Result<std::uint32_t> RawKernel::groupsAtOnce(std::uint32_t groupItems, std::uint32_t dynamicSharedBytes) const {
  const LaunchOptions options{.group = {groupItems}, .dynamicSharedBytes = dynamicSharedBytes};
  if (auto possible = detail::checkLaunch(entry(), kernel_->limits(), options); !possible)
    return std::move(possible).error();
  return kernel_->groupsAtOnce(groupItems, dynamicSharedBytes);
}

Result<LaunchOptions> RawKernel::optionsFor(
    std::uint64_t items, const std::function<std::uint32_t(std::uint32_t groupItems)>& dynamicShared) const {
  if (items == 0) return invalidLaunch(entry(), "a launch over 0 items has no groups");
  LaunchOptions out;
  std::uint32_t size = 0;
  if (!dynamicShared) size = kernel_->chosenSize().load(std::memory_order_relaxed);
  if (const auto& fixed = entry().bounds.groupSize; fixed[0] != 0) {
    size = fixed[0];
    out.group = {fixed[0], fixed[1], fixed[2]};
  }
  if (size == 0) {
    auto best = detail::bestGroupSize(*kernel_, dynamicShared);
    if (!best) return std::move(best).error();
    size = *best;
    if (!dynamicShared) kernel_->chosenSize().store(size, std::memory_order_relaxed);
  }
  const std::uint64_t groups = (items - 1) / size + 1;
  if (groups > std::numeric_limits<std::uint32_t>::max())
    return invalidLaunch(entry(), fmt::format("{} items are more than one grid has; use several launches", items));
  out.grid.x = static_cast<std::uint32_t>(groups);
  out.group.x = size;
  if (dynamicShared) out.dynamicSharedBytes = dynamicShared(size);
  return out;
}

Result<std::uint32_t> detail::bestGroupSize(const LoadedKernel& kernel,
                                            const std::function<std::uint32_t(std::uint32_t)>& dynamicShared) {
  // Groups of fewer items leave subgroups' schedulers idle at the end of each, and larger ones keep more of a
  // multiprocessor waiting at barriers.
  constexpr std::uint32_t preferred = 128;
  const LaunchLimits& limits = kernel.limits();
  const std::uint32_t step = std::max(kernel.device().info().subgroupSize, 1U);
  const std::uint32_t most = std::min(limits.maxItems, limits.maxGroup.x);
  std::uint32_t best = 0;
  std::uint64_t bestItems = 0;
  for (std::uint32_t size = std::max(most / step, 1U) * std::min(step, most); size != 0;
       size = size > step ? size - step : 0) {
    const std::uint32_t bytes = dynamicShared ? dynamicShared(size) : 0;
    if (std::uint64_t{limits.sharedBytes} + bytes > limits.maxSharedBytes) continue;
    auto groups = kernel.groupsAtOnce(size, bytes);
    // A runtime that does not tell runs a group of the preferred size as well as any.
    if (!groups && groups.error().code == ErrorCode::Unsupported) return std::min(std::max(preferred, step), most);
    if (!groups) return std::move(groups).error();
    const std::uint64_t items = std::uint64_t{*groups} * size;
    if (items > bestItems || (items == bestItems && size >= preferred)) {
      best = size;
      bestItems = items;
    }
  }
  if (best == 0) return invalidLaunch(kernel.entry(), "no group size fits the shared memory that it is said to need");
  return best;
}

}  // namespace lathe
