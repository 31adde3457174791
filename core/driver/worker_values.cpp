// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What travels between a worker and its caller: each value as its description says (core/values), a call's parts and an
// answer's parts in the order of their structs.
#include "core/driver/worker_values.h"

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

std::string encodeCompile(const CompileCall& call) {
  const auto& [job, request, config, inputs, scanOnly] = call;
  const bool recorded = request.record != nullptr;
  CborWriter out;
  writeValues(out, job, request, config, inputs, recorded, scanOnly);
  return out.take();
}

Result<DecodedCompile> decodeCompile(std::string_view payload) {
  CborReader in(payload);
  DecodedCompile out;
  auto& [job, request, config, inputs, recorded, scanOnly] = out;
  readValues(in, job, request, config, inputs, recorded, scanOnly);
  if (!in.atEnd()) return brokenFrame();
  request.isolation = Isolation::inProcess;
  return out;
}

std::string encodeCompileResult(const Result<CompileResult>& result, const CompileRecord* record) {
  ResultWriter out;
  if (result) {
    writeValues(out, record, true, *result);
  } else {
    writeValues(out, record, false, result.error());
  }
  return out.take();
}

Result<CompileResult> decodeCompileResult(std::string_view bytes, CompileRecord* record) {
  ResultReader in(bytes);
  std::optional<CompileRecord> recorded;
  bool succeeded = false;
  CompileResult result{Image::build({}, {}), {}, {}, {}};
  Error error;
  in.record(3);
  readValue(in, recorded);
  readValue(in, succeeded);
  if (succeeded) {
    readValue(in, result);
  } else {
    readValue(in, error);
  }
  if (!in.atEnd()) return in.imageError ? *std::move(in.imageError) : brokenFrame();
  if (record && recorded) *record = *std::move(recorded);
  if (!succeeded) return error;
  return result;
}

}  // namespace lathe::detail
