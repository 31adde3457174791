// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An image's description as JSON, for people and other tools. Keys are the names of the fields, in words_like_this.
#include <cctype>

#include <lathe/image.h>

#include "core/image/type_json.h"

namespace lathe {
namespace {

using detail::OrderedJson;

struct ImageStyle {
  static std::string key(std::string_view name) {
    std::string out;
    for (const char c : name) {
      if (c >= 'A' && c <= 'Z') out += '_';
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return out;
  }
  static OrderedJson special(const TypeLayout& type) { return detail::typeJson(type); }
  /// The type is the longest, and stands last.
  OrderedJson special(const Parameter& parameter) const {
    OrderedJson out = detail::jsonOfFields(*this, parameter);
    OrderedJson type = std::move(out["type"]);
    out.erase("type");
    out["type"] = std::move(type);
    return out;
  }
  /// A resource that is not known (-1) is null.
  template <std::same_as<std::int64_t> T>
  static OrderedJson special(const T& value) {
    return value < 0 ? OrderedJson(nullptr) : OrderedJson(value);
  }
};

}  // namespace

std::string toJson(const Image& image) {
  OrderedJson out = detail::jsonOf(ImageStyle(), image.info());
  OrderedJson& all = out["code"] = OrderedJson::array();
  for (const auto& [format, arch, bytes] : image.code())
    all.push_back({{"format", format}, {"arch", arch}, {"bytes", bytes.size()}});
  // Names may hold any bytes; JSON may not.
  return out.dump(2, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string toJson(const TypeLayout& type) {
  return detail::typeJson(type).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace lathe
