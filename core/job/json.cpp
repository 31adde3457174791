// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job as JSON, for people and for tools in other languages. Keys are the C++ names of the fields; reading takes a
// missing key as the field's default and everything unexpected as an error that names the key.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "llvm/Support/Base64.h"
#include "llvm/Support/ConvertUTF.h"

#include "core/support/nearest.h"
#include "core/values/job_values.h"
#include "core/values/json_writer.h"

namespace lathe {
namespace {

using detail::Described;
using detail::forEachField;
using detail::Named;
using Json = detail::OrderedJson;

constexpr const char* base64Key = "base64";

bool isUtf8(const std::string& text) {
  const auto* begin = reinterpret_cast<const llvm::UTF8*>(text.data());
  return llvm::isLegalUTF8String(&begin, begin + text.size());
}

struct JobStyle {
  static std::string key(std::string_view name) { return std::string(name); }
  /// JSON text is UTF-8; bytes that are not become {"base64": "…"}.
  static Json special(const std::string& value) {
    if (isUtf8(value)) return value;
    return Json{{base64Key, llvm::encodeBase64(value)}};
  }
  /// An object, or a list of [key, value] pairs where a key is not UTF-8 and so cannot be an object's.
  static Json special(const std::map<std::string, std::string>& values) {
    const bool plain = std::ranges::all_of(values, [](const auto& entry) { return isUtf8(entry.first); });
    Json out = plain ? Json::object() : Json::array();
    for (const auto& [key, value] : values) {
      if (plain) {
        out[key] = special(value);
      } else {
        out.push_back(Json::array({special(key), special(value)}));
      }
    }
    return out;
  }
};

/// Reads values into fields. Keeps the path of the value at hand, for the first error's message.
class JsonReader {
 public:
  const std::string& fault() const { return fault_; }

  void read(const Json& in, bool& value) {
    if (!in.is_boolean()) return wrongType("true or false", in);
    value = in.get<bool>();
  }
  void read(const Json& in, std::uint32_t& value) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (!in.is_number_unsigned() || in.get<std::uint64_t>() > most) return wrongType("a whole number below 2^32", in);
    value = in.get<std::uint32_t>();
  }
  template <Named T>
  void read(const Json& in, T& value) {
    std::string wanted = "one of";
    for (const T known : detail::enumerators<T>) {
      if (in == nameOf(known)) {
        value = known;
        return;
      }
      wanted += " " + std::string(nameOf(known));
    }
    wrongType(wanted, in);
  }
  void read(const Json& in, std::string& value) {
    if (in.is_string()) {
      value = in.get<std::string>();
      return;
    }
    if (!in.is_object() || in.size() != 1 || !in.contains(base64Key) || !in[base64Key].is_string()) {
      return wrongType("a string or {\"base64\": \"…\"}", in);
    }
    std::vector<char> bytes;
    if (auto error = llvm::decodeBase64(in[base64Key].get_ref<const std::string&>(), bytes)) {
      return fail(llvm::toString(std::move(error)));
    }
    value.assign(bytes.begin(), bytes.end());
  }
  template <class T, std::size_t n>
  void read(const Json& in, std::array<T, n>& values) {
    if (!in.is_array() || in.size() != n) return wrongType("a list of " + std::to_string(n), in);
    for (std::size_t i = 0; i < n; ++i) readElement(in, i, values[i]);
  }
  template <class T>
  void read(const Json& in, std::vector<T>& values) {
    if (!in.is_array()) return wrongType("a list", in);
    values.assign(in.size(), T{});
    for (std::size_t i = 0; i < in.size(); ++i) readElement(in, i, values[i]);
  }
  void read(const Json& in, std::map<std::string, std::string>& values) {
    values.clear();
    if (in.is_object()) {
      for (const auto& [key, member] : in.items()) at("." + key, [&] { read(member, values[key]); });
      return;
    }
    std::vector<std::array<std::string, 2>> pairs;
    read(in, pairs);
    for (auto& [key, value] : pairs) {
      if (!values.try_emplace(key, value).second) return fail("a key appears twice");
    }
  }
  template <Described T>
  void read(const Json& in, T& value) {
    if (!in.is_object()) return wrongType("an object", in);
    std::vector<std::string> known;
    forEachField(value, [&](std::string_view name, auto& member) {
      known.emplace_back(name);
      if (const auto found = in.find(known.back()); found != in.end()) {
        at("." + known.back(), [&] { read(*found, member); });
      }
    });
    for (const auto& [key, member] : in.items()) {
      if (std::ranges::find(known, key) == known.end()) {
        fail("unknown key '" + key + "'" + detail::didYouMean(key, known));
      }
    }
  }

 private:
  template <class F>
  void at(const std::string& step, F&& visit) {
    const auto length = path_.size();
    path_ += step;
    visit();
    path_.resize(length);
  }
  template <class T>
  void readElement(const Json& in, std::size_t i, T& value) {
    at("[" + std::to_string(i) + "]", [&] { read(in[i], value); });
  }
  void wrongType(const std::string& wanted, const Json& in) {
    constexpr std::size_t shown = 40;
    auto text = in.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > shown) text = std::string("a long ") + in.type_name();
    fail("expected " + wanted + ", found " + text);
  }
  void fail(const std::string& what) {
    if (fault_.empty()) fault_ = path_ + ": " + what;
  }

  std::string path_ = "job";
  std::string fault_;
};

/// Refuses keys given twice, of which the JSON library would keep one without a word.
class DuplicateKeys {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    const auto level = static_cast<std::size_t>(depth);
    if (event == Json::parse_event_t::object_start) {
      keys_.resize(level + 1);
      keys_[level].clear();
    } else if (event == Json::parse_event_t::key && !keys_[level - 1].insert(parsed.get<std::string>()).second &&
               duplicate_.empty()) {
      duplicate_ = parsed.get<std::string>();
    }
    return true;
  }
  const std::string& duplicate() const { return duplicate_; }

 private:
  std::vector<std::set<std::string>> keys_;  ///< of the open objects, by depth
  std::string duplicate_;
};

std::string lineAndColumn(std::string_view text, std::size_t byte) {
  const auto before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const auto lineStart = before.rfind('\n');
  const auto column = before.size() - (lineStart == std::string_view::npos ? 0 : lineStart + 1);  // byte counts from 1
  return std::to_string(line) + ":" + std::to_string(std::max<std::size_t>(column, 1));
}

Error invalid(std::string message) {
  return Error{.code = ErrorCode::InvalidArgument, .message = std::move(message)};
}

}  // namespace

std::string toJson(const Job& job) {
  return detail::jsonOf(JobStyle(), job).dump(2) + "\n";
}

Result<Job> jobFromJson(std::string_view text) {
  Json json;
  DuplicateKeys duplicates;
  try {
    json = Json::parse(text, std::ref(duplicates));
  } catch (const Json::parse_error& error) {
    return invalid("job: malformed JSON at " + lineAndColumn(text, error.byte));
  } catch (const Json::exception&) {  // a number no type holds
    return invalid("job: malformed JSON");
  }
  if (!duplicates.duplicate().empty()) return invalid("job: key '" + duplicates.duplicate() + "' appears twice");
  JsonReader reader;
  Job job;
  reader.read(json, job);
  if (!reader.fault().empty()) return invalid(reader.fault());
  return job;
}

}  // namespace lathe
