// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of allowed externals and the libraries of glibc and GCC that have them.
#include "runtimes/cpu/loader/externals.h"

#include <algorithm>
#include <span>
#include <string>

#include "runtimes/cpu/host/host_functions.h"
#include "runtimes/cpu/loader/narrow_floats.h"

namespace lathe::detail {
namespace {

constexpr std::array cFunctions =
    std::to_array<std::string_view>({"bcmp", "memcmp", "memcpy", "memmove", "memset",
                                     // What LLVM makes of loops over characters.
                                     "strlen",
                                     // What kernels allocate, and host stubs of objects take scratch memory from.
                                     "free", "malloc",
                                     // By which the code of objects prints.
                                     "printf"});

/// The double functions; each has a float one with an f behind it. core/abi/math.def has those a kernel can name, the
/// others are what LLVM makes of them.
constexpr std::array mathFunctions = std::to_array<std::string_view>({
#define LATHE_MATH(name, signature, intrinsic) #name,
#define LATHE_SPARE_MATH(name, signature, intrinsic) #name,
#define LATHE_OWN_MATH(name, signature, intrinsic)
#include "core/abi/math.def"
    "frexp", "ilogb", "llrint", "llround", "logb", "lrint", "lround", "modf", "remquo", "roundeven", "scalbln",
    "scalbn", "sincos"});

/// Called for _Float16, bfloat16, 128-bit integers, complex products and integer powers ("GCC internals", libgcc).
constexpr std::array compilerFunctions = std::to_array<std::string_view>(
    {"__ashlti3",     "__ashrti3",     "__divdc3",  "__divmodti4",  "__divsc3",     "__divti3",     "__extendhfdf2",
     "__extendhfsf2", "__fixdfti",     "__fixsfti", "__fixunsdfti", "__fixunssfti", "__floattidf",  "__floattisf",
     "__floatuntidf", "__floatuntisf", "__lshrti3", "__modti3",     "__muldc3",     "__mulsc3",     "__multi3",
     "__popcountdi2", "__powidf2",     "__powisf2", "__truncdfbf2", "__truncdfhf2", "__truncsfbf2", "__truncsfhf2",
     "__udivmodti4",  "__udivti3",     "__umodti3"});

bool isIn(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::optional<Externals::Library> Externals::libraryOf(std::string_view name) {
  if (isIn(cFunctions, name)) return c;
  if (isIn(mathFunctions, name) || (name.ends_with('f') && isIn(mathFunctions, name.substr(0, name.size() - 1))))
    return math;
  if (name.starts_with("_ZGV")) return vectorMath;  // the vector function ABI's mangling
  if (isIn(compilerFunctions, name)) return compiler;
  return std::nullopt;
}

void* Externals::find(std::string_view name) {
  if (void* const own = hostFunction(name)) return own;
  static constexpr std::array<const char*, libraryCount> sonames = {"libc.so.6", "libm.so.6", "libmvec.so.1",
                                                                    "libgcc_s.so.1"};
  const auto which = libraryOf(name);
  if (!which) return nullptr;
  auto& library = libraries_[*which];
  if (!library) {
    auto opened = DynamicLibrary::open(std::span(&sonames[*which], 1));
    if (!opened) return nullptr;
    library.emplace(*std::move(opened));
  }
  if (void* const found = library->symbol(std::string(name).c_str())) return found;
  return narrowFloatFunction(name);
}

}  // namespace lathe::detail
