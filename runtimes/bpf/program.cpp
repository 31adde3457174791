// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs: run on given input, attached, counted.
#include <linux/bpf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "runtimes/bpf/object_state.h"

namespace lathe::bpf {
namespace {

/// The kernel's record of a program, as far as Linux 5.12 has it.
Result<bpf_prog_info> infoOf(const detail::Libbpf& library, int descriptor, std::string_view name) {
  bpf_prog_info info{};
  std::uint32_t size = sizeof(info);
  const int status = library.bpf_obj_get_info_by_fd(descriptor, &info, &size);
  if (status < 0) return detail::bpfError(status, fmt::format("program '{}': asking for its record", name));
  return info;
}

Error notLoaded(std::string_view name) {
  return {.code = ErrorCode::InvalidArgument,
          .message = fmt::format("program '{}': it is not loaded; call load() first, with the program enabled", name),
          .target = "bpf"};
}

/// Packets grow when programs ask for it: by at most what the kernel leaves them before and behind.
constexpr std::size_t packetRoom = 512;

constexpr std::string_view packetKinds[] = {"xdp",           "sched_cls",      "sched_act", "socket_filter",
                                            "cgroup_skb",    "lwt_in",         "lwt_out",   "lwt_xmit",
                                            "lwt_seg6local", "flow_dissector", "sk_skb",    "netfilter"};

}  // namespace

bool takesPacket(std::string_view kind) noexcept {
  return std::ranges::find(packetKinds, kind) != std::end(packetKinds);
}

int Program::descriptor() const noexcept {
  return object_->loaded ? std::max(object_->library.bpf_program__fd(handle_), -1) : -1;
}

bool Program::isEnabled() const noexcept {
  return object_->library.bpf_program__autoload(handle_) && !object_->unattached.contains(handle_);
}

void Program::setEnabled(bool enabled) const noexcept {
  if (!object_->loaded)
    (void)object_->library.bpf_program__set_autoload(handle_, enabled);
  else if (enabled)
    object_->unattached.erase(handle_);
  else
    object_->unattached.insert(handle_);
}

Result<void> Program::replaces(const Program& target, const std::string& function) const {
  if (target.descriptor() < 0) return notLoaded(target.name_);
  const detail::LibbpfMessages messages(object_->library);
  const int status = object_->library.bpf_program__set_attach_target(handle_, target.descriptor(), function.c_str());
  if (status >= 0) return {};
  Error error = detail::bpfError(
      status, fmt::format("program '{}': replacing '{}' of '{}'", name_, function, target.name_), messages.reason());
  error.code = ErrorCode::InvalidArgument;
  return error;
}

Result<std::uint32_t> Program::id() const {
  if (descriptor() < 0) return notLoaded(name_);
  const auto info = infoOf(object_->library, descriptor(), name_);
  if (!info) return info.error();
  return info->id;
}

Result<RunCounts> Program::counts() const {
  if (descriptor() < 0) return notLoaded(name_);
  const auto info = infoOf(object_->library, descriptor(), name_);
  if (!info) return info.error();
  return RunCounts{info->run_cnt, info->run_time_ns, info->recursion_misses};
}

Result<TestResult> Program::testRun(const TestRun& run) const {
  if (descriptor() < 0) return notLoaded(name_);
  const bool takesPacket = !run.packet.empty();
  TestResult out;
  lathe::detail::LibbpfTestRun options;
  std::vector<std::byte> contextOut(run.context.size());
  if (takesPacket) {
    out.packet.resize(run.packet.size() + packetRoom);
    options.dataIn = run.packet.data();
    options.dataInBytes = static_cast<std::uint32_t>(run.packet.size());
    options.dataOut = out.packet.data();
    options.dataOutBytes = static_cast<std::uint32_t>(out.packet.size());
  }
  if (!run.context.empty()) {
    options.contextIn = run.context.data();
    options.contextInBytes = static_cast<std::uint32_t>(run.context.size());
    if (takesPacket) {
      options.contextOut = contextOut.data();
      options.contextOutBytes = options.contextInBytes;
    }
  }
  // The kernel takes no count for programs that it runs once only.
  if (run.repeat > 1) options.repeat = static_cast<int>(std::min<std::uint32_t>(run.repeat, 1U << 30));
  const int status = object_->library.bpf_prog_test_run_opts(descriptor(), &options);
  if (status < 0 && status != -ENOSPC) {
    Error error = detail::bpfError(status, fmt::format("program '{}': running it on given input", name_));
    if (error.code != ErrorCode::PermissionDenied) error.code = ErrorCode::LaunchFailed;
    if (status == -ENOTSUP || status == -524) {
      error.message =
          fmt::format("program '{}': the kernel runs programs of SEC(\"{}\") by their events only", name_, section_);
      error.hint = "attach it, or call the same function from a SEC(\"syscall\") program";
    } else if (status == -EINVAL && takesPacket && run.packet.size() < 14) {
      error.hint = "a packet has at least the 14 bytes of an Ethernet header";
    } else if (status == -EINVAL) {
      error.hint =
          "programs of SEC(\"syscall\") take a context of the size they were written for, programs on "
          "packets a packet, raw tracepoints up to 12 words of 8 bytes";
    }
    return error;
  }
  if (takesPacket && options.contextOutBytes != 0 && !run.context.empty())
    std::memcpy(run.context.data(), contextOut.data(),
                std::min<std::size_t>(options.contextOutBytes, contextOut.size()));
  out.value = static_cast<std::int32_t>(options.result);
  out.packet.resize(std::min<std::size_t>(options.dataOutBytes, out.packet.size()));
  out.nanoseconds = options.nanoseconds;
  return out;
}

bool Program::namesPlace() const noexcept {
  constexpr std::string_view kinds[] = {"kprobe",  "tracepoint", "raw_tracepoint", "raw_tracepoint_writable",
                                        "tracing", "lsm",        "extension"};
  return section_.find('/') != std::string::npos && std::ranges::find(kinds, kind_) != std::end(kinds);
}

Result<Link> Program::attach() const {
  if (descriptor() < 0) return notLoaded(name_);
  if (section_.starts_with("uprobe.multi/") || section_.starts_with("uretprobe.multi/")) {  // not libbpf 1.1's
    const std::size_t slash = section_.find('/');
    auto place = parseAttachPoint(section_.substr(0, slash) + ":" + section_.substr(slash + 1));
    return place ? attach(*place) : Result<Link>(std::move(place).error());
  }
  const std::string what = fmt::format("program '{}': attaching it by its section '{}'", name_, section_);
  const detail::LibbpfMessages messages(object_->library);
  bpf_link* const made = object_->library.bpf_program__attach(handle_);
  if (!made) {
    Error error = detail::bpfError(detail::lastStatus(), what);
    const std::string reason = messages.reason();
    if (!reason.empty()) error.notes.push_back({.message = "libbpf: " + reason});
    if (error.code == ErrorCode::Unsupported)
      error.hint = "this section names no place; give attach() one";
    else if (section_.starts_with("tp") && ::access("/sys/kernel/tracing/events", F_OK) != 0)
      error.hint = "tracepoints are found in tracefs: mount -t tracefs tracefs /sys/kernel/tracing";
    return error;
  }
  auto link = std::make_unique<detail::LinkState>(object_->library);
  link->what = what;
  link->object = object_;
  link->links.push_back(made);
  link->iterates = section_.starts_with("iter");
  return Link(std::move(link));
}

Result<Link> Program::attach(const AttachPoint& point) const {
  if (descriptor() < 0) return notLoaded(name_);
  auto link = detail::attachTo(object_, handle_, kind_,
                               fmt::format("program '{}': attaching it to {}", name_, describe(point)), point);
  if (!link) return std::move(link).error();
  return Link(*std::move(link));
}

Result<void> Program::pin(const std::filesystem::path& path) const {
  if (descriptor() < 0) return notLoaded(name_);
  const detail::LibbpfMessages messages(object_->library);
  if (const int status = object_->library.bpf_program__pin(handle_, path.c_str()); status < 0) {
    return Error{
        .code = ErrorCode::FileUnwritable,
        .message = fmt::format("{}: program '{}' cannot be pinned: {}", path.string(), name_, std::strerror(-status)),
        .hint = "pins lie in a mounted BPF file system: mount -t bpf bpf /sys/fs/bpf",
        .target = "bpf"};
  }
  return {};
}

Result<Statistics> Statistics::enable() {
  const auto& library = lathe::detail::libbpf();
  if (!library) return library.error();
  const int descriptor = library->bpf_enable_stats(BPF_STATS_RUN_TIME);
  if (descriptor < 0) return detail::bpfError(descriptor, "bpf: counting runs of programs");
  return Statistics(descriptor);
}

Statistics::~Statistics() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace lathe::bpf
