// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packets read or written without a comparison with their end, beyond what was compared, or after they moved ("invalid
// access to packet").
#include <algorithm>

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include "targets/bpf/checks/checks.h"

namespace lathe::targets::bpf {
namespace {

/// Offsets of `data` and `data_end` in a program's context.
struct PacketFields {
  std::int64_t data, end;
};

std::optional<PacketFields> packetFieldsOf(llvm::StringRef section) {
  section.consume_front("?");
  section = section.split('/').first.split('.').first;
  if (section == "xdp") return PacketFields{0, 4};
  constexpr llvm::StringLiteral ofSocketBuffers[] = {"tc",     "tcx",    "classifier", "action",   "cgroup_skb",
                                                     "sk_skb", "lwt_in", "lwt_out",    "lwt_xmit", "lwt_seg6local"};
  if (llvm::is_contained(ofSocketBuffers, section)) return PacketFields{76, 80};
  return std::nullopt;
}

/// The helpers after which pointers to a packet are no longer valid (bpf_helper_changes_pkt_data() of the kernel).
bool movesPacket(unsigned helper) {
  constexpr unsigned all[] = {9,  10, 11, 13, 18, 19, 31, 38, 39, 43,  44, 50,
                              54, 57, 65, 73, 74, 75, 76, 90, 91, 143, 144};
  return llvm::is_contained(all, helper);
}

/// A pointer as another plus a constant; no offset where it is not constant.
struct Place {
  const llvm::Value* base = nullptr;
  std::optional<std::int64_t> offset;
};

class PacketCheck {
 public:
  PacketCheck(const ProgramCode& code, PacketFields fields, llvm::Function& function, Findings& findings)
      : code_(code), fields_(fields), function_(function), dominators_(function), findings_(findings) {}

  void run() {
    for (const llvm::Instruction& instruction : llvm::instructions(function_)) {
      const std::optional<std::int64_t> at = contextOffset(instruction);
      if (at == fields_.data) starts_.push_back(&instruction);
      if (at == fields_.end) ends_.insert(&instruction);
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && movesPacket(helperOf(*call))) moves_.push_back(call);
    }
    for (const llvm::Instruction* const start : starts_) follow(*start);
    findBounds();
    for (const auto& [access, place] : accesses_) look(*access, place);
  }

 private:
  /// Where an instruction reads a member of the context.
  std::optional<std::int64_t> contextOffset(const llvm::Instruction& read) const {
    const llvm::DataLayout& layout = function_.getDataLayout();
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&read);
    const auto* const member = llvm::dyn_cast<llvm::CallBase>(&read);
    if (!load && (!member || !isMemberRead(*member))) return std::nullopt;
    const llvm::Value* const pointer = load ? load->getPointerOperand() : member->getArgOperand(0);
    llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    const llvm::Value* const base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
    if (member) {
      constexpr unsigned firstIndex = 6;
      llvm::SmallVector<llvm::Value*> indices(llvm::drop_begin(member->args(), firstIndex));
      offset += llvm::APInt(offset.getBitWidth(), static_cast<std::uint64_t>(layout.getIndexedOffsetInType(
                                                      member->getParamElementType(0), indices)));
    }
    constexpr unsigned fieldBits = 32;
    const auto* const context = llvm::dyn_cast<llvm::Argument>(base);
    if (!context || context->getArgNo() != 0 || !read.getType()->isIntegerTy(fieldBits)) return std::nullopt;
    return offset.getSExtValue();
  }

  /// Every access by a pointer that is made of the field alone.
  void follow(const llvm::Instruction& start) {
    llvm::SmallVector<std::pair<const llvm::Value*, std::optional<std::int64_t>>> open{{&start, 0}};
    llvm::SmallPtrSet<const llvm::Value*, 16> seen;
    while (!open.empty()) {
      const auto [value, offset] = open.pop_back_val();
      if (!seen.insert(value).second) continue;
      places_[value] = {&start, offset};
      for (const llvm::Use& use : value->uses()) {
        const auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
        if (!user) continue;
        if (llvm::isa<llvm::ZExtInst, llvm::IntToPtrInst, llvm::BitCastInst>(user)) open.push_back({user, offset});
        if (const auto* const step = llvm::dyn_cast<llvm::GetElementPtrInst>(user); step && use.getOperandNo() == 0) {
          llvm::APInt by(64, 0);
          const bool isConstant = step->accumulateConstantOffset(function_.getDataLayout(), by);
          open.push_back({user, offset && isConstant ? std::optional(*offset + by.getSExtValue()) : std::nullopt});
        }
        if (!value->getType()->isPointerTy()) continue;
        const bool reads = llvm::isa<llvm::LoadInst>(user);
        const bool writes = llvm::isa<llvm::StoreInst>(user) && use.getOperandNo() == 1;
        if (reads || writes) accesses_[user] = {&start, offset};
      }
    }
  }

  /// The most bytes from the packet's begin that any comparison with its end names; nothing where one is of another
  /// form.
  void findBounds() {
    std::int64_t most = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(function_)) {
      const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
      if (!compare || !dependsOn(compare, ends_)) continue;
      const llvm::Value* other = nullptr;
      if (isEnd(compare->getOperand(0))) other = compare->getOperand(1);
      if (isEnd(compare->getOperand(1))) other = compare->getOperand(0);
      const auto place = places_.find(other);
      if (!other || place == places_.end() || !place->second.offset) return;
      most = std::max(most, *place->second.offset);
    }
    bound_ = most;
  }

  bool isEnd(const llvm::Value* value) const {
    while (llvm::isa<llvm::ZExtInst, llvm::IntToPtrInst, llvm::BitCastInst>(value))
      value = llvm::cast<llvm::Instruction>(value)->getOperand(0);
    return ends_.contains(value);
  }

  void look(const llvm::Instruction& access, const Place& place) {
    if (!code_.certain.contains(access.getParent())) return;
    const auto& start = *llvm::cast<llvm::Instruction>(place.base);
    constexpr const char* name = "packet";
    const std::string what = llvm::isa<llvm::StoreInst>(access) ? "written" : "read";
    for (const llvm::CallBase* const move : moves_) {
      if (!dominators_.dominates(&start, move) || !dominators_.dominates(move, &access)) continue;
      findings_.add(
          name, access, *code_.entry,
          "the packet is " + what + " by a pointer from before " + helperName(helperOf(*move)) + ", which may move it",
          "take its begin and end from the context again, and compare them again");
      return;
    }
    if (reachesUntested(code_, start, access, ends_)) {
      findings_.add(name, access, *code_.entry, "the packet is " + what + " without a comparison with its end",
                    "return if the bytes are not there: if (data + sizeof(Header) > data_end) return …;");
      return;
    }
    if (!bound_ || !place.offset) return;
    llvm::Type* const type = llvm::isa<llvm::StoreInst>(access)
                                 ? llvm::cast<llvm::StoreInst>(access).getValueOperand()->getType()
                                 : access.getType();
    const auto bytes = static_cast<std::int64_t>(function_.getDataLayout().getTypeStoreSize(type).getFixedValue());
    // A comparison with less may prove one byte more.
    if (*place.offset + bytes <= *bound_ + 1) return;
    findings_.add(name, access, *code_.entry,
                  "byte " + std::to_string(*place.offset + bytes - 1) + " of the packet is " + what + ", and only " +
                      std::to_string(*bound_) + " were compared with its end",
                  "compare as many bytes as are used");
  }

  const ProgramCode& code_;
  PacketFields fields_;
  llvm::Function& function_;
  llvm::DominatorTree dominators_;
  Findings& findings_;
  llvm::SmallVector<const llvm::Instruction*> starts_;
  llvm::SmallPtrSet<const llvm::Value*, 8> ends_;
  llvm::SmallVector<const llvm::CallBase*> moves_;
  llvm::MapVector<const llvm::Value*, Place> places_;
  llvm::MapVector<const llvm::Instruction*, Place> accesses_;
  std::optional<std::int64_t> bound_;
};

}  // namespace

void checkPackets(const ProgramCode& code, Findings& findings) {
  const std::optional<PacketFields> fields = packetFieldsOf(code.entry->getSection());
  if (!fields || findings.level("packet") <= 0) return;
  // Other functions have the context from callers that may have compared before.
  PacketCheck(code, *fields, *code.functions.front(), findings).run();
}

}  // namespace lathe::targets::bpf
