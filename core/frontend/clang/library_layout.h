// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes of the C++ library as kernel parameters. Kernels are compiled against libc++; the program that launches them
// may be compiled against another library, of which GCC's libstdc++ is the usual one. Some classes are the same bytes
// in both, others (std::tuple, std::variant) are not, often at the same size, so that no check at the launch can tell.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "clang/AST/Type.h"

namespace clang {
class ASTContext;
}  // namespace clang

namespace lathe::detail {

/// A class that is not known to be the same bytes in the host's library.
struct UnsharedClass {
  std::string type;        ///< "std::tuple<int, float>"
  std::string place;       ///< the member that holds it, "sizes" or "shape.sizes"; empty: the parameter itself
  bool ofToolkit = false;  ///< the host's class is that of the dialect's toolkit
};

/// The names of the dialect's toolkit that stand for classes of the library here, and for the toolkit's own on the
/// host.
struct ToolkitNames {
  std::span<const std::string_view> prefixes;  ///< "thrust/": of its headers, and so of its namespaces
  const bool& included;                        ///< the source includes such a header
};

/// The first such class that a value of `type` holds; nothing if the value is the same bytes in both libraries.
std::optional<UnsharedClass> unsharedClass(clang::QualType type, const clang::ASTContext& ast,
                                           const ToolkitNames& toolkit);

}  // namespace lathe::detail
