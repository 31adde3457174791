// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the extension module lathe._lathe. It is private to the package: it takes jobs as their canonical bytes
// and gives descriptions as JSON or dicts, and lathe/*.py makes the classes of them that users see.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <lathe/image.h>
#include <lathe/result.h>
#include <nanobind/nanobind.h>

namespace lathe::python {

namespace nb = nanobind;

/// An error on its way to Python, where the translator makes it lathe.Error or lathe.CompileError.
struct Failure {
  Error error;
  bool ofCompile = false;
};

/// The value, or the error thrown. The caller holds the GIL or is on its way to where nanobind takes it back.
template <class T>
T need(Result<T> result) {
  if (!result) throw Failure{std::move(result).error()};
  return std::move(result).value();
}
inline void need(Result<void> result) {
  if (!result) throw Failure{std::move(result).error()};
}

/// A diagnostic as a dict of the fields that lathe.Diagnostic has.
nb::dict toDict(const Diagnostic& diagnostic);

inline std::string_view view(const nb::bytes& bytes) {
  return {bytes.c_str(), bytes.size()};
}
inline nb::bytes toBytes(std::string_view text) {
  return nb::bytes(text.data(), text.size());
}
inline nb::bytes toBytes(std::span<const std::byte> bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}
inline std::span<const std::byte> span(const nb::bytes& bytes) {
  return std::as_bytes(std::span(bytes.c_str(), bytes.size()));
}

void bindErrors(nb::module_& module);
void bindImages(nb::module_& module);
void bindCompile(nb::module_& module);
void bindDevices(nb::module_& module);

}  // namespace lathe::python
