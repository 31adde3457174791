// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host side of BPF programs: an object file is opened, its programs are loaded into the kernel, attached to events,
// and their maps and variables are read. The names follow libbpf, which does the work; no type of it appears here.
//
//   auto object = lathe::bpf::Object::open(image);
//   auto loaded = object->load();                                  // the verifier's refusal comes with source lines
//   auto link   = object->program("count_switches")->attach();     // detached when `link` goes
//   auto counts = object->map<std::uint32_t, std::uint64_t>("switches");
//   auto rows   = counts->entries();
//
// Each of these is a Result, to be tested before it is used. Programs, maps, links and ring buffers keep the object
// alive, so the order in which they go does not matter; the kernel removes a program with the last of them. An object
// and what came from it are used by one thread at a time, except that maps may be used by any number of threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <lathe/bpf_attach.h>
#include <lathe/bpf_map.h>
#include <lathe/export.h>
#include <lathe/image.h>
#include <lathe/result.h>

namespace lathe::bpf {

/// Settings of an object that hold from open() on.
struct OpenOptions {
  std::string name = {};  ///< of the object in libbpf's messages and of its maps of variables; empty: "program"
  /// The folder of a BPF file system in which maps are kept that ask for pinning by name; empty: "/sys/fs/bpf".
  std::string pinFolder = {};
  /// A file with BTF of the kernel to relocate field accesses for; empty: the running kernel's.
  std::string kernelTypes = {};
  /// The memory of the map of kind arena, if there is one; load() makes it where nothing is given. A program has one.
  std::optional<Arena> arena = {};
  /// Errors of load() carry the verifier's whole log as their last note.
  bool rawLog = false;
  /// Maps have their statistics and programs their full log even if they are accepted: Object::verifierLog().
  bool alwaysLog = false;
};

/// One run of a program on given input, without an event (BPF_PROG_TEST_RUN).
struct TestRun {
  std::span<const std::byte> packet = {};  ///< for programs on packets: at least 14 bytes
  std::span<std::byte> context = {};       ///< the program's context, read and, where the kernel allows it, written
  std::uint32_t repeat = 1;
};

/// The outcome of a TestRun.
struct TestResult {
  std::int32_t value = 0;         ///< what the program returned
  std::vector<std::byte> packet;  ///< the packet afterwards
  std::uint32_t nanoseconds = 0;  ///< of one run, as the kernel measured it; 0 for programs it does not time
};

/// True for programs of a type (Program::kind()) whose input is a packet: "xdp", "sched_cls", "socket_filter", ….
[[nodiscard]] LATHE_API bool takesPacket(std::string_view kind) noexcept;

/// The kernel's counts of one program while Statistics is alive.
struct RunCounts {
  std::uint64_t runs = 0;
  std::uint64_t nanoseconds = 0;
  std::uint64_t missed = 0;  ///< not run because the same program was running on the CPU
};

/// A program of an object.
class LATHE_API Program {
 public:
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::string& section() const noexcept { return section_; }
  /// The kernel's name of its type, "xdp"; empty if libbpf does not know it.
  [[nodiscard]] const std::string& kind() const noexcept { return kind_; }
  /// True if the section says where attach() attaches it: "tp/sched/sched_switch", and not "xdp" or
  /// "cgroup_skb/egress".
  [[nodiscard]] bool namesPlace() const noexcept;
  /// True if load() loads the program and attachAll() attaches it, which is so unless setEnabled() said otherwise.
  [[nodiscard]] bool isEnabled() const noexcept;
  /// Before load(): for both. Afterwards: for attachAll() only; a program that was not loaded stays so.
  void setEnabled(bool enabled) const noexcept;
  /// Says what a program of SEC("freplace") replaces: a function of external linkage of `target`, which is loaded.
  /// Before load() of this one; attach() then puts it in place. Errors: InvalidArgument (there is no such function; not
  /// loaded, or loaded already).
  [[nodiscard]] Result<void> replaces(const Program& target, const std::string& function) const;
  /// The kernel's number of the loaded program. Errors: InvalidArgument (it is not loaded), DriverError.
  [[nodiscard]] Result<std::uint32_t> id() const;
  /// The kernel's counts. Errors: as id().
  [[nodiscard]] Result<RunCounts> counts() const;

  /// Runs it once, or `repeat` times, on `run`. Errors: InvalidArgument (not loaded), LaunchFailed (the kernel has no
  /// such run for this type of program, or does not take the input), PermissionDenied.
  [[nodiscard]] Result<TestResult> testRun(const TestRun& run) const;
  /// The same with a struct as context, which is read and written. Errors: as testRun().
  template <class Context>
    requires(!std::is_same_v<std::remove_cv_t<Context>, TestRun>)
  [[nodiscard]] Result<TestResult> testRun(Context& context) const {
    static_assert(std::is_trivially_copyable_v<Context>, "a context is copied byte by byte");
    return testRun(TestRun{.context = std::as_writable_bytes(std::span(&context, 1))});
  }

  /// Attaches it to what its section names: raw_tp, tp, tp_btf, fentry, kprobe, uprobe, usdt, iter. Errors:
  /// InvalidArgument (not loaded, or the place does not exist), PermissionDenied, Unsupported, DriverError.
  [[nodiscard]] Result<Link> attach() const;
  /// Attaches it to `point`. Errors: InvalidArgument (not loaded, the point does not fit the program's type, or it does
  /// not exist), PermissionDenied, Unsupported (this kernel or libbpf has no such point), DriverError.
  [[nodiscard]] Result<Link> attach(const AttachPoint& point) const;
  /// Keeps it in a BPF file system under `path`, also after this process. Errors: FileUnwritable, InvalidArgument.
  [[nodiscard]] Result<void> pin(const std::filesystem::path& path) const;
  /// The descriptor of the loaded program, for other interfaces; -1 if it is not loaded. Not to be closed.
  [[nodiscard]] int descriptor() const noexcept;

 private:
  friend class Object;
  std::shared_ptr<detail::ObjectState> object_;
  struct bpf_program* handle_ = nullptr;
  std::string name_, section_, kind_;
};

/// Programs and maps of one object file. Move-only.
class LATHE_API Object {
 public:
  /// Opens an image of target `bpf`. Nothing is in the kernel yet. Errors: DriverMissing (libbpf), DriverTooOld,
  /// IncompatibleDevice (an image of another target), ImageCorrupt.
  [[nodiscard]] static Result<Object> open(const Image& image, const OpenOptions& options = {});
  /// Opens an ELF object as compilers for BPF write it; the bytes are copied. Errors: DriverMissing, DriverTooOld,
  /// ImageCorrupt.
  [[nodiscard]] static Result<Object> open(std::span<const std::byte> elf, const OpenOptions& options = {});
  Object(Object&&) noexcept;
  Object& operator=(Object&&) noexcept;
  ~Object();

  /// Creates the maps and loads the enabled programs. Errors: ProgramRefused (by the verifier: the message is its rule,
  /// the location the source line, the notes the path that led there), PermissionDenied, Unsupported (of this kernel),
  /// InvalidArgument (a map is pinned already with another definition; loaded already), UndefinedFunction (a kernel
  /// function or variable that is not there), DriverError.
  [[nodiscard]] Result<void> load();
  [[nodiscard]] bool isLoaded() const noexcept;
  /// The log of the kernel's verifier during load(); empty if nothing was refused and nothing asked for it.
  [[nodiscard]] const std::string& verifierLog() const noexcept;

  [[nodiscard]] std::vector<Program> programs() const;
  /// Errors: UnknownKernel, with the nearest names.
  [[nodiscard]] Result<Program> program(std::string_view name) const;
  /// All maps, also those that libbpf makes for variables.
  [[nodiscard]] std::vector<RawMap> maps() const;
  /// Errors: InvalidArgument, with the nearest names.
  [[nodiscard]] Result<RawMap> rawMap(std::string_view name) const;
  /// A map with its types, whose sizes are compared with the definition's. Errors: InvalidArgument (no such map),
  /// ArgumentMismatch (sizes).
  template <class Key, class Value>
  [[nodiscard]] Result<Map<Key, Value>> map(std::string_view name) const {
    auto raw = rawMap(name);
    if (!raw) return std::move(raw).error();
    return Map<Key, Value>::of(*std::move(raw));
  }
  /// The memory of its arena. Errors: InvalidArgument (it has none; not loaded).
  [[nodiscard]] Result<Arena> arena() const;
  /// The bytes of a global variable: before load() its initial value, which may be changed; afterwards the memory that
  /// the programs use (constants cannot be written then). load() ends the use of what was returned before. Errors:
  /// InvalidArgument (no such variable, with the nearest names), DriverError.
  [[nodiscard]] Result<std::span<std::byte>> globalBytes(std::string_view name) const;
  /// The same as a T. Errors: as globalBytes(), ArgumentMismatch (its size is another).
  template <class T>
  [[nodiscard]] Result<T*> global(std::string_view name) const {
    static_assert(std::is_trivially_copyable_v<T>, "variables of programs are plain bytes");
    auto bytes = globalBytes(name);
    if (!bytes) return std::move(bytes).error();
    if (bytes->size() != sizeof(T)) return wrongSize(name, bytes->size(), sizeof(T));
    return reinterpret_cast<T*>(bytes->data());
  }
  /// Attaches every enabled program whose section says where, and registers the structures of functions ("struct_ops")
  /// that the object has. Errors: as Program::attach(); what was attached before an
  /// error is detached.
  [[nodiscard]] Result<std::vector<Link>> attachAll() const;

 private:
  explicit Object(std::shared_ptr<detail::ObjectState> state);
  [[nodiscard]] static Error wrongSize(std::string_view name, std::size_t have, std::size_t wanted);
  friend Result<std::string> cSkeleton(std::span<const std::byte>, const std::string&);
  std::shared_ptr<detail::ObjectState> state_;
};

/// An object that is linked with others.
struct LinkInput {
  std::string name;                ///< for messages
  std::span<const std::byte> elf;  ///< as compilers write it
};
/// Makes one object of several, as libbpf's static linker does: programs, maps, variables and functions that one
/// declares `extern` are those that another defines. Errors: DriverMissing, DriverTooOld, InvalidArgument (no objects,
/// one that is none, or definitions that do not fit each other), DriverError.
[[nodiscard]] LATHE_API Result<std::vector<std::byte>> linkObjects(std::span<const LinkInput> objects);

/// Lets the kernel count runs and times of all programs as long as it lives. Move-only.
class LATHE_API Statistics {
 public:
  /// Errors: DriverMissing, PermissionDenied, Unsupported.
  [[nodiscard]] static Result<Statistics> enable();
  Statistics(Statistics&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Statistics& operator=(Statistics&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Statistics();

 private:
  explicit Statistics(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace lathe::bpf
