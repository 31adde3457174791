// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kinds of maps beyond keys and values, loops and timers: programs that use them run in the kernel, and the host's view
// is compared with theirs.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <array>

#include "machine.h"

namespace {

using lathe::ErrorCode;
using lathe::bpf::Object;

constexpr const char* program = R"(
  #include <lathe/bpf.h>
  lathe::bpf::bloom_filter<__u64, 100, 3> seen SEC(".maps");
  lathe::bpf::task_storage<__u64> tasks SEC(".maps");
  lathe::bpf::cgroup_storage<__u64> groups SEC(".maps");
  lathe::bpf::socket_storage<__u64> sockets SEC(".maps");
  using Counts = lathe::bpf::hash_map<__u32, __u64, 16>;
  Counts first SEC(".maps"), second SEC(".maps");
  lathe::bpf::array_of_maps<Counts, 4> all SEC(".maps") = {.values = {&first, &second}};
  lathe::bpf::hash_of_maps<__u64, Counts, 4> named SEC(".maps") = {.values = {}};
  lathe::bpf::user_ring_buffer<4096> commands SEC(".maps");
  struct Timed { bpf_timer timer; __u64 fired; };
  lathe::bpf::array_map<Timed, 1> timed SEC(".maps");
  struct Command { __u32 add, unused; };
  struct Arguments { __u64 count, loops, stopped, iterated, drained, sum, index, inner, name, byName, task, timer; };
  SEC("syscall") int run(Arguments* arguments) {
    __u64 sum = 0;
    lathe::bpf::loop(static_cast<__u32>(arguments->count), [&](__u32 i) { sum += i; });
    arguments->loops = sum;
    arguments->stopped = static_cast<__u64>(lathe::bpf::loop(1000, [](__u32 i) { return i < 9; }));
    sum = 0;
    for (const int i : lathe::bpf::numbers(0, static_cast<int>(arguments->count))) sum += static_cast<__u64>(i);
    arguments->iterated = sum;
    sum = 0;
    arguments->drained = static_cast<__u64>(commands.drain<Command>([&](const Command& command) { sum += command.add; }));
    arguments->sum = sum;
    if (Counts* const inner = all.lookup(static_cast<__u32>(arguments->index)))
      if (__u64* const count = inner->lookup_or_insert(5, 40)) arguments->inner = *count += 2;
    if (Counts* const inner = named.lookup(arguments->name))
      if (__u64* const count = inner->lookup_or_insert(6, 50)) arguments->byName = *count += 1;
    if (__u64* const own = tasks.lookup_or_insert(bpf_get_current_task_btf())) arguments->task = *own += 3;
    if (Timed* const entry = timed.lookup(0))
      arguments->timer = static_cast<__u64>(lathe::bpf::start_timer(entry->timer, timed,
          +[](decltype(timed)*, __u32*, Timed* value) { value->fired += 1; return 0; }, 1000000));
    return 0;
  }
  __u64 found;
  SEC("xdp") int filter(xdp_md*) {  // programs that may sleep have no filters
    seen.add(7);
    found = seen.may_contain(7) + 2 * seen.may_contain(1ULL << 40);
    return XDP_PASS;
  }
  LATHE_BPF_LICENSE("GPL");)";

struct Arguments {
  std::uint64_t count = 100, loops = 0, stopped = 0, iterated = 0, drained = 0, sum = 0, index = 1, inner = 0,
                name = 77, byName = 0, task = 0, timer = 99;
};

template <class T>
std::span<const std::byte> bytes(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

class BpfKinds : public lathe::test::LoadedProgram {
 protected:
  void SetUp() override {
    load(program);
  }
  Arguments run(Arguments arguments = {}) {
    auto program = object->program("run");
    EXPECT_TRUE(program) << program.error().render();
    const auto done = program->testRun(arguments);
    EXPECT_TRUE(done) << done.error().render();
    return arguments;
  }
  lathe::bpf::RawMap map(const char* name) {
    auto found = object->rawMap(name);
    EXPECT_TRUE(found) << found.error().render();
    return *found;
  }
};

TEST_F(BpfKinds, LoopsEndWhereTheySay) {
  const Arguments done = run();
  EXPECT_EQ(done.loops, 4950U);
  EXPECT_EQ(done.iterated, 4950U);
  EXPECT_EQ(done.stopped, 10U);
  EXPECT_EQ(run({.count = 0}).iterated, 0U);
}

TEST_F(BpfKinds, TimersFire) {
  EXPECT_EQ(run().timer, 0U);
  struct Timed {
    std::uint64_t timer[2], fired;
  };
  const auto timed = object->map<std::uint32_t, Timed>("timed");
  ASSERT_TRUE(timed) << timed.error().render();
  std::uint64_t fired = 0;
  for (int i = 0; i < 200 && fired == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    fired = (*timed->find(0))->fired;
  }
  EXPECT_EQ(fired, 1U);
}

TEST_F(BpfKinds, FiltersKnowWhatBothSidesAdded) {
  std::array<std::byte, 64> packet{};
  auto filter = object->program("filter");
  ASSERT_TRUE(filter) << filter.error().render();
  const auto done = filter->testRun({.packet = packet});
  ASSERT_TRUE(done) << done.error().render();
  const auto found = object->global<std::uint64_t>("found");
  ASSERT_TRUE(found) << found.error().render();
  EXPECT_EQ(**found, 1U);
  const auto seen = map("seen");
  EXPECT_EQ(seen.kind(), "bloom_filter");
  std::uint64_t value = 7;
  const auto has = [&](std::uint64_t of) { return *seen.lookup({}, std::as_writable_bytes(std::span(&of, 1))); };
  EXPECT_TRUE(has(7));
  value = 123456;
  ASSERT_TRUE(seen.update({}, bytes(value)));
  EXPECT_TRUE(has(123456));
  int more = 0;  // of 100 entries with 3 hashes, few of 1000 others seem to be there
  for (std::uint64_t other = 1000; other < 2000; ++other) more += has(other);
  EXPECT_LT(more, 100);
}

TEST_F(BpfKinds, MapsOfMapsAreExchanged) {
  EXPECT_EQ(run().inner, 42U);
  EXPECT_EQ(run().inner, 44U);
  EXPECT_EQ(run({.index = 0}).inner, 42U) << "another map";
  EXPECT_EQ(run({.index = 3}).inner, 0U) << "there is none";
  EXPECT_EQ(run().byName, 0U) << "there is none";
  const auto all = map("all");
  const auto fresh = map("second").emptyCopy();
  ASSERT_TRUE(fresh) << fresh.error().render();
  const std::uint32_t index = 1;
  const auto set = all.setInner(bytes(index), *fresh);
  ASSERT_TRUE(set) << set.error().render();
  EXPECT_EQ(run().inner, 42U) << "an empty map";
  const auto now = all.inner(bytes(index));
  ASSERT_TRUE(now && *now) << now.error().render();
  EXPECT_EQ(*(*now)->id(), *fresh->id());
  std::uint64_t count = 0;
  const std::uint32_t key = 5;
  EXPECT_TRUE(*(*now)->lookup(bytes(key), std::as_writable_bytes(std::span(&count, 1))));
  EXPECT_EQ(count, 42U);
  const std::uint64_t name = 77;
  ASSERT_TRUE(map("named").setInner(bytes(name), *fresh));
  EXPECT_EQ(run().byName, 51U);
}

TEST_F(BpfKinds, MapsOfMapsRefuseOthers) {
  const std::uint32_t index = 1;
  const auto none = map("first").setInner(bytes(index), map("second"));
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("it holds no maps"), std::string::npos) << none.error().render();
  const auto other = map("all").setInner(bytes(index), map("timed"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::InvalidArgument);
  EXPECT_NE(other.error().hint.find("of one kind"), std::string::npos) << other.error().render();
  const auto beyond = map("all").inner(bytes(std::uint32_t{9}));
  ASSERT_TRUE(beyond);
  EXPECT_FALSE(*beyond);
}

TEST_F(BpfKinds, RecordsOfTheProcessArrive) {
  auto buffer = lathe::bpf::UserRingBuffer::open(map("commands"));
  ASSERT_TRUE(buffer) << buffer.error().render();
  EXPECT_EQ(run().drained, 0U);
  std::uint64_t wanted = 0;
  for (std::uint32_t round = 0; round < 400; ++round) {  // more than once around
    const std::array<std::uint32_t, 2> command = {round, 0};
    ASSERT_TRUE(buffer->send(std::as_bytes(std::span(command))));
    wanted += round;
    if (round % 7 != 6) continue;
    const Arguments done = run();
    EXPECT_EQ(done.drained, 7U);
    EXPECT_EQ(done.sum, wanted);
    wanted = 0;
  }
  // 16 bytes a record: the buffer is full after 256.
  run();
  int sent = 0;
  lathe::Result<void> last;
  const std::array<std::uint32_t, 2> nothing{};
  for (; sent < 1000; ++sent) {
    last = buffer->send(std::as_bytes(std::span(nothing)));
    if (!last) break;
  }
  EXPECT_EQ(sent, 256);
  ASSERT_FALSE(last);
  EXPECT_EQ(last.error().code, ErrorCode::ResourceLimit) << last.error().render();
  const auto huge = buffer->send(std::vector<std::byte>(5000));
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().code, ErrorCode::InvalidArgument);
  const auto another = lathe::bpf::UserRingBuffer::open(map("first"));
  ASSERT_FALSE(another);
  EXPECT_NE(another.error().message.find("it is a hash"), std::string::npos) << another.error().render();
}

TEST_F(BpfKinds, StorageLivesWithTheTask) {
  EXPECT_EQ(run().task, 3U);
  EXPECT_EQ(run().task, 6U);
  const int self = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  ASSERT_GE(self, 0);
  const auto tasks = object->map<int, std::uint64_t>("tasks");
  ASSERT_TRUE(tasks) << tasks.error().render();
  const auto found = tasks->find(self);
  ::close(self);
  ASSERT_TRUE(found) << found.error().render();
  EXPECT_EQ(*found, std::optional<std::uint64_t>(6));
}

}  // namespace
