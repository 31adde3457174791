// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Job bundles as bytes. A fixed header (magic, version, length, BLAKE3-256 of the payload) guards the payload, which is
// the packed form of JobBundle (core/values); a newer Lathe that changes either counts the version up.
#include <optional>
#include <set>
#include <span>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

#include <lathe/bundle.h>

#include "core/support/bytes.h"
#include "core/values/compile_values.h"
#include "core/values/packed.h"

namespace lathe {
namespace {

using detail::ByteReader;
using detail::ByteWriter;

constexpr std::string_view magic = "LATHEJOB";
constexpr std::uint32_t formatVersion = 1;
constexpr std::size_t hashBytes = 32;
constexpr std::size_t headerBytes = magic.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t) + hashBytes;

std::string blake3(std::string_view bytes) {
  const auto hash =
      llvm::BLAKE3::hash<hashBytes>(llvm::arrayRefFromStringRef(llvm::StringRef(bytes.data(), bytes.size())));
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

std::string_view viewOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Error corrupt(std::string why) {
  return {
      .code = ErrorCode::ImageCorrupt, .message = "job bundle: " + std::move(why), .hint = "fetch or save it again"};
}

// A bundle's job is the text of its canonical bytes. Settings are not kept: a replay makes them again.
class BundleWriter : public detail::PackedWriter {
 public:
  void special(const Job& job) { text(canonicalBytes(job)); }
  void special(const std::vector<Setting>&) {}
};
class BundleReader : public detail::PackedReader {
 public:
  using PackedReader::PackedReader;
  /// The error that the job's bytes gave, if they are the fault.
  std::optional<Error> jobError;

  void special(Job& job) {
    auto read = jobFromBytes(text());
    if (!read) {
      jobError = std::move(read).error();
      return fail();
    }
    job = *std::move(read);
  }
  void special(std::vector<Setting>&) {}
};

/// A link names a file recorded before it: whoever adds them in order finds each.
bool linksAreGood(const std::vector<InputFile>& files) {
  std::set<std::string_view> recorded;
  for (const InputFile& file : files) {
    if (!file.path.starts_with('/')) return false;
    if (file.sameAs.empty()) {
      recorded.insert(file.path);
    } else if (!recorded.contains(file.sameAs)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string hashOf(const Image& image) {
  return llvm::toHex(blake3(viewOf(image.bytes())), /*LowerCase=*/true);
}

std::string bundleBytes(const JobBundle& bundle) {
  BundleWriter payload;
  detail::writeValue(payload, bundle);
  const std::string content = payload.take();
  ByteWriter out;
  out.raw(magic);
  out.number(formatVersion);
  out.number(static_cast<std::uint64_t>(content.size()));
  out.raw(blake3(content));
  out.raw(content);
  return out.take();
}

Result<JobBundle> bundleFromBytes(std::string_view bytes) {
  if (!bytes.starts_with(magic)) {
    return bytes.size() < magic.size() && magic.starts_with(bytes)
               ? corrupt("truncated after " + std::to_string(bytes.size()) + " bytes")
               : corrupt("these bytes are not a job bundle");
  }
  ByteReader header(std::as_bytes(std::span(bytes.substr(magic.size()))));
  const auto found = header.number<std::uint32_t>();
  const auto size = header.number<std::uint64_t>();
  if (!header.failed() && found > formatVersion) {
    return Error{.code = ErrorCode::ImageVersion,
                 .message = "job bundle: format version " + std::to_string(found) + " is newer than this library's " +
                            std::to_string(formatVersion),
                 .hint = "use a newer Lathe"};
  }
  if (header.failed() || bytes.size() < headerBytes || bytes.size() - headerBytes < size)
    return corrupt("truncated after " + std::to_string(bytes.size()) + " bytes");
  if (bytes.size() - headerBytes > size) return corrupt("bytes follow its end");
  const std::string_view payload = bytes.substr(headerBytes);
  if (blake3(payload) != bytes.substr(headerBytes - hashBytes, hashBytes) || found != formatVersion)
    return corrupt("the checksum does not match: bytes were changed");

  BundleReader in(payload);
  JobBundle out{.job = {}};
  detail::readValue(in, out);
  if (in.jobError) return corrupt(in.jobError->message);
  if (!in.atEnd() || !linksAreGood(out.inputs.files) || out.inputs.descriptors.empty())
    return corrupt("its fields are damaged");
  return out;
}

}  // namespace lathe
