// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout: a version, then for each fact its kind, its name and its value, these with lengths.
#include "core/store/surroundings.h"

#include <cstdlib>

#include "core/store/file_identity.h"
#include "core/support/bytes.h"

namespace lathe::detail {
namespace {

constexpr char variableKind = 'v', fileKind = 'f';

std::string valueOf(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value ? std::string("=") + value : std::string();
}

}  // namespace

void Surroundings::add(char kind, const std::string& name, const std::string& value) {
  ByteWriter out;
  out.raw({&kind, 1});
  out.text(name);
  out.text(value);
  text_ += out.view();
}

void Surroundings::variable(const std::string& name) {
  add(variableKind, name, valueOf(name));
}

void Surroundings::file(const std::string& path) {
  add(fileKind, path, fileIdentity(path));
}

bool stillHolds(std::string_view surroundings) {
  if (!surroundings.starts_with('1')) return false;
  surroundings.remove_prefix(1);
  ByteReader in(std::as_bytes(std::span(surroundings.data(), surroundings.size())));
  while (!in.failed() && !in.atEnd()) {
    const char kind = static_cast<char>(in.number<std::uint8_t>());
    const std::string name(in.text());
    const std::string_view value = in.text();
    if (in.failed()) return false;
    if (kind == variableKind) {
      if (valueOf(name) != value) return false;
    } else if (kind == fileKind) {
      const std::string now = fileIdentity(name);
      if (now != value && (value.empty() || !now.empty())) return false;
    } else {
      return false;
    }
  }
  return !in.failed();
}

}  // namespace lathe::detail
