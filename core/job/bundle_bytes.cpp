// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Job bundles as bytes. A fixed header (magic, version, length, BLAKE3-256 of the payload) guards the payload, which is
// length-prefixed fields in the order of the structs; a newer Lathe that changes either counts the version up.
#include <set>
#include <span>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

#include <lathe/bundle.h>

#include "core/support/bytes.h"

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

/// Each list: a count, then three texts an element.
template <class T>
void writeTriples(ByteWriter& out, const std::vector<T>& list) {
  out.number(static_cast<std::uint32_t>(list.size()));
  for (const auto& [first, second, third] : list) {
    for (const std::string* text : {&first, &second, &third}) out.text(*text);
  }
}
template <class T>
void readTriples(ByteReader& in, std::vector<T>& list) {
  list.resize(in.count(3 * sizeof(std::uint32_t)));
  for (auto& [first, second, third] : list) {
    for (std::string* text : {&first, &second, &third}) *text = in.text();
  }
}

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
  ByteWriter payload;
  payload.text(canonicalBytes(bundle.job));
  for (const std::string* text : {&bundle.producer, &bundle.compiler, &bundle.imageHash, &bundle.failure,
                                  &bundle.inputs.workingDirectory, &bundle.inputs.arch, &bundle.inputs.plugin})
    payload.text(*text);
  writeTriples(payload, bundle.inputs.files);
  writeTriples(payload, bundle.inputs.libraries);
  writeTriples(payload, bundle.inputs.descriptors);
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

  ByteReader in(std::as_bytes(std::span(payload)));
  auto job = jobFromBytes(in.text());
  if (!job) return corrupt(job.error().message);
  JobBundle out{.job = *std::move(job)};
  for (std::string* text : {&out.producer, &out.compiler, &out.imageHash, &out.failure, &out.inputs.workingDirectory,
                            &out.inputs.arch, &out.inputs.plugin})
    *text = in.text();
  readTriples(in, out.inputs.files);
  readTriples(in, out.inputs.libraries);
  readTriples(in, out.inputs.descriptors);
  if (!in.atEnd() || !linksAreGood(out.inputs.files) || out.inputs.descriptors.empty())
    return corrupt("its fields are damaged");
  return out;
}

}  // namespace lathe
