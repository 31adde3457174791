// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The object loader: what it refuses, what it survives, what it leaves behind.
#include <gtest/gtest.h>

#include <elf.h>
#include <unwind.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include "core/abi/group_entry.h"
#include "runtimes/cpu/loader/elf_machine.h"
#include "runtimes/cpu/loader/elf_object.h"
#include "runtimes/cpu/loader/externals.h"
#include "runtimes/cpu/loader/loaded_object.h"

extern const char object_kernels_small[], object_kernels_small_end[];
extern const char object_undefined[], object_undefined_end[];
extern const char object_thread_local[], object_thread_local_end[];
extern const char object_constructor[], object_constructor_end[];
extern const char object_absolute[], object_absolute_end[];

namespace lathe::detail {
namespace {

std::vector<std::byte> bytesOf(const char* first, const char* last) {
  std::vector<std::byte> out(static_cast<std::size_t>(last - first));
  std::memcpy(out.data(), first, out.size());
  return out;
}
std::vector<std::byte> smallObject() {
  return bytesOf(object_kernels_small, object_kernels_small_end);
}

int runSmall(const LoadedObject& object, unsigned group) {
  int out = 0;
  int* const parameters[] = {&out};
  abi::GroupLaunch launch{};
  launch.groupId[0] = group;
  reinterpret_cast<abi::GroupEntry>(object.function("small"))(parameters, &launch);
  return out;
}

/// The access rights of the page at `address`, as /proc says them: "r-xp".
std::string rightsOf(const void* address) {
  std::ifstream maps("/proc/self/maps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, last = 0;
    char dash = 0;
    std::string rights;
    std::istringstream(line) >> std::hex >> first >> dash >> last >> rights;
    if (first <= wanted && wanted < last) return rights;
  }
  return {};
}

Error errorOf(const char* first, const char* last) {
  const auto loaded = LoadedObject::load(bytesOf(first, last));
  EXPECT_FALSE(loaded);
  return loaded ? Error{} : loaded.error();
}

TEST(Loader, RunsWhatItLoaded) {
  const auto object = LoadedObject::load(smallObject());
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_EQ(runSmall(**object, 0), 7 + 6 + 1);
  EXPECT_EQ(runSmall(**object, 1), 7 + 7 + 1);
  EXPECT_EQ((*object)->variable("visible").second, sizeof(int));
  *static_cast<int*>((*object)->variable("visible").first) = 100;
  EXPECT_EQ(runSmall(**object, 0), 107);
  EXPECT_EQ((*object)->function("visible"), nullptr);
  EXPECT_EQ((*object)->function("nothing"), nullptr);
  EXPECT_EQ((*object)->variable("small").first, nullptr);
}

TEST(Loader, NothingWritableIsExecutable) {
  const auto object = LoadedObject::load(smallObject());
  ASSERT_TRUE(object);
  const void* const code = (*object)->function("small");
  const void* const data = (*object)->variable("visible").first;
  EXPECT_EQ(rightsOf(code), "r-xp");
  EXPECT_EQ(rightsOf(data), "rw-p");
}

TEST(Loader, UnloadsWithTheLastHolder) {
  const void* code = nullptr;
  {
    const auto object = LoadedObject::load(smallObject());
    ASSERT_TRUE(object);
    code = (*object)->function("small");
  }
  EXPECT_NE(rightsOf(code), "r-xp");
}

TEST(Loader, TellsTheUnwinder) {
  const auto object = LoadedObject::load(smallObject());
  ASSERT_TRUE(object);
  auto* const code = (*object)->function("small");
  EXPECT_EQ(_Unwind_FindEnclosingFunction(static_cast<char*>(code) + 1), code);
}

TEST(Loader, WritesPerfsMapOnRequest) {
  const std::string path = "/tmp/perf-" + std::to_string(::getpid()) + ".map";
  ASSERT_TRUE(LoadedObject::load(smallObject()));
  EXPECT_FALSE(std::ifstream(path).good());
  ::setenv("LATHE_PERF_MAP", "1", 1);
  ASSERT_TRUE(LoadedObject::load(smallObject()));
  ::unsetenv("LATHE_PERF_MAP");
  std::string address, size, name;
  std::ifstream(path) >> address >> size >> name;
  ::unlink(path.c_str());
  EXPECT_EQ(name, "small");
}

TEST(Loader, RefusesWhatKernelsCannotHaveByName) {
  const Error undefined = errorOf(object_undefined, object_undefined_end);
  EXPECT_EQ(undefined.code, ErrorCode::UndefinedFunction);
  EXPECT_NE(undefined.message.find("'system'"), std::string::npos) << undefined.message;
  const Error threadLocal = errorOf(object_thread_local, object_thread_local_end);
  EXPECT_EQ(threadLocal.code, ErrorCode::ImageCorrupt);
  EXPECT_NE(threadLocal.message.find("thread-local"), std::string::npos) << threadLocal.message;
  const Error constructor = errorOf(object_constructor, object_constructor_end);
  EXPECT_NE(constructor.message.find("static constructors"), std::string::npos) << constructor.message;
  const Error absolute = errorOf(object_absolute, object_absolute_end);
  EXPECT_NE(absolute.message.find("R_X86_64_32"), std::string::npos) << absolute.message;
}

TEST(Loader, RefusesOtherMachines) {
  auto object = smallObject();
  const std::uint16_t aarch64 = EM_AARCH64;
  std::memcpy(object.data() + offsetof(Elf64_Ehdr, e_machine), &aarch64, sizeof(aarch64));
  EXPECT_EQ(LoadedObject::load(object).error().code, ErrorCode::IncompatibleDevice);
  const std::uint16_t shared = ET_DYN;
  object = smallObject();
  std::memcpy(object.data() + offsetof(Elf64_Ehdr, e_type), &shared, sizeof(shared));
  EXPECT_EQ(LoadedObject::load(object).error().code, ErrorCode::ImageCorrupt);
}

TEST(Loader, EveryTruncationIsAnError) {
  const auto object = smallObject();
  for (std::size_t length = 0; length < object.size(); ++length) {
    const auto loaded = LoadedObject::load(std::span(object).first(length));
    ASSERT_FALSE(loaded) << length;
    ASSERT_EQ(loaded.error().code, ErrorCode::ImageCorrupt) << length;
  }
}

TEST(Loader, SurvivesDamage) {
  // Loading, not running: damaged code may do anything when it runs, but placing it must stay in bounds. Section
  // headers, symbols and relocations are where damage hurts; all bytes are tried.
  const auto whole = smallObject();
  std::mt19937 random(7);
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    auto object = whole;
    object[at] = static_cast<std::byte>(random());
    const auto parsed = ElfObject::parse(object);
    if (!parsed) {
      ++refused;
      continue;
    }
    // What the unwinder gets must be whole; it is libgcc's to read, and trusts it.
    const bool frameDamaged = std::ranges::any_of(parsed->sections, [&](const ElfSection& section) {
      const auto first = static_cast<std::size_t>(section.bytes.data() - object.data());
      return !section.bytes.empty() && section.name != ".text" && first <= at && at < first + section.bytes.size() &&
             section.name.find("eh_frame") != std::string_view::npos;
    });
    if (frameDamaged) continue;
    refused += !LoadedObject::load(object);
  }
  EXPECT_GT(refused, 100u);
}

TEST(Loader, KnowsTheFormulas) {
  const ElfMachine& machine = x86_64Machine();
  alignas(8) std::byte place[8] = {};
  const auto at = reinterpret_cast<std::uint64_t>(place);
  const auto stored = [&]<class T>(T) {
    T out;
    std::memcpy(&out, place, sizeof(T));
    return out;
  };
  RelocationValues values{
      .type = R_X86_64_64, .place = place, .room = 8, .symbol = 0x123456789abcdef0, .addend = -16, .slot = at + 100};
  EXPECT_EQ(machine.apply(values), RelocationResult::done);
  EXPECT_EQ(stored(std::uint64_t{}), 0x123456789abcdee0u);
  values.type = R_X86_64_PC32;
  EXPECT_EQ(machine.apply(values), RelocationResult::outOfRange);
  values.symbol = at + 1000;
  EXPECT_EQ(machine.apply(values), RelocationResult::done);
  EXPECT_EQ(stored(std::int32_t{}), 984);
  values.type = R_X86_64_GOTPCREL;
  values.addend = -4;
  EXPECT_EQ(machine.apply(values), RelocationResult::done);
  EXPECT_EQ(stored(std::int32_t{}), 96);
  values.room = 3;
  EXPECT_EQ(machine.apply(values), RelocationResult::cutOff);
  values.symbol = at + 0x80000003u;
  values.type = R_X86_64_PLT32;
  values.room = 4;
  EXPECT_EQ(machine.apply(values), RelocationResult::done);  // exactly 2^31 - 1 away
  ++values.symbol;
  EXPECT_EQ(machine.apply(values), RelocationResult::outOfRange);
  EXPECT_EQ(machine.need(R_X86_64_32S), RelocationNeed::refused);
  EXPECT_EQ(machine.relocationName(R_X86_64_32S), "R_X86_64_32S");
}

TEST(Externals, AreThoseOfTheList) {
  Externals externals;
  for (const char* name : {"memcpy", "memset", "sinf", "sin", "pow", "powf", "exp10f", "sincosf", "_ZGVdN8v_sinf",
                           "_ZGVbN2v_exp", "__mulsc3", "malloc", "free"}) {
    EXPECT_NE(externals.find(name), nullptr) << name;
  }
  for (const char* name : {"system", "realloc", "printf", "open", "", "f", "_ZGVnone", "dlopen", "exit"})
    EXPECT_EQ(externals.find(name), nullptr) << name;
}

}  // namespace
}  // namespace lathe::detail
