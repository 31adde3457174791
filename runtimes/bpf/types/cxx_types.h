// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BTF written as declarations of C++, or of C and C++ at once.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtimes/bpf/types/btf.h"
#include "runtimes/bpf/types/names.h"
#include "runtimes/bpf/types/placement.h"

namespace lathe::bpf::detail {

/// The readers of a header.
enum class Readers {
  cxx,     ///< C++ alone: enumerations whose enumerators clash are scoped
  both,    ///< C11 and C++: enumerators that clash have their enumeration's name before
  kernel,  ///< the same for BPF programs: what <lathe/bpf.h> defines is left to it, and names get flavours (`___2`),
           ///< which relocations by the kernel's types (CO-RE) ignore
};

/// Writes types, each after those that it contains. Names stay as they are where the readers' languages allow them; in
/// headers that C reads too, LATHE_WORD(class, _) is `class` in C. First all types are defined, then texts are asked
/// for.
class CxxTypes {
 public:
  explicit CxxTypes(const Btf& types, Readers readers);
  /// Keeps a name at file scope for others.
  void reserve(std::string_view name);
  /// Adds what `number` needs to be used by value.
  void define(std::uint32_t number);
  /// Gives an unnamed structure, union or enumeration a name like `wanted`, also behind arrays and pointers.
  void nameUnnamed(std::uint32_t number, std::string_view wanted);
  /// Adds the declaration of a function of the kernel (kfunc), with what its parameters need to be pointed to.
  void declareFunction(std::uint32_t number);

  /// "int name[4]", "long (*name)(void *)": a declaration of `name`, which may be empty.
  [[nodiscard]] std::string declaration(std::uint32_t number, std::string name);
  /// `name` as a member beside those in `scope`, to which it is added.
  [[nodiscard]] std::string memberName(std::string_view name, Names& scope);
  /// Declarations of structures and unions that are only pointed to so far, and all definitions, which come behind
  /// them.
  [[nodiscard]] std::string declarations() const { return forwardText_; }
  [[nodiscard]] std::string definitions();
  /// The definition of LATHE_WORD, and its end, if texts made so far have it; else both are empty.
  [[nodiscard]] std::pair<std::string_view, std::string_view> words() const;
  /// True for names that typedefs and enumerators have at file scope.
  [[nodiscard]] bool isOrdinary(std::string_view name) const { return ordinary_.contains(name); }
  [[nodiscard]] std::uint64_t alignOf(std::uint32_t number) { return placement_.alignOf(number); }

 private:
  /// One level more of types in types. Damaged BTF may go in a circle, or further down than a stack reaches.
  class Level {
   public:
    explicit Level(int& depth) : depth_(depth) { ++depth_; }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    [[nodiscard]] bool isTooDeep(int most = 200) const { return depth_ > most; }

   private:
    int& depth_;
  };
  struct Spelling {
    std::string cxx, text;  ///< the name in C++, and what stands for it in a header of both
  };
  /// The members of a structure and of the unnamed ones in it, which hide types of the same name in C++.
  struct Scope {
    Names names;
    int gaps = 0;
  };

  void declare(std::uint32_t number);
  [[nodiscard]] Spelling claim(std::string_view wanted, std::set<std::string, std::less<>>& in,
                               const std::set<std::string, std::less<>>& other, std::string_view shared = {});
  [[nodiscard]] Spelling spelled(std::string_view name, std::string_view suffix);
  [[nodiscard]] const Spelling& tagOf(std::uint32_t number, const BtfType& type);
  [[nodiscard]] const Spelling& typedefOf(std::uint32_t number, const BtfType& type);
  [[nodiscard]] std::string member(std::string_view name, Scope& scope);

  void emitEnumeration(std::uint32_t number, const BtfType& type);
  void emitRecord(std::uint32_t number, const BtfType& type);
  void emitTypedef(std::uint32_t number, const BtfType& type);
  void add(const Spelling& name, const std::string& definition);
  [[nodiscard]] bool hasClash(std::uint32_t number) const;
  [[nodiscard]] std::string enumerators(std::uint32_t number, const BtfType& type, std::string_view tag, bool isScoped,
                                        std::string_view between);
  [[nodiscard]] std::string body(std::uint32_t number, const BtfType& type, std::string_view indent, Scope& scope);
  [[nodiscard]] std::string ownBody(std::uint32_t number, const BtfType& type, std::string_view indent);
  void collectMembers(std::uint32_t number, Scope& scope, int depth);
  [[nodiscard]] std::string parametersOf(std::uint32_t prototype, bool isNamed);
  [[nodiscard]] bool isOfHeaders(std::uint32_t number, const BtfType& type) const;
  [[nodiscard]] std::string baseName(std::uint32_t number, const BtfType& type);

  const Btf& types_;
  Readers readers_;
  Placement placement_;
  std::map<std::uint32_t, bool> seen_;  ///< number → whole
  std::set<std::uint32_t> declared_;
  std::vector<std::uint32_t> order_;      ///< of definitions
  std::vector<std::uint32_t> functions_;  ///< of the kernel
  std::map<std::uint32_t, Spelling> tagNames_, typedefNames_;
  std::map<std::string, Spelling, std::less<>> tagsByKey_;  ///< "struct foo", of declarations without members too
  std::set<std::string, std::less<>> tags_, ordinary_;
  std::map<std::string, int, std::less<>> uses_;  ///< of enumerators and typedefs at file scope
  std::set<std::string, std::less<>> defined_, forwards_;
  std::map<std::uint32_t, Spelling> aliases_;  ///< of typedefs that a member hides
  std::set<std::uint32_t> shown_;              ///< unnamed enumerations whose enumerators stand somewhere
  std::vector<Scope*> scopes_;                 ///< around what is being written
  std::string forwardText_, text_;
  bool hasWords_ = false;
  int depth_ = 0;
  std::size_t pieces_ = 0;  ///< written
};

/// What C has under another name before C23: static_assert and bool.
extern const std::string_view wordsOfC;

}  // namespace lathe::bpf::detail
