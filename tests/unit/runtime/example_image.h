// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images made by hand, for tests of what loads them.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <lathe/image.h>
#include <lathe/runtime.h>

namespace lathe::test {

/// The layout a compiler would give for a host scalar or pointer type.
template <class T>
TypeLayout layoutOf(std::string name) {
  TypeLayout out;
  out.kind = detail::hostKind<T>();
  out.name = std::move(name);
  out.size = sizeof(T);
  out.align = alignof(T);
  if constexpr (std::is_pointer_v<T> && !std::is_void_v<std::remove_pointer_t<T>>) {
    out.element.push_back(layoutOf<std::remove_cv_t<std::remove_pointer_t<T>>>("pointee"));
  }
  return out;
}

/// An entry whose parameters have these types, at the offsets that a struct of them would give.
template <class... Args>
EntryPoint entryWith(std::string name, std::initializer_list<std::string_view> parameterNames = {}) {
  EntryPoint out;
  out.name = out.symbol = std::move(name);
  auto parameterName = parameterNames.begin();
  [[maybe_unused]] const auto add = [&](TypeLayout type, bool readOnly) {
    const std::uint64_t offset = (out.parameterBytes + type.align - 1) / type.align * type.align;
    out.parameterBytes = offset + type.size;
    out.parameterAlign = std::max(out.parameterAlign, type.align);
    Parameter parameter;
    if (parameterName != parameterNames.end()) parameter.name = *parameterName++;
    parameter.offset = offset;
    parameter.type = std::move(type);
    parameter.readOnly = readOnly;
    out.parameters.push_back(std::move(parameter));
  };
  (add(layoutOf<Args>(std::is_pointer_v<Args> ? "pointer" : "value"), std::is_const_v<std::remove_pointer_t<Args>>),
   ...);
  return out;
}

inline Image imageFor(std::string runtime, std::vector<EntryPoint> entries, std::vector<Image::CodeBlob> code,
                      std::string features = {}) {
  ImageInfo info;
  info.features = std::move(features);
  info.target = info.runtime = std::move(runtime);
  info.entries = std::move(entries);
  return Image::build(std::move(info), std::move(code));
}

}  // namespace lathe::test
