// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps by many entries at a time, perf buffers, and what the kernel lists: counted against single look-ups and against
// the programs' own counters.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include <lathe/bpf_kernel.h>
#include <lathe/bpf_types.h>
#include <lathe/runtime/type_layout.h>

#include "machine.h"

namespace {

using lathe::ErrorCode;
using lathe::bpf::Object;

constexpr const char* program = R"(
  #include <lathe/bpf.h>
  struct Event { __u32 number; char text[12]; };
  struct Inner { __u16 a; __u8 b; };
  struct Value { __u64 sum; Inner inner[2]; float ratio; unsigned low : 3, high : 5; };
  lathe::bpf::hash_map<__u32, __u64, 5000> sums SEC(".maps");
  lathe::bpf::percpu_hash_map<__u32, __u32, 64> counts SEC(".maps");
  lathe::bpf::array_map<__u32, 100> numbers SEC(".maps");
  lathe::bpf::queue_map<__u32, 4> waiting SEC(".maps");
  lathe::bpf::lpm_trie<__u64, __u32, 16> routes SEC(".maps");
  lathe::bpf::hash_map<Inner, Value, 4> typed SEC(".maps");
  lathe::bpf::basic_perf_buffer<Event> events SEC(".maps");
  SEC("raw_tp/sys_enter") int send(bpf_raw_tracepoint_args* ctx) {
    if ((bpf_get_current_pid_tgid() >> 32) != PROCESS || ctx->args[1] != 0x7fff) return 0;
    __u32* const next = numbers.lookup(0);
    if (!next) return 0;
    Event event{*next, "hello world"};
    *next += 1;
    events.output(ctx, event);
    return 0;
  }
  LATHE_BPF_LICENSE("GPL");)";

class BpfMaps : public lathe::test::LoadedProgram {
 protected:
  void SetUp() override {
    std::string text = program;
    text.replace(text.find("PROCESS"), 7, std::to_string(::getpid()));
    load(text);
  }
};

TEST_F(BpfMaps, ManyEntriesAtATimeAreThoseOfOneAtATime) {
  const auto map = object->map<std::uint32_t, std::uint64_t>("sums");
  ASSERT_TRUE(map) << map.error().render();
  std::vector<std::pair<std::uint32_t, std::uint64_t>> wanted;
  for (std::uint32_t i = 0; i < 4000; ++i) wanted.emplace_back(i * 7919, std::uint64_t{i} << 33);
  ASSERT_TRUE(map->setAll(wanted));
  for (const auto& [key, value] : {wanted.front(), wanted[1234], wanted.back()}) EXPECT_EQ(**map->find(key), value);
  auto entries = map->entries();
  ASSERT_TRUE(entries) << entries.error().render();
  std::ranges::sort(*entries);
  std::ranges::sort(wanted);
  EXPECT_EQ(*entries, wanted);

  // Some of these are not there.
  const std::vector<std::uint32_t> keys = {1, wanted[0].first, wanted[1].first, 2, wanted[2].first, 3};
  const auto erased = map->eraseAll(keys);
  ASSERT_TRUE(erased) << erased.error().render();
  EXPECT_EQ(*erased, 3U);
  auto taken = map->takeAll();
  ASSERT_TRUE(taken) << taken.error().render();
  std::ranges::sort(*taken);
  EXPECT_EQ(*taken, (std::vector(wanted.begin() + 3, wanted.end())));
  EXPECT_TRUE(map->entries()->empty());
}

TEST_F(BpfMaps, AFullMapSaysSoAndKeepsWhatWasSet) {
  const auto map = object->map<std::uint32_t, std::uint64_t>("sums");
  ASSERT_TRUE(map);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> many(5001);
  for (std::uint32_t i = 0; i < many.size(); ++i) many[i] = {i, i};
  const auto set = map->setAll(many);
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code, ErrorCode::ResourceLimit) << set.error().render();
  EXPECT_EQ(map->entries()->size(), 5000U);
  const auto again = map->setAll(std::span(many).first(2), lathe::bpf::UpdateMode::onlyNew);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::InvalidArgument);
  EXPECT_FALSE(map->raw().updateAll({}, std::vector<std::byte>(8)));
  EXPECT_FALSE(map->raw().eraseAll(std::vector<std::byte>(3)));
}

TEST_F(BpfMaps, ValuesOfEachCpuGoInAndOut) {
  const auto map = object->map<std::uint32_t, std::uint32_t>("counts");
  ASSERT_TRUE(map);
  std::vector<std::uint32_t> values(map->raw().valuesPerKey());
  std::iota(values.begin(), values.end(), 40U);
  ASSERT_TRUE(map->setEach(5, values));
  EXPECT_EQ(*map->findAll(5), values);
  ASSERT_TRUE(map->setAll(std::vector<std::pair<std::uint32_t, std::uint32_t>>{{6, 9}, {7, 10}}));
  std::map<std::uint32_t, std::vector<std::uint32_t>> all;
  const auto entries = map->allEntries();
  ASSERT_TRUE(entries) << entries.error().render();
  for (const auto& [key, each] : *entries) all[key] = each;
  EXPECT_EQ(all[5], values);
  EXPECT_EQ(all[7], std::vector<std::uint32_t>(values.size(), 10));
  values.push_back(0);
  EXPECT_FALSE(map->setEach(5, values));
}

TEST_F(BpfMaps, KindsWithoutBatchesAreReadOneByOne) {
  const auto numbers = object->map<std::uint32_t, std::uint32_t>("numbers");
  ASSERT_TRUE(numbers);
  ASSERT_TRUE(numbers->setAll(std::vector<std::pair<std::uint32_t, std::uint32_t>>{{3, 33}, {99, 5}}));
  const auto entries = numbers->entries();
  ASSERT_TRUE(entries) << entries.error().render();
  EXPECT_EQ(entries->size(), 100U);
  EXPECT_EQ((*entries)[99], (std::pair<std::uint32_t, std::uint32_t>(99, 5)));
  EXPECT_FALSE(numbers->takeAll());  // entries of arrays cannot be erased
  const auto routes = object->map<std::uint64_t, std::uint32_t>("routes");
  ASSERT_TRUE(routes);
  ASSERT_TRUE(routes->setAll(std::vector<std::pair<std::uint64_t, std::uint32_t>>{{32, 1}, {16, 2}}));
  const auto taken = routes->takeAll();
  ASSERT_TRUE(taken) << taken.error().render();
  EXPECT_EQ(taken->size(), 2U);
  EXPECT_TRUE(routes->entries()->empty());
  const auto queue = object->rawMap("waiting");
  ASSERT_TRUE(queue);
  EXPECT_FALSE(queue->forEach([](auto, auto) { return true; }));
}

TEST_F(BpfMaps, PerfBuffersGiveAllRecordsOrCountThem) {
  std::vector<std::uint32_t> seen;
  const auto map = object->rawMap("events");
  ASSERT_TRUE(map);
  auto buffer = lathe::bpf::PerfBuffer::open(
      *map,
      [&](int cpu, std::span<const std::byte> record) {
        EXPECT_GE(cpu, 0);
        ASSERT_GE(record.size(), 16U);
        std::uint32_t number = 0;
        std::memcpy(&number, record.data(), sizeof(number));
        EXPECT_STREQ(reinterpret_cast<const char*>(record.data()) + 4, "hello world");
        seen.push_back(number);
      },
      1);
  ASSERT_TRUE(buffer) << buffer.error().render();
  const auto link = object->program("send")->attach();
  ASSERT_TRUE(link) << link.error().render();
  const auto numbers = object->map<std::uint32_t, std::uint32_t>("numbers");
  for (int i = 0; i < 10; ++i) ::syscall(0x7fff);
  ASSERT_TRUE(buffer->poll(100));
  std::ranges::sort(seen);
  std::vector<std::uint32_t> wanted(10);
  std::iota(wanted.begin(), wanted.end(), 0U);
  EXPECT_EQ(seen, wanted);
  EXPECT_EQ(buffer->lost(), 0U);
  // More than a page of records: what is lost is counted, as soon as a record follows.
  for (int i = 0; i < 1000; ++i) ::syscall(0x7fff);
  ASSERT_TRUE(buffer->consume());
  cpu_set_t before, one;
  ::sched_getaffinity(0, sizeof(before), &before);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &before)) continue;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ::sched_setaffinity(0, sizeof(one), &one);
    ::syscall(0x7fff);
  }
  ::sched_setaffinity(0, sizeof(before), &before);
  ASSERT_TRUE(buffer->consume());
  EXPECT_GT(buffer->lost(), 0U);
  EXPECT_EQ(seen.size() + buffer->lost(), **numbers->find(0));

  EXPECT_FALSE(lathe::bpf::PerfBuffer::open(*map, [](int, auto) {}, 3));
  EXPECT_EQ(lathe::bpf::PerfBuffer::open(*object->rawMap("sums"), [](int, auto) {}).error().code,
            ErrorCode::InvalidArgument);
}

TEST_F(BpfMaps, TheKernelListsProgramsAndMapsWithTheirTypes) {
  const auto id = object->program("send")->id();
  ASSERT_TRUE(id);
  const auto programs = lathe::bpf::loadedPrograms();
  ASSERT_TRUE(programs) << programs.error().render();
  const auto own = std::ranges::find(*programs, *id, &lathe::bpf::LoadedProgram::id);
  ASSERT_NE(own, programs->end());
  EXPECT_EQ(own->name, "send");
  EXPECT_EQ(own->kind, "raw_tracepoint");
  EXPECT_GT(own->instructions, 0U);
  EXPECT_GT(own->loadedAt, 0U);

  const auto number = object->rawMap("typed")->id();
  ASSERT_TRUE(number);
  const auto maps = lathe::bpf::loadedMaps();
  ASSERT_TRUE(maps);
  const auto listed = std::ranges::find(*maps, *number, &lathe::bpf::LoadedMap::id);
  ASSERT_NE(listed, maps->end());
  EXPECT_EQ(listed->kind, "hash");
  EXPECT_TRUE(listed->hasTypes);

  const auto map = lathe::bpf::RawMap::ofId(*number);
  ASSERT_TRUE(map) << map.error().render();
  EXPECT_EQ(map->name(), "typed");
  EXPECT_EQ(map->maxEntries(), 4U);
  const auto types = lathe::bpf::typesOf(*map);
  ASSERT_TRUE(types) << types.error().render();
  EXPECT_EQ(types->key.size, 4U);
  ASSERT_EQ(types->value.fields.size(), 5U);
  EXPECT_EQ(types->value.fields[1].type.kind, lathe::TypeKind::array);
  EXPECT_EQ(types->value.fields[1].type.element[0].fields[1].offset, 2U);
  EXPECT_EQ(types->value.fields[2].type.kind, lathe::TypeKind::floating);
  const auto& low = types->value.fields[3];
  const auto& high = types->value.fields[4];
  EXPECT_TRUE(lathe::isBitField(low.type) && lathe::isBitField(high.type));
  EXPECT_EQ(low.type.count, 3U);
  EXPECT_EQ(high.type.count, 5U);
  EXPECT_EQ(high.offset * 8 + high.type.align, low.offset * 8 + low.type.align + 3);
  // The map stays when the object has gone.
  std::array<std::byte, 4> key{};
  std::vector<std::byte> value(map->valueBytes());
  ASSERT_TRUE(map->update(key, value));
  object.reset();
  EXPECT_TRUE(*map->lookup(key, value));
  EXPECT_FALSE(map->setMaxEntries(5));
  EXPECT_FALSE(map->attachStructOps());
  EXPECT_EQ(lathe::bpf::RawMap::ofId(0x7fffffff).error().code, ErrorCode::InvalidArgument);
  EXPECT_FALSE(lathe::bpf::RawMap::ofPin("/nowhere"));
}

TEST_F(BpfMaps, RecordsOfBuffersHaveTheirTypesInBtf) {
  std::string text = program;
  text.replace(text.find("PROCESS"), 7, "1");
  const auto image = lathe::test::compileProgram(text);
  ASSERT_TRUE(image) << image.error().render();
  const auto types = lathe::bpf::Types::ofObject(image->code().front().bytes);
  ASSERT_TRUE(types);
  const auto record = types->recordOf("events");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->name, "Event");
  EXPECT_EQ(record->size, 16U);
  EXPECT_FALSE(types->recordOf("sums"));
  EXPECT_FALSE(types->recordOf("nothing"));
  EXPECT_EQ(types->layout("Value")->size, 24U);
  EXPECT_FALSE(types->layout("Valu"));
}

}  // namespace
