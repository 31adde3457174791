// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job as bytes, and its hash. The form is canonical: each value has one spelling (core/values/packed.h, with the keys
// of maps ascending), and reading accepts that one only, so that equality of bytes is equality of jobs and a hash of
// the bytes is a key.
#include <string>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

#include "core/values/job_values.h"
#include "core/values/packed.h"

namespace lathe {
namespace {

constexpr std::string_view magic = "lathe-job";
/// Counts up with every change of the fields or of their encoding.
constexpr std::uint32_t version = 6;

Error invalid(std::string message) {
  return Error{.code = ErrorCode::InvalidArgument, .message = std::move(message)};
}

}  // namespace

std::string canonicalBytes(const Job& job) {
  detail::PackedWriter out;
  out.text(magic);
  out.number(version);
  detail::writeValue(out, job);
  return out.take();
}

Result<Job> jobFromBytes(std::string_view bytes) {
  detail::PackedReader in(bytes);
  if (in.text() != magic) return invalid("job: these bytes are not a serialised job");
  const auto found = in.number<std::uint32_t>();
  if (!in.failed() && found != version) {
    return invalid("job: serialised in version " + std::to_string(found) + "; this library reads version " +
                   std::to_string(version));
  }
  Job job;
  detail::readValue(in, job);
  if (in.failed()) return invalid("job: the serialised bytes are truncated or damaged");
  if (!in.atEnd()) return invalid("job: bytes follow the end of the serialised job");
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
  out += " from " + job.source.name;
  for (const Source& further : job.furtherSources) out += " + " + further.name;
  out += " for " + job.target;
  if (!job.arch.empty()) out += ":" + job.arch;
  out += " at ";
  out += nameOf(job.options.optLevel);
  if (job.emit != "image") out += " as " + job.emit;
  return out;
}

}  // namespace lathe
