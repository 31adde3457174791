// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/cache/remote/hiredis.h"

#include <cstdlib>
#include <vector>

#include <fmt/format.h>

namespace lathe::detail {
namespace {

constexpr std::size_t errorSize = 128;

struct OldContext {
  int error;
  char text[errorSize];
  int descriptor;
};
struct NewContext {
  const void* functions;
  int error;
  char text[errorSize];
  int descriptor;
};
struct OldReply {
  int kind;
  long long integer;
  std::size_t size;
  const char* text;
};
struct NewReply {
  int kind;
  long long integer;
  double real;
  std::size_t size;
  const char* text;
};

Result<Hiredis> open() {
  const char* const named = std::getenv("LATHE_HIREDIS_LIBRARY");
  const std::vector<const char*> names =
      named && *named ? std::vector{named}
                      : std::vector{"libhiredis.so.1", "libhiredis.so.1.1.0", "libhiredis.so.1.0.0",
                                    "libhiredis.so.0.14", "libhiredis.so"};
  auto library = DynamicLibrary::open(names);
  if (!library) {
    Error error = std::move(library).error();
    error.hint = "install hiredis (Debian: libhiredis0.14), or set LATHE_HIREDIS_LIBRARY to its file";
    return error;
  }
  Hiredis out{.library = *std::move(library)};
#define LATHE_HIREDIS(name, result, parameters)                                                                    \
  out.name = reinterpret_cast<decltype(out.name)>(out.library.symbol(#name));                                      \
  if (!out.name) {                                                                                                 \
    return Error{.code = ErrorCode::DriverTooOld, .message = fmt::format("hiredis: the library lacks {}", #name)}; \
  }
#include "core/cache/remote/hiredis_functions.def"
#undef LATHE_HIREDIS
  out.isOld = out.library.symbol("redisConnectWithOptions") == nullptr;
  return out;
}

}  // namespace

const Result<Hiredis>& Hiredis::get() {
  static const auto& library = *new Result<Hiredis>(open());
  return library;
}

Hiredis::ReplyKind Hiredis::kindOf(const void* reply) const {
  return static_cast<ReplyKind>(*static_cast<const int*>(reply));
}

std::string_view Hiredis::textOf(const void* reply) const {
  if (isOld) {
    const auto& old = *static_cast<const OldReply*>(reply);
    return {old.text, old.size};
  }
  const auto& current = *static_cast<const NewReply*>(reply);
  return {current.text, current.size};
}

int Hiredis::descriptorOf(const void* context) const {
  return isOld ? static_cast<const OldContext*>(context)->descriptor
               : static_cast<const NewContext*>(context)->descriptor;
}

std::string_view Hiredis::errorOf(const void* context) const {
  const auto shown = [](int error, const char* text) {
    return error == 0 ? std::string_view() : *text ? std::string_view(text) : std::string_view("it does not work");
  };
  return isOld ? shown(static_cast<const OldContext*>(context)->error, static_cast<const OldContext*>(context)->text)
               : shown(static_cast<const NewContext*>(context)->error, static_cast<const NewContext*>(context)->text);
}

}  // namespace lathe::detail
