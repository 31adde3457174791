// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C and C++ headers for compiled host code. Types are rebuilt from the layouts in the image, not from the source, and
// every size, alignment and offset is asserted, so that a compiler with other rules refuses the header instead of
// passing wrong bytes.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/image/c_types.h"

namespace lathe::detail {
namespace {

constexpr std::string_view launchText = R"(#ifndef LATHE_LAUNCH_H
#define LATHE_LAUNCH_H
/* One launch of a kernel: which groups run, and with what. Extents that are left out (0) are 1 along y and z.
   Groups are numbered with x running fastest; several threads may run disjoint ranges of one launch at the same time. */
struct lathe_launch {
  uint32_t grid[3];              /* groups along x, y, z; none along x: nothing runs */
  uint32_t group[3];             /* items in a group along x, y, z */
  uint32_t dynamic_shared_bytes; /* launch-sized shared memory of a group */
  uint32_t reserved;             /* 0 */
  uint64_t first_group;          /* the first group that this call runs */
  uint64_t end_group;            /* the one after the last; 0: up to the grid's end */
  void *scratch;                 /* memory for this call alone; null: malloc, where the platform has it */
  size_t scratch_bytes;          /* at least what KERNEL_scratch() says, if scratch is not null */
};

/* What a kernel's function returns. */
enum lathe_launch_status {
  LATHE_LAUNCH_DONE = 0,
  LATHE_LAUNCH_INVALID = 1,   /* extents or a range that are not possible, or too little scratch; nothing ran */
  LATHE_LAUNCH_NO_MEMORY = 2  /* no scratch was given and none could be allocated; nothing ran */
};

/* Groups of a launch. */
static inline uint64_t lathe_group_count(const struct lathe_launch *launch) {
  uint64_t count = launch->grid[0];
  if (launch->grid[1] != 0) count *= launch->grid[1];
  if (launch->grid[2] != 0) count *= launch->grid[2];
  return count;
}

#if defined(__cplusplus)
#define LATHE_STATIC_ASSERT(condition, text) static_assert(condition, text)
#define LATHE_ALIGNAS(bytes) alignas(bytes)
#define LATHE_ALIGNOF(type) alignof(type)
#elif __STDC_VERSION__ >= 201112L
#define LATHE_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#define LATHE_ALIGNAS(bytes) _Alignas(bytes)
#define LATHE_ALIGNOF(type) _Alignof(type)
#else /* C99, with what GCC and Clang add to it */
#define LATHE_STATIC_ASSERT(condition, text) extern char lathe_static_assert[(condition) ? 1 : -1]
#define LATHE_ALIGNAS(bytes) __attribute__((aligned(bytes)))
#define LATHE_ALIGNOF(type) __alignof__(type)
#endif
#if defined(__cplusplus) && __cplusplus >= 201703L
#define LATHE_NODISCARD [[nodiscard]]
#else
#define LATHE_NODISCARD
#endif
#endif
)";

/// The beginning of the macros by which headers share what several of them have.
constexpr std::string_view onceWord = "LATHE_HAS";

std::string stemOf(const ImageInfo& info) {
  std::string name = info.provenance.sourceName;
  if (const auto slash = name.rfind('/'); slash != std::string::npos) name.erase(0, slash + 1);
  if (const auto dot = name.rfind('.'); dot != std::string::npos && dot != 0) name.erase(dot);
  return cIdentifier(name);
}

/// A text that may stand in a comment.
std::string inComment(std::string text) {
  for (auto at = text.find("*/"); at != std::string::npos; at = text.find("*/", at)) text.replace(at, 2, "* /");
  std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string launchName(const EntryPoint& entry) {
  const bool taken = std::ranges::any_of(entry.parameters, [](const Parameter& p) { return p.name == "launch"; });
  return taken ? "lathe_launch_of_call" : "launch";
}

/// ", uint32_t n, const float *x" of a kernel.
std::string parameterList(CTypes& types, const std::vector<Parameter>& parameters) {
  std::string out;
  for (std::size_t i = 0; i < parameters.size(); ++i) out += ", " + types.parameter(parameters[i], i);
  return out;
}

/// Whether C can call an exported function by a declaration.
bool isDeclared(CTypes& types, const ExportedFunction& function) {
  return types.isExact(function.result) && std::ranges::all_of(function.parameters, [&](const Parameter& parameter) {
           return types.isExact(parameter.type);
         });
}

/// A variable of the kernels that the program sets or reads. One that C++ calls otherwise than C could is known to the
/// linker by its symbol.
std::string declaration(CTypes& types, const GlobalVariable& variable) {
  if (variable.type.size == 0) return {};
  const std::string name = cIdentifier(variable.name);
  const std::string label = name == variable.symbol ? "" : fmt::format(" __asm__(\"{}\")", variable.symbol);
  const bool isConstant = variable.type.name.starts_with("const ");
  return fmt::format("\n/* Variable {}. */\nextern {}{}{};\n", inComment(variable.name), isConstant ? "const " : "",
                     types.declare(variable.type, name), label);
}

std::string declarations(CTypes& types, const ImageInfo& info, const ObjectInterface& interface) {
  std::string out;
  for (std::size_t i = 0; i < interface.hostStubs.size() && i < info.entries.size(); ++i) {
    const EntryPoint& entry = info.entries[i];
    const std::string& name = interface.hostStubs[i];
    out += fmt::format("\n/* Kernel {}.", inComment(entry.name));
    const auto& fixed = entry.bounds.groupSize;
    if (fixed[0]) out += fmt::format(" Groups have {} x {} x {} items.", fixed[0], fixed[1], fixed[2]);
    if (entry.bounds.maxItems) out += fmt::format(" Groups have at most {} items.", entry.bounds.maxItems);
    out += fmt::format(" Returns enum lathe_launch_status. */\nint {}(const struct lathe_launch *{}{});\n", name,
                       launchName(entry), parameterList(types, entry.parameters));
    out += fmt::format(
        "/* Bytes of scratch that one call for such a launch needs; 0: none. */\n"
        "size_t {}_scratch(const struct lathe_launch *launch);\n",
        name);
  }
  for (const GlobalVariable& variable : info.globals) out += declaration(types, variable);
  for (const ExportedFunction& function : interface.functions) {
    std::string list;
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
      list += (i == 0 ? "" : ", ") + types.value(function.parameters[i], i);
    if (!isDeclared(types, function)) {
      out += fmt::format("\n/* {}: takes or returns by value what C cannot declare. */\n", function.name);
      continue;
    }
    out += fmt::format("\n{}{}({});\n", types.result(function.result), function.name, list.empty() ? "void" : list);
  }
  return out;
}

std::string body(CTypes& types, const ImageInfo& info, const ObjectInterface& interface) {
  const std::string declared = declarations(types, info, interface);
  std::string out = "\n#if defined(__cplusplus)\nextern \"C\" {\n#endif\n";
  if (!types.definitions().empty()) out += "\n" + types.definitions();
  out += declared;
  out += "\n#if defined(__cplusplus)\n}\n#endif\n\n";
  out += fmt::format(
      "LATHE_STATIC_ASSERT(sizeof(void *) == {0}, \"this object is for {0}-byte pointers\");\n"
      "LATHE_STATIC_ASSERT(offsetof(struct lathe_launch, scratch) == {1}, \"lathe_launch.scratch: offset\");\n"
      "LATHE_STATIC_ASSERT(offsetof(struct lathe_launch, scratch_bytes) == {2}, \"lathe_launch.scratch_bytes: "
      "offset\");\n",
      interface.pointerBytes, launch_block::scratch, launch_block::scratch + interface.pointerBytes);
  return out + types.assertions();
}

/// The guard of a header with this text. It is of the text and not of the source's name alone: a program may include
/// headers of one source's kernels, made one by one, and of sources with one name in several folders.
std::string guardOf(const ImageInfo& info, std::string_view suffix, std::string_view text) {
  std::uint64_t sum = 0xcbf29ce484222325;  // FNV-1a (Fowler, Noll and Vo, RFC 9923)
  for (const char letter : text) sum = (sum ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  std::string out = fmt::format("LATHE_OBJECT_{}_{:016x}{}", stemOf(info), sum, suffix);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  return out;
}

std::string header(const ImageInfo& info, const ObjectInterface& interface, std::string_view guardSuffix,
                   std::string_view inner) {
  const std::string guard = guardOf(info, guardSuffix, inner);
  return fmt::format(
      "/* Made by {} from {} for {}:{} ({}). Do not edit. */\n#ifndef {}\n#define {}\n\n#include <stdbool.h>\n"
      "#include <stddef.h>\n#include <stdint.h>\n\n{}{}\n#endif\n",
      inComment(info.provenance.producer), inComment(info.provenance.sourceName), info.target, info.arch,
      interface.triple, guard, guard, launchText, inner);
}

/// The namespace of a source's functions: its name, which may be a word of C++.
std::string namespaceOf(const ImageInfo& info) {
  std::string out = stemOf(info);
  if (isCxxKeyword(out)) out += '_';
  return out;
}

/// Functions that take structures by reference, and give the launch its place.
std::string wrappers(CTypes& types, const ImageInfo& info, const ObjectInterface& interface) {
  // One a line: nested names came with C++17.
  std::string out = fmt::format("\nnamespace lathe {{\nnamespace objects {{\nnamespace {} {{\n", namespaceOf(info));
  for (std::size_t i = 0; i < interface.hostStubs.size() && i < info.entries.size(); ++i) {
    const EntryPoint& entry = info.entries[i];
    const std::string& name = interface.hostStubs[i];
    const std::string launch = launchName(entry);
    std::string parameters, arguments;
    for (std::size_t p = 0; p < entry.parameters.size(); ++p) {
      const Parameter& parameter = entry.parameters[p];
      const std::string own = parameter.name.empty() ? fmt::format("argument{}", p) : safe(parameter.name);
      const bool reference = !passedByValue(parameter.type);
      std::string declared = types.parameter(parameter, p);
      // "const struct k_Params *p" becomes a reference; bytes without a type stay a pointer.
      if (reference && !declared.starts_with("const void ")) {
        declared.replace(declared.rfind('*'), 1, "&");
        arguments += ", &" + own;
      } else {
        arguments += ", " + own;
      }
      parameters += ", " + declared;
    }
    std::string functions = fmt::format(
        "/// Kernel {}. Returns LATHE_LAUNCH_DONE, or why nothing ran.\n"
        "LATHE_NODISCARD inline int {}(const ::lathe_launch &{}{}) noexcept {{\n  return ::{}(&{}{});\n}}\n",
        inComment(entry.name), name, launch, parameters, name, launch, arguments);
    functions += fmt::format(
        "LATHE_NODISCARD inline ::size_t {0}_scratch(const ::lathe_launch &launch) noexcept {{\n"
        "  return ::{0}_scratch(&launch);\n}}\n",
        name);
    out += once(fmt::format("{}_function_{}_{}", onceWord, namespaceOf(info), name), functions);
  }
  for (const ExportedFunction& function : interface.functions) {
    if (isDeclared(types, function)) out += fmt::format("using ::{};\n", function.name);
  }
  return out +
         fmt::format("}}  // namespace {}\n}}  // namespace objects\n}}  // namespace lathe\n", namespaceOf(info));
}

}  // namespace

bool passedByValue(const TypeLayout& type) noexcept {
  switch (type.kind) {
    case TypeKind::boolean:
    case TypeKind::pointer:
      return true;
    case TypeKind::signedInteger:
    case TypeKind::unsignedInteger:
      return type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8;
    case TypeKind::floating:
      return type.size == 4 || type.size == 8;
    default:
      return false;
  }
}

bool isCKeyword(std::string_view name) noexcept {
  static constexpr std::array<std::string_view, 7> words = {"restrict", "_Bool",      "_Atomic",  "_Generic",
                                                            "_Complex", "_Imaginary", "_Noreturn"};
  return std::ranges::find(words, name) != words.end();
}

bool isCxxKeyword(std::string_view name) noexcept {
  static constexpr auto words = std::to_array<std::string_view>(
      {"alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
       "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
       "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
       "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
       "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
       "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
       "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
       "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
       "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
       "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
       "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
       "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
       "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
       "xor_eq"});
  return std::ranges::binary_search(words, name);
}

std::string cIdentifier(std::string_view name) {
  std::string out;
  const auto separate = [&] {
    if (!out.empty() && out.back() != '_') out += '_';
  };
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (letter || (c >= '0' && c <= '9')) {
      if (out.empty() && !letter) out += '_';
      out += c;
    } else if (c == '*') {
      separate();
      out += "ptr";
    } else if (c == '-') {
      separate();
      out += 'm';
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      out += fmt::format("u{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      separate();
    }
  }
  while (out.size() > 1 && out.back() == '_' && !name.ends_with('_')) out.pop_back();
  if (isCKeyword(out)) out += '_';
  return out.empty() ? "_" : out;
}

std::string cHeader(const ImageInfo& info, const ObjectInterface& interface) {
  CTypes types(stemOf(info), {.once = onceWord});
  return header(info, interface, "_H", body(types, info, interface));
}

std::string cxxHeader(const ImageInfo& info, const ObjectInterface& interface) {
  CTypes types(stemOf(info), {.once = onceWord});
  std::string inner = body(types, info, interface);
  // The C header declares the same: whichever comes first does.
  inner = "\n" + once(guardOf(info, "_H", inner), inner);
  // C programs may include it too, and see what C has.
  inner += "\n#if defined(__cplusplus)" + wrappers(types, info, interface) + "#endif\n";
  return header(info, interface, "_HPP", inner);
}

}  // namespace lathe::detail
