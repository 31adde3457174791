// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The "cpu" runtime: one device, the host.
#include "runtimes/cpu/cpu_device.h"

#include <sched.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <new>
#include <string_view>

#include <fmt/format.h>

#include "core/group/entry/group_entry.h"
#include "runtimes/common/registry.h"
#include "runtimes/cpu/cpu_features.h"
#include "runtimes/cpu/cpu_module.h"
#include "runtimes/cpu/cpu_stream.h"
#include "runtimes/cpu/host/stall_report.h"
#include "runtimes/cpu/loader/imports.h"

namespace lathe::detail {
namespace {

constexpr std::align_val_t memoryAlign{64};

/// The processor's name: "AMD EPYC 9654 96-Core Processor".
std::string processorName() {
#if defined(__x86_64__)
  // It says so itself ("Processor Brand String" in Intel's manual), as all of 64 bits do; for /proc/cpuinfo the kernel
  // asks every core.
  constexpr unsigned firstLeaf = 0x80000002, words = 4;
  std::array<unsigned, 3 * words> brand{};
  for (unsigned i = 0; i < brand.size(); i += words)
    __cpuid(firstLeaf + i / words, brand[i], brand[i + 1], brand[i + 2], brand[i + 3]);
  std::string_view name(reinterpret_cast<const char*>(brand.data()), sizeof(brand));
  name = name.substr(0, name.find('\0'));
  name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
  name = name.substr(0, name.find_last_not_of(' ') + 1);
  if (!name.empty()) return std::string(name);
#endif
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "host processor";
}

/// Cores this process may use, which in a container are fewer than the machine has.
std::uint32_t usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&set)));
}

std::uint64_t installedMemory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 0;
}

DeviceInfo describeHost(const GroupScheduler& scheduler) {
  DeviceInfo out;
  out.name = processorName();
  out.runtime = "cpu";
  out.arch = "native";
  out.memoryBytes = installedMemory();
  out.multiprocessors = usableCores();
  out.gridBarriers = true;
  out.subgroupSize = 32;  // target cpu's, as on GPUs; other descriptors may choose another size
  // The limits are choices, not facts: what an item keeps across barriers is multiplied by the group's size, and shared
  // memory is meant to stay in a core's second-level cache.
  out.maxItemsPerGroup = 4096;  // targets/cpu/cpu.yaml: subgroup_group_items
  out.maxGroup = {4096, 4096, 4096};
  out.maxGrid = {0x7fffffff, 65535, 65535};
  out.maxSharedBytes = 1 << 20;
  out.driverVersion = scheduler.description();
  return out;
}

Result<int> deviceCount() {
  return 1;
}

/// The scheduler that LATHE_CPU_SCHEDULER names. Like the threads it stands for, it serves until the process ends.
Result<const GroupScheduler*> chosenScheduler() {
  static constexpr const char* variable = "LATHE_CPU_SCHEDULER";
  static std::mutex mutex;
  // Never destroyed: threads may still launch while the process's statics go.
  static auto& made = *new std::map<std::string_view, std::unique_ptr<const GroupScheduler>>;
  const auto kinds = schedulerKinds();
  const char* const value = std::getenv(variable);
  const std::string_view name = value && *value ? value : kinds.front().name;
  const auto kind = std::ranges::find(kinds, name, &SchedulerKind::name);
  if (kind == kinds.end()) {
    std::string names;
    for (const SchedulerKind& known : kinds) names += fmt::format("{}'{}'", names.empty() ? "" : " or ", known.name);
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("cpu: {} is '{}'; in this build it can be {}", variable, name, names),
                 .hint = fmt::format("unset {} or set it to one of these", variable),
                 .target = "cpu"};
  }
  const std::scoped_lock lock(mutex);
  auto& out = made[kind->name];
  if (!out) out = kind->make();
  return out.get();
}

Result<std::shared_ptr<DeviceDriver>> open(int) {
  if (auto sound = stall::checkVariable(); !sound) return std::move(sound).error();
  auto scheduler = chosenScheduler();
  if (!scheduler) return std::move(scheduler).error();
  return std::shared_ptr<DeviceDriver>(std::make_shared<CpuDevice>(describeHost(**scheduler), **scheduler));
}

}  // namespace

const Runtime& cpuRuntime() {
  static constexpr Runtime runtime{.name = "cpu", .deviceCount = deviceCount, .open = open};
  return runtime;
}

template <class Visit>
void CpuDevice::forStreams(const Visit& visit) const {
  // One at a time and outside the lock: launches come by here and may not allocate.
  for (std::size_t i = 0; i < queueCount_.load(std::memory_order_acquire); ++i) {
    std::shared_ptr<WorkQueue> queue;
    {
      const std::scoped_lock lock(mutex_);
      queue = queues_[i].lock();
    }
    if (queue) visit(*queue);
  }
}

void CpuDevice::drainStreams() const {
  forStreams([](WorkQueue& queue) { queue.wait(); });
}

Result<void> CpuDevice::finishStreams() const {
  Result<void> out;
  forStreams([&](WorkQueue& queue) {
    auto done = queue.synchronize();
    if (!done && out) out = std::move(done);
  });
  return out;
}

std::size_t CpuDevice::preference(const FatImageEntry& entry) const {
  return presentFeatures(entry.features);
}

Result<std::shared_ptr<LoadedModule>> CpuDevice::load(const Image& image) {
  return loadWith(image, HostSymbols());
}

Result<std::shared_ptr<LoadedModule>> CpuDevice::loadWith(const Image& image, const HostSymbols& symbols) {
  if (const auto missing = missingFeatures(image.info()); !missing.empty()) {
    return Error{.code = ErrorCode::IncompatibleDevice,
                 .message = fmt::format(
                     "image: it needs '{}', which this processor ({}) does not have; compile it for arch 'native' here",
                     fmt::join(missing, "', '"), info().name),
                 .target = "cpu"};
  }
  if (std::ranges::find(image.info().requires_, abi::groupEntryRequirement) == image.info().requires_.end()) {
    return Error{
        .code = ErrorCode::IncompatibleDevice,
        .message = fmt::format("image: it was compiled by a version of lathe whose kernels are called in another "
                               "way than '{}'; compile it again",
                               abi::groupEntryRequirement),
        .target = "cpu"};
  }
  // An image of a target for linkers may hold several forms of the same code.
  const Code* const relocatable = image.find("elf") ? image.find("elf") : image.find("object");
  const Code* const shared = relocatable ? nullptr : image.find("shared");
  const Code* const code = shared ? shared : relocatable;
  if (!code)
    return Error{.code = ErrorCode::IncompatibleDevice,
                 .message = "image: it holds no object, relocatable or shared, which is what the cpu runs",
                 .target = "cpu"};
  if (shared && !symbols.empty())
    return Error{.code = ErrorCode::Unsupported,
                 .message = "object: a shared object takes what it imports from the process, by the system's loader",
                 .hint = "load the relocatable object (--emit object) to give it addresses",
                 .target = "cpu"};
  if (!shared) {
    if (auto fits = checkImports(image.info().imports, symbols); !fits) return std::move(fits).error();
  }
  auto object = shared ? LoadedObject::loadShared(code->bytes) : LoadedObject::load(code->bytes, symbols);
  if (!object) return std::move(object).error();
  auto self = std::static_pointer_cast<const CpuDevice>(shared_from_this());
  return std::shared_ptr<LoadedModule>(std::make_shared<CpuModule>(image, std::move(self), *std::move(object)));
}

Result<void*> CpuDevice::allocate(std::size_t bytes) {
  // The kernel would promise more than there is, and end the process when it is used.
  void* const out = bytes <= info().memoryBytes ? ::operator new(bytes, memoryAlign, std::nothrow) : nullptr;
  if (out && buffers_.add(out, bytes)) return out;
  ::operator delete(out, memoryAlign);
  return Error{
      .code = ErrorCode::OutOfDeviceMemory,
      .message = fmt::format("cpu: {} bytes cannot be allocated; the machine has {}", bytes, info().memoryBytes),
      .target = "cpu"};
}

void CpuDevice::free(void* address) noexcept {
  drainStreams();
  buffers_.remove(address);
  ::operator delete(address, memoryAlign);
}

Result<void> CpuDevice::upload(void* to, const void* from, std::size_t bytes) {
  drainStreams();
  std::memcpy(to, from, bytes);
  return {};
}

Result<void> CpuDevice::download(void* to, const void* from, std::size_t bytes) {
  if (auto done = finishStreams(); !done) return done;
  std::memcpy(to, from, bytes);
  return {};
}

Result<void> CpuDevice::fill(void* to, std::uint8_t value, std::size_t bytes) {
  drainStreams();
  std::memset(to, value, bytes);
  return {};
}

Result<std::unique_ptr<StreamDriver>> CpuDevice::createStream(const StreamOptions&) {
  try {
    auto queue = std::make_shared<WorkQueue>();
    const std::scoped_lock lock(mutex_);
    const auto unused = std::ranges::find_if(queues_, [](const auto& old) { return old.expired(); });
    if (unused == queues_.end()) {
      queues_.push_back(queue);
      queueCount_.store(queues_.size(), std::memory_order_release);
    } else {
      *unused = queue;
    }
    return std::unique_ptr<StreamDriver>(std::make_unique<CpuStream>(std::move(queue)));
  } catch (const std::exception& failure) {  // std::thread's only way to say it, and what new throws
    return Error{.code = ErrorCode::OutOfHostMemory,
                 .message = fmt::format("cpu: a stream's thread cannot be started: {}", failure.what()),
                 .target = "cpu"};
  }
}

Result<void> CpuDevice::synchronize() {
  return finishStreams();
}

}  // namespace lathe::detail
