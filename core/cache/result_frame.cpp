// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outcomes as CBOR, with the build that they are of.
#include "core/cache/result_frame.h"

#include "core/cache/build_identity.h"
#include "core/frontend/files/file_looks.h"
#include "core/frontend/reuse/front_reuse.h"
#include "core/values/cbor.h"
#include "core/values/compile_values.h"
#include "core/values/frame.h"

namespace lathe::detail {
namespace {

/// An image travels as its file.
class ResultWriter : public CborWriter {
 public:
  void special(const Image& image) {
    const auto bytes = image.bytes();
    text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
};
class ResultReader : public CborReader {
 public:
  using CborReader::CborReader;
  /// The error that the image's bytes gave, if they are the fault.
  std::optional<Error> imageError;

  void special(Image& image) {
    auto read = Image::fromBytes(std::as_bytes(std::span(text())));
    if (!read) {
      imageError = std::move(read).error();
      return fail();
    }
    image = *std::move(read);
  }
};

}  // namespace

std::string encodeCompileResult(const Result<CompileResult>& result, const CompileRecord* record,
                                const FileLooks* files, const FrontendReuse* reuse) {
  ResultWriter out;
  if (result) {
    writeValues(out, buildIdentity(), record, files, reuse, true, *result);
  } else {
    writeValues(out, buildIdentity(), record, files, reuse, false, result.error());
  }
  return out.take();
}

Result<CompileResult> decodeCompileResult(std::string_view bytes, CompileRecord* record, FileLooks* files,
                                          FrontendReuse* reuse) {
  ResultReader in(bytes);
  std::string build;
  std::optional<CompileRecord> recorded;
  std::optional<FileLooks> looks;
  std::optional<FrontendReuse> kept;
  bool succeeded = false;
  CompileResult result{Image::build({}, {}), {}, {}, {}, CacheOrigin::compiled};
  Error error;
  in.record(6);
  readValue(in, build);
  readValue(in, recorded);
  readValue(in, looks);
  readValue(in, kept);
  readValue(in, succeeded);
  if (succeeded) {
    readValue(in, result);
  } else {
    readValue(in, error);
  }
  if (!in.atEnd()) return in.imageError ? *std::move(in.imageError) : brokenFrame();
  if (record && recorded) *record = *std::move(recorded);
  if (reuse && kept) *reuse = *std::move(kept);
  if (files) {
    *files = std::move(looks).value_or(FileLooks{.looks = {}, .repeatable = false});
    // A worker of another build is another compiler than the one that keys are of.
    files->repeatable = files->repeatable && build == buildIdentity();
  }
  if (!succeeded) return error;
  return result;
}

}  // namespace lathe::detail
