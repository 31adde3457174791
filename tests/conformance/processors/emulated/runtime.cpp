// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A runtime whose device is a program of another processor (machine.c) under qemu's user-mode emulation. The device's
// memory is a file that both processes map at one address, so that pointers mean the same to host and kernel. Built
// once a processor: PROCESSOR is qemu's name of it, ARCHITECTURE LLVM's of what is emulated. A big-endian one sees what
// launches give it, values and the arrays they point to, turned by their types, and the host sees them turned back.
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include <lathe/sdk/runtime.h>

#include "core/group/entry/group_entry.h"
#include "tests/conformance/processors/emulated/protocol.h"

extern char** environ;

namespace lathe::emulated {
namespace {

Error failed(ErrorCode code, const std::string& what) {
  return {.code = code, .message = "qemu-" PROCESSOR ": " + what};
}

/// A temporary file, which is deleted with it.
struct File {
  std::string path = "/tmp/lathe-emulated-XXXXXX";
  int descriptor = mkostemp(path.data(), O_CLOEXEC);

  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor < 0) return;
    close(descriptor);
    unlink(path.c_str());
  }
};

/// Turns a value from the host's order of bytes into the other one, or back. Members of a union are taken for the
/// first.
void reverse(const TypeLayout& type, std::byte* value) {
  switch (type.kind) {
    case TypeKind::array:
    case TypeKind::vector:
      for (std::uint64_t i = 0; i < type.count; ++i)
        reverse(type.element.front(), value + i * type.element.front().size);
      break;
    case TypeKind::record:
      for (std::uint64_t end = 0; const TypeLayout::Field& field : type.fields) {
        if (field.offset < end) continue;
        reverse(field.type, value + field.offset);
        end = field.offset + field.type.size;
      }
      break;
    default:
      std::reverse(value, value + type.size);
  }
}

/// The process under qemu and its memory. Members are called from any thread.
class Machine {
 public:
  Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() {
    for (const int end : {requests_, answers_})
      if (end >= 0) close(end);
    if (process_ > 0) waitpid(process_, nullptr, 0);
    if (memory_) munmap(memory_, MEMORY_BYTES);
  }

  Result<void> start() {
    void* const at = reinterpret_cast<void*>(MEMORY_BASE);
    if (file_.descriptor < 0 || ftruncate(file_.descriptor, MEMORY_BYTES) != 0)
      return failed(ErrorCode::OutOfDeviceMemory, "no file for the memory");
    void* const got =
        mmap(at, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, file_.descriptor, 0);
    if (got != at) return failed(ErrorCode::OutOfDeviceMemory, "its memory's addresses are in use");
    memory_ = static_cast<std::byte*>(got);
    int there[2], back[2];
    if (pipe2(there, O_CLOEXEC) != 0 || pipe2(back, O_CLOEXEC) != 0) return failed(ErrorCode::DriverError, "no pipes");
    requests_ = there[1];
    answers_ = back[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    // Copies first: one of the pipes' ends may have a number that another gets.
    const int requests = fcntl(there[0], F_DUPFD_CLOEXEC, 10), answers = fcntl(back[1], F_DUPFD_CLOEXEC, 10);
    posix_spawn_file_actions_adddup2(&actions, requests, REQUESTS_END);
    posix_spawn_file_actions_adddup2(&actions, answers, ANSWERS_END);
    const char* const words[] = {EMULATOR, "-L", LIBRARIES, MACHINE, file_.path.c_str(), nullptr};
    const int bad = posix_spawn(&process_, EMULATOR, &actions, nullptr, const_cast<char**>(words), environ);
    posix_spawn_file_actions_destroy(&actions);
    for (const int end : {there[0], back[1], requests, answers}) close(end);
    if (bad) return failed(ErrorCode::DriverMissing, std::string(EMULATOR ": ") + std::strerror(bad));
    const auto order = ask(REQUEST_ORDER, 0, "");
    if (!order) return order.error();
    isBigEndian_ = *order != 0;
    return {};
  }

  Result<Answer> ask(const Request& request) {
    const std::lock_guard guard(lock_);
    Answer out = 0;
    if (write(requests_, &request, sizeof request) == sizeof request && read(answers_, &out, sizeof out) == sizeof out)
      return out;
    return failed(ErrorCode::DeviceFault, "the emulated process has ended");
  }
  Result<Answer> ask(RequestKind kind, Answer object, const std::string& name) {
    Request request{};
    request.kind = kind;
    request.object = object;
    if (name.size() >= sizeof request.name) return failed(ErrorCode::InvalidArgument, "too long a name: " + name);
    std::ranges::copy(name, request.name);
    return ask(request);
  }

  [[nodiscard]] bool isBigEndian() const noexcept { return isBigEndian_; }

  /// First fit.
  Result<void*> allocate(std::size_t bytes) {
    const std::lock_guard guard(lock_);
    std::size_t at = 0;
    for (const auto& [begin, end] : blocks_) {
      if (begin - at >= bytes) break;
      at = end;
    }
    if (MEMORY_BYTES - at < bytes)
      return failed(ErrorCode::OutOfDeviceMemory, "no " + std::to_string(bytes) + " bytes");
    blocks_[at] = at + (bytes + 255) / 256 * 256;
    return memory_ + at;
  }
  /// The block that `address` lies in; empty: none.
  std::span<std::byte> blockAround(const void* address) {
    const std::lock_guard guard(lock_);
    const auto next = blocks_.upper_bound(offsetOf(address));
    if (next == blocks_.begin()) return {};
    const auto [begin, end] = *std::prev(next);
    return {memory_ + begin, end - begin};
  }
  void free(void* address) {
    const std::lock_guard guard(lock_);
    blocks_.erase(offsetOf(address));
  }

 private:
  [[nodiscard]] std::size_t offsetOf(const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - memory_);
  }

  std::mutex lock_;
  File file_;
  std::byte* memory_ = nullptr;
  int requests_ = -1, answers_ = -1;
  pid_t process_ = 0;
  bool isBigEndian_ = false;
  std::map<std::size_t, std::size_t> blocks_;  // begin → end, within the memory
};

class Kernel final : public sdk::RuntimeKernel {
 public:
  Kernel(const EntryPoint& entry, Answer function, std::shared_ptr<Machine> machine)
      : entry_(entry), function_(function), machine_(std::move(machine)) {}

  Result<void> launch(const LaunchOptions& options, std::span<const void* const> arguments) override {
    const auto atLeast0 = [](std::int64_t bytes) { return static_cast<std::size_t>(std::max<std::int64_t>(bytes, 0)); };
    auto block = machine_->allocate(std::max<std::size_t>(entry_.parameterBytes, 1));
    if (!block) return block.error();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto& [name, type, offset, readOnly, byReference, fixed] = entry_.parameters[i];
      std::byte* const value = static_cast<std::byte*>(*block) + offset;
      std::memcpy(value, arguments[i], type.size);
      if (machine_->isBigEndian()) reverse(type, value);
    }
    reverseArrays(arguments);
    Request request{};
    request.kind = REQUEST_RUN;
    request.object = function_;
    std::ranges::copy(std::initializer_list{options.group.x, options.group.y, options.group.z}, request.groupSize);
    std::ranges::copy(std::initializer_list{options.grid.x, options.grid.y, options.grid.z}, request.groupCount);
    request.dynamicSharedBytes = options.dynamicSharedBytes;
    request.parameters = reinterpret_cast<std::uintptr_t>(*block);
    request.sharedBytes = abi::paddedItems(atLeast0(entry_.resources.sharedBytes)) + options.dynamicSharedBytes;
    request.contextBytes = atLeast0(entry_.resources.contextBytes) * abi::paddedItems(options.group.count());
    const auto done = machine_->ask(request);
    reverseArrays(arguments);
    machine_->free(*block);
    if (!done) return done.error();
    return {};
  }

 private:
  /// Turns the arrays that the arguments point to, by the types of their elements, where the processor has the other
  /// order of bytes. An array that two parameters have is what the first says.
  void reverseArrays(std::span<const void* const> arguments) const {
    if (!machine_->isBigEndian()) return;
    std::set<const std::byte*> turned;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const TypeLayout& type = entry_.parameters[i].type;
      if (type.kind != TypeKind::pointer || type.element.front().size == 0) continue;
      const void* address = nullptr;
      std::memcpy(&address, arguments[i], sizeof address);
      const auto bytes = machine_->blockAround(address);
      if (bytes.empty() || !turned.insert(bytes.data()).second) continue;
      const TypeLayout& element = type.element.front();
      for (std::size_t at = 0; at + element.size <= bytes.size(); at += element.size)
        reverse(element, bytes.data() + at);
    }
  }

  const EntryPoint& entry_;
  Answer function_;
  std::shared_ptr<Machine> machine_;
};

class Module final : public sdk::RuntimeModule {
 public:
  explicit Module(std::shared_ptr<Machine> machine) : machine_(std::move(machine)) {}
  ~Module() override {
    if (library_) (void)machine_->ask(REQUEST_CLOSE, library_, "");
  }
  Result<void> load(const Code& code) {
    const File file;
    std::ofstream(file.path).write(reinterpret_cast<const char*>(code.bytes.data()), std::ssize(code.bytes));
    const auto library = machine_->ask(REQUEST_OPEN, 0, file.path);
    if (!library) return library.error();
    library_ = *library;
    if (!library_) return failed(ErrorCode::ImageCorrupt, "the linker of " LIBRARIES " refuses the code");
    return {};
  }
  Result<std::unique_ptr<sdk::RuntimeKernel>> kernel(const EntryPoint& entry) override {
    const auto at = find(entry.symbol);
    if (!at) return at.error();
    return std::unique_ptr<sdk::RuntimeKernel>(std::make_unique<Kernel>(entry, *at, machine_));
  }
  /// The variable is in the library's memory, which the host does not see.
  Result<std::pair<void*, std::size_t>> global(const GlobalVariable& global) override {
    return failed(ErrorCode::Unsupported, "no access to variables ('" + global.name + "')");
  }

 private:
  Result<Answer> find(const std::string& symbol) const {
    auto out = machine_->ask(REQUEST_FIND, library_, symbol);
    if (out && *out == 0) return failed(ErrorCode::UnknownKernel, "the code has no symbol '" + symbol + "'");
    return out;
  }

  std::shared_ptr<Machine> machine_;
  Answer library_ = 0;
};

class Device final : public sdk::RuntimeDevice {
 public:
  explicit Device(std::shared_ptr<Machine> machine) : machine_(std::move(machine)) {}
  [[nodiscard]] DeviceInfo info() const override {
    DeviceInfo out;
    out.name = PROCESSOR ", emulated by qemu";
    out.arch = ARCHITECTURE;
    out.subgroupSize = 32;
    out.maxItemsPerGroup = 1024;
    out.maxGroup = {1024, 1024, 64};
    out.maxGrid = {0x7fffffff, 65535, 65535};
    out.maxSharedBytes = 1 << 20;
    return out;
  }
  Result<std::unique_ptr<sdk::RuntimeModule>> load(const Image& image) override {
    const Code* const code = image.find("emulated-" PROCESSOR);
    if (!code) return failed(ErrorCode::IncompatibleDevice, "the image has no code for it");
    auto module = std::make_unique<Module>(machine_);
    if (auto done = module->load(*code); !done) return done.error();
    return std::unique_ptr<sdk::RuntimeModule>(std::move(module));
  }
  Result<void*> allocate(std::size_t bytes) override { return machine_->allocate(bytes); }
  void free(void* address) noexcept override { machine_->free(address); }
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
  std::shared_ptr<Machine> machine_;
};

Result<int> deviceCount() {
  return 1;
}

Result<std::unique_ptr<sdk::RuntimeDevice>> open(int) {
  std::signal(SIGPIPE, SIG_IGN);  // a machine that has ended is an error of ask()
  auto machine = std::make_shared<Machine>();
  if (auto done = machine->start(); !done) return done.error();
  return std::unique_ptr<sdk::RuntimeDevice>(std::make_unique<Device>(std::move(machine)));
}

}  // namespace
}  // namespace lathe::emulated

LATHE_RUNTIME_PLUGIN("qemu-" PROCESSOR, "1.0", lathe::emulated::deviceCount, lathe::emulated::open);
