// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/emit/text/spelling.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// True for what stage structure leaves only where a call that is refused makes or takes it: vectors, which are not
/// scalars then, and functions that call themselves.
bool followsFromCall(const llvm::Instruction& instruction) {
  if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return call->getCalledFunction() && !call->getCalledFunction()->isDeclaration();
  return instruction.getType()->isVectorTy() ||
         llvm::any_of(instruction.operands(), [](const llvm::Use& use) { return use->getType()->isVectorTy(); });
}

bool hasErrors(const std::vector<Diagnostic>& diagnostics) {
  return llvm::any_of(diagnostics, [](const Diagnostic& one) { return one.severity == Severity::error; });
}

std::string llvmName(const llvm::Type& type) {
  std::string out;
  llvm::raw_string_ostream(out) << type;
  return out;
}

}  // namespace

std::string filled(std::string_view pattern, const Holes& holes) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size();) {
    const char c = pattern[at];
    if ((c == '{' || c == '}') && at + 1 < pattern.size() && pattern[at + 1] == c) {
      out += c;
      at += 2;
      continue;
    }
    if (c != '{') {
      out += c;
      ++at;
      continue;
    }
    const std::size_t end = pattern.find('}', at);
    if (const auto found = holes.find(pattern.substr(at + 1, end - at - 1)); found != holes.end()) out += found->second;
    at = end + 1;
  }
  return out;
}

std::string typeKey(const llvm::Type& type) {
  if (type.isHalfTy()) return "f16";
  if (type.isFloatTy()) return "f32";
  if (type.isDoubleTy()) return "f64";
  return type.isIntegerTy() ? "i" + std::to_string(type.getIntegerBitWidth()) : "";
}

std::string signedKey(const llvm::Type& type) {
  return type.isIntegerTy() ? "s" + std::to_string(type.getIntegerBitWidth()) : typeKey(type);
}

std::string identifier(llvm::StringRef name) {
  std::string out;
  for (const char c : name) out += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (out.empty() || llvm::isDigit(out.front())) out = "_" + out;
  return out == name ? out : out + "_" + llvm::utohexstr(llvm::xxh3_64bits(name), /*LowerCase=*/true);
}

std::string Spelling::type(llvm::Type& type) {
  if (type.isPointerTy()) return space(type.getPointerAddressSpace()) + rules_.types.at("i8") + " *";
  if (type.isAggregateType()) return structure(type);
  const std::string key = typeKey(type);
  const auto found = rules_.types.find(key);
  if (found != rules_.types.end()) {
    usedTypes_.insert(key);
    return found->second;
  }
  if (type.isDoubleTy())
    report("double precision", "use float");
  else if (type.isIntegerTy())
    report(std::to_string(type.getIntegerBitWidth()) + "-bit integers", "use integers of 8, 16, 32 or 64 bits");
  else
    report("values of the type " + llvmName(type), "use numbers and pointers");
  return "?";
}

std::string Spelling::signedType(llvm::Type& type) {
  const auto found = rules_.types.find(signedKey(type));
  return found != rules_.types.end() ? found->second : this->type(type);
}

std::string Spelling::space(unsigned number) {
  const auto found = rules_.spaces.find(std::to_string(number));
  if (found != rules_.spaces.end()) return found->second.empty() ? "" : found->second + " ";
  const bool generic = number == lowering_.descriptor.addressSpaces.generic;
  report(
      generic ? "a pointer that may lead to memory of any kind"
              : "a pointer into address space " + std::to_string(number),
      "take the address where it is used, of memory of one kind: pass arrays by their kernel parameter and an index");
  return "? ";
}

std::string Spelling::access(llvm::Type& type, llvm::Align align) {
  const std::string plain = this->type(type);
  const std::string key = typeKey(type);
  const std::uint64_t size = lowering_.module->getDataLayout().getTypeStoreSize(&type).getFixedValue();
  const std::uint64_t bytes = std::min<std::uint64_t>(align.value(), size);
  std::string name = "lathe_" + key + (bytes < size ? "_" + std::to_string(bytes) : "");
  if (declared_.insert(name).second)
    typeDeclarations_ += declaration("access", "accesses to memory",
                                     {{"type", plain}, {"name", name}, {"align", std::to_string(bytes)}}) +
                         "\n";
  return name;
}

std::string Spelling::bytesStruct(std::uint64_t bytes, llvm::Align align) {
  const std::uint64_t unit = std::min<std::uint64_t>(align.value(), 8);
  const std::string name = "lathe_bytes_" + std::to_string(bytes) + "_" + std::to_string(unit);
  if (declared_.insert(name).second)
    typeDeclarations_ += "typedef struct { " + rules_.types.at("i" + std::to_string(8 * unit)) + " words[" +
                         std::to_string((bytes + unit - 1) / unit) + "]; } " + name + ";\n";
  return name;
}

std::string Spelling::structure(llvm::Type& type) {
  if (const auto known = structures_.find(&type); known != structures_.end()) return known->second;
  std::string members;
  const auto* const array = llvm::dyn_cast<llvm::ArrayType>(&type);
  const std::uint64_t count = array ? array->getNumElements() : type.getStructNumElements();
  for (std::uint64_t i = 0; i < count; ++i) {
    llvm::Type* const member = array ? array->getElementType() : type.getStructElementType(static_cast<unsigned>(i));
    members += " " + this->type(*member) + " f" + std::to_string(i) + ";";
  }
  std::string name = "lathe_struct_" + std::to_string(structures_.size());
  typeDeclarations_ += "typedef struct {" + members + " } " + name + ";\n";
  return structures_[&type] = name;
}

std::optional<std::pair<std::string_view, std::string>> Spelling::function(std::string_view name) const {
  if (const auto exact = rules_.functions.find(std::string(name)); exact != rules_.functions.end())
    return std::pair(std::string_view(exact->second), std::string(name));
  const std::pair<const std::string, std::string>* best = nullptr;
  std::size_t bestLength = 0;
  for (const auto& rule : rules_.functions) {
    const std::string_view pattern = rule.first;
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos || name.size() + 1 < pattern.size()) continue;
    if (!name.starts_with(pattern.substr(0, star)) || !name.ends_with(pattern.substr(star + 1))) continue;
    if (best && bestLength >= pattern.size()) continue;  // the longest pattern says most
    best = &rule;
    bestLength = pattern.size();
  }
  if (!best) return std::nullopt;
  const std::size_t star = best->first.find('*');
  return std::pair(std::string_view(best->second),
                   std::string(name.substr(star, name.size() + 1 - best->first.size())));
}

std::string Spelling::declaration(std::string_view key, std::string_view what, const Holes& holes) {
  const auto found = rules_.declarations.find(std::string(key));
  if (found == rules_.declarations.end()) {
    report(what, "pass it to the kernel as a parameter");
    return {};
  }
  return filled(found->second, holes);
}

void Spelling::report(std::string_view what, std::string hint) {
  if (at && followsFromCall(*at) && hasErrors(lowering_.diagnostics)) return;
  Diagnostic found = {.severity = Severity::error,
                      .code = ErrorCode::Unsupported,
                      .message = std::string(what) + " on " + lowering_.descriptor.name + ":" + lowering_.arch,
                      .location = {},
                      .snippet = {},
                      .notes = {},
                      .hint = std::move(hint)};
  if (at) {
    if (!reached_) reached_.emplace(lowering_);
    found.location = locationOf(*at);
    found.notes = reached_->chainTo(*at);
  } else if (global) {
    found.location = locationOf(*global);
  }
  const SourceLocation& place = found.location;
  if (said_.insert(found.message + "|" + place.file + "|" + std::to_string(place.line)).second)
    found_.push_back(std::move(found));
}

}  // namespace lathe::detail
