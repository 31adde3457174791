// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of kernels on the host's side: texts, records, the hidden argument. Device code itself writes some of the
// records here: <lathe/sdk/device_state.h>, compiled for the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "example_image.h"
#include "runtimes/common/kernel_state.h"

// What a target gives to device_state.h.
namespace {
lathe::abi::KernelState stateOfTest;
struct ItemEnded {};
}  // namespace
extern "C" {
void* __lathe_state() {
  return &stateOfTest;
}
unsigned __lathe_item_id_x() {
  return 3;
}
unsigned __lathe_item_id_y() {
  return 4;
}
unsigned __lathe_item_id_z() {
  return 5;
}
unsigned __lathe_group_id_x() {
  return 6;
}
unsigned __lathe_group_id_y() {
  return 7;
}
unsigned __lathe_group_id_z() {
  return 8;
}
}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"  // always_inline without inline, which Clang takes as it is meant
#include <lathe/sdk/device_heap.h>
#include <lathe/sdk/device_state.h>
#pragma GCC diagnostic pop
inline void lathe_state::endItem() {
  throw ItemEnded();
}

namespace lathe::detail {
namespace {

PrintValue ofInt(int value) {
  return {.type = 'i', .bits = static_cast<std::uint32_t>(value)};
}
PrintValue ofLong(std::int64_t value) {
  return {.type = 'l', .bits = static_cast<std::uint64_t>(value)};
}
PrintValue ofDouble(double value) {
  PrintValue out{.type = 'd'};
  std::memcpy(&out.bits, &value, sizeof(value));
  return out;
}
PrintValue ofText(std::string_view text) {
  return {.type = 's', .bits = 0, .text = text};
}
std::string format(std::string_view text, std::vector<PrintValue> values = {}) {
  return formatPrint(text, values);
}

TEST(PrintText, FollowsC) {
  EXPECT_EQ(format("plain"), "plain");
  EXPECT_EQ(format("%d %u %x|%5d|%-5d|%05d", {ofInt(-1), ofInt(-1), ofInt(255), ofInt(7), ofInt(7), ofInt(7)}),
            "-1 4294967295 ff|    7|7    |00007");
  EXPECT_EQ(format("%hhd %hd %ld %lld %lu", {ofInt(300), ofInt(70000), ofLong(-5), ofLong(-6), ofLong(-1)}),
            "44 4464 -5 -6 18446744073709551615");
  EXPECT_EQ(format("%d", {ofLong(0x1'0000'0002)}), "2");  // as C would read it
  EXPECT_EQ(format("%c%c%%%c", {ofInt('a'), ofInt('b'), ofInt('c')}), "ab%c");
  EXPECT_EQ(format("%.2f|%8.3e|%g|%a", {ofDouble(2.345), ofDouble(1234.5), ofDouble(0.1), ofDouble(1)}),
            "2.35|1.234e+03|0.1|0x1p+0");
  EXPECT_EQ(format("%s|%6s|%-6s|%.2s|", {ofText("abc"), ofText("abc"), ofText("abc"), ofText("abc")}),
            "abc|   abc|abc   |ab|");
  EXPECT_EQ(format("%*d|%-*d|%.*f", {ofInt(4), ofInt(1), ofInt(4), ofInt(2), ofInt(1), ofDouble(0.25)}),
            "   1|2   |0.2");
  EXPECT_EQ(format("%*d|", {ofInt(-4), ofInt(1)}), "1   |");
  EXPECT_EQ(format("%.*f", {ofInt(-1), ofDouble(0.5)}), "0.500000");
  EXPECT_EQ(format("%p", {{.type = 'p', .bits = 0x1234}}), "0x1234");
}

TEST(PrintText, PrintsWhatDoesNotFitAsItStands) {
  EXPECT_EQ(format("%d %s", {ofInt(1)}), "1 %s");
  EXPECT_EQ(format("%d|%f|%s", {ofDouble(1), ofInt(1), ofInt(1)}), "%d|%f|%s");
  EXPECT_EQ(format("%d", {ofInt(1), ofInt(2)}), "1");
  EXPECT_EQ(format("%"), "%");
  EXPECT_EQ(format("100%"), "100%");
  EXPECT_EQ(format("%ll"), "%ll");
  EXPECT_EQ(format("%y %d", {ofInt(1), ofInt(2)}), "%y 2");
  EXPECT_EQ(format("%n%d", {{.type = 'p', .bits = 8}, ofInt(2)}), "2");  // stores nothing
  EXPECT_EQ(format("%*d", {ofDouble(1), ofInt(2)}), "%*d");
  EXPECT_LE(format("%999999999d", {ofInt(1)}).size(), 5000u);
  EXPECT_LE(format("%.999999999f", {ofDouble(1)}).size(), 5000u);
  EXPECT_LE(format("%*d", {ofInt(-2147483647 - 1), ofInt(1)}).size(), 5000u);
}

TEST(PrintText, SurvivesAnyFormat) {
  std::mt19937 random(7);
  const std::string letters = "%%%%dsfxpcn*.-+ #0123456789lhzjtLq\n";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (unsigned i = 0; i < random() % 12; ++i) text += letters[random() % letters.size()];
    std::vector<PrintValue> values;
    for (unsigned i = 0; i < random() % 4; ++i) {
      const PrintValue kinds[] = {ofInt(static_cast<int>(random())), ofLong(static_cast<std::int64_t>(random())),
                                  ofDouble(0.5), ofText("t")};
      values.push_back(kinds[random() % 4]);
    }
    EXPECT_LE(format(text, values).size(), 40000u);
  }
}

class State : public ::testing::Test {
 protected:
  State() : bytes_(static_cast<std::byte*>(::operator new(stateBytes, std::align_val_t{16}))), state_(bytes_) {
    state_.initialise();
    stateOfTest = {&state_.exception(), &state_.print(), 1, nullptr, nullptr};
    output_.set([this](std::string_view text) { text_ += text; });
  }
  ~State() override { ::operator delete(bytes_, std::align_val_t{16}); }
  std::string drained() {
    text_.clear();
    state_.drainPrints(output_);
    return text_;
  }
  Result<void> taken() {
    return state_.takeException([](std::uint64_t kernel) { return "k" + std::to_string(kernel); }, "here");
  }
  std::byte* bytes_;
  StateMemory state_;
  PrintOutput output_;
  std::string text_;
};

TEST_F(State, CarriesPrints) {
  EXPECT_EQ(drained(), "");
  const struct {
    int n;
    double x;
    const char* text;
    long wide;
    const char* unknown;
    const char* address;
  } block{-3, 2.5, "text", 1L << 40, "more", nullptr};
  EXPECT_EQ(__lathe_state_print("%d %g %s %ld %s %p\n", &block, "idslup"), 6u);
  EXPECT_EQ(__lathe_state_print("no arguments\n", nullptr, ""), 0u);
  EXPECT_EQ(drained(), "-3 2.5 text 1099511627776 more (nil)\nno arguments\n");
  EXPECT_EQ(drained(), "");
  const char* const none = nullptr;
  EXPECT_EQ(__lathe_state_print("%s", &none, "s"), 1u);
  EXPECT_EQ(drained(), "(null)");
}

TEST_F(State, FindsStringsOfFormatsThatAreNoConstants) {
  const struct {
    int width;
    const char* text;
    const char* pointer;
    const char* last;
  } block{5, "ab", reinterpret_cast<const char*>(0x10), "cd"};
  EXPECT_EQ(__lathe_state_print("%%%*s|%p|%-3.1s|", &block, "iuuu"), 4u);
  EXPECT_EQ(drained(), "%   ab|0x10|c  |");
}

TEST_F(State, CutsLongTexts) {
  const std::string longText(10000, 'x');
  const char* const pointer = longText.c_str();
  EXPECT_EQ(__lathe_state_print("%s", &pointer, "s"), 1u);
  EXPECT_EQ(drained(), std::string(abi::PrintBuffer::textBytes, 'x'));
}

TEST_F(State, DropsWhatDoesNotFit) {
  unsigned kept = 0, dropped = 0;
  const std::string longText(3000, 'x');
  const char* const pointer = longText.c_str();
  for (int i = 0; i < 1000; ++i) (__lathe_state_print("%s\n", &pointer, "s") == ~0U ? dropped : kept) += 1;
  EXPECT_GT(kept, 300u);
  EXPECT_EQ(kept + dropped, 1000u);
  const std::string text = drained();
  EXPECT_EQ(text.find("lathe: " + std::to_string(dropped) + " more texts were printed"), kept * 3001u);
  EXPECT_EQ(__lathe_state_print("again", nullptr, ""), 0u);
  EXPECT_EQ(drained(), "again");
}

TEST_F(State, ReadsNothingButRecords) {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    const int numbers[2] = {round, 3000};
    for (int i = 0; i < 5; ++i) (void)__lathe_state_print("%d of %d\n", numbers, "ii");
    auto& buffer = state_.print();
    auto* const data = reinterpret_cast<unsigned char*>(&buffer + 1);
    for (int i = 0; i < 4; ++i) data[random() % buffer.used] = static_cast<unsigned char>(random());
    if (round % 5 == 0) buffer.used = std::uint64_t{random()} << (random() % 32);
    (void)drained();  // sanitizers watch
  }
  state_.initialise();
  EXPECT_EQ(__lathe_state_print("whole", nullptr, ""), 0u);
  EXPECT_EQ(drained(), "whole");
}

TEST_F(State, TellsOfTheFirstFailureOnce) {
  EXPECT_TRUE(taken());
  EXPECT_THROW(__lathe_state_assert_fail("x > 0", "k.cpp", 12, "void k(int)"), ItemEnded);
  EXPECT_THROW(__lathe_state_trap(), ItemEnded);  // too late
  const auto failed = taken();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::DeviceFault);
  EXPECT_EQ(failed.error().message, "kernel 'k1': assertion 'x > 0' failed in group 6,7,8, item 3,4,5");
  EXPECT_EQ(failed.error().location, (SourceLocation{"k.cpp", 12, 0}));
  EXPECT_EQ(failed.error().target, "here");
  ASSERT_EQ(failed.error().notes.size(), 1u);
  EXPECT_EQ(failed.error().notes[0].message, "in function void k(int)");
  EXPECT_TRUE(taken());
  EXPECT_THROW(__lathe_state_trap(), ItemEnded);
  EXPECT_EQ(taken().error().message, "kernel 'k1': it trapped in group 6,7,8, item 3,4,5");
}

TEST_F(State, SurvivesAnyRecord) {
  std::mt19937 random(5);
  for (int round = 0; round < 1000; ++round) {
    for (std::size_t i = 0; i < sizeof(abi::ExceptionRecord); ++i) bytes_[i] = static_cast<std::byte>(random());
    state_.exception().claimed = 1;
    EXPECT_FALSE(taken());
  }
  // An item that was stopped while it wrote: only the kind may be relied on.
  state_.exception().claimed = 1;
  state_.exception().complete = 0;
  state_.exception().kind = abi::ExceptionKind::trap;
  state_.exception().kernel = 2;
  EXPECT_EQ(taken().error().message, "kernel 'k2': it trapped");
}

TEST_F(State, CutsLongTextsOfFailures) {
  const std::string longText(1000, 'e');
  EXPECT_THROW(__lathe_state_assert_fail(longText.c_str(), nullptr, 0, nullptr), ItemEnded);
  const auto failed = taken();
  EXPECT_NE(failed.error().message.find("'" + std::string(255, 'e') + "' failed in group"), std::string::npos);
}

EntryPoint stateEntry() {
  EntryPoint out;
  out.name = "k";
  out.abi = EntryAbi::state;
  Parameter state;
  state.type.kind = TypeKind::record;
  state.type.size = sizeof(abi::KernelState);
  state.type.align = 8;
  for (const char* name : {"exception", "print", "kernel", "grid", "heap"}) {
    state.type.fields.push_back({name, 8 * state.type.fields.size(), test::layoutOf<std::uint64_t>("unsigned long")});
  }
  out.hidden.push_back(std::move(state));
  return out;
}

TEST(Hidden, IsFilledInByName) {
  EntryPoint entry = stateEntry();
  ASSERT_TRUE(checkHidden(entry));
  std::swap(entry.hidden[0].type.fields[0].offset, entry.hidden[0].type.fields[2].offset);
  auto* const exception = reinterpret_cast<abi::ExceptionRecord*>(0x10);
  auto* const print = reinterpret_cast<abi::PrintBuffer*>(0x20);
  auto* const heap = reinterpret_cast<abi::Heap*>(0x40);
  auto* const grid = reinterpret_cast<abi::GridBarrier*>(0x50);
  const HiddenArgument argument = hiddenArgument(entry.hidden[0], {exception, print, 0x30, heap, grid});
  std::uint64_t words[5];
  std::memcpy(words, argument.bytes.data(), sizeof(words));
  EXPECT_EQ(words[0], 0x30u);
  EXPECT_EQ(words[1], 0x20u);
  EXPECT_EQ(words[2], 0x10u);
  EXPECT_EQ(words[3], 0x50u);
  EXPECT_EQ(words[4], 0x40u);
  EXPECT_TRUE(wantsOfState(entry, "grid"));
  EXPECT_TRUE(wantsOfState(entry, "heap"));
  entry.hidden[0].type.fields.pop_back();
  EXPECT_FALSE(wantsOfState(entry, "heap"));
}

TEST(Hidden, IsRefusedWhereItIsNotUnderstood) {
  const auto codeOf = [](const EntryPoint& entry) { return checkHidden(entry).error().code; };
  EntryPoint entry = stateEntry();
  entry.hidden[0].type.fields.push_back({"seed", 0, test::layoutOf<std::uint64_t>("unsigned long")});
  EXPECT_EQ(codeOf(entry), ErrorCode::Unsupported);
  EXPECT_NE(checkHidden(entry).error().message.find("'seed'"), std::string::npos);
  entry = stateEntry();
  entry.hidden.clear();  // an image of version 1
  EXPECT_EQ(codeOf(entry), ErrorCode::Unsupported);
  entry = stateEntry();
  entry.abi = EntryAbi::bare;
  EXPECT_EQ(codeOf(entry), ErrorCode::ImageCorrupt);
  entry = stateEntry();
  entry.hidden.push_back(entry.hidden[0]);
  EXPECT_EQ(codeOf(entry), ErrorCode::ImageCorrupt);
  for (const std::uint64_t offset : {std::uint64_t{33}, std::uint64_t{40}, ~std::uint64_t{0}}) {
    entry = stateEntry();
    entry.hidden[0].type.fields[1].offset = offset;
    EXPECT_EQ(codeOf(entry), ErrorCode::ImageCorrupt);
  }
  entry = stateEntry();
  entry.hidden[0].type.size = 257;
  EXPECT_EQ(codeOf(entry), ErrorCode::ImageCorrupt);
  entry = stateEntry();
  entry.hidden[0].type.fields[1].type.size = 4;
  EXPECT_EQ(codeOf(entry), ErrorCode::ImageCorrupt);
}

TEST(Hidden, KernelsAreNumbered) {
  KernelNumbers numbers;
  EXPECT_EQ(numbers.nameOf(0), "?");
  EXPECT_EQ(numbers.numberOf("a"), 0u);
  EXPECT_EQ(numbers.numberOf("b"), 1u);
  EXPECT_EQ(numbers.numberOf("a"), 0u);
  EXPECT_EQ(numbers.nameOf(1), "b");
  EXPECT_EQ(numbers.nameOf(~std::uint64_t{0}), "?");
}

/// A heap of `capacity` bytes.
class HeapMemory {
 public:
  explicit HeapMemory(std::size_t capacity) : memory_(sizeof(abi::Heap) / 16 + capacity / 16) {
    heap()->capacity = capacity;
  }
  [[nodiscard]] abi::Heap* heap() { return reinterpret_cast<abi::Heap*>(memory_.data()); }

 private:
  struct alignas(16) Unit {
    std::byte bytes[16] = {};
  };
  std::vector<Unit> memory_;
};

TEST(Heap, GivesWhatCameBackAgain) {
  HeapMemory memory(256);
  abi::Heap* const heap = memory.heap();
  void* const first = lathe_heap::allocate(heap, 16);   // of 32 bytes
  void* const second = lathe_heap::allocate(heap, 17);  // of 64
  ASSERT_TRUE(first && second);
  EXPECT_EQ(static_cast<std::byte*>(second) - static_cast<std::byte*>(first), 32);
  EXPECT_TRUE(lathe_heap::allocate(heap, 112));  // of 128
  EXPECT_TRUE(lathe_heap::allocate(heap, 0));    // of 32
  EXPECT_EQ(lathe_heap::allocate(heap, 1), nullptr);
  lathe_heap::release(heap, nullptr);
  lathe_heap::release(heap, first);
  EXPECT_EQ(lathe_heap::allocate(heap, 17), nullptr);
  EXPECT_EQ(lathe_heap::allocate(heap, 3), first);
  EXPECT_EQ(lathe_heap::allocate(heap, 3), nullptr);
  lathe_heap::release(heap, second);
  EXPECT_EQ(lathe_heap::allocate(heap, 48), second);
}

TEST(Heap, RefusesWhatIsTooLarge) {
  HeapMemory memory(1 << 16);
  EXPECT_EQ(lathe_heap::allocate(memory.heap(), 1 << 16), nullptr);
  EXPECT_EQ(lathe_heap::allocate(memory.heap(), ~0UL), nullptr);
  EXPECT_EQ(lathe_heap::allocate(nullptr, 1), nullptr);
  lathe_heap::release(nullptr, &memory);
  EXPECT_TRUE(lathe_heap::allocate(memory.heap(), (1 << 16) - 16));
}

TEST(Heap, ServesThreadsAtOnce) {
  HeapMemory memory(1 << 14);
  std::atomic<int> wrong = 0;
  const auto work = [&](unsigned seed) {
    std::minstd_rand random(seed);
    std::vector<std::pair<unsigned char*, std::size_t>> mine;
    for (int i = 0; i < 20000; ++i) {
      if (mine.size() < 8 && random() % 2) {
        const std::size_t bytes = 1 + random() % 100;
        auto* const block = static_cast<unsigned char*>(lathe_heap::allocate(memory.heap(), bytes));
        if (!block) continue;
        std::memset(block, static_cast<int>(seed), bytes);
        mine.emplace_back(block, bytes);
      } else if (!mine.empty()) {
        const auto [block, bytes] = mine.back();
        mine.pop_back();
        wrong += !std::all_of(block, block + bytes, [&](unsigned char byte) { return byte == seed; });
        lathe_heap::release(memory.heap(), block);
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace lathe::detail
