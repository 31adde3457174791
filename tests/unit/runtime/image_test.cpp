// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image format: what goes in comes out, and nothing broken gets in.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <random>

#include <nlohmann/json.hpp>

#include <lathe/image.h>
#include "core/support/checksum.h"
#include "core/support/file.h"

namespace lathe {
namespace {

TypeLayout scalar(TypeKind kind, std::string name, std::uint64_t size) {
  TypeLayout out;
  out.kind = kind;
  out.name = std::move(name);
  out.size = size;
  out.align = static_cast<std::uint32_t>(size);
  return out;
}

TypeLayout pointerTo(TypeLayout pointee) {
  TypeLayout out = scalar(TypeKind::pointer, pointee.name + " *", 8);
  out.element.push_back(std::move(pointee));
  return out;
}

EntryPoint entryNamed(const std::string& name) {
  EntryPoint out;
  out.name = out.symbol = name;
  return out;
}

ImageInfo exampleInfo() {
  TypeLayout particle = scalar(TypeKind::record, "ns::Particle", 16);
  particle.align = 4;
  TypeLayout position = scalar(TypeKind::array, "float[3]", 12);
  position.align = 4;
  position.count = 3;
  position.element.push_back(scalar(TypeKind::floating, "float", 4));
  particle.fields.push_back({"position", 0, position});
  particle.fields.push_back({"alive", 12, scalar(TypeKind::boolean, "bool", 1)});

  EntryPoint move;
  move.name = "move<float>";
  move.symbol = "_Z4moveIfEv";
  move.parameters.push_back({"n", scalar(TypeKind::unsignedInteger, "unsigned", 4), 0, false});
  move.parameters.push_back({"p", pointerTo(particle), 8, true});
  move.parameterBytes = 16;
  move.parameterAlign = 8;
  move.bounds = {.maxItems = 256, .minGroups = 2, .maxRegisters = 64, .groupSize = {16, 16, 1}};
  move.cluster = {.size = {2, 1, 1}, .most = 8, .countsClusters = true};
  move.resources.registers = 31;
  move.resources.sharedBytes = 4096;
  move.dynamicShared = true;

  ImageInfo out;
  out.target = "cuda";
  out.arch = "sm_90";
  out.features = "+ptx83";
  out.runtime = "cuda";
  out.entries = {move, entryNamed("reduce")};
  out.entries[1].abi = EntryAbi::state;
  out.entries[1].hidden.push_back({"state", particle, 16, false});
  out.entries[1].section = "xdp/first";
  out.entries[1].kind = "xdp";
  out.globals.push_back({"table", "table", "constant", scalar(TypeKind::signedInteger, "int", 4)});
  out.requires_ = {"inline-asm"};
  out.provenance = {"lathe 0.1.0", "clang 22", "00ff", "k.cpp", "move from k.cpp"};
  return out;
}

Image example() {
  return Image::build(exampleInfo(), {{"ptx", "sm_90", std::string(100, 'p')},
                                      {"cubin", "sm_90",
                                       std::string("\x7f"
                                                   "ELF",
                                                   4)},
                                      {"ptx", "sm_80", ""}});
}

/// Sets the checksum right, so that what lies behind it is tested.
void reseal(std::vector<std::byte>& file) {
  std::memset(file.data() + 12, 0, 4);
  const std::uint32_t sum = detail::checksum(file);
  std::memcpy(file.data() + 12, &sum, 4);
}

std::vector<std::byte> copyOf(const Image& image) {
  return {image.bytes().begin(), image.bytes().end()};
}

TEST(Image, KeepsEverything) {
  const Image image = example();
  EXPECT_EQ(image.info(), exampleInfo());
  const auto read = Image::fromBytes(image.bytes());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->info(), exampleInfo());
  ASSERT_EQ(read->code().size(), 3u);
  EXPECT_EQ(read->code()[0].format, "ptx");
  EXPECT_EQ(read->code()[0].bytes.size(), 100u);
  EXPECT_EQ(read->code()[1].arch, "sm_90");
  EXPECT_TRUE(read->code()[2].bytes.empty());
}

TEST(Image, CodeIsAlignedAndEndedByZero) {
  const Image built = example();
  for (const Image& image : {built, *Image::fromBytes(built.bytes())}) {
    for (const Code& code : image.code()) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(code.bytes.data()) % 64, 0u);
      EXPECT_EQ(*(code.bytes.data() + code.bytes.size()), std::byte{0});
    }
  }
}

TEST(Image, EqualInputGivesEqualBytes) {
  EXPECT_EQ(copyOf(example()), copyOf(example()));
  ImageInfo other = exampleInfo();
  other.entries[0].parameters[1].readOnly = false;
  EXPECT_NE(copyOf(example()), copyOf(Image::build(other, {})));
}

TEST(Image, EveryTruncationIsAnError) {
  const auto file = copyOf(example());
  for (std::size_t length = 0; length < file.size(); ++length) {
    const auto read = Image::fromBytes(std::span(file).first(length));
    ASSERT_FALSE(read) << length;
    ASSERT_EQ(read.error().code, ErrorCode::ImageCorrupt) << length;
  }
  auto longer = file;
  longer.push_back(std::byte{0});
  EXPECT_EQ(Image::fromBytes(longer).error().code, ErrorCode::ImageCorrupt);
}

TEST(Image, EveryFlippedBitIsAnError) {
  auto file = copyOf(example());
  for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
    const auto mask = static_cast<std::byte>(1u << (bit % 8));
    file[bit / 8] ^= mask;
    const auto read = Image::fromBytes(file);
    ASSERT_FALSE(read) << "bit " << bit;
    ASSERT_TRUE(read.error().code == ErrorCode::ImageCorrupt || read.error().code == ErrorCode::ImageVersion)
        << "bit " << bit;
    file[bit / 8] ^= mask;
  }
  EXPECT_TRUE(Image::fromBytes(file));
}

TEST(Image, DamageBehindARightChecksumDoesNoHarm) {
  // Whoever makes the sum right gets as far as the parser, which must stay in bounds: sanitizers watch.
  const auto whole = copyOf(example());
  std::mt19937 random(1);
  std::size_t refused = 0;
  for (int round = 0; round < 20000; ++round) {
    auto file = whole;
    for (int change = 0; change < 1 + round % 3; ++change)
      file[16 + random() % (file.size() - 16)] = static_cast<std::byte>(random());
    reseal(file);
    const auto read = Image::fromBytes(file);
    if (read) continue;  // a changed text is still an image
    ++refused;
    ASSERT_EQ(read.error().code, ErrorCode::ImageCorrupt);
  }
  EXPECT_GT(refused, 0u);
}

TEST(Image, ANewerVersionSaysSo) {
  auto file = copyOf(example());
  file[8] = std::byte{8};
  const auto read = Image::fromBytes(file);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::ImageVersion);
  EXPECT_NE(read.error().message.find("version 8"), std::string::npos);
}

TEST(Image, ReadsVersion1) {
  // Version 7 added a list behind the byte of version 3, version 6 a byte to each parameter, version 5 a text and three
  // numbers to each entry and a list to each parameter, version 4 five numbers, version 3 a byte before the list of
  // code, version 2 a list and two texts to each entry: without all these, and with that many zeros more at the end,
  // the metadata of an image without parameters is one of version 1.
  ImageInfo info;
  info.target = "t";
  info.entries = {entryNamed("k")};
  info.provenance.producer = "p";
  auto file = copyOf(Image::build(info, {}));
  const auto section = std::span(file).subspan(32);
  std::uint64_t at = 0, size = 0;
  std::memcpy(&at, section.data() + 8, 8);
  std::memcpy(&size, section.data() + 16, 8);
  // target, arch, features, runtime, count of entries, name, symbol, count of parameters
  const std::size_t hidden = at + (4 + 1) + 4 + 4 + 4 + 4 + (4 + 1) + (4 + 1) + 4;
  // parameterBytes, parameterAlign, abi, bounds, resources, dynamicShared
  const std::size_t texts = hidden + 4 + 8 + 4 + 1 + 6 * 4 + 6 * 8 + 1;
  const std::size_t textsAndForms = 8 + (4 * 4 + 1) + (4 + 4 + 8) + 4;
  const std::size_t optLevel = at + size - 4 - 4 - 1;
  for (const auto& [from, bytes] :
       {std::pair<std::size_t, std::ptrdiff_t>{optLevel, 1 + 4}, {texts, textsAndForms}, {hidden, 4}}) {
    const auto first = file.begin() + static_cast<std::ptrdiff_t>(from);
    file.erase(first, first + bytes);
  }
  file.insert(file.end(), 1 + 4 + textsAndForms + 4, std::byte{0});
  size -= 1 + 4 + textsAndForms + 4;
  std::memcpy(file.data() + 32 + 16, &size, 8);
  file[8] = std::byte{1};
  reseal(file);
  const auto read = Image::fromBytes(file);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->info(), info);
  file[8] = std::byte{2};
  reseal(file);
  EXPECT_FALSE(Image::fromBytes(file));
}

TEST(Image, OtherFilesAreNotImages) {
  const std::string text = "#include <lathe/device.h>\n";
  const auto read = Image::fromBytes(std::as_bytes(std::span(text)));
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("not a Lathe image"), std::string::npos);
}

TEST(Image, TypesThatNestTooDeepBecomeOpaque) {
  TypeLayout type = scalar(TypeKind::floating, "float", 4);
  for (int i = 0; i < 10000; ++i) {
    TypeLayout outer = scalar(TypeKind::record, "Outer", 4);
    outer.fields.push_back({"inner", 0, std::move(type)});
    type = std::move(outer);
  }
  ImageInfo info;
  info.entries.push_back(entryNamed("k"));
  info.entries[0].parameters.push_back({"deep", std::move(type), 0, false});
  const Image image = Image::build(std::move(info), {});
  const TypeLayout* at = &image.info().entries[0].parameters[0].type;
  std::size_t depth = 0;
  for (; !at->fields.empty(); at = &at->fields[0].type) ++depth;
  EXPECT_EQ(at->kind, TypeKind::opaque);
  EXPECT_EQ(at->size, 4u);
  EXPECT_LT(depth, 1000u);
  EXPECT_TRUE(Image::fromBytes(image.bytes()));
}

TEST(Image, FindsCodeAndEntries) {
  const Image image = example();
  EXPECT_EQ(image.find("ptx")->arch, "sm_90");
  EXPECT_EQ(image.find("ptx", "sm_80"), &image.code()[2]);
  EXPECT_EQ(image.find("elf"), nullptr);
  EXPECT_EQ((*image.entry("move<float>"))->symbol, "_Z4moveIfEv");
  EXPECT_EQ((*image.entry("_Z4moveIfEv"))->name, "move<float>");
  const auto missing = image.entry("redcue");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::UnknownKernel);
  EXPECT_NE(missing.error().message.find("did you mean 'reduce'"), std::string::npos);
  EXPECT_EQ(missing.error().hint, "kernels: move<float>, reduce");
}

/// A mangled name of which each part is a pair of the part before, twice: the text of 64 of them has some 2^64 letters.
std::string growingSymbol(int parts) {
  static constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string out = "_Z4fillSt4pairIiiE";
  for (int i = 0; i < parts; ++i) {
    const std::string part = i < 36 ? std::string(1, digits[static_cast<std::size_t>(i)])
                                    : std::string("1") + digits[static_cast<std::size_t>(i - 36)];
    out += "S_IS" + part + "_S" + part + "_E";
  }
  return out;
}

TEST(Image, SymbolsWhoseTextGrowsWithoutEndAreNotReadOut) {
  ImageInfo info;
  info.target = "cpu";
  for (const int parts : {2, 64}) {
    EntryPoint entry;
    entry.name = "fill " + std::to_string(parts);
    entry.symbol = growingSymbol(parts);
    info.entries.push_back(std::move(entry));
  }
  const Image image = Image::build(std::move(info), {});
  ASSERT_TRUE(image.entry(growingSymbol(64)));
  EXPECT_EQ((*image.entry(growingSymbol(64)))->name, "fill 64");
  EXPECT_FALSE(image.entry(growingSymbol(63)));
  const auto other = image.entry("_Z4copyv");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::UnknownKernel);
}

TEST(Image, SavesAndMaps) {
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "lathe-image-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const fs::path path = fs::path(folder) / "k.lathe";
  const Image image = example();
  ASSERT_TRUE(image.save(path));
  const auto opened = Image::open(path);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(copyOf(*opened), copyOf(image));
  EXPECT_EQ(opened->info(), image.info());

  ASSERT_TRUE(detail::writeFile(path, "LATHEIMG and then nothing"));
  const auto broken = Image::open(path);
  ASSERT_FALSE(broken);
  EXPECT_TRUE(broken.error().message.starts_with(path.string())) << broken.error().message;
  EXPECT_EQ(Image::open(path / "below").error().code, ErrorCode::FileUnreadable);
  EXPECT_EQ(image.save(fs::path(folder) / "no" / "k.lathe").error().code, ErrorCode::FileUnwritable);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
  fs::remove_all(folder);
}

TEST(Image, DescribesItselfAsJson) {
  const auto json = nlohmann::json::parse(toJson(example()));
  EXPECT_EQ(json["target"], "cuda");
  EXPECT_EQ(json["entries"][0]["parameters"][1]["type"]["element"]["fields"][0]["name"], "position");
  EXPECT_EQ(json["entries"][0]["resources"]["registers"], 31);
  EXPECT_TRUE(json["entries"][0]["resources"]["local_bytes"].is_null());
  EXPECT_EQ(json["entries"][1]["abi"], "state");
  EXPECT_TRUE(json["entries"][0]["hidden"].empty());
  EXPECT_EQ(json["entries"][1]["hidden"][0]["offset"], 16);
  EXPECT_EQ(json["code"][0]["bytes"], 100);
  ImageInfo odd;
  odd.target = "\xff\xfe";
  EXPECT_FALSE(nlohmann::json::parse(toJson(Image::build(odd, {}))).is_discarded());
}

}  // namespace
}  // namespace lathe
