// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface of compiled host code: which functions a C program may call, and the texts that tell it so (a C
// header, a C++ header, a JSON manifest). No LLVM here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/image.h>

namespace lathe::detail {

/// An ordinary function that the object defines, callable by its name with the platform's C calling convention.
struct ExportedFunction {
  std::string name;
  TypeLayout result;  ///< size 0: void
  std::vector<Parameter> parameters;
};

struct ObjectInterface {
  /// Names of the functions that run a kernel, one for each entry of the image, in order; empty: the target has none.
  std::vector<std::string> hostStubs;
  std::vector<ExportedFunction> functions;
  std::vector<std::string> externals;  ///< symbols that the code leaves to others, sorted
  std::string triple;
  unsigned pointerBytes = 8;

  [[nodiscard]] bool empty() const noexcept { return hostStubs.empty() && functions.empty(); }
};

/// Names under which an image stores the texts.
namespace interface_format {
inline constexpr const char* cHeader = "c-header";
inline constexpr const char* cxxHeader = "cxx-header";
inline constexpr const char* manifest = "manifest";
}  // namespace interface_format

/// The ELF section that holds an image of a linked or relocatable object's description, without code.
inline constexpr const char* imageSectionName = ".lathe.image";

/// What a host stub is given (struct lathe_launch in the headers). Offsets in bytes; the pointer and what follows
/// depend on the size of a pointer.
namespace launch_block {
inline constexpr std::size_t grid = 0;                 ///< u32[3]
inline constexpr std::size_t group = 12;               ///< u32[3]
inline constexpr std::size_t dynamicSharedBytes = 24;  ///< u32
inline constexpr std::size_t reserved = 28;            ///< u32
inline constexpr std::size_t firstGroup = 32;          ///< u64
inline constexpr std::size_t endGroup = 40;            ///< u64; 0: the grid's last
inline constexpr std::size_t scratch = 48;             ///< void*
}  // namespace launch_block

/// What a host stub returns.
enum class LaunchStatus : int { done = 0, invalid = 1, noMemory = 2 };

/// Launches beyond these are refused; work-group lowering relies on them.
inline constexpr std::uint32_t mostGroupItems = 1U << 16;
inline constexpr std::uint32_t mostGridItems = (1U << 31) - (1U << 16);  ///< along one axis
inline constexpr std::uint32_t mostGroupsYz = 0xffff;

/// Whether a parameter of this type is passed by value in C; all others go by pointer to const.
[[nodiscard]] bool passedByValue(const TypeLayout& type) noexcept;

/// Whether a name of C++ is a word of C.
[[nodiscard]] bool isCKeyword(std::string_view name) noexcept;

/// A C identifier for a kernel's C++ name: "saxpy<float>" → "saxpy_float", "ns::blur" → "ns_blur".
[[nodiscard]] std::string cIdentifier(std::string_view name);

/// A header for C11 (and C++), which declares everything and asserts sizes, offsets and alignments.
[[nodiscard]] std::string cHeader(const ImageInfo& info, const ObjectInterface& interface);
/// The same declarations and a namespace with functions of C++ types around them.
[[nodiscard]] std::string cxxHeader(const ImageInfo& info, const ObjectInterface& interface);
/// JSON: entry points with layouts, functions, required symbols, provenance.
[[nodiscard]] std::string manifest(const ImageInfo& info, const ObjectInterface& interface);

}  // namespace lathe::detail
