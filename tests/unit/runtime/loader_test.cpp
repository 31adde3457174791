// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The object loader: what it refuses, what it survives, what it leaves behind.
#include <gtest/gtest.h>

#include <elf.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <sstream>

#include "core/group/entry/group_entry.h"
#include "core/support/bytes.h"
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

/// A process that throws lets its unwinder read the tables of all that is loaded: it would follow a damaged length into
/// nowhere, and call a personality that only the table knows.
TEST(Loader, RefusesDamagedUnwindTables) {
  const std::vector<std::byte> good = smallObject();
  const auto parsed = ElfObject::parse(good);
  ASSERT_TRUE(parsed);
  const auto frames = std::ranges::find(parsed->sections, ".eh_frame", &ElfSection::name);
  ASSERT_NE(frames, parsed->sections.end());
  const auto table = static_cast<std::size_t>(frames->header.sh_offset);
  const std::uint32_t cieBytes = *loadAt<std::uint32_t>(good, table);
  const std::size_t frame = table + sizeof(cieBytes) + cieBytes;
  const auto refused = [&](std::size_t at, auto value) {
    std::vector<std::byte> bad = good;
    std::memcpy(bad.data() + at, &value, sizeof(value));
    const auto loaded = LoadedObject::load(bad);
    try {
      throw 1;  // what was loaded in spite of that is now read
    } catch (int) {
    }
    return !loaded && loaded.error().code == ErrorCode::ImageCorrupt &&
           loaded.error().message.find("unwinding table") != std::string::npos;
  };
  EXPECT_TRUE(refused(table, 0x7ffffff0U)) << "length of the CIE";
  EXPECT_TRUE(refused(table + 9, std::array{'z', 'P', 'R'})) << "a personality";
  EXPECT_TRUE(refused(frame, 0x10000000U)) << "length of a frame";
  EXPECT_TRUE(refused(frame + 4, 0x7ffffff0U)) << "the frame's CIE";
  EXPECT_TRUE(refused(frame + 12, 0x7fffffffU)) << "code that is not the object's";
}

/// The first section of `type` in the object whose section table is at its end.
Elf64_Shdr& sectionOfType(std::vector<Elf64_Shdr>& sections, std::uint32_t type) {
  return *std::ranges::find(sections, type, &Elf64_Shdr::sh_type);
}

/// A small object with `extra` bytes and a section table of its own behind it.
std::vector<std::byte> withSections(std::span<const std::byte> extra, const std::vector<Elf64_Shdr>& sections) {
  std::vector<std::byte> out = smallObject();
  out.insert(out.end(), extra.begin(), extra.end());
  auto header = *loadAt<Elf64_Ehdr>(out, 0);
  header.e_shoff = out.size();
  header.e_shnum = static_cast<Elf64_Half>(sections.size());
  std::memcpy(out.data(), &header, sizeof(header));
  const auto table = std::as_bytes(std::span(sections));
  out.insert(out.end(), table.begin(), table.end());
  return out;
}

std::vector<Elf64_Shdr> sectionsOf(std::span<const std::byte> object) {
  std::vector<Elf64_Shdr> out;
  const auto parsed = ElfObject::parse(object);
  for (const ElfSection& section : parsed->sections) out.push_back(section.header);
  return out;
}

/// Objects whose tables are read as many things at once would take memory by the square of their size.
TEST(Loader, RefusesOverlappingSections) {
  const std::vector<std::byte> good = smallObject();
  auto sections = sectionsOf(good);
  ASSERT_TRUE(LoadedObject::load(withSections({}, sections)));
  Elf64_Shdr all{};
  all.sh_type = SHT_PROGBITS;
  all.sh_size = good.size();
  sections.insert(sections.end(), 100, all);
  const auto loaded = LoadedObject::load(withSections({}, sections));
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::ImageCorrupt);
  EXPECT_EQ(loaded.error().message, "object: its sections overlap");
}

TEST(Loader, RefusesNamesThatShareAllTheirLetters) {
  const std::vector<std::byte> good = smallObject();
  auto sections = sectionsOf(good);
  const auto place = [&](std::vector<std::byte>& extra, Elf64_Shdr& section, std::span<const std::byte> more) {
    const auto old = *sliceOf(good, section.sh_offset, section.sh_size);
    section.sh_offset = good.size() + extra.size();
    section.sh_size = old.size() + more.size();
    extra.insert(extra.end(), old.begin(), old.end());
    extra.insert(extra.end(), more.begin(), more.end());
  };
  Elf64_Shdr& symbols = sectionOfType(sections, SHT_SYMTAB);
  Elf64_Shdr& names = sections[symbols.sh_link];
  const std::string longName(std::size_t{1} << 16, 'x');
  const Elf64_Sym one{.st_name = static_cast<Elf64_Word>(names.sh_size),
                      .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE),
                      .st_other = 0,
                      .st_shndx = SHN_ABS,
                      .st_value = 0,
                      .st_size = 0};
  for (const std::size_t count : {1U, 1000U}) {
    std::vector<std::byte> extra;
    auto changed = sections;
    const std::vector<Elf64_Sym> many(count, one);
    place(extra, changed[symbols.sh_link], std::as_bytes(std::span(longName.c_str(), longName.size() + 1)));
    place(extra, sectionOfType(changed, SHT_SYMTAB), std::as_bytes(std::span(many)));
    const auto loaded = LoadedObject::load(withSections(extra, changed));
    EXPECT_EQ(bool(loaded), count == 1) << count;
    if (!loaded) {
      EXPECT_EQ(loaded.error().message, "object: its symbols' names are damaged");
    }
  }
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

/// By the C library's rounding of the scaled fraction: bfloat16 has 8 bits of it, fewer below 2^-126.
double asBfloat16(double value) {
  int exponent = 0;
  (void)std::frexp(value, &exponent);
  const int bits = std::min(8, 8 + exponent + 125);
  return std::ldexp(std::nearbyint(std::ldexp(value, bits - exponent)), exponent - bits);
}

std::vector<std::byte> bytesOfFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return bytesOf(text.data(), text.data() + text.size());
}

int numberOf(const LoadedObject& object) {
  return reinterpret_cast<int (*)()>(object.function("number"))();
}

TEST(SharedObjects, EachRunsItsOwnCode) {
  const auto first = LoadedObject::loadShared(bytesOfFile(LATHE_TEST_NUMBERED_1));
  ASSERT_TRUE(first) << first.error().message;
  auto second = LoadedObject::loadShared(bytesOfFile(LATHE_TEST_NUMBERED_2));
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(numberOf(**first), 1);
  EXPECT_EQ(numberOf(**second), 2);
  second = LoadedObject::loadShared(bytesOfFile(LATHE_TEST_NUMBERED_1));
  ASSERT_TRUE(second);
  EXPECT_NE((*first)->function("number"), (*second)->function("number"));
}

TEST(SharedObjects, KeepNoDescriptors) {
  const auto count = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  const auto before = count();
  const auto object = LoadedObject::loadShared(bytesOfFile(LATHE_TEST_NUMBERED_1));
  ASSERT_TRUE(object);
  EXPECT_EQ(count(), before);
}

TEST(Externals, NarrowsToBfloat16OnceAndToEven) {
  Externals externals;
  const auto ofFloat = reinterpret_cast<float (*)(float)>(externals.find("__truncsfbf2"));
  const auto ofDouble = reinterpret_cast<float (*)(double)>(externals.find("__truncdfbf2"));
  ASSERT_TRUE(ofFloat && ofDouble);
  const auto widened = [](float result) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(result) << 16); };
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    // Halfway between two, just beside it, and anywhere; subnormal results too.
    const double tie = std::ldexp(static_cast<double>(random() % 512) + 0.5, static_cast<int>(random() % 250) - 142);
    const double beside = tie * (1 + std::ldexp(1.0, -static_cast<int>(random() % 45 + 8)) * (random() % 2 ? 1 : -1));
    for (const double value : {tie, -tie, beside, -beside}) {
      EXPECT_EQ(static_cast<double>(widened(ofDouble(value))), asBfloat16(value)) << value;
      const auto narrow = static_cast<float>(value);
      EXPECT_EQ(static_cast<double>(widened(ofFloat(narrow))), asBfloat16(static_cast<double>(narrow))) << narrow;
    }
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(static_cast<double>(widened(ofDouble(infinity))), infinity);
  EXPECT_EQ(static_cast<double>(widened(ofDouble(-1e300))), -infinity);
  EXPECT_TRUE(std::isnan(widened(ofFloat(std::numeric_limits<float>::signaling_NaN()))));
  EXPECT_TRUE(std::isnan(widened(ofDouble(std::numeric_limits<double>::quiet_NaN()))));
}

TEST(Externals, AreThoseOfTheList) {
  Externals externals;
  for (const char* name : {"memcpy", "memset", "sinf", "sin", "pow", "powf", "exp10f", "sincosf", "_ZGVdN8v_sinf",
                           "_ZGVbN2v_exp", "__mulsc3", "malloc", "free", "printf"}) {
    EXPECT_NE(externals.find(name), nullptr) << name;
  }
  for (const char* name : {"system", "realloc", "puts", "open", "", "f", "_ZGVnone", "dlopen", "exit"})
    EXPECT_EQ(externals.find(name), nullptr) << name;
}

}  // namespace
}  // namespace lathe::detail
