// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines in the place of marks. Numbers after Khronos's SPIR-V specification, 3.42 (instructions) and 2.4 (their order
// in a module), and its "OpenCL.DebugInfo.100 Extended Instruction Set"; that set takes numbers as literals.
#include "debug_lines.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Path.h"

namespace lathe::targets {
namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::size_t headerWords = 5, boundAt = 3;

enum Operation : std::uint32_t {
  opString = 7,
  opLine = 8,
  opExtension = 10,
  opExtInstImport = 11,
  opExtInst = 12,
  opMemoryModel = 14,
  opEntryPoint = 15,
  opExecutionMode = 16,
  opCapability = 17,
  opTypeVoid = 19,
  opFunction = 54,
  opLabel = 248,
  opNoLine = 317,
  opExecutionModeId = 331
};
enum DebugOperation : std::uint32_t {
  debugInfoNone = 0,
  debugCompilationUnit = 1,
  debugTypeFunction = 8,
  debugFunction = 20,
  debugLexicalBlock = 21,
  debugScope = 23,
  debugInlinedAt = 25,
  debugSource = 35
};
constexpr std::uint32_t debugVersion = 0x10000, dwarfVersion = 4, sourceLanguage = 6 /* CPP_for_OpenCL */,
                        isDefinition = 8;

void append(Words& to, std::uint32_t operation, llvm::ArrayRef<std::uint32_t> operands) {
  to.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | operation);
  to.insert(to.end(), operands.begin(), operands.end());
}

/// Bytes with a zero behind, four to a word.
Words wordsOf(llvm::StringRef text) {
  Words out(text.size() / 4 + 1);
  for (std::size_t i = 0; i < text.size(); ++i)
    out[i / 4] |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) << (i % 4 * 8);
  return out;
}

std::string textOf(llvm::ArrayRef<std::uint32_t> words) {
  std::string out;
  for (const std::uint32_t word : words)
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const char letter = static_cast<char>(word >> shift & 0xFF);
      if (letter == '\0') return out;
      out.push_back(letter);
    }
  return out;
}

std::string pathOf(const llvm::DIFile* file) {
  if (!file) return "";
  if (llvm::sys::path::is_absolute(file->getFilename()) || file->getDirectory().empty())
    return file->getFilename().str();
  return (file->getDirectory() + "/" + file->getFilename()).str();
}

/// What the module says of places, each thing once.
class Descriptions {
 public:
  Descriptions(std::uint32_t& bound, std::uint32_t voidType,
               std::map<const llvm::DISubprogram*, std::uint32_t> functions)
      : bound_(bound), void_(voidType), set_(bound++), functions_(std::move(functions)) {
    none_ = describe(debugInfoNone, {});
  }

  Words import, strings, descriptions;

  std::uint32_t text(const std::string& content) {
    const auto [at, isNew] = texts_.try_emplace(content, bound_);
    if (!isNew) return at->second;
    Words operands = {bound_++};
    const Words letters = wordsOf(content);
    operands.insert(operands.end(), letters.begin(), letters.end());
    append(strings, opString, operands);
    return at->second;
  }

  std::uint32_t scope(const llvm::DIScope* of) {
    if (const auto found = scopes_.find(of); found != scopes_.end()) return found->second;
    std::uint32_t out = none_;
    if (const auto* const function = llvm::dyn_cast<llvm::DISubprogram>(of)) {
      const auto own = functions_.find(function);
      out = describe(debugFunction,
                     {text(function->getName().str()), functionType(), source(function->getFile()), function->getLine(),
                      0, unit(*function), text(function->getLinkageName().str()), isDefinition,
                      function->getScopeLine(), own == functions_.end() ? none_ : own->second});
    } else if (const auto* const block = llvm::dyn_cast<llvm::DILexicalBlock>(of)) {
      out = describe(debugLexicalBlock,
                     {source(block->getFile()), block->getLine(), block->getColumn(), scope(block->getScope())});
    } else if (const auto* const other = llvm::dyn_cast<llvm::DILexicalBlockBase>(of)) {
      out = scope(other->getScope());
    }
    return scopes_[of] = out;
  }

  /// Of a place in code that was inlined, the call; 0: it was not.
  std::uint32_t inlinedAt(const llvm::DILocation* call) {
    if (!call) return 0;
    if (const auto found = calls_.find(call); found != calls_.end()) return found->second;
    Words operands = {call->getLine(), scope(call->getScope())};
    if (const std::uint32_t outer = inlinedAt(call->getInlinedAt())) operands.push_back(outer);
    const std::uint32_t out = describe(debugInlinedAt, operands);
    return calls_[call] = out;
  }

  /// The instruction that says in which scope the following ones are.
  void enter(Words& to, std::uint32_t scope, std::uint32_t call) {
    Words operands = {void_, bound_++, set_, debugScope, scope};
    if (call != 0) operands.push_back(call);
    append(to, opExtInst, operands);
  }

  void finish() {
    Words operands = {set_};
    const Words letters = wordsOf("OpenCL.DebugInfo.100");
    operands.insert(operands.end(), letters.begin(), letters.end());
    append(import, opExtInstImport, operands);
  }

 private:
  std::uint32_t describe(std::uint32_t what, llvm::ArrayRef<std::uint32_t> of) {
    Words operands = {void_, bound_++, set_, what};
    operands.insert(operands.end(), of.begin(), of.end());
    append(descriptions, opExtInst, operands);
    return operands[1];
  }
  std::uint32_t source(const llvm::DIFile* file) {
    const std::string path = pathOf(file);
    const auto [at, isNew] = sources_.try_emplace(path, 0);
    // The text of the source is optional, but SPIRV-LLVM-Translator counts on it.
    if (isNew) at->second = describe(debugSource, {text(path), text("")});
    return at->second;
  }
  std::uint32_t unit(const llvm::DISubprogram& function) {
    const llvm::DICompileUnit* const of = function.getUnit();
    std::uint32_t& out = units_[of];
    if (out == 0) {
      const std::uint32_t from = source(of ? of->getFile() : function.getFile());
      out = describe(debugCompilationUnit, {debugVersion, dwarfVersion, from, sourceLanguage});
    }
    return out;
  }
  /// Types are not described: all functions return nothing and take nothing.
  std::uint32_t functionType() {
    if (type_ == 0) type_ = describe(debugTypeFunction, {0, void_});
    return type_;
  }

  std::uint32_t& bound_;
  std::uint32_t void_, set_, none_ = 0, type_ = 0;
  std::map<const llvm::DISubprogram*, std::uint32_t> functions_;
  std::map<std::string, std::uint32_t> texts_, sources_;
  std::map<const llvm::DIScope*, std::uint32_t> scopes_;
  std::map<const llvm::DICompileUnit*, std::uint32_t> units_;
  std::map<const llvm::DILocation*, std::uint32_t> calls_;
};

struct Instruction {
  std::uint32_t operation;
  llvm::ArrayRef<std::uint32_t> words;  ///< with the first, which holds the operation
};

/// Nothing where lengths do not add up.
std::optional<std::vector<Instruction>> instructionsOf(llvm::ArrayRef<std::uint32_t> words) {
  std::vector<Instruction> out;
  for (std::size_t at = headerWords; at < words.size();) {
    const std::size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at) return std::nullopt;
    out.push_back({words[at] & 0xFFFF, words.slice(at, length)});
    at += length;
  }
  return out;
}

bool isPreamble(std::uint32_t operation) {
  return operation == opCapability || operation == opExtension || operation == opExtInstImport ||
         operation == opMemoryModel || operation == opEntryPoint || operation == opExecutionMode ||
         operation == opExecutionModeId;
}

/// The bodies of functions, with lines.
Words bodiesOf(llvm::ArrayRef<Instruction> instructions, const MarkedPlaces& marked, Descriptions& out) {
  Words bodies;
  std::pair<std::uint32_t, std::uint32_t> inside;  // scope and call
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const Instruction& one = instructions[i];
    if (one.operation == opLabel) inside = {};
    if (one.operation != opLine) {
      bodies.insert(bodies.end(), one.words.begin(), one.words.end());
      continue;
    }
    // What stood between two marks has become part of the module.
    if (i + 1 < instructions.size() && instructions[i + 1].operation == opLine) continue;
    if (one.words.size() != 4 || one.words[2] >= marked.places.size()) continue;
    const llvm::DILocation& place = *marked.places[one.words[2]];
    if (place.getLine() == 0) {
      append(bodies, opNoLine, {});
      continue;
    }
    const std::pair now{out.scope(place.getScope()), out.inlinedAt(place.getInlinedAt())};
    if (now != inside) out.enter(bodies, now.first, now.second);
    inside = now;
    append(bodies, opLine, {out.text(pathOf(place.getFile())), place.getLine(), place.getColumn()});
  }
  return bodies;
}

}  // namespace

std::string LineMarks::withLines(const std::string& module) const {
  Words words(module.size() / 4);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = llvm::support::endian::read32le(module.data() + 4 * i);
  if (words.size() < headerWords || marked_.places.empty()) return module;
  const auto parsed = instructionsOf(words);
  if (!parsed) return module;
  const llvm::ArrayRef<Instruction> all = *parsed;

  std::uint32_t voidType = 0;
  std::map<const llvm::DISubprogram*, std::uint32_t> functions;
  for (const Instruction& one : all) {
    if (one.operation == opTypeVoid && one.words.size() == 2) voidType = one.words[1];
    if (one.operation != opEntryPoint || one.words.size() < 4) continue;
    const std::string symbol = textOf(one.words.drop_front(3));
    for (const DescribedFunction& function : marked_.functions)
      if (function.symbol == symbol) functions[function.described] = one.words[2];
  }
  if (voidType == 0) return module;

  const auto isFunction = [](const Instruction& one) { return one.operation == opFunction; };
  const auto begin = static_cast<std::size_t>(llvm::find_if(all, isFunction) - all.begin());
  std::uint32_t bound = words[boundAt];
  Descriptions descriptions(bound, voidType, std::move(functions));
  const Words bodies = bodiesOf(all.drop_front(begin), marked_, descriptions);
  descriptions.finish();

  Words out(words.begin(), words.begin() + headerWords);
  out[boundAt] = bound;
  const auto add = [&](llvm::ArrayRef<std::uint32_t> some) { out.insert(out.end(), some.begin(), some.end()); };
  bool named = false;
  for (const Instruction& one : all.take_front(begin)) {
    if (one.operation == opMemoryModel) add(descriptions.import);
    if (!named && !isPreamble(one.operation)) {
      add(descriptions.strings);
      named = true;
    }
    add(one.words);
  }
  add(descriptions.descriptions);
  add(bodies);

  std::string bytes(out.size() * 4, '\0');
  for (std::size_t i = 0; i < out.size(); ++i) llvm::support::endian::write32le(bytes.data() + 4 * i, out[i]);
  return bytes;
}

}  // namespace lathe::targets
