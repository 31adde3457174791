// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frames as CBOR (RFC 8949).
#include "core/values/frame.h"

#include <array>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/support/whole_number.h"

namespace lathe::detail {
namespace {

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

/// One value as toFrame() writes it (CBOR, RFC 8949): counts are known, nothing has a tag. The library's reader calls
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

}  // namespace

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
std::string toFrame(const Json& json) {
  std::string out;
  Json::to_cbor(json, out);
  return out;
}

Json fromFrame(std::string_view bytes) {
  if (!FrameCheck(bytes).passes()) return Json(Json::value_t::discarded);
  return Json::from_cbor(bytes.begin(), bytes.end(), true, false);
}

Error brokenFrame() {
  return {.code = ErrorCode::Internal,
          .message = "a worker and its caller do not understand each other; are they of one version?"};
}

std::string encodeError(const Error& error) {
  return toFrame(toJson(error));
}

Error decodeError(std::string_view bytes) {
  const Json json = fromFrame(bytes);
  try {
    return errorFrom(json);
  } catch (const Json::exception&) {
    return brokenFrame();
  }
}

}  // namespace lathe::detail
