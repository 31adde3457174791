// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's errors as Python's exceptions.
#include <exception>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "binding.h"

namespace lathe::python {
namespace {

/// Paths and texts of sources may hold any bytes; what is no UTF-8 is kept as Python keeps it in file names.
nb::object text(const std::string& value) {
  return nb::steal(PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()), "surrogateescape"));
}

nb::object toDict(const SourceLocation& location) {
  if (location.file.empty() && location.line == 0) return nb::none();
  nb::dict out;
  out["file"] = text(location.file);
  out["line"] = location.line;
  out["column"] = location.column;
  return out;
}

nb::list toList(const std::vector<Note>& notes) {
  nb::list out;
  for (const Note& note : notes) {
    nb::dict one;
    one["message"] = text(note.message);
    one["location"] = toDict(note.location);
    one["snippet"] = text(note.snippet);
    out.append(one);
  }
  return out;
}

nb::dict toDict(const Error& error) {
  nb::dict out;
  out["code"] = errorName(error.code);
  out["family"] = familyName(errorFamily(error.code));
  out["message"] = text(error.message);
  out["hint"] = text(error.hint);
  out["stage"] = text(error.stage);
  out["target"] = text(error.target);
  out["location"] = toDict(error.location);
  out["notes"] = toList(error.notes);
  nb::list diagnostics;
  for (const Diagnostic& diagnostic : error.diagnostics) diagnostics.append(python::toDict(diagnostic));
  out["diagnostics"] = diagnostics;
  out["report"] = text(error.render());
  return out;
}

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Failure& failure) {
    const nb::object kind = nb::module_::import_("lathe._errors").attr(failure.ofCompile ? "CompileError" : "Error");
    const nb::object exception = kind.attr("_of")(toDict(failure.error));
    PyErr_SetObject(kind.ptr(), exception.ptr());
  }
}

}  // namespace

nb::dict toDict(const Diagnostic& diagnostic) {
  nb::dict out;
  out["severity"] = severityName(diagnostic.severity);
  out["code"] = errorName(diagnostic.code);
  out["message"] = text(diagnostic.message);
  out["location"] = toDict(diagnostic.location);
  out["snippet"] = text(diagnostic.snippet);
  out["notes"] = toList(diagnostic.notes);
  out["hint"] = text(diagnostic.hint);
  return out;
}

void bindErrors(nb::module_& module) {
  nb::register_exception_translator(translate);
  module.def("error_codes", [] {
    nb::dict out;
    for (const ErrorCode code : errorCodes()) out[nb::cast(errorName(code))] = errorMeaning(code);
    return out;
  });
}

}  // namespace lathe::python
