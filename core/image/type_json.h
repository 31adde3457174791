// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of a type as JSON, for images and for the metadata of portable IR. What a type does not have (a count, an
// element, fields) is left out. Enumerators and bit-fields have keys of their own.
#pragma once

#include <lathe/runtime/type_layout.h>

#include "core/image/metadata.h"
#include "core/support/whole_number.h"
#include "core/values/image_values.h"
#include "core/values/json_writer.h"

namespace lathe::detail {

inline OrderedJson typeJson(const TypeLayout& type) {
  const auto& [kind, name, size, align, count, element, fields] = type;
  OrderedJson out = {{"kind", nameOf(kind)}, {"name", name}, {"size", size}, {"align", align}};
  if (count != 0) out["count"] = count;
  if (!element.empty()) out["element"] = typeJson(element.front());
  if (isInteger(type)) {
    for (const auto& [enumerator, value, none] : fields) {
      OrderedJson& one = out["enumerators"].emplace_back(OrderedJson{{"name", enumerator}});
      if (kind == TypeKind::unsignedInteger)
        one["value"] = value;
      else
        one["value"] = static_cast<std::int64_t>(value);
    }
    return out;
  }
  for (const auto& [fieldName, offset, fieldType] : fields) {
    OrderedJson& field = out["fields"].emplace_back(OrderedJson{{"name", fieldName}, {"offset", offset}});
    if (isBitField(fieldType)) field["bits"] = fieldType.count, field["firstBit"] = fieldType.align;
    field["type"] = typeJson(isBitField(fieldType) ? fieldType.element.front() : fieldType);
  }
  return out;
}

/// Reads what typeJson() wrote, at most as deep as images keep types. Throws the library's exception.
inline TypeLayout typeOfJson(const OrderedJson& json, unsigned depth = 0) {
  if (depth > maxTypeDepth) throw OrderedJson::other_error::create(501, "types nest too deeply", nullptr);
  TypeLayout out;
  auto& [kind, name, size, align, count, element, fields] = out;
  const std::string named = json.at("kind");
  for (const TypeKind known : enumerators<TypeKind>) {
    if (named == nameOf(known)) kind = known;
  }
  name = json.at("name");
  size = wholeNumber<std::uint64_t>(json.at("size"));
  align = wholeNumber<std::uint32_t>(json.at("align"));
  if (json.contains("count")) count = wholeNumber<std::uint64_t>(json["count"]);
  if (json.contains("element")) element.push_back(typeOfJson(json["element"], depth + 1));
  if (json.contains("enumerators")) {
    for (const OrderedJson& one : json["enumerators"]) {
      const OrderedJson& value = one.at("value");
      fields.push_back({one.at("name"),
                        value.is_number_unsigned() ? wholeNumber<std::uint64_t>(value)
                                                   : static_cast<std::uint64_t>(wholeNumber<std::int64_t>(value)),
                        {}});
    }
  }
  if (json.contains("fields")) {
    for (const OrderedJson& field : json["fields"]) {
      fields.push_back(
          {field.at("name"), wholeNumber<std::uint64_t>(field.at("offset")), typeOfJson(field.at("type"), depth + 1)});
      if (!field.contains("bits")) continue;
      fields.back().type = bitField(std::move(fields.back().type), wholeNumber<std::uint32_t>(field["bits"]),
                                    wholeNumber<std::uint32_t>(field.at("firstBit")));
    }
  }
  return out;
}

}  // namespace lathe::detail
