// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures are a feature of a fat image called `signatures`, and cover all of it but that feature: so a second one
// leaves the first as it is. Each is a public key and a signature by it (RFC 8032), one behind the other.
#include <lathe/signature.h>

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "core/support/dynamic_library.h"
#include "core/support/file.h"
#include "core/support/unique_descriptor.h"

namespace lathe {
namespace {

constexpr std::string_view featureName = "signatures";
constexpr std::string_view secretHead = "lathe-secret-key 1 ";
constexpr std::size_t signatureBytes = 64, secretBytes = 64;
constexpr std::size_t recordBytes = PublicKey::size + signatureBytes;

struct Sodium {
#define LATHE_SODIUM(name, result, parameters) result(*name) parameters = nullptr;
#include "core/image/sodium_functions.def"
#undef LATHE_SODIUM
  detail::DynamicLibrary library;

  static Result<Sodium> open() {
    const char* const named = std::getenv("LATHE_SODIUM_LIBRARY");
    const std::vector<const char*> names =
        named && *named ? std::vector{named} : std::vector{"libsodium.so.23", "libsodium.so.26", "libsodium.so"};
    auto library = detail::DynamicLibrary::open(names);
    if (!library) {
      Error error = std::move(library).error();
      error.message = "signature: the library " + error.message;
      error.hint = "install libsodium (Debian: libsodium23), or set LATHE_SODIUM_LIBRARY to its file";
      return error;
    }
    Sodium out{.library = *std::move(library)};
#define LATHE_SODIUM(name, result, parameters)                                                                     \
  out.name = reinterpret_cast<decltype(out.name)>(out.library.symbol(#name));                                      \
  if (!out.name) {                                                                                                 \
    return Error{.code = ErrorCode::DriverTooOld, .message = fmt::format("signature: libsodium lacks {}", #name)}; \
  }
#include "core/image/sodium_functions.def"
#undef LATHE_SODIUM
    if (out.sodium_init() < 0)
      return Error{.code = ErrorCode::DriverError, .message = "signature: libsodium cannot be initialised"};
    return out;
  }

  /// The library of this process, opened once and never closed.
  static const Result<Sodium>& get() {
    static const auto& sodium = *new Result<Sodium>(open());
    return sodium;
  }
};

std::string hexOf(std::span<const std::byte> bytes) {
  std::string out;
  for (const std::byte byte : bytes) out += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return out;
}

/// The 32 bytes that 64 hexadecimal digits stand for.
std::optional<std::array<std::byte, PublicKey::size>> bytesOf(std::string_view hex) {
  std::array<std::byte, PublicKey::size> out{};
  if (hex.size() != 2 * out.size()) return std::nullopt;
  for (std::size_t i = 0; i < hex.size(); ++i) {
    const auto letter = static_cast<unsigned char>(hex[i]);
    if (std::isxdigit(letter) == 0) return std::nullopt;
    const int digit = std::isdigit(letter) != 0 ? letter - '0' : std::tolower(letter) - 'a' + 10;
    out[i / 2] = out[i / 2] << 4U | static_cast<std::byte>(digit);
  }
  return out;
}

struct Record {
  std::span<const std::byte> key;
  std::span<const std::byte> signature;
};

std::vector<Record> recordsOf(const FatImage& images) {
  std::vector<Record> out;
  const FatImageFeature* const feature = images.feature(featureName);
  if (!feature) return out;
  auto rest = std::as_bytes(std::span(feature->data));
  for (; rest.size() >= recordBytes; rest = rest.subspan(recordBytes))
    out.push_back({rest.first(PublicKey::size), rest.subspan(PublicKey::size, signatureBytes)});
  return out;
}

std::string signedText(const FatImage& images) {
  return "lathe image signature 1\n" + images.contents(featureName);
}

bool isKey(const Record& record, const PublicKey& key) {
  return std::ranges::equal(record.key, key.bytes);
}

}  // namespace

std::string PublicKey::hex() const {
  return hexOf(bytes);
}

Result<SigningKey> SigningKey::generate() {
  const auto& sodium = Sodium::get();
  if (!sodium) return sodium.error();
  SigningKey out;
  sodium->randombytes_buf(out.seed_.data(), out.seed_.size());
  std::array<std::byte, secretBytes> secret{};
  sodium->crypto_sign_seed_keypair(out.public_.bytes.data(), secret.data(), out.seed_.data());
  sodium->sodium_memzero(secret.data(), secret.size());
  return out;
}

Result<SigningKey> SigningKey::open(const std::filesystem::path& path) {
  const auto& sodium = Sodium::get();
  if (!sodium) return sodium.error();
  const auto text = detail::readFile(path);
  if (!text) return text.error();
  struct stat facts{};
  constexpr mode_t others = 077;
  if (::stat(path.c_str(), &facts) == 0 && (facts.st_mode & others) != 0) {
    return Error{.code = ErrorCode::PermissionDenied,
                 .message = fmt::format("{}: others may read or write this secret key", path.string()),
                 .hint = "chmod 600 it, if nobody had it; else make a new one"};
  }
  std::string_view digits(*text);
  const bool hasHead = digits.starts_with(secretHead);
  if (hasHead) digits.remove_prefix(secretHead.size());
  if (digits.ends_with('\n')) digits.remove_suffix(1);
  const auto seed = hasHead ? bytesOf(digits) : std::nullopt;
  if (!seed) {
    return Error{.code = ErrorCode::FileInvalid,
                 .message = fmt::format("{}: this is no secret key of Lathe", path.string()),
                 .hint = "`lathe sign --new-key FILE` makes one"};
  }
  SigningKey out;
  out.seed_ = *seed;
  std::array<std::byte, secretBytes> secret{};
  sodium->crypto_sign_seed_keypair(out.public_.bytes.data(), secret.data(), out.seed_.data());
  sodium->sodium_memzero(secret.data(), secret.size());
  return out;
}

Result<void> SigningKey::save(const std::filesystem::path& path) const {
  const detail::UniqueDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.ok() || !detail::writeAll(file.get(), std::string(secretHead) + hexOf(seed_) + "\n")) {
    return Error{.code = ErrorCode::FileUnwritable,
                 .message = fmt::format("{}: cannot be created: {}", path.string(), std::strerror(errno))};
  }
  return {};
}

Result<std::vector<PublicKey>> readPublicKeys(const std::filesystem::path& path) {
  const auto text = detail::readFile(path);
  if (!text) return text.error();
  std::vector<PublicKey> out;
  std::size_t number = 0;
  for (std::string_view rest = *text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front())) != 0) line.remove_prefix(1);
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t blank = std::min(line.find_first_of(" \t"), line.size());
    const auto bytes = bytesOf(line.substr(0, blank));
    if (!bytes) {
      return Error{.code = ErrorCode::FileInvalid,
                   .message = fmt::format("{}:{}: this is no public key", path.string(), number),
                   .hint = "a line is a key of 64 hexadecimal digits, and a comment"};
    }
    out.push_back({*bytes, std::string(line.substr(std::min(blank + 1, line.size())))});
  }
  if (out.empty()) {
    return Error{.code = ErrorCode::FileInvalid,
                 .message = fmt::format("{}: there is no public key in it", path.string())};
  }
  return out;
}

Result<void> writePublicKeys(const std::filesystem::path& path, std::span<const PublicKey> keys) {
  std::string text;
  for (const PublicKey& key : keys) text += key.hex() + (key.comment.empty() ? "" : " " + key.comment) + "\n";
  return detail::writeFile(path, text);
}

Result<FatImage> sign(const FatImage& images, const SigningKey& key) {
  const auto& sodium = Sodium::get();
  if (!sodium) return sodium.error();
  FatImageFeature feature{.name = std::string(featureName), .required = false, .data = {}};
  const auto append = [&](std::span<const std::byte> bytes) {
    feature.data.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  // What is signed depends on where things lie, and they move when the first feature comes.
  auto place = images.withFeature(feature);
  if (!place) return place;
  for (const Record& record : recordsOf(images)) {
    if (isKey(record, key.public_)) continue;
    append(record.key);
    append(record.signature);
  }
  const std::string text = signedText(*place);
  std::array<std::byte, PublicKey::size> publicBytes{};
  std::array<std::byte, secretBytes> secret{};
  std::array<std::byte, signatureBytes> signature{};
  sodium->crypto_sign_seed_keypair(publicBytes.data(), secret.data(), key.seed_.data());
  sodium->crypto_sign_detached(signature.data(), nullptr, text.data(), text.size(), secret.data());
  sodium->sodium_memzero(secret.data(), secret.size());
  append(publicBytes);
  append(signature);
  return images.withFeature(std::move(feature));
}

std::vector<PublicKey> signersOf(const FatImage& images) {
  std::vector<PublicKey> out;
  for (const Record& record : recordsOf(images)) {
    PublicKey& key = out.emplace_back();
    std::ranges::copy(record.key, key.bytes.begin());
  }
  return out;
}

Result<std::size_t> verify(const FatImage& images, std::span<const PublicKey> trusted) {
  const auto& sodium = Sodium::get();
  if (!sodium) return sodium.error();
  const auto refused = [](std::string why, std::string hint, ErrorCode code = ErrorCode::PermissionDenied) {
    return Error{.code = code, .message = "fat image: " + std::move(why), .hint = std::move(hint)};
  };
  const auto records = recordsOf(images);
  if (records.empty()) return refused("it is not signed", "`lathe sign` signs images");
  const std::string text = signedText(images);
  std::string wrong, others;
  for (const Record& record : records) {
    const auto key = std::ranges::find_if(trusted, [&](const PublicKey& one) { return isKey(record, one); });
    if (key == trusted.end()) {
      others += (others.empty() ? "" : ", ") + hexOf(record.key);
      continue;
    }
    if (sodium->crypto_sign_verify_detached(record.signature.data(), text.data(), text.size(), record.key.data()) == 0)
      return static_cast<std::size_t>(key - trusted.begin());
    wrong = key->hex();
  }
  if (!wrong.empty()) {
    return refused(fmt::format("its signature by {} is wrong: the image was changed after it was signed", wrong),
                   "fetch a fresh copy", ErrorCode::ImageCorrupt);
  }
  return refused("it is signed by none of the keys that are trusted", "it says to be signed by " + others);
}

}  // namespace lathe
