// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of a type as JSON, for images and for the metadata of portable IR. What a type does not have (a count, an
// element, fields) is left out.
#pragma once

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
  for (const auto& [fieldName, offset, fieldType] : fields)
    out["fields"].push_back({{"name", fieldName}, {"offset", offset}, {"type", typeJson(fieldType)}});
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
  if (json.contains("fields")) {
    for (const OrderedJson& field : json["fields"]) {
      fields.push_back(
          {field.at("name"), wholeNumber<std::uint64_t>(field.at("offset")), typeOfJson(field.at("type"), depth + 1)});
    }
  }
  return out;
}

}  // namespace lathe::detail
