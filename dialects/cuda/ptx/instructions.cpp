// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda/ptx/instructions.h"

#include <algorithm>
#include <array>

#include "llvm/ADT/STLExtras.h"

namespace lathe::dialects::ptx {
namespace {

constexpr InstructionForm table[] = {
#define PTX(name, least, most, function) {name, least, most, function},
#include "dialects/cuda/ptx/instructions.def"
};

}  // namespace

const InstructionForm* findInstruction(llvm::StringRef name) {
  const auto* const found = llvm::find_if(table, [&](const InstructionForm& form) { return form.name == name; });
  return found == std::end(table) ? nullptr : found;
}

bool Words::take(llvm::StringRef word) {
  const auto found = llvm::find(words_, word);
  if (found == words_.end()) return false;
  words_.erase(found);
  return true;
}

llvm::StringRef Words::takeOneOf(std::initializer_list<llvm::StringRef> words) {
  for (const llvm::StringRef word : words) {
    if (take(word)) return word;
  }
  return {};
}

std::optional<Type> Words::maybeType() {
  for (auto word = words_.begin(); word != words_.end(); ++word) {
    const std::optional<Type> type = typeOf(*word);
    if (!type) continue;
    words_.erase(word);
    return type;
  }
  return std::nullopt;
}

Type Words::takeType(Emitter& emitter) {
  if (const auto type = maybeType()) return *type;
  emitter.refuseThis("it names no type", "write the type behind the instruction's name, '.u32'");
  return {Kind::bits, 32};
}

Type Words::takeInteger(Emitter& emitter, unsigned bits) {
  const Type type = takeType(emitter);
  if (type.isInteger() && type.bits <= 64 && (bits == 0 || type.bits == bits)) return type;
  emitter.refuseThis("it takes no such type", "compare it with NVIDIA's PTX ISA");
  return {Kind::bits, 32};
}

void Words::takeAll(llvm::StringRef prefix) {
  llvm::erase_if(words_, [&](const std::string& word) { return llvm::StringRef(word).starts_with(prefix); });
}

bool Words::has(llvm::StringRef word) const {
  return llvm::is_contained(words_, word);
}

Order takeOrder(Words& words) {
  const llvm::StringRef order = words.takeOneOf({"relaxed", "acquire", "release", "acq_rel", "sc"});
  const llvm::StringRef scope = words.takeOneOf({"cta", "cluster", "gpu", "sys"});
  constexpr unsigned group = 2, device = 3, system = 4;
  return {order == "acquire"   ? 1U
          : order == "release" ? 2U
          : order == "acq_rel" ? 3U
          : order == "sc"      ? 4U
                               : 0U,
          scope == "cta"   ? group
          : scope == "sys" ? system
                           : device};
}

}  // namespace lathe::dialects::ptx
