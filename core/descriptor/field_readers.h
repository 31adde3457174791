// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the value of a descriptor's key is read: by its type, then by a check that the type does not make. Part of
// schema.cpp, which alone includes it.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/IR/DataLayout.h"
#include "llvm/Support/Error.h"

#include "core/abi/math.h"
#include "core/descriptor/llvm_facts.h"
#include "core/descriptor/schema.h"

namespace lathe::detail {

inline constexpr std::array<std::string_view, 15> constructs = {
    "recursion",       "indirect_call",    "fp128",        "alloca_dynamic",   "inline_asm",    "trap",
    "varargs",         "illegal_integers", "bfloat",       "partword_atomics", "cycle_counter", "float_arithmetic",
    "signed_division", "aggregate_result", "computed_goto"};
inline constexpr std::array<std::string_view, 18> expansions = {
    "atomics",  "partword_atomics", "ordered_atomics", "generic_accesses", "wide_conversions",
    "integers", "vectors",          "overflow",        "intrinsics",       "addresses",
    "hints",    "irreducible",      "end_item",        "free_choices",     "aggregates",
    "copies",   "narrow_floats",    "bfloat"};
inline constexpr std::array<std::string_view, 2> floatAtomics = {"add.f32", "add.f64"};
inline constexpr std::array<std::string_view, 2> sharedWays = {"variable", "parameter"};
inline constexpr std::array<std::string_view, 3> frontends = {"device", "native",
                                                              "dialect"};  // as FrontEnd counts them
static_assert(static_cast<std::size_t>(FrontEnd::device) == 0 && static_cast<std::size_t>(FrontEnd::native) == 1 &&
              static_cast<std::size_t>(FrontEnd::dialect) == 2);
inline constexpr std::array<std::string_view, 3> pipelines = {"items", "groups",
                                                              "module"};  // as pipelineKinds has them
inline constexpr std::array<std::string_view, 2> relocations = {"static", "pic"};
inline constexpr std::array<std::string_view, 5> codeModels = {"tiny", "small", "kernel", "medium", "large"};
inline constexpr std::array<std::string_view, 2> longModifiers = {"ll", "l"};
inline constexpr std::array<std::string_view, 4> links = {"", "elf-shared", "elf-library", "wasm-module"};
inline constexpr std::array<std::string_view, 2> manglings = {"pattern", "itanium"};
inline constexpr std::array<std::string_view, 8> boundKeys = {"max_items",   "min_groups",     "max_registers",
                                                              "group_size",  "subgroup_size",  "cluster_size",
                                                              "max_cluster", "counts_clusters"};
inline constexpr std::array<std::string_view, 5> scopeKeys = {"item", "subgroup", "group", "device", "system"};
inline constexpr std::array<std::string_view, 8> codeFormats = {"portable", "ir",      "bitcode", "asm",
                                                                "object",   "archive", "linked",  "source"};
inline constexpr std::array<std::string_view, 2> loadFlagWords = {"function", "words"};
inline constexpr std::array<std::string_view, 9> formatWords = {"portable", "ir",     "bitcode", "asm",  "object",
                                                                "archive",  "linked", "source",  "image"};
inline constexpr std::array<std::string_view, 6> reflections = {"0",         "1",       "flush_denormals",
                                                                "fast_math", "precise", "ordinal"};

inline std::vector<std::string> asList(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

inline std::vector<std::string> mathNames() {
  return {
#define LATHE_MATH(name, signature, intrinsic) #name,
#define LATHE_SPARE_MATH(name, signature, intrinsic) #name,
#define LATHE_OWN_MATH(name, signature, intrinsic) #name,
#include "core/abi/math.def"
  };
}

inline std::vector<std::string> spareMathNames() {
  return {
#define LATHE_MATH(name, signature, intrinsic)
#define LATHE_SPARE_MATH(name, signature, intrinsic) #name,
#define LATHE_OWN_MATH(name, signature, intrinsic)
#include "core/abi/math.def"
  };
}

template <class Owner, class Value>
Owner ownerOf(Value Owner::*);
template <auto member>
using OwnerOf = decltype(ownerOf(member));

template <auto member>
void plain(SchemaReader& reader, const YamlNode& in, OwnerOf<member>& out) {
  reader.read(in, out.*member);
}

/// Reads by type, then `check(reader, node, value)`, unless the type was wrong already.
template <auto member, auto check>
void checked(SchemaReader& reader, const YamlNode& in, OwnerOf<member>& out) {
  reader.read(in, out.*member);
  if (in.kind != YamlNode::Kind::null) check(reader, in, out.*member);
}

inline void checkWord(SchemaReader& reader, const YamlNode& in, std::span<const std::string_view> words) {
  if (in.kind != YamlNode::Kind::scalar || std::ranges::find(words, in.text) != words.end()) return;
  reader.failUnknown(in.at, "value", in.text, asList(words));
}

/// Text, or a list of texts, out of a vocabulary.
template <const auto& words>
constexpr auto oneOf = [](SchemaReader& reader, const YamlNode& in, const auto&) {
  checkWord(reader, in, words);
  for (const YamlNode& item : in.items) checkWord(reader, item, words);
};

/// A map whose keys are out of a vocabulary.
template <const auto& words>
constexpr auto keysOf = [](SchemaReader& reader, const YamlNode& in, const auto&) {
  for (const auto& member : in.members) {
    if (std::ranges::find(words, member.key) == words.end())
      reader.failUnknown(member.at, "key", member.key, asList(words));
  }
};

/// Values "name=text", or "!name=text".
inline constexpr auto areBounds = [](SchemaReader& reader, const YamlNode& in, const auto& map) {
  keysOf<boundKeys>(reader, in, map);
  for (const auto& member : in.members) {
    const llvm::StringRef name = llvm::StringRef(member.value.text).split('=').first.ltrim('!');
    const bool whole =
        !name.empty() && name.size() < member.value.text.size() && llvm::StringRef(member.value.text).contains('=');
    if (member.value.kind == YamlNode::Kind::scalar && !whole)
      reader.fail(member.value.at, member.key + ": '" + member.value.text + "' is not NAME=TEXT or !NAME=NUMBERS");
  }
};

inline constexpr auto areBoundNames = [](SchemaReader& reader, const YamlNode& in, const auto& map) {
  keysOf<boundKeys>(reader, in, map);
};

inline constexpr auto arePatterns = [](SchemaReader& reader, const YamlNode& in, const auto&) {
  for (const auto& member : in.members) {
    if (const auto fault = patternFault(member.key))
      reader.fail(member.at, "'" + member.key + "' is no regular expression: " + *fault);
  }
};

/// Switches, words or whole numbers, and under "function" the name of the function that asks for them.
inline constexpr auto areSwitches = [](SchemaReader& reader, const YamlNode& in, const auto&) {
  for (const auto& member : in.members) {
    std::uint32_t number = 0;
    const llvm::StringRef text = member.value.text;
    if (member.key != "function" && !ordinalFactor(text) && text.getAsInteger(10, number))
      reader.within(member.key, [&] { checkWord(reader, member.value, reflections); });
  }
};

inline constexpr auto isTriple = [](SchemaReader& reader, const YamlNode& in, const std::string& text) {
  if (in.kind != YamlNode::Kind::scalar || text == "host") return;
  if (auto fault = tripleFault(text)) reader.fail(in.at, "'" + text + "' is no triple: " + *fault);
};

inline constexpr auto areTriples = [](SchemaReader& reader, const YamlNode& in,
                                      const std::map<std::string, std::string>&) {
  for (const auto& member : in.members)
    reader.within(member.key, [&] { isTriple(reader, member.value, member.value.text); });
};

inline constexpr auto isPattern = [](SchemaReader& reader, const YamlNode& in, const std::string& text) {
  if (auto fault = patternFault(text)) reader.fail(in.at, "'" + text + "' is no regular expression: " + *fault);
};

inline constexpr auto isOrdinalOrNumber = [](SchemaReader& reader, const YamlNode& in, const std::string& text) {
  std::uint32_t number = 0;
  if (in.kind != YamlNode::Kind::scalar || ordinalFactor(text)) return;
  if (llvm::StringRef(text).getAsInteger(10, number))
    reader.fail(in.at, "expected a whole number below 2^32 or ordinal*N, found '" + text + "'");
};

inline constexpr auto isVectorLibrary = [](SchemaReader& reader, const YamlNode& in, const std::string& text) {
  if (in.kind != YamlNode::Kind::scalar || text.empty() || vectorLibrary(text)) return;
  reader.failUnknown(in.at, "value", text, vectorLibraryNames());
};

inline constexpr auto isName = [](SchemaReader& reader, const YamlNode& in, const std::string& text) {
  const bool good = !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  if (in.kind == YamlNode::Kind::scalar && !good) {
    reader.fail(in.at, "'" + text + "' is no target name; use lower-case letters, digits, '-' and '_'");
  }
};

inline constexpr auto areMathNames = [](SchemaReader& reader, const YamlNode& in, const std::vector<std::string>&) {
  for (const YamlNode& item : in.items) {
    const auto [name, form] = llvm::StringRef(item.text).split('.');
    const auto known = findMath(std::string_view(name));
    if (!known || !known->isDouble) {
      reader.failUnknown(item.at, "math function", name, mathNames());
    } else if (!form.empty() && form != "f32" && form != "f64" && form != "f32+afn" && form != "f64+afn") {
      reader.fail(item.at, "'" + item.text + "' is not NAME, NAME.f32 or NAME.f64, the last two with +afn or without");
    }
  }
};

inline constexpr auto areLibraryMath = [](SchemaReader& reader, const YamlNode& in, const std::vector<std::string>&) {
  for (const YamlNode& item : in.items) {
    const auto known = findMath(std::string_view(item.text));
    if (!known || !known->isDouble) reader.failUnknown(item.at, "math function", item.text, mathNames());
  }
};

/// What `also` may list: these, and pairs of functions that a library computes together.
inline constexpr auto areLibraryMathOrPairs = [](SchemaReader& reader, const YamlNode& in,
                                                 const std::vector<std::string>&) {
  for (const YamlNode& item : in.items) {
    if (std::ranges::find(mathPairs, item.text) != std::end(mathPairs)) continue;
    const auto known = findMath(std::string_view(item.text));
    if (!known || !known->isDouble) reader.failUnknown(item.at, "math function", item.text, mathNames());
  }
};

inline constexpr auto areSpareMath = [](SchemaReader& reader, const YamlNode& in, const std::vector<std::string>&) {
  for (const YamlNode& item : in.items) {
    const auto known = findMath(std::string_view(item.text));
    if (!known || !known->isDouble || known->function->own != MathFunction::Own::spare)
      reader.failUnknown(item.at, "function of Lathe's own that a library may have too", item.text, spareMathNames());
  }
};

inline constexpr auto areNumbers = [](SchemaReader& reader, const YamlNode& in,
                                      const std::map<std::string, std::string>&) {
  for (const auto& member : in.members) {
    std::uint32_t number = 0;
    reader.within(member.key, [&] { reader.read(member.value, number); });
  }
};

inline constexpr auto arePowersOfTwo = [](SchemaReader& reader, const YamlNode& in,
                                          const std::vector<unsigned>& sizes) {
  if (in.kind != YamlNode::Kind::list) return;
  if (sizes.empty()) reader.fail(in.at, "at least one size is needed");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!llvm::isPowerOf2_32(sizes[i])) reader.fail(in.items[i].at, "'" + in.items[i].text + "' is not a power of two");
  }
};

inline void readVersion(SchemaReader& reader, const YamlNode& in, Descriptor&) {
  unsigned version = schemaVersion;
  reader.read(in, version);
  if (version != schemaVersion) {
    reader.fail(in.at, "schema version " + std::to_string(version) + " is not known; this Lathe reads version " +
                           std::to_string(schemaVersion));
  }
}

/// Clauses are read where the architecture is known: readWhen().
inline void skip(SchemaReader&, const YamlNode&, Descriptor&) {}

inline void readSubgroup(SchemaReader& reader, const YamlNode& in, Descriptor& out) {
  reader.readFields(in, out, subgroupFields());
}

/// A list, or one value that stands for a list of one.
template <auto member, auto check>
void oneOrMore(SchemaReader& reader, const YamlNode& in, OwnerOf<member>& out) {
  if (in.kind != YamlNode::Kind::scalar) return checked<member, check>(reader, in, out);
  YamlNode list;
  list.kind = YamlNode::Kind::list;
  list.at = in.at;
  list.items = {in};
  checked<member, check>(reader, list, out);
}

inline void readMath(SchemaReader& reader, const YamlNode& in, DeviceLibrary& out) {
  reader.readFields(in, out, mathFields());
  const auto lacksName = [](const std::string& pattern) { return pattern.find("{name}") == std::string::npos; };
  if (out.mathMangling == "pattern" && (lacksName(out.mathF32) || lacksName(out.mathF64)))
    reader.fail(in.at, "mangling 'pattern' needs 'f32' and 'f64' with {name} in them");
  if (!out.mathFast.empty() && lacksName(out.mathFastF32))
    reader.fail(in.at, "'fast' needs 'fast_f32' with {name} in it");
}

inline void readConvention(SchemaReader& reader, const YamlNode& in, KernelAbi& out) {
  std::string text;
  reader.read(in, text);
  if (in.kind != YamlNode::Kind::scalar) return;
  const auto number = callingConvention(text);
  if (number)
    out.callingConvention = *number;
  else
    reader.fail(in.at, "'" + text + "' is no calling convention of LLVM's",
                "spell it as LLVM's assembly does: ccc, fastcc, cc 10");
}

/// byval, byval(SPACE), packed, or byref(SPACE).
inline void readAggregates(SchemaReader& reader, const YamlNode& in, KernelAbi& out) {
  constexpr const char* forms = "byval, byval(SPACE), packed or byref(SPACE)";
  if (!reader.expect(in, YamlNode::Kind::scalar, forms)) return;
  const auto [way, rest] = llvm::StringRef(in.text).split('(');
  llvm::StringRef digits = rest;
  unsigned space = 0;
  const bool hasSpace = digits.consume_back(")") && !digits.getAsInteger(10, space);
  const bool bare = way == llvm::StringRef(in.text);
  out.aggregateSpace = hasSpace ? std::optional(space) : std::nullopt;
  if (way == "byval" && (bare || hasSpace)) {
    out.aggregates = AggregatePassing::byval;
  } else if (way == "packed" && bare) {
    out.aggregates = AggregatePassing::packed;
  } else if (way == "byref" && hasSpace) {
    out.aggregates = AggregatePassing::byref;
  } else {
    reader.fail(in.at, std::string("expected ") + forms + ", found '" + in.text + "'");
  }
}

/// Reads a member that is one of `words`, which stand in the order of its type's values.
template <auto member, const auto& words>
void readWord(SchemaReader& reader, const YamlNode& in, Descriptor& out) {
  if (!reader.expect(in, YamlNode::Kind::scalar, "a word")) return;
  checkWord(reader, in, words);
  const auto at = std::ranges::find(words, in.text);
  if (at != words.end()) out.*member = static_cast<std::remove_reference_t<decltype(out.*member)>>(at - words.begin());
}

/// Kind → list of words.
inline void readEntryKinds(SchemaReader& reader, const YamlNode& in, Descriptor& out) {
  if (!reader.expect(in, YamlNode::Kind::map, "a map")) return;
  for (const auto& member : in.members)
    reader.within(member.key, [&] { reader.read(member.value, out.entryKinds[member.key]); });
}

}  // namespace lathe::detail
