// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the kernel and of programs as C++ declarations, from BTF: the running kernel's, or an object's.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/export.h>
#include <lathe/image.h>
#include <lathe/result.h>

namespace lathe::bpf {

/// A set of types. A cheap handle: copies share it. Safe to use from any number of threads.
class LATHE_API Types {
 public:
  /// The running kernel's. Errors: Unsupported (it has none), ImageCorrupt.
  [[nodiscard]] static Result<Types> ofKernel();
  /// Those in a file: BTF alone, or an ELF file with a section .BTF. Errors: FileUnreadable, ImageCorrupt.
  [[nodiscard]] static Result<Types> ofFile(const std::filesystem::path& path);
  /// Those of an object in memory, which are copied. Errors: ImageCorrupt.
  [[nodiscard]] static Result<Types> ofObject(std::span<const std::byte> elf);

  /// A header that declares the structures, unions, enumerations and typedefs called `names` with all that they
  /// contain, so that C++ and C take it; what is only pointed to is declared without its members. Layouts are the same:
  /// the header asserts sizes. In C++, members whose names are words of C++ have `_` behind, and other names `___cxx`;
  /// of what is called alike the second is `name___2`. What <lathe/bpf.h> defines is left to it where that is included
  /// before. `names` may be functions of the kernel too (kfuncs): these are declared with __ksym. Errors:
  /// InvalidArgument (nothing is called so, with the nearest names).
  [[nodiscard]] Result<std::string> header(std::span<const std::string> names) const;

  /// The layout of the structure, union, enumeration or typedef called `name`, with bit-fields and enumerators
  /// (<lathe/runtime/type_layout.h>). Errors: InvalidArgument (no type is called so, with the nearest names).
  [[nodiscard]] Result<TypeLayout> layout(std::string_view name) const;
  /// The type of the records of a ring or perf buffer, which BTF says of maps that were defined with one:
  /// lathe::bpf::ring_buffer<4096, Event>. Nothing for other maps.
  [[nodiscard]] std::optional<TypeLayout> recordOf(std::string_view map) const;
  /// The part of these types that an object's field accesses are relocated by, as BTF: a few kilobytes in place of
  /// megabytes, for OpenOptions::kernelTypes on kernels that show no types of their own. Errors: InvalidArgument (the
  /// object has no such access), ImageCorrupt.
  [[nodiscard]] Result<std::vector<std::byte>> reducedFor(std::span<const std::byte> elf) const;

 private:
  friend Result<std::string> cxxSkeleton(std::span<const std::byte>, const std::string&);
  struct Data;
  explicit Types(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

/// A C++ header for the host side of one object: class `name`::Skeleton with a function for each program, map and
/// variable, their types, and the object's bytes, so that a program needs no file. `name` is an identifier; names that
/// C++ or the class has already get `_` behind. Errors: InvalidArgument (`name`), ImageCorrupt, DriverMissing,
/// DriverTooOld.
[[nodiscard]] LATHE_API Result<std::string> cxxSkeleton(std::span<const std::byte> elf, const std::string& name);
/// A header for programs that use libbpf itself, in C or C++: struct `name` with the members, and functions
/// `name`__open, __load, __attach, __detach, __destroy and their kin, that `bpftool gen skeleton` gives the same
/// object. Types of variables are the program's own, or defined here where LATHE_SKELETON_TYPES is. Errors:
/// InvalidArgument (`name`), ImageCorrupt, DriverMissing, DriverTooOld.
[[nodiscard]] LATHE_API Result<std::string> cSkeleton(std::span<const std::byte> elf, const std::string& name);

}  // namespace lathe::bpf
