// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fields of a job, listed once. Canonical bytes, the hash, JSON and the tests all walk this list, so that none of
// them can forget a field: each list binds every member of its struct, and stops compiling when one is added.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include <lathe/job.h>

namespace lathe::detail {

/// Values of an enumeration in order, as JSON and messages spell them.
inline constexpr std::array<std::string_view, 4> optLevelNames = {"O0", "O1", "O2", "O3"};
inline constexpr std::array<std::string_view, 3> entryAbiNames = {"bare", "state", "auto"};

template <class T, class U>
concept SameOrConst = std::same_as<std::remove_const_t<T>, U>;

template <std::size_t names, class F, class... Members>
void visitFields(F&& visit, const std::string_view (&name)[names], Members&... members) {
  static_assert(names == sizeof...(Members), "one name for each member");
  std::size_t next = 0;
  (visit(name[next++], members), ...);
}

/// Calls `visit(name, member)` for each member in declaration order.
template <class F>
void forEachField(SameOrConst<Source> auto& source, F&& visit) {
  auto& [name, text, dialect] = source;
  visitFields(visit, {"name", "text", "dialect"}, name, text, dialect);
}

template <class F>
void forEachField(SameOrConst<Header> auto& header, F&& visit) {
  auto& [name, text] = header;
  visitFields(visit, {"name", "text"}, name, text);
}

template <class F>
void forEachField(SameOrConst<LaunchBounds> auto& bounds, F&& visit) {
  auto& [maxItems, minGroups, maxRegisters, groupSize] = bounds;
  visitFields(visit, {"maxItems", "minGroups", "maxRegisters", "groupSize"}, maxItems, minGroups, maxRegisters,
              groupSize);
}

template <class F>
void forEachField(SameOrConst<Options> auto& options, F&& visit) {
  auto& [optLevel, debugInfo, fastMath, contract, flushDenormals, entryAbi, checked, languageStandard, defines,
         undefines, includeDirs, launchBounds, parameters] = options;
  visitFields(visit,
              {"optLevel", "debugInfo", "fastMath", "contract", "flushDenormals", "entryAbi", "checked",
               "languageStandard", "defines", "undefines", "includeDirs", "launchBounds", "parameters"},
              optLevel, debugInfo, fastMath, contract, flushDenormals, entryAbi, checked, languageStandard, defines,
              undefines, includeDirs, launchBounds, parameters);
}

template <class F>
void forEachField(SameOrConst<Job> auto& job, F&& visit) {
  auto& [source, headers, entries, target, arch, features, emit, options] = job;
  visitFields(visit, {"source", "headers", "entries", "target", "arch", "features", "emit", "options"}, source, headers,
              entries, target, arch, features, emit, options);
}

/// A struct whose fields are listed above.
template <class T>
concept Fielded = requires(T& value) { forEachField(value, [](std::string_view, auto&) {}); };

}  // namespace lathe::detail
