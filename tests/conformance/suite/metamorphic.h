// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other ways to write a case's kernel that mean the same (Chen, Cheung and Yiu, "Metamorphic testing", 1998; for
// compilers Le, Afshari and Su, "Compiler validation via equivalence modulo inputs", PLDI 2014): the case's reference
// is theirs too. The text is put behind the kernel's file. CUDA has no calls from a kernel to a kernel: there the
// file's kernels become device functions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {

enum class Form : std::uint8_t {
  call,       ///< a kernel calls it
  function,   ///< a kernel calls a function out of line, and that calls it
  twice,      ///< a kernel calls it at one of two places
  loop,       ///< a kernel calls it in a loop that goes round once
  pattern,    ///< a kernel template calls it
  structure,  ///< a kernel takes the parameters in a structure and calls it
  beside,     ///< it is compiled with another kernel
};
inline constexpr std::array metamorphicForms = {Form::call,    Form::function,  Form::twice, Form::loop,
                                                Form::pattern, Form::structure, Form::beside};
[[nodiscard]] std::string_view nameOf(Form form) noexcept;

/// What is needed once before any wrapped() of a file's kernels.
[[nodiscard]] std::string wrapperTools();
/// The text of kernel `name`, which calls `kernel`; of all forms but `beside`.
[[nodiscard]] std::string wrapped(std::string_view kernel, std::size_t parameters, Form form, std::string_view name);
/// The name expression for that kernel.
[[nodiscard]] std::string wrapperEntry(std::string_view kernel, std::size_t parameters, Form form,
                                       std::string_view name);
/// Text before a file that makes its kernels functions which a kernel may call; empty where they are already.
[[nodiscard]] std::string textBefore(std::string_view file);

/// Whether kernels of a file can be functions that a kernel calls: not where they launch each other.
[[nodiscard]] bool canBeCalled(std::string_view file);

/// The case in another form; empty if it has none: there is no structure of no parameters.
[[nodiscard]] std::optional<Case> inForm(const Case& entry, Form form);

}  // namespace lathe::conformance
