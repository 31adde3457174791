// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <lathe/bpf_host.h> and the bpf runtime against this machine's kernel: launches, variables, maps, ring buffers, pins,
// and what wrong requests get. Links are in link_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "machine.h"

namespace {

using lathe::ErrorCode;
using lathe::bpf::Object;

struct Arguments {
  std::uint64_t a, b;
  std::int32_t result;
};

constexpr const char* program = R"(
  #include <lathe/bpf.h>
  struct Arguments { __u64 a, b; __s32 result; };
  struct Event { __u32 number; char text[12]; };
  lathe::bpf::hash_map<__u32, __u64, 4> sums SEC(".maps");
  lathe::bpf::percpu_array_map<__u32, 2> counts SEC(".maps");
  lathe::bpf::ring_buffer<4096> events SEC(".maps");
  const volatile int factor = 1;
  int calls;
  __u64 limit = 100;
  SEC("syscall") int add(Arguments* args) {
    __sync_fetch_and_add(&calls, 1);
    args->result = static_cast<int>(args->a + args->b) * factor;
    const __u32 key = args->a;
    sums.update(key, args->b);
    if (__u32* count = counts.lookup(1)) ++*count;
    Event* const event = events.reserve<Event>();
    if (!event) return -1;
    event->number = args->a;
    __builtin_memcpy(event->text, "hello world", 12);
    events.submit(event);
    return args->b > limit ? -7 : 42;
  }
  SEC("xdp") int shorten(xdp_md* ctx) {
    return bpf_xdp_adjust_head(ctx, 14) == 0 ? XDP_PASS : XDP_ABORTED;
  }
  LATHE_BPF_LICENSE("GPL");)";

class BpfHost : public lathe::test::LoadedProgram {
 protected:
  void open(const std::string& text = program, const lathe::bpf::OpenOptions& options = {}) {
    LoadedProgram::open(text, options);
  }
};

#define OPEN_OR_RETURN(...) \
  open(__VA_ARGS__);        \
  if (IsSkipped() || HasFatalFailure()) return
#define LOAD_OR_RETURN() \
  load();                \
  if (IsSkipped() || HasFatalFailure()) return

TEST_F(BpfHost, ListsWhatTheFileHas) {
  OPEN_OR_RETURN();
  const auto programs = object->programs();
  ASSERT_EQ(programs.size(), 2U);
  const auto found = object->program("shorten");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->section(), "xdp");
  EXPECT_EQ(found->kind(), "xdp");
  const auto map = object->rawMap("counts");
  ASSERT_TRUE(map);
  EXPECT_EQ(map->kind(), "percpu_array");
  EXPECT_TRUE(map->isPerCpu());
  EXPECT_EQ(map->valueStride(), 8U);
}

TEST_F(BpfHost, VariablesAreSetBeforeAndReadAfterLoading) {
  OPEN_OR_RETURN();
  auto factor = object->global<int>("factor");
  ASSERT_TRUE(factor) << factor.error().render();
  EXPECT_EQ(**factor, 1);
  **factor = 3;
  LOAD_OR_RETURN();
  Arguments arguments{10, 4, 0};
  const auto add = object->program("add");
  ASSERT_TRUE(add);
  for (int i = 0; i < 2; ++i) {
    const auto ran = add->testRun(arguments);
    ASSERT_TRUE(ran) << ran.error().render();
    EXPECT_EQ(ran->value, 42);
  }
  EXPECT_EQ(arguments.result, 42);
  const auto calls = object->global<int>("calls");
  ASSERT_TRUE(calls);
  EXPECT_EQ(**calls, 2);
  const auto limit = object->global<std::uint64_t>("limit");
  ASSERT_TRUE(limit);
  **limit = 3;  // the program reads what is written here
  const auto ran = add->testRun(arguments);
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->value, -7);
  EXPECT_EQ(object->global<int>("call").error().message,
            "object: there is no global variable 'call'; did you mean 'calls'?");
  EXPECT_EQ(object->global<char>("calls").error().code, ErrorCode::ArgumentMismatch);
}

TEST_F(BpfHost, PacketsComeBackChanged) {
  OPEN_OR_RETURN();
  LOAD_OR_RETURN();
  const auto shorten = object->program("shorten");
  ASSERT_TRUE(shorten);
  std::array<std::byte, 64> packet{};
  packet[14] = std::byte{9};
  const auto ran = shorten->testRun({.packet = packet, .repeat = 3});
  ASSERT_TRUE(ran) << ran.error().render();
  EXPECT_EQ(ran->value, 2);
  EXPECT_LE(ran->packet.size(), 50U);
  const auto small = shorten->testRun({.packet = std::span(packet).first(4)});
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().code, ErrorCode::LaunchFailed);
  EXPECT_NE(small.error().hint.find("14 bytes"), std::string::npos);
}

TEST_F(BpfHost, MapsHaveTypes) {
  OPEN_OR_RETURN();
  const auto early = object->map<std::uint32_t, std::uint64_t>("sums");
  ASSERT_TRUE(early);
  EXPECT_EQ(early->find(1).error().message, "map 'sums': its object is not loaded; call load() first");
  LOAD_OR_RETURN();
  const auto sums = object->map<std::uint32_t, std::uint64_t>("sums");
  ASSERT_TRUE(sums);
  EXPECT_FALSE(sums->find(1)->has_value());
  for (std::uint32_t i = 0; i < 4; ++i) ASSERT_TRUE(sums->set(i, i * 10));
  EXPECT_EQ(sums->find(3)->value(), 30U);
  const auto entries = sums->entries();
  ASSERT_TRUE(entries);
  EXPECT_EQ((std::map<std::uint32_t, std::uint64_t>(entries->begin(), entries->end())),
            (std::map<std::uint32_t, std::uint64_t>{{0, 0}, {1, 10}, {2, 20}, {3, 30}}));
  const auto full = sums->set(9, 1);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, ErrorCode::ResourceLimit);
  EXPECT_EQ(full.error().message, "map 'sums': it is full: it has room for 4 entries");
  EXPECT_EQ(sums->set(1, 1, lathe::bpf::UpdateMode::onlyNew).error().code, ErrorCode::InvalidArgument);
  EXPECT_TRUE(*sums->erase(1));
  EXPECT_FALSE(*sums->erase(1));
  const auto wrong = object->map<std::uint64_t, std::uint64_t>("sums");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::ArgumentMismatch);
  EXPECT_NE(object->rawMap("sum").error().message.find("did you mean 'sums'?"), std::string::npos);
}

TEST_F(BpfHost, EachCpuHasItsValue) {
  OPEN_OR_RETURN();
  LOAD_OR_RETURN();
  Arguments arguments{1, 2, 0};
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(object->program("add")->testRun(arguments));
  const auto counts = object->map<std::uint32_t, std::uint32_t>("counts");
  ASSERT_TRUE(counts);
  const auto values = counts->findAll(1);
  ASSERT_TRUE(values);
  EXPECT_EQ(values->size(), counts->raw().valuesPerKey());
  std::uint32_t sum = 0;
  for (const std::uint32_t value : *values) sum += value;
  EXPECT_EQ(sum, 5U);
  EXPECT_EQ(counts->allEntries()->size(), 2U);
  EXPECT_EQ(counts->set(7, 1).error().message, "map 'counts': the index lies beyond its 2 entries");
}

TEST_F(BpfHost, TakersThatCauseRecordsComeBack) {
  OPEN_OR_RETURN();
  LOAD_OR_RETURN();
  std::size_t seen = 0;
  auto events = lathe::bpf::RingBuffer::open(*object->rawMap("events"), [&](std::span<const std::byte>) {
    Arguments arguments{1, 0, 0};
    constexpr std::size_t tooMany = 100000;
    if (++seen < tooMany) {
      ASSERT_TRUE(object->program("add")->testRun(arguments));
    }
  });
  ASSERT_TRUE(events) << events.error().render();
  Arguments arguments{1, 0, 0};
  ASSERT_TRUE(object->program("add")->testRun(arguments));
  const std::size_t room = object->rawMap("events")->maxEntries();  // in bytes
  EXPECT_LT(*events->consume(), room);
  EXPECT_LT(seen, room);
  EXPECT_GT(*events->poll(1000), 0U);  // the rest is still there
}

TEST_F(BpfHost, RingBuffersGiveRecordsInOrder) {
  OPEN_OR_RETURN();
  LOAD_OR_RETURN();
  std::vector<std::uint32_t> seen;
  auto events = lathe::bpf::RingBuffer::open(*object->rawMap("events"), [&](std::span<const std::byte> record) {
    std::uint32_t number = 0;
    ASSERT_EQ(record.size(), 16U);
    std::memcpy(&number, record.data(), sizeof(number));
    seen.push_back(number);
  });
  ASSERT_TRUE(events) << events.error().render();
  for (std::uint32_t i = 0; i < 5; ++i) {
    Arguments arguments{i, 0, 0};
    ASSERT_TRUE(object->program("add")->testRun(arguments));
  }
  EXPECT_EQ(*events->poll(1000), 5U);
  EXPECT_EQ(*events->consume(), 0U);
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
  // Full: the program is told, and nothing is lost silently.
  int refused = 0;
  for (std::uint32_t i = 0; i < 400; ++i) {
    Arguments arguments{i, 0, 0};
    const auto ran = object->program("add")->testRun(arguments);
    ASSERT_TRUE(ran);
    refused += ran->value == -1;
  }
  EXPECT_EQ(static_cast<int>(*events->consume()) + refused, 400);
  EXPECT_GT(refused, 0);
  EXPECT_FALSE(lathe::bpf::RingBuffer::open(*object->rawMap("sums"), [](auto) {}));
}

TEST_F(BpfHost, IsADeviceWhoseLaunchesAreRuns) {
  const auto image = lathe::test::compileProgram(program);
  ASSERT_TRUE(image) << image.error().render();
  EXPECT_EQ(image->info().runtime, "bpf");
  const auto device = lathe::Device::open("bpf");
  if (!device) GTEST_SKIP() << device.error().message;
  EXPECT_TRUE(device->info().name.starts_with("Linux "));
  const auto module = device->load(*image);
  if (!module && module.error().code == ErrorCode::PermissionDenied) GTEST_SKIP() << module.error().message;
  ASSERT_TRUE(module) << module.error().render();
  const auto add = module->kernel<Arguments*>("add");
  ASSERT_TRUE(add) << add.error().render();
  auto buffer = device->allocate<Arguments>(1);
  ASSERT_TRUE(buffer);
  ASSERT_TRUE(buffer->upload(std::array{Arguments{20, 22, 0}}));
  const auto ran = (*add)({}, buffer->data());
  ASSERT_TRUE(ran) << ran.error().render();
  EXPECT_EQ(buffer->read()->front().result, 42);
  const auto calls = module->global("calls");
  ASSERT_TRUE(calls) << calls.error().render();
  EXPECT_EQ(*static_cast<const int*>(calls->first), 1);
  EXPECT_FALSE(module->kernel<int>("add"));
  Arguments elsewhere{};
  EXPECT_EQ((*add)({}, &elsewhere).error().code, ErrorCode::LaunchInvalid);
  EXPECT_EQ((*add)({.group = {2}}, buffer->data()).error().code, ErrorCode::LaunchInvalid);
  EXPECT_EQ(lathe::Device::open("cpu")->load(*image).error().code, ErrorCode::IncompatibleDevice);
}

TEST_F(BpfHost, RefusesWrongRequests) {
  const std::string garbage = "no ELF file";
  const auto opened = Object::open(std::as_bytes(std::span(garbage)));
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().code == ErrorCode::ImageCorrupt || opened.error().code == ErrorCode::DriverMissing);
  OPEN_OR_RETURN();
  const auto add = object->program("add");
  ASSERT_TRUE(add);
  Arguments arguments{};
  EXPECT_EQ(add->testRun(arguments).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(add->attach().error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(object->program("ad").error().code, ErrorCode::UnknownKernel);
  object->program("shorten")->setEnabled(false);
  LOAD_OR_RETURN();
  EXPECT_EQ(object->load().error().message, "object: it is loaded already");
  EXPECT_EQ(object->program("shorten")->descriptor(), -1);
  std::array<std::byte, 5> wrong{};
  const auto ran = add->testRun({.context = wrong});
  EXPECT_TRUE(ran || ran.error().code == ErrorCode::LaunchFailed);
  EXPECT_EQ(object->rawMap("sums")->setMaxEntries(9).error().code, ErrorCode::InvalidArgument);
}

TEST_F(BpfHost, NamesAKernelFunctionThatIsNotThere) {
  OPEN_OR_RETURN(R"(
    #include <lathe/bpf.h>
    extern "C" int lathe_no_such_function(int) __ksym;
    SEC("syscall") int call(int* context) { return lathe_no_such_function(*context); }
    LATHE_BPF_LICENSE("GPL");)");
  const auto loaded = object->load();
  ASSERT_FALSE(loaded);
  if (loaded.error().code == ErrorCode::PermissionDenied) GTEST_SKIP() << loaded.error().message;
  EXPECT_EQ(loaded.error().code, ErrorCode::UndefinedFunction) << loaded.error().render();
  EXPECT_NE(loaded.error().render().find("lathe_no_such_function"), std::string::npos) << loaded.error().render();
}

constexpr const char* pinnedMap = R"(
  #include <lathe/bpf.h>
  struct pinned_map {
    int (*type)[BPF_MAP_TYPE_HASH];
    __u32* key;
    VALUE* value;
    int (*max_entries)[8];
    int (*pinning)[1];
  };
  pinned_map kept SEC(".maps");
  SEC("syscall") int count(__u32* context) {
    __u32 key = *context;
    VALUE one = 1;
    return static_cast<int>(bpf_map_update_elem(&kept, &key, &one, BPF_ANY));
  }
  LATHE_BPF_LICENSE("GPL");)";

TEST_F(BpfHost, PinnedMapsAreSharedAndTwoVersionsAreToldApart) {
  PRIVATE_MACHINE_OR_SKIP();
  const std::string first = std::string("#define VALUE __u64\n") + pinnedMap;
  OPEN_OR_RETURN(first);
  LOAD_OR_RETURN();
  std::uint32_t key = 5;
  ASSERT_EQ(object->program("count")->testRun(key)->value, 0);
  object.reset();
  OPEN_OR_RETURN(first);
  LOAD_OR_RETURN();
  EXPECT_EQ((object->map<std::uint32_t, std::uint64_t>("kept")->find(5)->value()), 1U);
  OPEN_OR_RETURN(std::string("#define VALUE __u32\n") + pinnedMap);
  const auto other = object->load();
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::InvalidArgument) << other.error().render();
  EXPECT_NE(other.error().hint.find("pinned already"), std::string::npos) << other.error().render();
  ASSERT_EQ(::unlink("/sys/fs/bpf/kept"), 0);
}

TEST_F(BpfHost, PinsNeedABpfFileSystem) {
  OPEN_OR_RETURN();
  LOAD_OR_RETURN();
  const auto pinned = object->rawMap("sums")->pin("/tmp/lathe_no_pin");
  ASSERT_FALSE(pinned);
  EXPECT_EQ(pinned.error().code, ErrorCode::FileUnwritable) << pinned.error().render();
  EXPECT_EQ(object->program("add")->pin("/tmp/lathe_no_pin").error().code, ErrorCode::FileUnwritable);
}

TEST(BpfDamaged, TypesAreRefusedBeforeLibbpfReadsThem) {
  const auto image = lathe::test::compileProgram(R"(
    #include <lathe/bpf.h>
    struct Pair { int a; const char* b; Pair* next; int list[3]; };
    lathe::bpf::hash_map<int, Pair, 16> pairs SEC(".maps");
    int counted;
    __noinline int sum(int a, int b) { return a + b; }
    SEC("syscall") int run(Pair* pair) { return counted = sum(pair->a, pair->list[1]); }
    LATHE_BPF_LICENSE("GPL");)");
  ASSERT_TRUE(image) << image.error().render();
  const auto code = image->code().front().bytes;
  const std::vector<std::byte> elf(code.begin(), code.end());
  const auto whole = Object::open(elf);
  if (!whole && whole.error().code == ErrorCode::DriverMissing) GTEST_SKIP() << whole.error().message;
  ASSERT_TRUE(whole) << whole.error().render();
  // The types begin as BTF does: its number, version 1, a head of 24 bytes.
  constexpr std::array begin = {std::byte{0x9f}, std::byte{0xeb}, std::byte{1}, std::byte{0}, std::byte{24}};
  const auto found = std::ranges::search(elf, begin);
  ASSERT_FALSE(found.empty());
  const auto first = static_cast<std::size_t>(found.begin() - elf.begin());
  unsigned refused = 0;
  for (std::size_t at = first; at + 4 <= first + 1200 && at + 4 <= elf.size(); ++at) {
    for (const unsigned mask : {0x5aU, 0xffU, 1U}) {
      std::vector<std::byte> damaged = elf;
      damaged[at] ^= static_cast<std::byte>(mask);
      const auto opened = Object::open(damaged);
      if (opened) continue;
      ++refused;
      EXPECT_EQ(opened.error().code, ErrorCode::ImageCorrupt) << opened.error().render();
    }
  }
  EXPECT_GT(refused, 500U);
}

}  // namespace
