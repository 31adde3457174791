// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The "bpf" runtime: the running kernel as a device. A module is an object that is loaded, a kernel one of its
// programs, and a launch one run on given input (BPF_PROG_TEST_RUN): the argument points to the context of a
// SEC("syscall") program, which is read and written, or to the packet of a program on packets.
// The device's memory is an arena where the kernel has them, else the host's: programs with a map of kind arena follow
// the addresses that a context holds. Attaching, maps and what a program returns are in <lathe/bpf_host.h>.
#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <lathe/bpf_host.h>

#include "runtimes/bpf/libbpf.h"
#include "runtimes/common/registry.h"

namespace lathe::detail {
namespace {

class BpfDevice final : public DeviceDriver {
 public:
  using DeviceDriver::DeviceDriver;
  Result<std::shared_ptr<LoadedModule>> load(const Image& image) override;
  Result<void*> allocate(std::size_t bytes) override {
    const std::scoped_lock lock(mutex_);
    bytes = std::max<std::size_t>(bytes, 1);
    void* const out = arena() ? room(bytes) : ::operator new(bytes, std::nothrow);
    if (!out) {
      return Error{.code = ErrorCode::OutOfDeviceMemory,
                   .message = fmt::format("bpf: there are no {} bytes of memory", bytes),
                   .target = "bpf"};
    }
    // A program writes only to pages that are there.
    if (arena()) std::memset(out, 0, bytes);
    allocated_[out] = bytes;
    return out;
  }
  void free(void* address) noexcept override {
    const std::scoped_lock lock(mutex_);
    allocated_.erase(address);
    if (!arena()) ::operator delete(address);
  }
  Result<void> upload(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
    return {};
  }
  Result<void> download(void* to, const void* from, std::size_t bytes) override { return upload(to, from, bytes); }
  Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) override {
    std::memset(to, value, bytes);
    return {};
  }
  Result<std::unique_ptr<StreamDriver>> createStream(const StreamOptions& options) override;
  Result<void> synchronize() override { return {}; }

  /// What is left of the memory of this device behind `address`; 0 if it is not the device's.
  [[nodiscard]] std::size_t bytesFrom(const void* address) const {
    const std::scoped_lock lock(mutex_);
    auto behind = allocated_.upper_bound(const_cast<void*>(address));
    if (behind == allocated_.begin()) return 0;
    --behind;
    const auto offset =
        static_cast<std::size_t>(static_cast<const char*>(address) - static_cast<const char*>(behind->first));
    return offset < behind->second ? behind->second - offset : 0;
  }

 private:
  /// The arena, made when it is first asked for; null where the kernel has none or does not permit it.
  const bpf::Arena* arena() {
    constexpr std::uint32_t pages = 1U << 18;  // 1 GiB of addresses
    if (!arena_) arena_.emplace(bpf::Arena::create(pages));
    return *arena_ ? &**arena_ : nullptr;
  }
  /// The first room for so many bytes between what is allocated; null if there is none.
  void* room(std::size_t bytes) {
    const std::span<std::byte> all = arena()->bytes();
    constexpr std::size_t alignment = 256;
    std::size_t at = 0;
    for (const auto& [address, size] : allocated_) {
      const auto begin = static_cast<std::size_t>(static_cast<std::byte*>(address) - all.data());
      if (begin >= at && begin - at >= bytes) break;
      at = (begin + size + alignment - 1) / alignment * alignment;
    }
    return bytes <= all.size() && at <= all.size() - bytes ? all.data() + at : nullptr;
  }

  mutable std::mutex mutex_;
  std::map<void*, std::size_t> allocated_;
  std::optional<Result<bpf::Arena>> arena_;
};

/// Launches are done when they return: there is nothing to wait for, and what passes between two points is host time.
class BpfEvent final : public EventDriver {
 public:
  Result<void> synchronize() const override { return {}; }
  Result<double> elapsedUntil(const EventDriver& later) const override {
    const std::chrono::duration<double, std::milli> passed = static_cast<const BpfEvent&>(later).at_ - at_;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point at_ = std::chrono::steady_clock::now();
};

class BpfStream final : public StreamDriver {
 public:
  Result<void> synchronize() override { return {}; }
  Result<std::unique_ptr<EventDriver>> record() override {
    return std::unique_ptr<EventDriver>(std::make_unique<BpfEvent>());
  }
  Result<void> wait(const EventDriver&) override { return {}; }
};

class BpfKernel final : public LoadedKernel {
 public:
  BpfKernel(const EntryPoint& entry, std::shared_ptr<const LoadedModule> module, const BpfDevice& device,
            bpf::Program program)
      : LoadedKernel(entry, limitsOf(device.info(), entry)),
        module_(std::move(module)),
        device_(device),
        program_(std::move(program)) {}
  [[nodiscard]] const DeviceDriver& device() const noexcept override { return device_; }
  Result<void> launch(const LaunchOptions& options, StreamDriver*,
                      std::span<const void* const> arguments) const override {
    bpf::TestRun run;
    if (!arguments.empty() && arguments.front()) {
      std::byte* address = nullptr;
      std::memcpy(static_cast<void*>(&address), arguments.front(), sizeof(address));
      const std::size_t bytes = address ? device_.bytesFrom(address) : 0;
      if (address && bytes == 0) {
        return Error{.code = ErrorCode::LaunchInvalid,
                     .message = fmt::format("program '{}': its context is not in memory of this device", entry().name),
                     .hint = "allocate it with Device::allocate(), which tells the runtime its size",
                     .target = "bpf"};
      }
      if (bpf::takesPacket(program_.kind()))
        run.packet = {address, bytes};
      else
        run.context = {address, bytes};
    }
    for (std::uint64_t i = 0; i < options.grid.count() * options.group.count(); ++i) {
      auto done = program_.testRun(run);
      if (!done) return std::move(done).error();
      if (!run.packet.empty() && done->packet.size() <= run.packet.size())
        std::memcpy(const_cast<std::byte*>(run.packet.data()), done->packet.data(), done->packet.size());
    }
    return {};
  }

 private:
  std::shared_ptr<const LoadedModule> module_;
  const BpfDevice& device_;
  bpf::Program program_;
};

class BpfModule final : public LoadedModule {
 public:
  BpfModule(Image image, std::shared_ptr<const BpfDevice> device, bpf::Object object)
      : LoadedModule(std::move(image)), device_(std::move(device)), object_(std::move(object)) {}
  Result<std::shared_ptr<LoadedKernel>> kernel(const EntryPoint& entry) override {
    auto program = object_.program(entry.symbol);
    if (!program) return std::move(program).error();
    return std::shared_ptr<LoadedKernel>(
        std::make_shared<BpfKernel>(entry, shared_from_this(), *device_, *std::move(program)));
  }
  Result<std::pair<void*, std::size_t>> global(const GlobalVariable& global) override {
    auto bytes = object_.globalBytes(global.symbol);
    if (!bytes) return std::move(bytes).error();
    return std::pair<void*, std::size_t>(bytes->data(), bytes->size());
  }

 private:
  std::shared_ptr<const BpfDevice> device_;
  bpf::Object object_;
};

Result<std::shared_ptr<LoadedModule>> BpfDevice::load(const Image& image) {
  bpf::OpenOptions options;
  {
    const std::scoped_lock lock(mutex_);
    if (const bpf::Arena* const memory = arena()) options.arena = *memory;
  }
  auto object = bpf::Object::open(image, options);
  if (!object) return std::move(object).error();
  if (auto loaded = object->load(); !loaded) return std::move(loaded).error();
  auto self = std::static_pointer_cast<const BpfDevice>(shared_from_this());
  return std::shared_ptr<LoadedModule>(std::make_shared<BpfModule>(image, std::move(self), *std::move(object)));
}

Result<std::unique_ptr<StreamDriver>> BpfDevice::createStream(const StreamOptions&) {
  return std::unique_ptr<StreamDriver>(std::make_unique<BpfStream>());
}

/// The instructions that this kernel knows, by its version: v4 since Linux 6.6, v3 since 5.12.
std::string architecture(const char* release) {
  int major = 0, minor = 0;
  if (std::sscanf(release, "%d.%d", &major, &minor) != 2) return "v3";
  if (major > 6 || (major == 6 && minor >= 6)) return "v4";
  return major > 5 || (major == 5 && minor >= 12) ? "v3" : "v2";
}

Result<int> deviceCount() {
  const auto& library = libbpf();
  if (!library) return library.error();
  return 1;
}

Result<std::shared_ptr<DeviceDriver>> open(int index) {
  const auto& library = libbpf();
  if (!library) return library.error();
  utsname name{};
  ::uname(&name);
  DeviceInfo info;
  info.name = fmt::format("Linux {}", name.release);
  info.runtime = "bpf";
  info.arch = architecture(name.release);
  info.index = index;
  // Runs, one after the other.
  info.maxItemsPerGroup = 1;
  info.maxGroup = {1, 1, 1};
  info.maxGrid = {0x7fffffff, 1, 1};
  info.driverVersion = fmt::format("libbpf {}", library->libbpf_version_string());
  return std::shared_ptr<DeviceDriver>(std::make_shared<BpfDevice>(std::move(info)));
}

}  // namespace

const Runtime& bpfRuntime() {
  // Not among the machine's devices: it runs no kernels of a grid.
  static constexpr Runtime runtime{.name = "bpf", .deviceCount = deviceCount, .open = open, .listed = false};
  return runtime;
}

}  // namespace lathe::detail
