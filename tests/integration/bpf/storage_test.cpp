// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Storage of tasks, sockets, inodes and cgroups from both sides, and a lock in a map's value.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <array>

#include "machine.h"

namespace {

using lathe::ErrorCode;
using lathe::bpf::Object;

constexpr const char* program = R"(
  #include <lathe/bpf.h>
  lathe::bpf::task_storage<__u64> tasks SEC(".maps");
  lathe::bpf::socket_storage<__u64> sockets SEC(".maps");
  lathe::bpf::inode_storage<__u64> inodes SEC(".maps");
  lathe::bpf::cgroup_storage<__u64> groups SEC(".maps");
  struct cgroup { int level; };
  extern "C" struct cgroup* bpf_cgroup_from_id(__u64 id) __ksym;
  extern "C" void bpf_cgroup_release(struct cgroup* of) __ksym;
  struct Arguments { __u64 erase, task, group, erased; };
  SEC("syscall") int run(Arguments* to) {
    auto* const task = bpf_get_current_task_btf();
    if (to->erase) {
      to->erased = static_cast<__u64>(tasks.erase(task) == 0) + (tasks.lookup(task) == nullptr);
      return 0;
    }
    if (__u64* const own = tasks.lookup_or_insert(task)) to->task = *own += 1;
    if (struct cgroup* const group = bpf_cgroup_from_id(bpf_get_current_cgroup_id())) {
      if (__u64* const own = groups.lookup_or_insert(group)) to->group = *own += 1;
      if (to->group == 12) to->erased = static_cast<__u64>(groups.erase(group) == 0) + (groups.lookup(group) == nullptr);
      bpf_cgroup_release(group);
    }
    return 0;
  }
  __u64 onSocket, erasedSocket;
  SEC("tc") int classify(__sk_buff* packet) {
    bpf_sock* sk = packet->sk;
    if (!sk) return 0;
    sk = bpf_sk_fullsock(sk);
    if (!sk) return 0;
    if (__u64* const own = sockets.lookup_or_insert(sk)) onSocket = *own += 5;
    if (sockets.lookup(sk)) erasedSocket = static_cast<__u64>(sockets.erase(sk) == 0) + (sockets.lookup(sk) == nullptr);
    return 0;
  }
  struct Account { struct bpf_spin_lock lock; __u64 from, to; };
  lathe::bpf::array_map<Account, 1> accounts SEC(".maps");
  SEC("tc") int move(__sk_buff*) {
    Account* const account = accounts.lookup(0);
    if (!account) return 1;
    const lathe::bpf::spin_guard guard(account->lock);
    account->from -= 3;
    account->to += 3;
    return 0;
  }
  LATHE_BPF_LICENSE("GPL");)";

struct Arguments {
  std::uint64_t erase = 0, task = 0, group = 0, erased = 0;
};

class BpfStorage : public lathe::test::LoadedProgram {
 protected:
  void SetUp() override {
    load(program);
  }
  Arguments run(Arguments arguments = {}) {
    const auto done = object->program("run")->testRun(arguments);
    EXPECT_TRUE(done) << done.error().render();
    return arguments;
  }
  /// What the process sees, sets and erases by a descriptor as the key.
  void expectBothSides(const char* name, int descriptor) {
    const auto map = object->map<int, std::uint64_t>(name);
    ASSERT_TRUE(map) << map.error().render();
    ASSERT_TRUE(map->set(descriptor, 77)) << map->set(descriptor, 77).error().render();
    const auto found = map->find(descriptor);
    ASSERT_TRUE(found) << found.error().render();
    EXPECT_EQ(*found, std::optional<std::uint64_t>(77));
    EXPECT_TRUE(*map->erase(descriptor));
    EXPECT_FALSE(*map->erase(descriptor));
    EXPECT_FALSE(map->find(descriptor)->has_value());
    EXPECT_FALSE(map->find(-1)) << "no descriptor";
  }
};

TEST_F(BpfStorage, OfTasks) {
  EXPECT_EQ(run().task, 1U);
  EXPECT_EQ(run().task, 2U);
  EXPECT_EQ(run({.erase = 1}).erased, 2U);
  EXPECT_EQ(run().task, 1U);
  const int self = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  expectBothSides("tasks", self);
  ::close(self);
  EXPECT_EQ(run().task, 1U) << "the process erased it";
}

TEST_F(BpfStorage, OfSockets) {
  std::array<std::byte, 64> packet{};
  ASSERT_TRUE(object->program("classify")->testRun({.packet = packet}));
  EXPECT_EQ(**object->global<std::uint64_t>("onSocket"), 5U);
  EXPECT_EQ(**object->global<std::uint64_t>("erasedSocket"), 2U);
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  expectBothSides("sockets", socket);
  ::close(socket);
}

/// Programs of type lsm have it, which this kernel may refuse: the process's side.
TEST_F(BpfStorage, OfInodes) {
  const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  expectBothSides("inodes", file);
  ::close(file);
}

TEST_F(BpfStorage, OfCgroups) {
  for (std::uint64_t i = 1; i <= 11; ++i) EXPECT_EQ(run().group, i);
  EXPECT_EQ(run().erased, 2U) << "the twelfth erases it";
  EXPECT_EQ(run().group, 1U);
}

TEST_F(BpfStorage, LocksAreHeldForAScope) {
  std::array<std::byte, 64> packet{};
  const auto moved = object->program("move")->testRun({.packet = packet, .repeat = 10});
  ASSERT_TRUE(moved) << moved.error().render();
  EXPECT_EQ(moved->value, 0);
  struct Account {
    std::uint64_t lock, from, to;
  };
  const auto account = *object->map<std::uint32_t, Account>("accounts")->find(0);
  EXPECT_EQ(account->to, 30U);
  EXPECT_EQ(account->from, static_cast<std::uint64_t>(-30));
}

}  // namespace
