// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target's runtime: a RISC-V core played by the emulator Unicorn 2 (libunicorn.so.2, found when a device is opened;
// https://www.unicorn-engine.org). Memory of the device is memory of this process, which the emulator sees at the same
// addresses and nothing else besides, so a stray access is a fault of the device. The core has no C library: a function
// that an image leaves open is the host's own, called when the core gets to its address.
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <regex>
#include <string>
#include <vector>

#include <lathe/sdk/group_entry.h>
#include <lathe/sdk/runtime.h>

namespace {

using lathe::Error, lathe::ErrorCode, lathe::Result, lathe::abi::GroupLaunch, lathe::abi::paddedItems;

// Numbers of unicorn/unicorn.h and unicorn/riscv.h.
constexpr int riscv = 8, riscv64 = 1 << 3, hookCode = 1 << 2, allAccess = 7;
constexpr int ra = 2, sp = 3, a0 = 11, mstatus = 116, fa0 = 168;

/// What a function returns in its first integer register and in its first floating-point register. Hosts whose calling
/// convention returns a pair so (x86-64) call any function of numbers without knowing its type: RISC-V, too,
/// passes numbers of both kinds in registers of their own, in order.
using Returned = std::pair<std::uint64_t, double>;

std::uint64_t addressIn(const void* memory) {
  return reinterpret_cast<std::uint64_t>(memory);
}

/// The core with its memory. One thread at a time uses it: whoever holds the lock.
class Core {
 public:
  /// The library. Errors: DriverMissing.
  static Result<void*> loaded() {
    const char* const name = std::getenv("LATHE_UNICORN_LIBRARY");
    if (void* const library = dlopen(name ? name : "libunicorn.so.2", RTLD_NOW | RTLD_LOCAL)) return library;
    return Error{.code = ErrorCode::DriverMissing,
                 .message = std::string("hart: ") + dlerror(),
                 .hint = "install libunicorn2 (Debian), or name a libunicorn.so.2 by LATHE_UNICORN_LIBRARY"};
  }
  static Result<std::shared_ptr<Core>> start() {
    auto library = loaded();
    if (!library) return library.error();
    auto out = std::make_shared<Core>();
    out->library_ = *library;
    if (const int bad = out->call<int>("uc_open", riscv, riscv64, &out->engine_))
      return out->failed(ErrorCode::DriverError, "no core", bad);
    constexpr std::size_t stackBytes = 8 << 20, functionBytes = 4096;
    auto stack = out->map(stackBytes), functions = out->map(functionBytes);
    if (!stack || !functions) return stack ? functions.error() : stack.error();
    out->stackEnd_ = addressIn(*stack) + stackBytes;
    out->functions_ = static_cast<std::uint32_t*>(*functions);
    std::fill_n(out->functions_, functionBytes / sizeof(std::uint32_t), 0x00008067);  // ret
    std::size_t hook = 0;
    using HookAdd = int (*)(void*, std::size_t*, int, void*, void*, std::uint64_t, std::uint64_t, ...);
    const auto hookAdd = reinterpret_cast<HookAdd>(dlsym(out->library_, "uc_hook_add"));
    const int bad = hookAdd(out->engine_, &hook, hookCode, reinterpret_cast<void*>(&Core::atFunction), out.get(),
                            addressIn(*functions), addressIn(*functions) + functionBytes - 1);
    if (bad) return out->failed(ErrorCode::DriverError, "no hook", bad);
    return out;
  }
  ~Core() {
    if (engine_) call<int>("uc_close", engine_);
    for (const auto& [address, bytes] : blocks_) munmap(address, bytes);
  }

  /// Whole pages of zeros, which the core sees.
  Result<void*> map(std::size_t bytes) {
    const std::lock_guard guard(lock_);
    const std::size_t pages = (bytes + 4095) / 4096 * 4096;
    void* const out =
        pages < bytes ? MAP_FAILED : mmap(nullptr, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (out == MAP_FAILED ||
        call<int>("uc_mem_map_ptr", engine_, addressIn(out), pages, std::uint32_t{allAccess}, out) != 0) {
      if (out != MAP_FAILED) munmap(out, pages);
      return Error{.code = ErrorCode::OutOfDeviceMemory, .message = "hart: no " + std::to_string(bytes) + " bytes"};
    }
    blocks_[out] = pages;
    return out;
  }
  void unmap(void* memory) {
    const std::lock_guard guard(lock_);
    const auto block = blocks_.find(memory);
    if (block == blocks_.end()) return;
    call<int>("uc_mem_unmap", engine_, addressIn(memory), block->second);
    munmap(memory, block->second);
    blocks_.erase(block);
  }

  /// The address at which the core calls a function of libm, libgcc, or one that LLVM makes of copies; 0: there is
  /// none.
  std::uint64_t addressOf(const char* name) {
    const std::lock_guard guard(lock_);
    static void* const libm = dlopen("libm.so.6", RTLD_NOW);
    static const std::regex others("mem(cpy|move|set|cmp)|__.*"), returnsFloat("(?!erf$|modf$)[a-z0-9]+f|__.*sf2?");
    void* const function = dlsym(std::regex_match(name, others) ? RTLD_DEFAULT : libm, name);
    if (!function || known_.size() == 1000) return 0;
    const auto at = std::ranges::find(known_, function, &Known::function);
    std::uint32_t* const out = functions_ + (at - known_.begin()) + 1;  // the first `ret` ends a run
    const bool wide = std::string_view(name).starts_with("__fix");
    if (at == known_.end()) known_.push_back({function, std::regex_match(name, returnsFloat), wide});
    return addressIn(out);
  }

  /// Calls a function with two arguments for each row of groups.
  Result<void> run(std::uint64_t function, const void* parameters, GroupLaunch& launch) {
    const std::lock_guard guard(lock_);
    for (launch.groupId[2] = 0; launch.groupId[2] < launch.groupCount[2]; ++launch.groupId[2])
      for (launch.groupId[1] = 0; launch.groupId[1] < launch.groupCount[1]; ++launch.groupId[1]) {
        set(ra, addressIn(functions_));
        set(sp, stackEnd_);
        set(a0, addressIn(parameters));
        set(a0 + 1, addressIn(&launch));
        set(mstatus, 0x6000);  // floating-point registers are on
        if (const int bad = call<int>("uc_emu_start", engine_, function, addressIn(functions_), 0UL, 0UL))
          return failed(ErrorCode::DeviceFault, "the kernel stopped", bad);
      }
    return {};
  }

 private:
  struct Known {
    void* function;
    bool isFloat, isWide;  ///< its result is a number of 32 bits, and an integer of 128
  };

  /// Calls a function of Unicorn's, whose parameters have exactly these types.
  template <class Result, class... Arguments>
  Result call(const char* function, Arguments... arguments) const {
    return reinterpret_cast<Result (*)(Arguments...)>(dlsym(library_, function))(arguments...);
  }
  Error failed(ErrorCode code, const std::string& what, int status) const {
    return {.code = code, .message = "hart: " + what + ": " + call<const char*>("uc_strerror", status)};
  }
  void set(int which, std::uint64_t value) { call<int>("uc_reg_write", engine_, which, &value); }
  template <class T>
  T get(int which) {
    T out{};
    call<int>("uc_reg_read", engine_, which, &out);
    return out;
  }

  /// Calls a function of the host with the core's registers for arguments.
  template <class T>
  T callHost(void* function) {
    const auto host =
        reinterpret_cast<T (*)(std::uint64_t, std::uint64_t, std::uint64_t, double, double, double)>(function);
    return host(get<std::uint64_t>(a0), get<std::uint64_t>(a0 + 1), get<std::uint64_t>(a0 + 2), get<double>(fa0),
                get<double>(fa0 + 1), get<double>(fa0 + 2));
  }
  /// The core is about to return from one of the functions at functions_: the host does what it is there for.
  static void atFunction(void*, std::uint64_t address, std::uint32_t, Core* core) {
    const std::size_t number = (address - addressIn(core->functions_)) / sizeof(std::uint32_t);
    if (number == 0 || number > core->known_.size()) return;
    const Known& known = core->known_[number - 1];
    const auto out = core->callHost<Returned>(known.function);
    if (known.isWide)
      core->set(a0 + 1, static_cast<std::uint64_t>(core->callHost<unsigned __int128>(known.function) >> 64));
    auto bits = std::bit_cast<std::uint64_t>(out.second);
    if (known.isFloat) bits |= 0xffffffff00000000;  // floats lie in the lower half of a NaN
    core->set(a0, out.first);
    core->set(fa0, bits);
  }

  void *library_ = nullptr, *engine_ = nullptr;
  std::mutex lock_;
  std::map<void*, std::size_t> blocks_;
  std::uint64_t stackEnd_ = 0;
  std::uint32_t* functions_ = nullptr;
  std::vector<Known> known_;
};

class Kernel final : public lathe::sdk::RuntimeKernel {
 public:
  Kernel(const lathe::EntryPoint& entry, std::uint64_t function, std::shared_ptr<Core> core)
      : entry_(entry), function_(function), core_(std::move(core)) {}

  Result<void> launch(const lathe::LaunchOptions& options, std::span<const void* const> arguments) override {
    const auto atLeast0 = [](std::int64_t bytes) { return static_cast<std::size_t>(std::max<std::int64_t>(bytes, 0)); };
    const std::size_t fixed = paddedItems(atLeast0(entry_.resources.sharedBytes));  // rounds up to 64
    const std::size_t context = atLeast0(entry_.resources.contextBytes) * paddedItems(options.group.count());
    // One block: the launch, parameters, shared memory, and what items keep across barriers.
    const std::size_t parameters = paddedItems(entry_.parameterBytes);
    const std::size_t shared = paddedItems(fixed + options.dynamicSharedBytes);
    auto block = core_->map(sizeof(GroupLaunch) + parameters + shared + context);
    if (!block) return block.error();
    char* const at = static_cast<char*>(*block) + sizeof(GroupLaunch);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      std::memcpy(at + entry_.parameters[i].offset, arguments[i], entry_.parameters[i].type.size);
    auto* const launch = new (*block) GroupLaunch{{},  // set for each row of groups, which one call runs
                                                  {options.group.x, options.group.y, options.group.z},
                                                  {options.grid.x, options.grid.y, options.grid.z},
                                                  options.dynamicSharedBytes,
                                                  options.grid.x,
                                                  0,
                                                  shared ? at + parameters : nullptr,
                                                  context ? at + parameters + shared : nullptr};
    auto done = core_->run(function_, at, *launch);
    core_->unmap(*block);
    return done;
  }

 private:
  const lathe::EntryPoint& entry_;
  std::uint64_t function_;
  std::shared_ptr<Core> core_;
};

/// An image's ELF library in the core's memory ("RISC-V ELF psABI": dynamic relocations).
class Module final : public lathe::sdk::RuntimeModule {
 public:
  Module(std::shared_ptr<Core> core, std::string_view file) : core_(std::move(core)), file_(file) {}
  ~Module() override { core_->unmap(base_); }

  /// Errors: ImageCorrupt, OutOfDeviceMemory.
  Result<void> load() {
    const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(file_.data());
    const std::span parts(reinterpret_cast<const Elf64_Phdr*>(file_.data() + header.e_phoff), header.e_phnum);
    const std::span sections(reinterpret_cast<const Elf64_Shdr*>(file_.data() + header.e_shoff), header.e_shnum);
    std::size_t end = 1;
    for (const Elf64_Phdr& part : parts) end = std::max(end, part.p_type == PT_LOAD ? part.p_vaddr + part.p_memsz : 0);
    auto memory = core_->map(end);
    if (!memory) return memory.error();
    base_ = static_cast<char*>(*memory);
    for (const Elf64_Phdr& part : parts)
      if (part.p_type == PT_LOAD) std::memcpy(base_ + part.p_vaddr, file_.data() + part.p_offset, part.p_filesz);
    for (const Elf64_Shdr& section : sections) {
      if (section.sh_type != SHT_DYNSYM) continue;
      symbols_ = {reinterpret_cast<Elf64_Sym*>(base_ + section.sh_addr), section.sh_size / sizeof(Elf64_Sym)};
      names_ = base_ + sections[section.sh_link].sh_addr;
    }
    for (const Elf64_Shdr& section : sections) {
      if (section.sh_type != SHT_RELA) continue;
      const auto* const first = reinterpret_cast<const Elf64_Rela*>(base_ + section.sh_addr);
      for (const Elf64_Rela& relocation : std::span(first, section.sh_size / sizeof(Elf64_Rela))) {
        std::uint64_t value = addressIn(base_);
        if (ELF64_R_TYPE(relocation.r_info) != R_RISCV_RELATIVE) {  // R_RISCV_64 or R_RISCV_JUMP_SLOT
          const Elf64_Sym& symbol = symbols_[ELF64_R_SYM(relocation.r_info)];
          const char* const name = names_ + symbol.st_name;
          value = symbol.st_shndx != SHN_UNDEF ? value + symbol.st_value : core_->addressOf(name);
          if (value == 0)
            return Error{.code = ErrorCode::ImageCorrupt, .message = std::string("hart: no function ") + name};
        }
        value += static_cast<std::uint64_t>(relocation.r_addend);
        std::memcpy(base_ + relocation.r_offset, &value, sizeof value);
      }
    }
    return {};
  }

  Result<std::unique_ptr<lathe::sdk::RuntimeKernel>> kernel(const lathe::EntryPoint& entry) override {
    if (const auto at = find(entry.symbol))
      return std::unique_ptr<lathe::sdk::RuntimeKernel>(std::make_unique<Kernel>(entry, addressIn(at), core_));
    return Error{.code = ErrorCode::UnknownKernel, .message = "hart: the code has no symbol '" + entry.symbol + "'"};
  }
  Result<std::pair<void*, std::size_t>> global(const lathe::GlobalVariable& global) override {
    if (void* const at = find(global.symbol)) return std::pair(at, std::size_t{global.type.size});
    return Error{.code = ErrorCode::InvalidArgument, .message = "hart: the code has no symbol '" + global.symbol + "'"};
  }

 private:
  void* find(const std::string& name) const {
    for (const Elf64_Sym& symbol : symbols_)
      if (symbol.st_shndx != SHN_UNDEF && name == names_ + symbol.st_name) return base_ + symbol.st_value;
    return nullptr;
  }

  std::shared_ptr<Core> core_;
  std::string_view file_;
  char* base_ = nullptr;
  std::span<Elf64_Sym> symbols_;
  char* names_ = nullptr;
};

class Device final : public lathe::sdk::RuntimeDevice {
 public:
  explicit Device(std::shared_ptr<Core> core) : core_(std::move(core)) {}
  [[nodiscard]] lathe::DeviceInfo info() const override {
    lathe::DeviceInfo out;
    out.name = "RISC-V core, played by Unicorn";
    out.arch = "generic-rv64";
    out.subgroupSize = 32;  // the descriptor's subgroup.size, inherited: references of the conformance suite go by it
    out.maxItemsPerGroup = 1024;
    out.maxGroup = {1024, 1024, 64};
    out.maxGrid = {0x7fffffff, 65535, 65535};
    out.maxSharedBytes = 1 << 20;
    return out;
  }
  Result<std::unique_ptr<lathe::sdk::RuntimeModule>> load(const lathe::Image& image) override {
    const lathe::Code* const found = image.find("hart");
    if (!found) return Error{.code = ErrorCode::IncompatibleDevice, .message = "hart: the image has no code for it"};
    const std::string_view file(reinterpret_cast<const char*>(found->bytes.data()), found->bytes.size());
    auto module = std::make_unique<Module>(core_, file);
    if (auto done = module->load(); !done) return done.error();
    return std::unique_ptr<lathe::sdk::RuntimeModule>(std::move(module));
  }
  Result<void*> allocate(std::size_t bytes) override { return core_->map(bytes); }
  void free(void* address) noexcept override { core_->unmap(address); }
  Result<void> upload(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
    return {};
  }
  Result<void> download(void* to, const void* from, std::size_t bytes) override { return upload(to, from, bytes); }
  Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) override {
    std::memset(to, value, bytes);
    return {};
  }

 private:
  std::shared_ptr<Core> core_;
};

Result<int> deviceCount() {
  auto library = Core::loaded();
  return library ? Result<int>(1) : library.error();
}

Result<std::unique_ptr<lathe::sdk::RuntimeDevice>> open(int) {
  auto core = Core::start();
  if (!core) return core.error();
  return std::unique_ptr<lathe::sdk::RuntimeDevice>(std::make_unique<Device>(*core));
}

}  // namespace

LATHE_RUNTIME_PLUGIN("hart", "1.0", deviceCount, open);
