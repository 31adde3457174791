// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects: opened, loaded, and asked for their programs, maps and variables.
#include <linux/bpf.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include <lathe/bpf_types.h>

#include "core/support/nearest.h"
#include "runtimes/bpf/load_failure.h"
#include "runtimes/bpf/object_state.h"
#include "runtimes/bpf/types/btf.h"
#include "runtimes/bpf/types/check.h"
#include "runtimes/bpf/types/reduced.h"
#include "runtimes/bpf/user_functions.h"

namespace lathe::bpf {
namespace {

std::string textOr(const char* text) {
  return text ? text : "";
}

/// Sections that libbpf 1.1 does not know, up to their end or a slash, with the type and place of their programs (enum
/// bpf_prog_type, bpf_attach_type).
constexpr std::uint32_t netfilter = 32;
struct LateSection {
  std::string_view name;
  std::uint32_t type, place;
};
constexpr LateSection lateSections[] = {
    {"uprobe.multi", BPF_PROG_TYPE_KPROBE, detail::userProbes},
    {"uretprobe.multi", BPF_PROG_TYPE_KPROBE, detail::userProbes},
    {"tcx/ingress", BPF_PROG_TYPE_SCHED_CLS, 46},
    {"tcx/egress", BPF_PROG_TYPE_SCHED_CLS, 47},
    {"tc/ingress", BPF_PROG_TYPE_SCHED_CLS, 46},
    {"tc/egress", BPF_PROG_TYPE_SCHED_CLS, 47},
    {"netkit/primary", BPF_PROG_TYPE_SCHED_CLS, 54},
    {"netkit/peer", BPF_PROG_TYPE_SCHED_CLS, 55},
    {"netfilter", netfilter, 45},
    {"cgroup/connect_unix", BPF_PROG_TYPE_CGROUP_SOCK_ADDR, 49},
    {"cgroup/sendmsg_unix", BPF_PROG_TYPE_CGROUP_SOCK_ADDR, 50},
    {"cgroup/recvmsg_unix", BPF_PROG_TYPE_CGROUP_SOCK_ADDR, 51},
    {"cgroup/getpeername_unix", BPF_PROG_TYPE_CGROUP_SOCK_ADDR, 52},
    {"cgroup/getsockname_unix", BPF_PROG_TYPE_CGROUP_SOCK_ADDR, 53},
};

void giveType(const detail::Libbpf& library, bpf_program* program, std::string_view section) {
  if (library.bpf_program__type(program) != BPF_PROG_TYPE_UNSPEC) return;
  if (section.starts_with('?')) section.remove_prefix(1);
  for (const LateSection& one : lateSections) {
    const std::string_view rest = section.substr(std::min(one.name.size(), section.size()));
    if (!section.starts_with(one.name) || (!rest.empty() && rest.front() != '/')) continue;
    (void)library.bpf_program__set_type(program, one.type);
    (void)library.bpf_program__set_expected_attach_type(program, one.place);
  }
}

/// Structures of functions in ".struct_ops.link", which libbpf 1.1 does not know, are in ".struct_ops" for it; all are
/// registered by links where the kernel can (tieStructOps()).
///   before: names of sections and of BTF: ".struct_ops.link"
///   after:  ".struct_ops", and five bytes that nothing refers to
void renameStructOps(std::vector<std::byte>& elf) {
  constexpr std::string_view late = ".struct_ops.link", known = ".struct_ops";
  for (const char* const section : {".strtab", ".shstrtab", ".BTF"}) {
    const auto names = detail::elfSection(elf, section);
    if (!names) continue;
    const std::string_view text(reinterpret_cast<const char*>(names->data()), names->size());
    for (std::size_t at = text.find(late); at != std::string_view::npos; at = text.find(late, at + 1)) {
      const std::size_t end = static_cast<std::size_t>(names->data() - elf.data()) + at + known.size();
      if (at + late.size() < text.size() && text[at + late.size()] == '\0') elf[end] = std::byte{0};
    }
  }
}

/// Makes struct_ops maps such that their registration ends with the process, where the kernel can.
void tieStructOps(const detail::ObjectState& state) {
  utsname machine{};
  unsigned major = 0, minor = 0;
  if (::uname(&machine) != 0 || std::sscanf(machine.release, "%u.%u", &major, &minor) != 2) return;
  if (std::pair(major, minor) < std::pair(6U, 4U)) return;
  const detail::Libbpf& library = state.library;
  for (bpf_map* map = nullptr; (map = library.bpf_object__next_map(state.object, map));) {
    constexpr std::uint32_t structOps = 26;  // enum bpf_map_type
    if (library.bpf_map__type(map) == structOps)
      (void)library.bpf_map__set_map_flags(map, library.bpf_map__map_flags(map) | detail::structOpsByLink);
  }
}

Error notFound(std::string_view what, std::string_view name, const std::vector<std::string>& known, ErrorCode code) {
  return {.code = code,
          .message = fmt::format("object: there is no {} '{}'{}", what, name, didYouMean(name, known)),
          .target = "bpf"};
}

/// Puts the kernel's types that the object needs into a file of the process, and returns its path. Nothing if libbpf is
/// to read the kernel's own.
std::optional<std::string> reducedKernel(detail::ObjectState& state) {
  const detail::Btf* const kernel = detail::elfSection(state.elf, ".BTF.ext") ? detail::runningKernel() : nullptr;
  const auto types = kernel ? detail::reducedTypes(state.elf, *kernel) : std::nullopt;
  if (!types || !types->isSame) return std::nullopt;
  detail::UniqueDescriptor file(::memfd_create("kernel types", MFD_CLOEXEC));
  const auto bytes = static_cast<ssize_t>(types->bytes.size());
  if (!file.ok() || ::write(file.get(), types->bytes.data(), types->bytes.size()) != bytes) return std::nullopt;
  std::string path = fmt::format("/proc/self/fd/{}", file.get());
  if (::access(path.c_str(), R_OK) != 0) return std::nullopt;  // there is no /proc
  state.kernelTypes = std::move(file);
  return path;
}

}  // namespace

detail::ObjectState::~ObjectState() {
  for (const auto& [map, mapping] : mappings) ::munmap(mapping.address, mapping.bytes);
  if (object) library.bpf_object__close(object);
}

Object::Object(std::shared_ptr<detail::ObjectState> state) : state_(std::move(state)) {}
Object::Object(Object&&) noexcept = default;
Object& Object::operator=(Object&&) noexcept = default;
Object::~Object() = default;

Result<Object> Object::open(const Image& image, const OpenOptions& options) {
  if (image.info().runtime != "bpf" || image.code().empty()) {
    return Error{.code = ErrorCode::IncompatibleDevice,
                 .message = fmt::format("image: it is for target '{}', and holds no BPF object", image.info().target),
                 .hint = "compile it with --target bpf",
                 .target = "bpf"};
  }
  return open(image.code().front().bytes, options);
}

Result<Object> Object::open(std::span<const std::byte> elf, const OpenOptions& options) {
  const auto& library = lathe::detail::libbpf();
  if (!library) return library.error();
  auto state = std::make_shared<detail::ObjectState>(*library);
  state->elf.assign(elf.begin(), elf.end());
  renameStructOps(state->elf);
  state->options = options;
  if (state->options.name.empty()) state->options.name = "program";
  const OpenOptions& kept = state->options;
  const std::optional<std::string> reduced = kept.kernelTypes.empty() ? reducedKernel(*state) : kept.kernelTypes;
  const lathe::detail::LibbpfOpenOptions open{
      .objectName = kept.name.c_str(),
      .pinFolder = kept.pinFolder.empty() ? nullptr : kept.pinFolder.c_str(),
      .kernelTypes = reduced ? reduced->c_str() : nullptr,
  };
  if (!options.kernelTypes.empty()) {
    if (auto types = Types::ofFile(options.kernelTypes); !types) return std::move(types).error();
  }
  if (const auto section = detail::elfSection(state->elf, ".BTF")) {
    auto types = detail::Btf::view(*section);
    if (!types) return std::move(types).error();
    if (auto sound = detail::checkTypes(*types); !sound) return std::move(sound).error();
  }
  const detail::LibbpfMessages messages(*library);
  state->object = library->bpf_object__open_mem(state->elf.data(), state->elf.size(), &open);
  if (!state->object) {
    const int status = detail::lastStatus();
    const std::string reason = messages.reason();
    return Error{
        .code = ErrorCode::ImageCorrupt,
        .message = fmt::format("object: libbpf does not take it: {}", reason.empty() ? std::strerror(-status) : reason),
        .target = "bpf"};
  }
  for (const Program& program : Object(state).programs()) giveType(*library, program.handle_, program.section());
  if (options.alwaysLog) {
    for (const Program& program : Object(state).programs()) {
      constexpr std::uint32_t fullLog = 2;
      (void)library->bpf_program__set_log_level(program.handle_, fullLog);
    }
  }
  return Object(std::move(state));
}

namespace {

/// libbpf says "Invalid argument" of a folder for pins that is none.
Result<void> checkPinFolders(const detail::ObjectState& state) {
  for (bpf_map* at = nullptr; (at = state.library.bpf_object__next_map(state.object, at));) {
    const char* const path = state.library.bpf_map__pin_path(at);
    if (!path) continue;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    struct statfs system{};
    constexpr decltype(system.f_type) bpfFileSystem = 0xcafe4a11;  // BPF_FS_MAGIC of the kernel's linux/magic.h
    const int status = ::statfs(folder.c_str(), &system) == 0 ? 0 : errno;
    if (status == 0 && system.f_type == bpfFileSystem) continue;
    return Error{
        .code = ErrorCode::InvalidArgument,
        .message = fmt::format("object: map '{}' is pinned in {}: {}", textOr(state.library.bpf_map__name(at)),
                               folder.string(), status != 0 ? std::strerror(status) : "it is no BPF file system"),
        .hint = "pins lie in a mounted BPF file system: mount -t bpf bpf /sys/fs/bpf",
        .target = "bpf"};
  }
  return {};
}

}  // namespace

Result<void> Object::load() {
  detail::ObjectState& state = *state_;
  if (state.loaded)
    return Error{.code = ErrorCode::InvalidArgument, .message = "object: it is loaded already", .target = "bpf"};
  const detail::LibbpfMessages messages(state.library);
  if (auto there = checkPinFolders(state); !there) return there;
  if (auto given = detail::giveArena(state); !given) return given;
  tieStructOps(state);
  const int status = state.library.bpf_object__load(state.object);
  const auto logs = detail::logsIn(messages.text());
  if (status < 0 && !logs.empty()) state.log = logs.back();
  if (status < 0) return detail::loadFailure(state, status, messages);
  for (const std::string& log : logs) state.log += log;
  state.loaded = true;
  return {};
}

bool Object::isLoaded() const noexcept {
  return state_->loaded;
}

const std::string& Object::verifierLog() const noexcept {
  return state_->log;
}

std::vector<Program> Object::programs() const {
  std::vector<Program> out;
  const detail::Libbpf& library = state_->library;
  for (bpf_program* at = nullptr; (at = library.bpf_object__next_program(state_->object, at));) {
    Program program;
    program.object_ = state_;
    program.handle_ = at;
    program.name_ = textOr(library.bpf_program__name(at));
    program.section_ = textOr(library.bpf_program__section_name(at));
    const std::uint32_t type = library.bpf_program__type(at);
    program.kind_ = type == netfilter ? "netfilter" : textOr(library.libbpf_bpf_prog_type_str(type));
    out.push_back(std::move(program));
  }
  return out;
}

Result<Program> Object::program(std::string_view name) const {
  auto all = programs();
  const auto found = std::ranges::find(all, name, &Program::name);
  if (found != all.end()) return *std::move(found);
  std::vector<std::string> names;
  for (const Program& program : all) names.push_back(program.name());
  return notFound("program", name, names, ErrorCode::UnknownKernel);
}

std::vector<RawMap> Object::maps() const {
  std::vector<RawMap> out;
  const detail::Libbpf& library = state_->library;
  for (bpf_map* at = nullptr; (at = library.bpf_object__next_map(state_->object, at));) {
    RawMap map;
    map.object_ = state_;
    map.handle_ = at;
    map.name_ = textOr(library.bpf_map__name(at));
    map.keyBytes_ = library.bpf_map__key_size(at);
    map.valueBytes_ = library.bpf_map__value_size(at);
    map.internal_ = library.bpf_map__is_internal(at);
    map.setKind(library.bpf_map__type(at));
    out.push_back(std::move(map));
  }
  return out;
}

Result<RawMap> Object::rawMap(std::string_view name) const {
  auto all = maps();
  const auto found = std::ranges::find(all, name, &RawMap::name);
  if (found != all.end()) return *std::move(found);
  std::vector<std::string> names;
  for (const RawMap& map : all)
    if (!map.isInternal()) names.push_back(map.name());
  return notFound("map", name, names, ErrorCode::InvalidArgument);
}

Result<std::span<std::byte>> Object::globalBytes(std::string_view name) const {
  detail::ObjectState& state = *state_;
  auto read = detail::typesOf(state);
  if (!read) return std::move(read).error();
  std::vector<std::string> names;
  for (const RawMap& map : maps()) {
    if (!map.isInternal()) continue;
    const std::size_t dot = map.name().find('.');
    const std::uint32_t section =
        read->find(detail::BtfKind::section, std::string_view(map.name()).substr(std::min(dot, map.name().size())));
    for (const detail::BtfMember& variable : read->members(section)) {
      names.emplace_back(variable.name);
      if (variable.name != name) continue;
      auto memory = detail::memoryOf(state, map.handle_, map.valueBytes());
      if (!memory) return memory;
      const std::size_t offset = variable.bitOffset / 8;
      if (offset > memory->size() || variable.bytes > memory->size() - offset) break;
      return memory->subspan(offset, variable.bytes);
    }
  }
  return notFound("global variable", name, names, ErrorCode::InvalidArgument);
}

Error Object::wrongSize(std::string_view name, std::size_t have, std::size_t wanted) {
  return {.code = ErrorCode::ArgumentMismatch,
          .message = fmt::format("global variable '{}': it has {} bytes, not {}", name, have, wanted),
          .target = "bpf"};
}

Result<std::vector<Link>> Object::attachAll() const {
  std::vector<Link> out;
  for (const Program& program : programs()) {
    if (!program.isEnabled() || !program.namesPlace()) continue;
    auto link = program.attach();
    if (!link) return std::move(link).error();
    out.push_back(*std::move(link));
  }
  for (const RawMap& map : maps()) {
    if (map.kind() != "struct_ops") continue;
    auto link = map.attachStructOps();
    if (!link) return std::move(link).error();
    out.push_back(*std::move(link));
  }
  return out;
}

Result<detail::Btf> detail::typesOf(const ObjectState& state) {
  std::uint32_t size = 0;
  const btf* const types = state.library.bpf_object__btf(state.object);
  const auto* const raw = types ? static_cast<const std::byte*>(state.library.btf__raw_data(types, &size)) : nullptr;
  return Btf::parse({raw, raw + size});
}

/// Before load() libbpf's own memory; afterwards the map itself, because libbpf's stays a copy.
Result<std::span<std::byte>> detail::memoryOf(ObjectState& state, bpf_map* map, std::size_t bytes) {
  if (!state.loaded) {
    std::size_t size = 0;
    // Constant in libbpf's declaration only: skeletons write through it.
    auto* const initial = const_cast<void*>(state.library.bpf_map__initial_value(map, &size));
    if (!initial) return bpfError(EINVAL, "object: its variables have no initial values");
    return std::span(static_cast<std::byte*>(initial), size);
  }
  Mapping& mapping = state.mappings[map];
  if (!mapping.address) {
    const int descriptor = state.library.bpf_map__fd(map);
    void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (address == MAP_FAILED) address = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0);  // constants
    if (address == MAP_FAILED) {
      state.mappings.erase(map);
      return bpfError(errno, "object: mapping its variables");
    }
    mapping = {address, bytes};
  }
  return std::span(static_cast<std::byte*>(mapping.address), mapping.bytes);
}

}  // namespace lathe::bpf
