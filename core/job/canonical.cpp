// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job as bytes, and its hash. The form is canonical: each value has one spelling (little-endian integers of fixed
// width, lengths before contents, map keys ascending), and reading accepts that one only, so that equality of bytes is
// equality of jobs and a hash of the bytes is a key.
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

#include "core/job/fields.h"
#include "core/support/bytes.h"

namespace lathe {
namespace {

using detail::ByteReader;
using detail::ByteWriter;
using detail::Fielded;
using detail::forEachField;

constexpr std::string_view magic = "lathe-job";
/// Counts up with every change of the fields or of their encoding.
constexpr std::uint32_t version = 2;

template <class T>
struct EnumCount;
template <>
struct EnumCount<OptLevel> : std::integral_constant<std::size_t, detail::optLevelNames.size()> {};
template <>
struct EnumCount<EntryAbi> : std::integral_constant<std::size_t, detail::entryAbiNames.size()> {};

class JobWriter {
 public:
  ByteWriter bytes;

  void write(const std::uint32_t& value) { bytes.number(value); }
  void write(const bool& value) { bytes.number(std::uint8_t{value}); }
  template <class T>
    requires std::is_enum_v<T>
  void write(const T& value) {
    bytes.number(static_cast<std::underlying_type_t<T>>(value));
  }
  void write(const std::string& value) { bytes.text(value); }
  template <class T, std::size_t n>
  void write(const std::array<T, n>& values) {
    for (const T& value : values) write(value);
  }
  template <class T>
  void write(const std::vector<T>& values) {
    write(static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) write(value);
  }
  void write(const std::map<std::string, std::string>& values) {
    write(static_cast<std::uint32_t>(values.size()));
    for (const auto& [key, value] : values) {
      write(key);
      write(value);
    }
  }
  template <Fielded T>
  void write(const T& value) {
    forEachField(value, [this](std::string_view, const auto& member) { this->write(member); });
  }
};

/// Reads what JobWriter wrote, and nothing that it would not have written.
class JobReader {
 public:
  explicit JobReader(std::string_view text) : bytes(std::as_bytes(std::span(text))) {}
  ByteReader bytes;

  void read(std::uint32_t& value) { value = bytes.number<std::uint32_t>(); }
  void read(bool& value) { value = bytes.numberUpTo<std::uint8_t>(1) == 1; }
  template <class T>
    requires std::is_enum_v<T>
  void read(T& value) {
    value = static_cast<T>(bytes.numberUpTo<std::underlying_type_t<T>>(EnumCount<T>::value - 1));
  }
  void read(std::string& value) { value = bytes.text(); }
  template <class T, std::size_t n>
  void read(std::array<T, n>& values) {
    for (T& value : values) read(value);
  }
  template <class T>
  void read(std::vector<T>& values) {
    values.resize(bytes.count(lengthBytes));  // every element begins with a length
    for (T& value : values) read(value);
  }
  void read(std::map<std::string, std::string>& values) {
    for (auto count = bytes.count(2 * lengthBytes); count > 0 && !bytes.failed(); --count) {
      std::string key;
      read(key);
      if (!values.empty() && key <= values.rbegin()->first) return bytes.fail();  // keys ascend
      read(values[std::move(key)]);
    }
  }
  template <Fielded T>
  void read(T& value) {
    forEachField(value, [this](std::string_view, auto& member) { this->read(member); });
  }

 private:
  static constexpr std::size_t lengthBytes = sizeof(std::uint32_t);
};

Error invalid(std::string message) {
  return Error{.code = ErrorCode::InvalidArgument, .message = std::move(message)};
}

}  // namespace

std::string canonicalBytes(const Job& job) {
  JobWriter writer;
  writer.bytes.text(magic);
  writer.write(version);
  writer.write(job);
  return writer.bytes.take();
}

Result<Job> jobFromBytes(std::string_view bytes) {
  JobReader reader(bytes);
  if (reader.bytes.text() != magic) return invalid("job: these bytes are not a serialised job");
  std::uint32_t found = 0;
  reader.read(found);
  if (!reader.bytes.failed() && found != version) {
    return invalid("job: serialised in version " + std::to_string(found) + "; this library reads version " +
                   std::to_string(version));
  }
  Job job;
  reader.read(job);
  if (reader.bytes.failed()) return invalid("job: the serialised bytes are truncated or damaged");
  if (!reader.bytes.atEnd()) return invalid("job: bytes follow the end of the serialised job");
  return job;
}

JobHash hashOf(const Job& job) {
  JobHash hash;
  static_assert(sizeof(hash.bytes) == 32);
  hash.bytes = llvm::BLAKE3::hash<32>(llvm::arrayRefFromStringRef(canonicalBytes(job)));
  return hash;
}

std::string JobHash::hex() const {
  return llvm::toHex(bytes, /*LowerCase=*/true);
}

std::string describe(const Job& job) {
  std::string out;
  for (const std::string& entry : job.entries) out += (out.empty() ? "" : ", ") + entry;
  if (out.empty()) out = "every kernel";
  out += " from " + job.source.name + " for " + job.target;
  if (!job.arch.empty()) out += ":" + job.arch;
  out += " at ";
  out += detail::optLevelNames[static_cast<std::size_t>(job.options.optLevel)];
  if (job.emit != "image") out += " as " + job.emit;
  return out;
}

}  // namespace lathe
