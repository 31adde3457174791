// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The keys under `text`: how a language of the C family spells what kernels are made of. Keys out of a vocabulary are
// checked here, and so are the holes of templates, so that the emitter meets no surprise.
#include "llvm/ADT/StringExtras.h"

#include "core/descriptor/field_readers.h"

namespace lathe::detail {
namespace {

constexpr std::array<std::string_view, 12> typeKeys = {"i1",  "i8",  "i16", "i32", "i64", "s8",
                                                       "s16", "s32", "s64", "f16", "f32", "f64"};
constexpr std::array<std::string_view, 11> declarationKeys = {
    "kernel", "value", "pointer",  "group_pointer", "aggregate", "more_parameters",
    "access", "local", "variable", "constant",      "shared"};
constexpr std::array<std::string_view, 2> halfKeys = {"widen", "narrow"};

/// Holes are numbers, or words of this list.
constexpr std::array<std::string_view, 17> holes = {"args",  "s0",     "s1",         "s2",         "type",  "stype",
                                                    "name",  "space",  "scope",      "*",          "index", "align",
                                                    "bytes", "result", "qualifiers", "parameters", "values"};

constexpr auto areSpaces = [](SchemaReader& reader, const YamlNode& in, const std::map<std::string, std::string>&) {
  for (const auto& member : in.members) {
    unsigned number = 0;
    if (llvm::StringRef(member.key).getAsInteger(10, number))
      reader.fail(member.at, "'" + member.key + "' is no number of an address space");
  }
};

/// A brace that opens a hole closes behind its name; "{{" and "}}" stand for braces.
void checkTemplate(SchemaReader& reader, const YamlNode& in) {
  const llvm::StringRef text = in.text;
  for (std::size_t at = text.find('{'); at != llvm::StringRef::npos; at = text.find('{', at)) {
    if (text.substr(at).starts_with("{{")) {
      at += 2;
      continue;
    }
    const std::size_t end = text.find('}', at);
    const llvm::StringRef hole = text.slice(at + 1, end);
    const bool number = hole.size() == 1 && llvm::isDigit(hole[0]);
    if (end == llvm::StringRef::npos)
      reader.fail(in.at, "a hole of the template does not close; '{{' stands for a brace");
    else if (!number && std::ranges::find(holes, std::string_view(hole)) == holes.end())
      reader.failUnknown(in.at, "hole", hole.str(), asList(holes));
    if (end == llvm::StringRef::npos) return;
    at = end;
  }
}

constexpr auto areTemplates = [](SchemaReader& reader, const YamlNode& in, const std::map<std::string, std::string>&) {
  for (const auto& member : in.members) reader.within(member.key, [&] { checkTemplate(reader, member.value); });
};
constexpr auto areBits = [](SchemaReader& reader, const YamlNode& in, const auto& map) {
  keysOf<typeKeys>(reader, in, map);
  areTemplates(reader, in, map);
};
constexpr auto areDeclarations = [](SchemaReader& reader, const YamlNode& in, const auto& map) {
  keysOf<declarationKeys>(reader, in, map);
  areTemplates(reader, in, map);
};
constexpr auto isHalf = [](SchemaReader& reader, const YamlNode& in, const auto& map) {
  keysOf<halfKeys>(reader, in, map);
  areTemplates(reader, in, map);
};

constexpr Field<TextRules> textFields[] = {
    {"prelude", "text", "what the text begins with", plain<&TextRules::prelude>},
    {"types", "map",
     "`i1`, `i8` … `i64` (unsigned), `s8` … `s64`, `f16`, `f32`, `f64` → the language's name; a type that is missing "
     "cannot be written",
     checked<&TextRules::types, keysOf<typeKeys>>},
    {"bits", "map", "type → template of the same bits as that type: `as_float({0})`",
     checked<&TextRules::bits, areBits>},
    {"features", "map", "type → a line before all others where code has values of that type",
     checked<&TextRules::features, keysOf<typeKeys>>},
    {"spaces", "map",
     "number of an address space → qualifier of pointers; pointers into a space that is missing cannot be written",
     checked<&TextRules::spaces, areSpaces>},
    {"scopes", "map", "LLVM synchronisation scope → what `{scope}` in templates stands for", plain<&TextRules::scopes>},
    {"qualifiers", "map", "metadata of numbers on a kernel (`kernel.bounds`) → template in front of the kernel",
     checked<&TextRules::qualifiers, areTemplates>},
    {"declarations", "map",
     "`kernel`, its parameters `value`, `pointer`, `group_pointer`, `aggregate` and `more_parameters`, a typedef for "
     "`access` to memory, and arrays of bytes: `local` ones, `shared` by a group, `constant`, and `variable` of the "
     "program → template",
     checked<&TextRules::declarations, areDeclarations>},
    {"functions", "map",
     "function, intrinsic or operation (`llvm.sqrt.*`, `atomicrmw.add.i32`, `fence`) → template; one star stands for "
     "any text",
     checked<&TextRules::functions, areTemplates>},
    {"helpers", "map", "function → its definition, put before code that names it", plain<&TextRules::helpers>},
    {"half", "map", "`widen`, `narrow`: templates, where f16 is a type of storage and computed as f32",
     checked<&TextRules::half, isHalf>},
    {"reserved", "list", "words that no kernel may be called", plain<&TextRules::reserved>},
};

}  // namespace

template <>
std::span<const Field<TextRules>> fieldsOf<TextRules>() {
  return textFields;
}

}  // namespace lathe::detail
