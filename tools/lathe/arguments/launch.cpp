// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory for arrays, the argument pointers, and launches timed by the device's own clock.
#include "tools/lathe/arguments/launch.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace lathe::tool {
namespace {

/// The device side of the arguments.
class DeviceArguments {
 public:
  Result<void> allocate(const Device& device, std::vector<Argument>& arguments) {
    for (Argument& argument : arguments) {
      memory_.emplace_back();
      pointers_.push_back(argument.value.data());
      // A pointer to no elements stays null: there is nothing to read there.
      if (!argument.array || argument.array->bytes.empty()) continue;
      auto memory = device.allocateBytes(argument.array->bytes.size());
      if (!memory) return std::move(memory).error();
      memory_.back() = *std::move(memory);
      void* const address = memory_.back().address();
      std::memcpy(argument.value.data(), &address, sizeof address);
    }
    return {};
  }

  Result<void> upload(const std::vector<Argument>& arguments) {
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      if (memory_[i].bytes() == 0) continue;
      if (auto done = memory_[i].upload(arguments[i].array->bytes.data(), memory_[i].bytes()); !done) return done;
    }
    return {};
  }

  Result<void> download(std::size_t index, Array& to) const {
    return memory_[index].bytes() == 0 ? Result<void>() : memory_[index].download(to.bytes.data(), to.bytes.size());
  }

  [[nodiscard]] std::span<const void* const> pointers() const { return pointers_; }

 private:
  std::vector<Memory> memory_;
  std::vector<const void*> pointers_;
};

Result<double> timedLaunch(const RawKernel& kernel, const LaunchOptions& options,
                           std::span<const void* const> pointers) {
  if (auto done = options.stream->recordStart(); !done) return std::move(done).error();
  if (auto done = kernel.launch(options, pointers); !done) return std::move(done).error();
  auto time = options.stream->elapsedSinceStart();
  if (auto done = options.stream->synchronize(); !done) return std::move(done).error();  // what the kernel reported
  return time;
}

}  // namespace

Result<Device> openLaunchDevice(const std::string& runtime, const std::string& target, int index) {
  auto device = Device::open(runtime, index);
  if (device || device.error().code != ErrorCode::InvalidArgument) return device;
  // The runtime may be there, and something that it was told be wrong.
  const auto runtimes = Device::runtimes();
  if (std::ranges::find(runtimes, runtime) != runtimes.end()) return device;
  return Error{ErrorCode::Unsupported,
               fmt::format("{}: no runtime here launches this target's code; choose a target of {}", target,
                           fmt::join(runtimes, ", "))};
}

Result<LaunchTimes> launch(const Device& device, const RawKernel& kernel, const LaunchPlan& plan,
                           std::vector<Argument>& arguments, std::span<const std::size_t> outputs) {
  for (const std::size_t index : outputs)
    if (!arguments[index].array)
      return Error{ErrorCode::InvalidArgument,
                   fmt::format("argument {}: is no array, so there is nothing to copy back", index)};
  if (plan.stackBytes != 0)
    if (auto set = device.setLimit(DeviceLimit::stackBytes, plan.stackBytes); !set) return std::move(set).error();
  DeviceArguments onDevice;
  if (auto done = onDevice.allocate(device, arguments); !done) return std::move(done).error();
  if (auto done = onDevice.upload(arguments); !done) return std::move(done).error();
  auto stream = device.createStream();
  if (!stream) return std::move(stream).error();
  LaunchOptions options = plan.options;
  options.stream = &*stream;
  auto first = timedLaunch(kernel, options, onDevice.pointers());
  if (!first) return std::move(first).error();
  LaunchTimes times{*first, {}};
  // Results go aside until the inputs have been uploaded again.
  std::vector<Array> results;
  for (const std::size_t index : outputs)
    if (auto done = onDevice.download(index, results.emplace_back(*arguments[index].array)); !done)
      return std::move(done).error();
  if (plan.repeat > 0)
    if (auto done = onDevice.upload(arguments); !done) return std::move(done).error();
  for (unsigned i = 0; i < plan.repeat; ++i) {
    auto time = timedLaunch(kernel, options, onDevice.pointers());
    if (!time) return std::move(time).error();
    times.repeats.push_back(*time);
  }
  std::sort(times.repeats.begin(), times.repeats.end());
  for (std::size_t i = 0; i < outputs.size(); ++i) arguments[outputs[i]].array = std::move(results[i]);
  return times;
}

double medianOf(const std::vector<double>& sorted) {
  return sorted.empty() ? 0 : sorted[(sorted.size() - 1) / 2];
}

}  // namespace lathe::tool
