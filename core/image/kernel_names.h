// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels under the names that other compilers give them. The C++ ABI mangles a name alike everywhere, but not what
// libraries call their parts: std::tuple is std::__1::tuple with libc++ and std::tuple with others, and an alias of one
// library's is another type in the next. So a mangled name that no kernel has is compared as C++.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lathe/image.h>

namespace lathe::detail {

/// A function's name as C++, without the inline namespaces of standard libraries.
struct FunctionName {
  std::string whole;  ///< "void ns::scale<float, 2>(float*)"; empty where a parameter's type is not understood
  std::string name;   ///< "ns::scale<float, 2>"
};

/// Of a mangled name (Itanium C++ ABI); both empty for any other.
[[nodiscard]] FunctionName functionNameOf(std::string_view mangled);

/// The one entry whose symbol stands for the function that `mangled` does: by the whole, else by name and template
/// arguments, if one entry alone has them. Null if there is none.
[[nodiscard]] const EntryPoint* entryMangledAs(std::string_view mangled, const std::vector<EntryPoint>& entries);

}  // namespace lathe::detail
