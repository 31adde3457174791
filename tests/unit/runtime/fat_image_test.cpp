// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fat images: what goes in comes out, what is damaged does not, and which image a device is offered first.
#include <cstring>

#include <gtest/gtest.h>
#include <lathe/fat_image.h>
#include <lathe/runtime.h>

#include "core/support/checksum.h"

namespace lathe {
namespace {

Image imageFor(std::string target, std::string arch, std::string runtime, std::string features = {}) {
  ImageInfo info;
  info.target = std::move(target);
  info.arch = std::move(arch);
  info.runtime = std::move(runtime);
  info.features = std::move(features);
  return Image::build(std::move(info), {{.format = "text", .arch = "", .bytes = std::string(3000, 'x')}});
}

FatImage fatOf(const std::vector<Image>& images) {
  auto fat = FatImage::build(images);
  EXPECT_TRUE(fat) << fat.error().render();
  return *std::move(fat);
}

std::string textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(FatImage, GivesBackWhatItWasMadeOf) {
  const std::vector<Image> images = {imageFor("a", "a1", "x"), imageFor("b", "b1", "y", "+f"), imageFor("c", "", "")};
  const FatImage fat = fatOf(images);
  const auto read = FatImage::fromBytes(fat.bytes());
  ASSERT_TRUE(read) << read.error().render();
  ASSERT_EQ(read->entries().size(), images.size());
  EXPECT_EQ(read->entries(), fat.entries());
  EXPECT_LT(fat.bytes().size(), images[0].bytes().size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    const auto image = read->image(i);
    ASSERT_TRUE(image) << image.error().render();
    EXPECT_EQ(textOf(image->bytes()), textOf(images[i].bytes()));
    EXPECT_EQ(read->entries()[i].arch, images[i].info().arch);
  }
  EXPECT_FALSE(read->image(images.size()));
  EXPECT_EQ(textOf(fatOf(images).bytes()), textOf(fat.bytes()));
}

TEST(FatImage, ReadsAnImageAsOneOfOne) {
  const Image image = imageFor("a", "a1", "x");
  const auto fat = FatImage::fromBytes(image.bytes());
  ASSERT_TRUE(fat) << fat.error().render();
  ASSERT_EQ(fat->entries().size(), 1U);
  EXPECT_EQ(textOf(fat->image(0)->bytes()), textOf(image.bytes()));
  const auto wrong = Image::fromBytes(fat->bytes());
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("fat image"), std::string::npos) << wrong.error().render();
}

/// What is written of one, without compression, is a file like any other: libzstd reads it.
TEST(FatImage, OneOfOneIsWrittenAsItIs) {
  constexpr std::size_t block = std::size_t{128} << 10U;
  for (const std::size_t size : {std::size_t{1}, block - 1000, block, 3 * block, 3 * block + 7}) {
    std::string code(size, '\0');
    for (std::size_t i = 0; i < size; ++i) code[i] = static_cast<char>(i * 7 + i / 251);
    ImageInfo info;
    info.target = "a";
    const Image image = Image::build(std::move(info), {{.format = "text", .arch = "", .bytes = std::move(code)}});
    const auto one = FatImage::fromBytes(image.bytes());
    ASSERT_TRUE(one) << one.error().render();
    const auto again = FatImage::fromBytes(one->bytes());
    ASSERT_TRUE(again) << again.error().render();
    EXPECT_EQ(again->entries(), fatOf({image}).entries());
    const auto read = again->image(0);
    ASSERT_TRUE(read) << read.error().render();
    EXPECT_EQ(textOf(read->bytes()), textOf(image.bytes()));
  }
}

TEST(FatImage, RefusesNoneAndTwoOfAKind) {
  EXPECT_FALSE(FatImage::build({}));
  const std::vector<Image> twice = {imageFor("a", "a1", "x"), imageFor("a", "a1", "x")};
  EXPECT_FALSE(FatImage::build(twice));
  const std::vector<Image> apart = {imageFor("a", "a1", "x"), imageFor("a", "a1", "x", "+f")};
  EXPECT_TRUE(FatImage::build(apart));
}

TEST(FatImage, RefusesEveryTruncationAndEveryFlippedBit) {
  const FatImage fat = fatOf({imageFor("a", "a1", "x"), imageFor("b", "b1", "y")});
  const std::string whole = textOf(fat.bytes());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(FatImage::fromBytes(std::as_bytes(std::span(whole).first(size)))) << size;
    std::string flipped = whole;
    flipped[size] = static_cast<char>(flipped[size] ^ (1 << size % 8));
    EXPECT_FALSE(FatImage::fromBytes(std::as_bytes(std::span(flipped)))) << size;
  }
  const std::string longer = whole + "x";
  EXPECT_FALSE(FatImage::fromBytes(std::as_bytes(std::span(longer))));
}

/// The file with its checksum made right again.
void repair(std::string& file) {
  constexpr std::size_t at = 12;
  std::uint32_t sum = 0;
  std::memcpy(file.data() + at, &sum, sizeof sum);
  sum = detail::checksum(std::as_bytes(std::span(file)));
  std::memcpy(file.data() + at, &sum, sizeof sum);
}

TEST(FatImage, AFalseFileWithARightChecksumIsAnErrorAtMost) {
  const FatImage fat = fatOf({imageFor("a", "a1", "x"), imageFor("b", "b1", "y")});
  const std::string whole = textOf(fat.bytes());
  for (std::size_t at = 24; at < whole.size(); ++at) {
    for (const char value : {'\0', '\1', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[at] = value;
      repair(changed);
      const auto read = FatImage::fromBytes(std::as_bytes(std::span(changed)));
      if (!read) continue;
      for (std::size_t i = 0; i < read->entries().size(); ++i) (void)read->image(i);
      (void)read->candidates("x", "a1");
    }
  }
}

TEST(FatImage, OffersFirstWhatIsLikelierToFit) {
  const FatImage fat =
      fatOf({imageFor("gpu", "v8", "gpu"), imageFor("cpu", "p2", "cpu"), imageFor("gpu", "v90", "gpu"),
             imageFor("gpu", "v90a", "gpu"), imageFor("gpu", "v100", "gpu"), imageFor("gpu", "v9", "gpu")});
  const auto archsFor = [&](std::string_view runtime, std::string_view arch) {
    std::string out;
    for (const std::size_t index : fat.candidates(runtime, arch)) out += fat.entries()[index].arch + " ";
    return out;
  };
  EXPECT_EQ(archsFor("gpu", "v90"), "v90a v90 v100 v9 v8 ");
  EXPECT_EQ(archsFor("gpu", "v9"), "v9 v100 v90a v90 v8 ");
  EXPECT_EQ(archsFor("gpu", "v10"), "v100 v90a v90 v9 v8 ");
  EXPECT_EQ(archsFor("cpu", "other"), "p2 ");
  EXPECT_EQ(archsFor("none", ""), "");
}

TEST(FatImage, ADeviceSaysWhyNothingFits) {
  const auto device = Device::open("cpu");
  ASSERT_TRUE(device);
  const auto nothing = device->load(fatOf({imageFor("gpu", "v8", "gpu")}));
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::IncompatibleDevice);
  EXPECT_NE(nothing.error().message.find("gpu:v8"), std::string::npos) << nothing.error().render();
  const auto broken = device->load(fatOf({imageFor("cpu", "p2", "cpu"), imageFor("cpu", "p3", "cpu")}));
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().notes.size(), 2U) << broken.error().render();
}

}  // namespace
}  // namespace lathe
