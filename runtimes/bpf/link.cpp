// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links: how an attached program is let go, kept, or read.
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "runtimes/bpf/object_state.h"

// As in the kernel's asm-generic/socket.h.
#ifndef SO_DETACH_BPF
#define SO_DETACH_BPF 27
#endif
#ifndef SO_DETACH_REUSEPORT_BPF
#define SO_DETACH_REUSEPORT_BPF 68
#endif

namespace lathe::bpf {

int detail::lastStatus() noexcept {
  return errno != 0 ? -errno : -EINVAL;
}

int detail::LinkState::detach() noexcept {
  int status = 0;
  for (bpf_link* const link : links) {
    if (const int now = library.bpf_link__destroy(link); now < 0 && status == 0) status = now;
  }
  links.clear();
  descriptors.clear();
  if (trafficFilter.priority != 0) {
    const lathe::detail::LibbpfTrafficFilter which{.handle = trafficFilter.handle, .priority = trafficFilter.priority};
    if (const int now = library.bpf_tc_detach(&trafficHook, &which); now < 0 && status == 0) status = now;
    trafficFilter = {};
  }
  if (socket >= 0) {
    const int unused = 0;
    const int option = isGroup ? SO_DETACH_REUSEPORT_BPF : SO_DETACH_BPF;
    if (::setsockopt(socket, SOL_SOCKET, option, &unused, sizeof(unused)) != 0 && status == 0) status = -errno;
    socket = -1;
  }
  return status;
}

std::vector<int> detail::onlineCpus() {
  std::ifstream list("/sys/devices/system/cpu/online");
  std::vector<int> out;
  int first = 0;
  while (list >> first) {
    int last = first;
    if (list.peek() == '-') {
      list.get();
      list >> last;
    }
    for (int cpu = first; cpu <= last; ++cpu) out.push_back(cpu);
    if (list.peek() != ',') break;
    list.get();
  }
  if (out.empty()) out.push_back(0);
  return out;
}

Link::Link(std::unique_ptr<detail::LinkState> state) : state_(std::move(state)) {}
Link::Link(Link&&) noexcept = default;
Link& Link::operator=(Link&&) noexcept = default;
Link::~Link() = default;

Result<void> Link::detach() {
  if (!state_) return {};
  const int status = state_->detach();
  if (status < 0) return detail::bpfError(status, state_->what + ": detaching");
  return {};
}

Result<void> Link::pin(const std::filesystem::path& path) {
  if (!state_ || state_->links.size() + state_->descriptors.size() != 1) {
    return Error{.code = ErrorCode::Unsupported,
                 .message = fmt::format("{}: it cannot be pinned: it is not one link of the kernel",
                                        state_ ? state_->what : "link"),
                 .target = "bpf"};
  }
  const detail::LibbpfMessages messages(state_->library);
  const int status = state_->links.empty()
                         ? state_->library.bpf_obj_pin(state_->descriptors.front().get(), path.c_str())
                         : state_->library.bpf_link__pin(state_->links.front(), path.c_str());
  if (status < 0) {
    return Error{.code = ErrorCode::FileUnwritable,
                 .message = fmt::format("{}: cannot be pinned: {}", path.string(), std::strerror(-status)),
                 .hint = "pins lie in a mounted BPF file system: mount -t bpf bpf /sys/fs/bpf",
                 .target = "bpf"};
  }
  return {};
}

bool Link::iterates() const noexcept {
  return state_ && state_->iterates;
}

Result<std::string> Link::read() const {
  if (!state_ || !state_->iterates || state_->links.empty())
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("{}: only iterators are read", state_ ? state_->what : "link"),
                 .target = "bpf"};
  const int started = state_->library.bpf_iter_create(state_->library.bpf_link__fd(state_->links.front()));
  if (started < 0) return detail::bpfError(started, state_->what + ": starting the iterator");
  const detail::UniqueDescriptor file(started);
  std::string out;
  constexpr std::size_t step = 4096;
  for (;;) {
    const std::size_t before = out.size();
    out.resize(before + step);
    const ssize_t got = ::read(file.get(), out.data() + before, step);
    out.resize(before + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got == 0) return out;
    if (got < 0 && errno != EAGAIN && errno != EINTR) return detail::bpfError(errno, state_->what + ": reading");
  }
}

}  // namespace lathe::bpf
