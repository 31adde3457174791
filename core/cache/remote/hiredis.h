// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine's hiredis, opened when the first address asks for it. Its structures changed in 1.0.0; the functions that
// were new there tell which they are.
#pragma once

#include <cstddef>
#include <string_view>

#include <lathe/result.h>

#include "core/support/dynamic_library.h"

namespace lathe::detail {

struct Hiredis {
#define LATHE_HIREDIS(name, result, parameters) result(*name) parameters = nullptr;
#include "core/cache/remote/hiredis_functions.def"
#undef LATHE_HIREDIS
  bool isOld = false;  ///< 0.x
  DynamicLibrary library;

  /// The library of this process, opened once and never closed; LATHE_HIREDIS_LIBRARY names another. Errors:
  /// DriverMissing, DriverTooOld.
  [[nodiscard]] static const Result<Hiredis>& get();

  enum class ReplyKind : int { string = 1, array, integer, nil, status, error };
  [[nodiscard]] ReplyKind kindOf(const void* reply) const;
  /// Of a string, a status or an error.
  [[nodiscard]] std::string_view textOf(const void* reply) const;
  [[nodiscard]] int descriptorOf(const void* context) const;
  /// The reason why a context does not work; empty: it does.
  [[nodiscard]] std::string_view errorOf(const void* context) const;
};

}  // namespace lathe::detail
