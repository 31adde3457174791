// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What travels between a worker and its caller, as CBOR.
#include "core/driver/worker.h"

#include <array>

#include <nlohmann/json.hpp>

#include "core/support/whole_number.h"

namespace lathe::detail {
namespace {

using Json = nlohmann::json;

Json toJson(const SourceLocation& at) {
  return {at.file, at.line, at.column};
}
SourceLocation locationFrom(const Json& json) {
  return {json.at(0), wholeNumber<std::uint32_t>(json.at(1)), wholeNumber<std::uint32_t>(json.at(2))};
}

Json toJson(const std::vector<Note>& notes) {
  Json out = Json::array();
  for (const Note& note : notes) out.push_back({note.message, toJson(note.location), note.snippet});
  return out;
}
std::vector<Note> notesFrom(const Json& json) {
  std::vector<Note> out;
  for (const Json& note : json) out.push_back({note.at(0), locationFrom(note.at(1)), note.at(2)});
  return out;
}

Json toJson(const std::vector<Diagnostic>& diagnostics) {
  Json out = Json::array();
  for (const Diagnostic& d : diagnostics) {
    out.push_back({static_cast<int>(d.severity), static_cast<int>(d.code), d.message, toJson(d.location), d.snippet,
                   toJson(d.notes), d.hint});
  }
  return out;
}
std::vector<Diagnostic> diagnosticsFrom(const Json& json) {
  std::vector<Diagnostic> out;
  for (const Json& d : json) {
    out.push_back({static_cast<Severity>(wholeNumber<int>(d.at(0))), static_cast<ErrorCode>(wholeNumber<int>(d.at(1))),
                   d.at(2), locationFrom(d.at(3)), d.at(4), notesFrom(d.at(5)), d.at(6)});
  }
  return out;
}

Json toJson(const Error& e) {
  return {static_cast<int>(e.code), e.message, toJson(e.notes), e.hint, e.stage, e.target, toJson(e.location),
          toJson(e.diagnostics)};
}
Error errorFrom(const Json& json) {
  return {.code = static_cast<ErrorCode>(wholeNumber<int>(json.at(0))),
          .message = json.at(1),
          .notes = notesFrom(json.at(2)),
          .hint = json.at(3),
          .stage = json.at(4),
          .target = json.at(5),
          .location = locationFrom(json.at(6)),
          .diagnostics = diagnosticsFrom(json.at(7))};
}

Json bytesOf(std::string_view bytes) {
  return Json::binary(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
}
std::string stringOf(const Json& json) {
  const auto& bytes = json.get_binary();
  return {bytes.begin(), bytes.end()};
}
std::string encoded(const Json& json) {
  std::string out;
  Json::to_cbor(json, out);
  return out;
}

/// One value as encoded() writes it (CBOR, RFC 8949): counts are known, nothing has a tag. The library's reader calls
/// itself for each level of values, and of texts without a length; this one does not.
class FrameCheck {
 public:
  explicit FrameCheck(std::string_view bytes) : rest_(bytes) {}

  bool passes() {
    std::array<std::uint64_t, mostDeep> left{1};  // values to come, by level
    for (std::size_t level = 0;;) {
      while (left[level] == 0) {
        if (level-- == 0) return rest_.empty();
      }
      --left[level];
      const auto inside = valuesInNext();
      if (!inside || (*inside != 0 && ++level == mostDeep)) return false;
      if (*inside != 0) left[level] = *inside;
    }
  }

 private:
  static constexpr std::size_t mostDeep = 32;
  enum Major : unsigned { text = 3, bytes = 2, list = 4, map = 5, tag = 6 };

  /// Goes behind the beginning of a value, and behind all of it unless others are inside: their number.
  std::optional<std::uint64_t> valuesInNext() {
    if (rest_.empty()) return std::nullopt;
    const auto first = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    const unsigned major = first >> 5U;
    std::uint64_t value = first & 31U;
    if (value > 27 || major == tag) return std::nullopt;
    if (value >= 24) {
      const std::size_t count = std::size_t{1} << (value - 24);
      if (rest_.size() < count) return std::nullopt;
      value = 0;
      for (const char c : rest_.substr(0, count)) value = value << 8U | static_cast<unsigned char>(c);
      rest_.remove_prefix(count);
    }
    if (major < bytes || major > map) return 0;
    // A value takes a byte at least.
    if (value > rest_.size()) return std::nullopt;
    if (major == list) return value;
    if (major == map) return 2 * value;
    rest_.remove_prefix(static_cast<std::size_t>(value));
    return 0;
  }

  std::string_view rest_;
};

/// A value of kind "discarded", which has no members, where the bytes are none.
Json fromFrame(std::string_view bytes) {
  if (!FrameCheck(bytes).passes()) return Json(Json::value_t::discarded);
  return Json::from_cbor(bytes.begin(), bytes.end(), true, false);
}

Error brokenFrame() {
  return {.code = ErrorCode::Internal,
          .message = "a worker and its caller do not understand each other; are they of one version?"};
}

/// Lists of structs of three strings: paths may be any bytes, so each travels as bytes.
template <class T>
Json triples(const std::vector<T>& list) {
  Json out = Json::array();
  for (const auto& [first, second, third] : list) out.push_back({bytesOf(first), bytesOf(second), bytesOf(third)});
  return out;
}
template <class T>
std::vector<T> triplesFrom(const Json& json) {
  std::vector<T> out;
  for (const Json& one : json) out.push_back({stringOf(one.at(0)), stringOf(one.at(1)), stringOf(one.at(2))});
  return out;
}

Json toJson(const CompileRecord& record) {
  return {bytesOf(record.workingDirectory), bytesOf(record.arch),        bytesOf(record.plugin),  triples(record.files),
          triples(record.libraries),        triples(record.descriptors), triples(record.settings)};
}
CompileRecord recordFrom(const Json& json) {
  return {.workingDirectory = stringOf(json.at(0)),
          .arch = stringOf(json.at(1)),
          .plugin = stringOf(json.at(2)),
          .files = triplesFrom<InputFile>(json.at(3)),
          .libraries = triplesFrom<InputLibrary>(json.at(4)),
          .descriptors = triplesFrom<InputDescriptor>(json.at(5)),
          .settings = triplesFrom<Setting>(json.at(6))};
}

Json toJson(const CompileResult& result) {
  Json out;
  const auto image = result.image.bytes();
  out["image"] = bytesOf({reinterpret_cast<const char*>(image.data()), image.size()});
  out["warnings"] = toJson(result.warnings);
  out["times"] = Json::array();
  for (const StageTime& time : result.times) out["times"].push_back({time.stage, time.milliseconds});
  out["dumps"] = Json::array();
  for (const StageDump& dump : result.dumps) out["dumps"].push_back({dump.stage, dump.ir});
  return out;
}

}  // namespace

std::string encodeError(const Error& error) {
  return encoded(toJson(error));
}

Error decodeError(std::string_view bytes) {
  const Json json = fromFrame(bytes);
  try {
    return errorFrom(json);
  } catch (const Json::exception&) {
    return brokenFrame();
  }
}

std::string encodeCompile(const CompileCall& call) {
  Json out;
  out["job"] = bytesOf(canonicalBytes(call.job));
  out["time"] = call.request.timeStages;
  out["record"] = call.request.record != nullptr;
  out["scan"] = call.scanOnly;
  if (call.inputs) out["inputs"] = toJson(*call.inputs);
  out["dump"] = call.request.dumpAfter;
  out["replace"] = Json::object();
  for (const auto& [stage, file] : call.request.replaceAt) out["replace"][stage] = file.string();
  out["path"] = Json::array();
  for (const auto& folder : call.targetPath) out["path"].push_back(folder.string());
  return encoded(out);
}

Result<DecodedCompile> decodeCompile(std::string_view payload) {
  const Json in = fromFrame(payload);
  try {
    auto job = jobFromBytes(stringOf(in.at("job")));
    if (!job) return std::move(job).error();
    DecodedCompile out;
    out.job = *std::move(job);
    out.recorded = in.at("record");
    out.scanOnly = in.at("scan");
    for (const Json& folder : in.at("path")) out.targetPath.emplace_back(folder.get<std::string>());
    out.request.isolation = Isolation::inProcess;
    out.request.timeStages = in.at("time");
    out.request.dumpAfter = in.at("dump").get<std::vector<std::string>>();
    for (const auto& [stage, file] : in.at("replace").items()) out.request.replaceAt[stage] = file.get<std::string>();
    if (in.contains("inputs")) out.inputs = recordFrom(in.at("inputs"));
    return out;
  } catch (const Json::exception&) {
    return brokenFrame();
  }
}

std::string encodeCompileResult(const Result<CompileResult>& result, const CompileRecord* record) {
  Json out;
  if (result) {
    out = toJson(*result);
  } else {
    out["error"] = toJson(result.error());
  }
  if (record) out["record"] = toJson(*record);
  return encoded(out);
}

Result<CompileResult> decodeCompileResult(std::string_view bytes, CompileRecord* record) {
  const Json in = fromFrame(bytes);
  try {
    if (record && in.contains("record")) *record = recordFrom(in.at("record"));
    if (in.contains("error")) return errorFrom(in.at("error"));
    const auto& raw = in.at("image").get_binary();
    auto image = Image::fromBytes(std::as_bytes(std::span(raw)));
    if (!image) return std::move(image).error();
    CompileResult out{*std::move(image), diagnosticsFrom(in.at("warnings")), {}, {}};
    for (const Json& time : in.at("times")) out.times.push_back({time.at(0), time.at(1)});
    for (const Json& dump : in.at("dumps")) out.dumps.push_back({dump.at(0), dump.at(1)});
    return out;
  } catch (const Json::exception&) {
    return brokenFrame();
  }
}

}  // namespace lathe::detail
