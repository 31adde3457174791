// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures of images: who signed is found, what was changed is refused. The oracle is OpenSSL's ed25519, by its tool.
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <lathe/runtime.h>
#include <lathe/signature.h>

#include "core/support/checksum.h"
#include "tests/unit/runtime/example_image.h"

namespace lathe {
namespace {

FatImage plainImages() {
  std::vector<Image> images;
  for (const char* const arch : {"a1", "a2"}) {
    ImageInfo info;
    info.target = "a";
    info.arch = arch;
    info.runtime = "x";
    images.push_back(Image::build(std::move(info), {{.format = "text", .arch = "", .bytes = std::string(300, 'x')}}));
  }
  return *FatImage::build(images);
}

std::string textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The file with its checksum made right again.
std::string repaired(std::string file) {
  constexpr std::size_t checksumAt = 12;
  for (std::size_t i = 0; i < 4; ++i) file[checksumAt + i] = 0;
  const std::uint32_t sum = detail::checksum(std::as_bytes(std::span(file)));
  std::memcpy(file.data() + checksumAt, &sum, sizeof sum);
  return file;
}

class Signature : public testing::Test {
 protected:
  void SetUp() override {
    auto key = SigningKey::generate();
    if (!key && key.error().code == ErrorCode::DriverMissing) GTEST_SKIP() << key.error().message;
    ASSERT_TRUE(key) << key.error().render();
    key_.emplace(*std::move(key));
    std::string pattern = (std::filesystem::temp_directory_path() / "lathe-sign-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Signature() override {
    std::error_code failed;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, failed);
  }
  [[nodiscard]] PublicKey known() const { return key_->publicKey(); }

  std::optional<SigningKey> key_;
  std::filesystem::path folder_;
};

TEST_F(Signature, IsFoundAfterAWayThroughAFile) {
  const FatImage plain = plainImages();
  const auto made = sign(plain, *key_);
  ASSERT_TRUE(made) << made.error().render();
  ASSERT_TRUE(made->save(folder_ / "signed.limg"));
  const auto read = FatImage::open(folder_ / "signed.limg");
  ASSERT_TRUE(read) << read.error().render();
  EXPECT_EQ(read->entries(), plain.entries());
  EXPECT_EQ(textOf(read->image(1)->bytes()), textOf(plain.image(1)->bytes()));
  const PublicKey others[] = {SigningKey::generate()->publicKey(), known()};
  EXPECT_EQ(verify(*read, others).value(), 1U);
  ASSERT_EQ(signersOf(*read).size(), 1U);
  EXPECT_EQ(signersOf(*read)[0].hex(), known().hex());
  EXPECT_EQ(textOf(sign(*made, *key_)->bytes()), textOf(made->bytes()));  // replaced by its equal
}

TEST_F(Signature, SeveralStandBesideEachOther) {
  const SigningKey second = *SigningKey::generate();
  const FatImage both = *sign(*sign(plainImages(), *key_), second);
  EXPECT_EQ(signersOf(both).size(), 2U);
  const PublicKey one = known(), two = second.publicKey();
  EXPECT_TRUE(verify(both, std::span(&one, 1)));
  EXPECT_TRUE(verify(both, std::span(&two, 1)));
}

TEST_F(Signature, RefusalsSayWhy) {
  const PublicKey own = known(), other = SigningKey::generate()->publicKey();
  const FatImage plain = plainImages(), made = *sign(plain, *key_);
  const auto expect = [](const Result<std::size_t>& result, std::string_view why) {
    ASSERT_FALSE(result);
    const bool isChanged = why.find("changed") != std::string_view::npos;
    EXPECT_EQ(result.error().code, isChanged ? ErrorCode::ImageCorrupt : ErrorCode::PermissionDenied);
    EXPECT_NE(result.error().message.find(why), std::string::npos) << result.error().message;
  };
  expect(verify(plain, std::span(&own, 1)), "it is not signed");
  expect(verify(made, std::span(&other, 1)), "by none of the keys that are trusted");
  expect(verify(made, {}), "by none of the keys that are trusted");
  // A key that is trusted, in front of somebody else's signature.
  const FatImageFeature theirs = *sign(plain, *SigningKey::generate())->feature("signatures");
  FatImageFeature forged = theirs;
  forged.data.replace(0, PublicKey::size, reinterpret_cast<const char*>(own.bytes.data()), PublicKey::size);
  expect(verify(*made.withFeature(forged), std::span(&own, 1)), "the image was changed after it was signed");
  // One image's signature on another.
  const Image only = *plain.image(0);
  const auto moved = FatImage::build(std::span(&only, 1))->withFeature(*made.feature("signatures"));
  expect(verify(*moved, std::span(&own, 1)), "the image was changed after it was signed");
}

TEST_F(Signature, CoversEachByteOfTheImages) {
  const PublicKey own = known();
  const FatImage made = *sign(plainImages(), *key_);
  const std::string whole = textOf(made.bytes());
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    changed = repaired(std::move(changed));
    if (changed == whole) continue;  // the checksum's own bytes
    const auto read = FatImage::fromBytes(std::as_bytes(std::span(changed)));
    refused += !read || !verify(*read, std::span(&own, 1)) ? 1 : 0;
    if (read && verify(*read, std::span(&own, 1))) {
      // Only what says nothing of the images may differ: whether a reader must know signatures.
      EXPECT_EQ(read->entries(), made.entries()) << at;
      EXPECT_EQ(read->contents("signatures"), made.contents("signatures")) << at;
    }
  }
  EXPECT_GT(refused, whole.size() - 16);
  EXPECT_FALSE(verify(plainImages(), std::span(&own, 1)));  // one that was taken off
}

TEST_F(Signature, LoadsOnlyWhatIsSigned) {
  const auto device = Device::open("null");
  ASSERT_TRUE(device) << device.error().render();
  const PublicKey own = known();
  const auto refused = device->load(plainImages(), std::span(&own, 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::PermissionDenied);
  const auto unfit = device->load(*sign(plainImages(), *key_), std::span(&own, 1));
  ASSERT_FALSE(unfit);
  EXPECT_EQ(unfit.error().code, ErrorCode::IncompatibleDevice);
}

TEST_F(Signature, KeysAsFiles) {
  const auto secret = folder_ / "key";
  ASSERT_TRUE(key_->save(secret));
  EXPECT_EQ(key_->save(secret).error().code, ErrorCode::FileUnwritable);  // never over another
  const auto read = SigningKey::open(secret);
  ASSERT_TRUE(read) << read.error().render();
  EXPECT_EQ(read->publicKey().hex(), known().hex());
  ::chmod(secret.c_str(), 0640);
  EXPECT_EQ(SigningKey::open(secret).error().code, ErrorCode::PermissionDenied);
  std::ofstream(folder_ / "bad") << "lathe-secret-key 1 1234\n";
  ::chmod((folder_ / "bad").c_str(), 0600);
  EXPECT_EQ(SigningKey::open(folder_ / "bad").error().code, ErrorCode::FileInvalid);
  EXPECT_EQ(SigningKey::open(folder_ / "none").error().code, ErrorCode::FileUnreadable);

  PublicKey named = known();
  named.comment = "of this test";
  ASSERT_TRUE(writePublicKeys(folder_ / "keys", std::span(&named, 1)));
  std::ofstream(folder_ / "keys", std::ios::app) << "# a comment\n\n  " << std::string(64, 'A') << "\r\n";
  const auto keys = readPublicKeys(folder_ / "keys");
  ASSERT_TRUE(keys) << keys.error().render();
  ASSERT_EQ(keys->size(), 2U);
  EXPECT_EQ((*keys)[0].hex(), named.hex());
  EXPECT_EQ((*keys)[0].comment, "of this test");
  EXPECT_EQ((*keys)[1].hex(), std::string(64, 'a'));
  std::ofstream(folder_ / "keys", std::ios::app) << "no key\n";
  const auto bad = readPublicKeys(folder_ / "keys");
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("keys:5: this is no public key"), std::string::npos) << bad.error().message;
  std::ofstream(folder_ / "empty") << "# nothing\n";
  EXPECT_EQ(readPublicKeys(folder_ / "empty").error().code, ErrorCode::FileInvalid);
}

TEST_F(Signature, IsWhatOpenSslVerifies) {
  if (std::system("openssl version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no openssl";
  const FatImage made = *sign(plainImages(), *key_);
  const std::string& data = made.feature("signatures")->data;
  // RFC 8410: the key in DER, behind a head that says what it is.
  const std::string head("\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00", 12);
  std::ofstream(folder_ / "key.der", std::ios::binary) << head << data.substr(0, PublicKey::size);
  std::ofstream(folder_ / "sig", std::ios::binary) << data.substr(PublicKey::size);
  std::ofstream(folder_ / "text", std::ios::binary) << "lathe image signature 1\n" << made.contents("signatures");
  const std::string command = "cd " + folder_.string() +
                              " && openssl pkeyutl -verify -pubin -inkey key.der -keyform DER -rawin -in text "
                              "-sigfile sig >/dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(FatImageFeatures, UnknownOnesArePassedOverUnlessTheyAreRequired) {
  const FatImage plain = plainImages();
  const auto optional = plain.withFeature({.name = "of-tomorrow", .required = false, .data = "something"});
  ASSERT_TRUE(optional) << optional.error().render();
  const auto read = FatImage::fromBytes(optional->bytes());
  ASSERT_TRUE(read) << read.error().render();
  EXPECT_EQ(read->entries(), plain.entries());
  EXPECT_EQ(textOf(read->image(1)->bytes()), textOf(plain.image(1)->bytes()));
  EXPECT_EQ(read->feature("of-tomorrow")->data, "something");
  EXPECT_EQ(read->feature("of-yesterday"), nullptr);
  const auto required = plain.withFeature({.name = "of-tomorrow", .required = true, .data = {}});
  ASSERT_FALSE(required);
  EXPECT_EQ(required.error().code, ErrorCode::ImageVersion);
  EXPECT_NE(required.error().message.find("'of-tomorrow'"), std::string::npos) << required.error().message;
  EXPECT_EQ(plain.withFeature({}).error().code, ErrorCode::InvalidArgument);
  // Those without are what older readers know.
  EXPECT_EQ(textOf(plain.bytes())[8], 1);
  EXPECT_EQ(textOf(optional->bytes())[8], 2);
}

TEST(FatImageFeatures, NoTruncationAndNoChangeIsFollowedOutOfTheFile) {
  const std::string whole =
      textOf(plainImages().withFeature({.name = "f", .required = false, .data = "12345"})->bytes());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    EXPECT_FALSE(FatImage::fromBytes(std::as_bytes(std::span(whole).first(at)))) << at;
    for (const int bit : {1, 0x80}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ bit);
      EXPECT_FALSE(FatImage::fromBytes(std::as_bytes(std::span(changed)))) << at;
      changed = repaired(std::move(changed));
      const auto read = FatImage::fromBytes(std::as_bytes(std::span(changed)));  // an error or sound: no crash
      for (std::size_t i = 0; read && i < read->entries().size(); ++i) (void)read->image(i);
    }
  }
}

}  // namespace
}  // namespace lathe
