// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target's runtime: an image's code is a shared object, which the dynamic loader takes from memory; a launch calls
// the entry once for each group (<lathe/sdk/group_entry.h>), one group after another.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include <lathe/sdk/group_entry.h>
#include <lathe/sdk/runtime.h>

namespace {

using lathe::Error;
using lathe::ErrorCode;
using lathe::Result;

constexpr std::align_val_t blockAlign{lathe::abi::groupBlockAlign};

/// Memory for one group, aligned as entries expect it; no address where the size is 0.
class Block {
 public:
  explicit Block(std::size_t bytes) : memory_(bytes == 0 ? nullptr : ::operator new(bytes, blockAlign, std::nothrow)) {}
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() { ::operator delete(memory_, blockAlign); }
  [[nodiscard]] void* get() const { return memory_; }

 private:
  void* memory_;
};

class Kernel final : public lathe::sdk::RuntimeKernel {
 public:
  Kernel(const lathe::EntryPoint& entry, lathe::abi::GroupEntry function) : entry_(entry), function_(function) {}

  Result<void> launch(const lathe::LaunchOptions& options, std::span<const void* const> arguments) override {
    std::vector<std::byte> parameters(entry_.parameterBytes);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const lathe::Parameter& parameter = entry_.parameters[i];
      std::memcpy(parameters.data() + parameter.offset, arguments[i], parameter.type.size);
    }
    const lathe::Extent3 &grid = options.grid, &group = options.group;
    const auto atLeast0 = [](std::int64_t bytes) { return static_cast<std::size_t>(std::max<std::int64_t>(bytes, 0)); };
    const std::size_t fixed = lathe::abi::paddedItems(atLeast0(entry_.resources.sharedBytes));  // rounds up to 64
    const std::size_t perItem = atLeast0(entry_.resources.contextBytes);
    const Block shared(fixed + options.dynamicSharedBytes), context(perItem * lathe::abi::paddedItems(group.count()));
    if ((fixed + options.dynamicSharedBytes != 0 && !shared.get()) || (perItem != 0 && !context.get()))
      return Error{.code = ErrorCode::OutOfHostMemory, .message = "blink: not enough memory for one group"};
    lathe::abi::GroupLaunch launch{.groupId = {},
                                   .groupSize = {group.x, group.y, group.z},
                                   .groupCount = {grid.x, grid.y, grid.z},
                                   .dynamicSharedBytes = options.dynamicSharedBytes,
                                   .groups = grid.x,  // one call runs a whole row
                                   .reserved = 0,
                                   .shared = shared.get(),
                                   .context = context.get()};
    for (launch.groupId[2] = 0; launch.groupId[2] < grid.z; ++launch.groupId[2])
      for (launch.groupId[1] = 0; launch.groupId[1] < grid.y; ++launch.groupId[1])
        function_(parameters.data(), &launch);
    return {};
  }

 private:
  const lathe::EntryPoint& entry_;
  lathe::abi::GroupEntry function_;
};

class Module final : public lathe::sdk::RuntimeModule {
 public:
  Module(void* library, int file) : library_(library), file_(file) {}
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module() override {
    dlclose(library_);
    close(file_);
  }

  Result<std::unique_ptr<lathe::sdk::RuntimeKernel>> kernel(const lathe::EntryPoint& entry) override {
    void* const function = dlsym(library_, entry.symbol.c_str());
    if (!function)
      return Error{.code = ErrorCode::UnknownKernel, .message = "blink: the code has no symbol '" + entry.symbol + "'"};
    return std::unique_ptr<lathe::sdk::RuntimeKernel>(
        std::make_unique<Kernel>(entry, reinterpret_cast<lathe::abi::GroupEntry>(function)));
  }
  Result<std::pair<void*, std::size_t>> global(const lathe::GlobalVariable& global) override {
    void* const address = dlsym(library_, global.symbol.c_str());
    if (!address)
      return Error{.code = ErrorCode::InvalidArgument,
                   .message = "blink: the code has no symbol '" + global.symbol + "'"};
    return std::pair<void*, std::size_t>(address, global.type.size);
  }

 private:
  void* library_;
  int file_;  ///< open as long as the library is loaded: the loader takes one of the same name for the same library
};

class Device final : public lathe::sdk::RuntimeDevice {
 public:
  [[nodiscard]] lathe::DeviceInfo info() const override {
    lathe::DeviceInfo out;
    out.name = "Blink, played by the host";
    out.arch = "x86-64";
    out.subgroupSize = 32;  // the descriptor's subgroup.size, inherited: references of the conformance suite go by it
    out.multiprocessors = 1;
    out.maxItemsPerGroup = 256;
    out.maxGroup = {256, 256, 64};
    out.maxGrid = {0x7fffffff, 65535, 65535};
    out.maxSharedBytes = 1 << 20;
    return out;
  }

  Result<std::unique_ptr<lathe::sdk::RuntimeModule>> load(const lathe::Image& image) override {
    const lathe::Code* const code = image.find("blink");
    if (!code) return Error{.code = ErrorCode::IncompatibleDevice, .message = "blink: the image has no code for it"};
    const int file = memfd_create("blink", MFD_CLOEXEC);
    const auto size = static_cast<ssize_t>(code->bytes.size());
    void* library = nullptr;
    if (file >= 0 && write(file, code->bytes.data(), code->bytes.size()) == size)
      library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
    const char* const why = library ? nullptr : dlerror();
    if (!library) {
      if (file >= 0) close(file);
      return Error{.code = ErrorCode::ImageCorrupt, .message = std::string("blink: ") + (why ? why : "no memory file")};
    }
    return std::unique_ptr<lathe::sdk::RuntimeModule>(std::make_unique<Module>(library, file));
  }

  Result<void*> allocate(std::size_t bytes) override {
    if (void* const out = ::operator new(bytes, blockAlign, std::nothrow)) return out;
    return Error{.code = ErrorCode::OutOfDeviceMemory,
                 .message = "blink: there are no " + std::to_string(bytes) + " bytes of memory"};
  }
  void free(void* address) noexcept override { ::operator delete(address, blockAlign); }
  Result<void> upload(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
    return {};
  }
  Result<void> download(void* to, const void* from, std::size_t bytes) override { return upload(to, from, bytes); }
  Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) override {
    std::memset(to, value, bytes);
    return {};
  }
};

Result<int> deviceCount() {
  return 1;
}

Result<std::unique_ptr<lathe::sdk::RuntimeDevice>> open(int) {
  return std::unique_ptr<lathe::sdk::RuntimeDevice>(std::make_unique<Device>());
}

}  // namespace

LATHE_RUNTIME_PLUGIN("blink", "1.0", deviceCount, open);
