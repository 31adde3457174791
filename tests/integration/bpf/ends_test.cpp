// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that is killed while its programs are attached, for each kind of place: the kernel's own lists have nothing
// of it afterwards. What a pin keeps stays until the file goes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>

#include "counting_program.h"

namespace {

using lathe::Error;
using lathe::Result;
using lathe::test::counting;
namespace bpf = lathe::bpf;

extern "C" __attribute__((noinline)) int latheEndingFunction(int value) {
  asm volatile("" : "+r"(value));
  return value + 1;
}

/// A place, and the section of a program for it.
struct Place {
  const char* name;
  const char* section;
  const char* result;
  std::function<Result<bpf::Link>(const bpf::Object&, const bpf::Program&)> attach;
};

Result<bpf::Link> bySection(const bpf::Object&, const bpf::Program& program) {
  return program.attach();
}
template <class Point>
auto at(Point point) {
  return [point](const bpf::Object&, const bpf::Program& program) { return program.attach(point); };
}

int groupSocket() {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(4242);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  (void)::bind(socket, reinterpret_cast<const sockaddr*>(&to), sizeof(to));
  return socket;
}

/// The cgroup that programs of the test are attached to, in a mount of the test's own.
std::filesystem::path cgroup() {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path root = "/tmp/lathe_ends_" + std::to_string(::getpid());
    std::filesystem::create_directory(root);
    if (::mount("cgroup2", root.c_str(), "cgroup2", 0, nullptr) != 0) return std::filesystem::path();
    std::filesystem::create_directory(root / "lathe_ends");
    return root / "lathe_ends";
  }();
  return folder;
}
void removeCgroup() {
  if (cgroup().empty()) return;
  std::filesystem::remove(cgroup());
  ::umount(cgroup().parent_path().c_str());
  std::filesystem::remove(cgroup().parent_path());
}

std::vector<Place> places() {
  return {
      {"raw tracepoint", "raw_tp/sched_switch", "0", bySection},
      {"tracepoint", "tp/sched/sched_switch", "0", bySection},
      {"typed tracepoint", "tp_btf/sched_switch", "0", bySection},
      {"function of a program", "uprobe", "0",
       at(bpf::UserProbe{.binary = "/proc/self/exe", .function = "latheEndingFunction"})},
      {"return of a function", "uretprobe", "0",
       at(bpf::UserProbe{.binary = "/proc/self/exe", .function = "latheEndingFunction", .onReturn = true})},
      {"functions by one link", "uprobe.multi", "0",
       at(bpf::UserProbes{.binary = "/proc/self/exe", .functions = {"latheEndingFunction"}})},
      {"samples", "perf_event", "0", at(bpf::Samples{.perSecond = 99})},
      {"xdp", "xdp", "XDP_PASS", at(bpf::Xdp{"lo"})},
      {"generic xdp", "xdp", "XDP_PASS", at(bpf::Xdp{"lo", bpf::XdpMode::generic})},
      {"ingress", "tc", "0", at(bpf::TrafficControl{"lo"})},
      {"egress", "tc", "0", at(bpf::TrafficControl{"lo", true})},
      {"cgroup", "cgroup_skb/egress", "1",
       [](const bpf::Object&, const bpf::Program& program) { return program.attach(bpf::Cgroup{cgroup()}); }},
      {"cgroup's connections", "cgroup/connect4", "1",
       [](const bpf::Object&, const bpf::Program& program) { return program.attach(bpf::Cgroup{cgroup()}); }},
      {"network namespace", "sk_lookup", "SK_PASS", at(bpf::NetNamespace{"/proc/self/ns/net"})},
      {"socket", "socket", "-1",
       [](const bpf::Object&, const bpf::Program& program) { return program.attach(bpf::Socket{groupSocket()}); }},
      {"group of sockets", "sk_reuseport", "SK_PASS",
       [](const bpf::Object&, const bpf::Program& program) { return program.attach(bpf::Socket{groupSocket()}); }},
      {"iterator", "iter/task", "0", bySection},
  };
}

using BpfEnds = lathe::test::CountingProgram;

/// Runs `body` in a process that is killed afterwards. Returns the number that it gave, 0 if it gave none.
template <class Body>
std::uint32_t killedAfter(Body body) {
  int pipe[2];
  if (::pipe(pipe) != 0) return 0;
  const pid_t child = ::fork();
  if (child == 0) {
    const std::uint32_t number = body();
    (void)!::write(pipe[1], &number, sizeof(number));
    ::raise(SIGKILL);
  }
  ::close(pipe[1]);
  std::uint32_t number = 0;
  if (::read(pipe[0], &number, sizeof(number)) != sizeof(number)) number = 0;
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  return number;
}

TEST_F(BpfEnds, KilledProcessesLeaveNothingAnywhere) {
  PRIVATE_MACHINE_OR_SKIP();
  const bool hasCgroups = !cgroup().empty();
  int tried = 0;
  for (const Place& place : places()) {
    if (!hasCgroups && std::string(place.name).starts_with("cgroup")) continue;
    SCOPED_TRACE(place.name);
    const auto image = lathe::test::compileProgram(counting(place.section, place.result));
    ASSERT_TRUE(image) << image.error().render();
    std::string reason;
    const std::uint32_t attached = killedAfter([&]() -> std::uint32_t {
      auto loaded = bpf::Object::open(*image);
      if (!loaded || !loaded->load()) return 0;
      const auto program = loaded->program("count");
      auto link = place.attach(*loaded, *program);
      if (!link) {
        std::fputs((std::string(place.name) + ": " + link.error().render()).c_str(), stderr);
        return 0;
      }
      // Both live until the process dies.
      (void)new bpf::Link(*std::move(link));
      (void)new bpf::Object(*std::move(loaded));
      return *program->id();
    });
    if (attached == 0) continue;
    ++tried;
    EXPECT_TRUE(lathe::test::isGone(attached));
  }
  removeCgroup();
  if (tried == 0) GTEST_SKIP() << "programs cannot be attached here";
}

constexpr const char* congestion = R"(
  #include <lathe/bpf.h>
  struct sock;
  struct tcp_sock { unsigned snd_cwnd; };
  struct tcp_congestion_ops {
    unsigned (*ssthresh)(sock*);
    void (*cong_avoid)(sock*, unsigned, unsigned);
    unsigned (*undo_cwnd)(sock*);
    char name[16];
  };
  __u64 runs;
  SEC("struct_ops/count") unsigned BPF_PROG(count, sock* of) {
    ++runs;
    return 2;
  }
  SEC("struct_ops/avoid") void BPF_PROG(avoid, sock* of, unsigned acknowledged, unsigned more) { ++runs; }
  SEC("struct_ops/undo") unsigned BPF_PROG(undo, sock* of) {
    ++runs;
    return 10;
  }
  SEC(".struct_ops") tcp_congestion_ops lathe_test = {
    .ssthresh = (unsigned (*)(sock*))count,
    .cong_avoid = (void (*)(sock*, unsigned, unsigned))avoid,
    .undo_cwnd = (unsigned (*)(sock*))undo,
    .name = "lathe_test",
  };
  LATHE_BPF_LICENSE("GPL");)";

bool hasCongestionControl(const std::string& name) {
  std::ifstream file("/proc/sys/net/ipv4/tcp_available_congestion_control");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  return text.find(name) != std::string::npos;
}

TEST_F(BpfEnds, OperationsOfTheKernel) {
  PRIVATE_MACHINE_OR_SKIP();
  load(congestion);
  if (IsSkipped() || HasFatalFailure()) return;
  {
    const auto link = object->rawMap("lathe_test")->attachStructOps();
    ASSERT_TRUE(link) << link.error().render();
    EXPECT_TRUE(hasCongestionControl("lathe_test"));
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::setsockopt(socket, IPPROTO_TCP, 13 /* TCP_CONGESTION */, "lathe_test", 10), 0) << std::strerror(errno);
    ::close(socket);
  }
  EXPECT_FALSE(hasCongestionControl("lathe_test"));
}

TEST_F(BpfEnds, OperationsAreAttachedWithTheRest) {
  PRIVATE_MACHINE_OR_SKIP();
  std::string late = congestion;  // by the section that libbpf 1.1 does not know
  late.insert(late.find("\".struct_ops\"") + std::strlen("\".struct_ops"), ".link");
  for (const std::string& text : {std::string(congestion), late}) {
    load(text);
    if (IsSkipped() || HasFatalFailure()) return;
    {
      const auto links = object->attachAll();
      ASSERT_TRUE(links) << links.error().render();
      EXPECT_TRUE(hasCongestionControl("lathe_test"));
    }
    EXPECT_FALSE(hasCongestionControl("lathe_test"));
  }
}

TEST_F(BpfEnds, KilledProcessesLeaveNoOperations) {
  PRIVATE_MACHINE_OR_SKIP();
  utsname machine{};
  unsigned major = 0, minor = 0;
  ASSERT_EQ(::uname(&machine), 0);
  ASSERT_EQ(std::sscanf(machine.release, "%u.%u", &major, &minor), 2);
  if (std::pair(major, minor) < std::pair(6U, 4U)) GTEST_SKIP() << "before Linux 6.4 they stay";
  const auto image = lathe::test::compileProgram(congestion);
  ASSERT_TRUE(image) << image.error().render();
  const std::uint32_t attached = killedAfter([&]() -> std::uint32_t {
    auto loaded = bpf::Object::open(*image);
    if (!loaded || !loaded->load()) return 0;
    auto link = loaded->rawMap("lathe_test")->attachStructOps();
    if (!link || !hasCongestionControl("lathe_test")) return 0;
    const std::uint32_t number = *loaded->program("count")->id();
    (void)new bpf::Link(*std::move(link));
    (void)new bpf::Object(*std::move(loaded));
    return number;
  });
  if (attached == 0) GTEST_SKIP() << "no operations are registered here";
  EXPECT_TRUE(lathe::test::isGone(attached));
  EXPECT_FALSE(hasCongestionControl("lathe_test"));
}

}  // namespace
