// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BTF written as C++ declarations.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "runtimes/bpf/types/btf.h"

namespace lathe::bpf::detail {

/// Writes types, each after those that it contains. Names stay as they are where C++ allows them.
class CxxTypes {
 public:
  explicit CxxTypes(const Btf& types) : types_(types) {}
  /// Adds what `number` needs to be used by value.
  void define(std::uint32_t number);
  /// Adds the declaration of a function of the kernel (kfunc), with what its parameters need to be pointed to.
  void declareFunction(std::uint32_t number);
  /// "int name[4]", "long (*name)(void *)": a declaration of `name`, which may be empty.
  [[nodiscard]] std::string declaration(std::uint32_t number, std::string name) const;
  /// All declarations added so far.
  [[nodiscard]] std::string text() const;
  /// False if a type of that layout was written by fewer bytes than it has: bit-fields that C++ lays out differently.
  [[nodiscard]] std::uint64_t alignOf(std::uint32_t number) const;

 private:
  /// Adds the definition of `name`, which counts only where <lathe/bpf.h> has not defined it.
  void add(std::string_view name, const std::string& definition);
  /// Adds what `number` needs to be pointed to.
  void declare(std::uint32_t number);
  void forward(std::uint32_t number);
  void defineEnumeration(std::uint32_t number, const BtfType& type);
  [[nodiscard]] std::string body(std::uint32_t number, const BtfType& type, std::string_view indent) const;
  [[nodiscard]] bool isPacked(std::uint32_t number, const BtfType& type) const;
  [[nodiscard]] std::string baseName(std::uint32_t number, const BtfType& type) const;

  const Btf& types_;
  std::map<std::uint32_t, bool> seen_;        ///< number → whole
  std::set<std::string, std::less<>> named_;  ///< "struct task_struct", once
  std::string forwards_, text_, functions_;
};

/// `name`, with `_` behind if it is a word of C++.
[[nodiscard]] std::string cxxName(std::string_view name);

}  // namespace lathe::bpf::detail
