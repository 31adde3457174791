// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local memory that a helper reads and that nothing has written ("invalid read from stack"): members without a value,
// or the padding between members. Kernels from 6.3 on let programs with CAP_PERFMON read it, and give away what an
// earlier program left there.
#include <vector>

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "targets/bpf/checks/checks.h"

namespace lathe::targets::bpf {
namespace {

/// An argument that a helper reads memory by, and where its size is: in another argument, or in the map's definition.
struct Read {
  unsigned helper, argument;
  int size;  ///< the number of the argument; mapKey, mapValue
};
constexpr int mapKey = -1, mapValue = -2;
constexpr Read reads[] = {
    {mapLookup, 1, mapKey},
    {mapUpdate, 1, mapKey},
    {mapUpdate, 2, mapValue},
    {mapDelete, 1, mapKey},
    {25, 3, 4},         // bpf_perf_event_output
    {130, 1, 2},        // bpf_ringbuf_output
    {87, 1, mapValue},  // bpf_map_push_elem
    {195, 1, mapKey},   // bpf_map_lookup_percpu_elem
    {9, 2, 3},          // bpf_skb_store_bytes
    {36, 1, 2},         // bpf_probe_write_user
    {127, 1, 2},        // bpf_seq_write
};

const Read* readBy(unsigned helper, unsigned argument) {
  for (const Read& read : reads)
    if (read.helper == helper && read.argument == argument) return &read;
  return nullptr;
}

std::uint64_t bytesOf(const llvm::CallBase& call, const Read& read) {
  if (read.size < 0) {
    const std::optional<MapDefinition> map = mapOf(call.getArgOperand(0));
    return !map ? 0 : read.size == mapKey ? map->keyBytes : map->valueBytes;
  }
  const auto argument = static_cast<unsigned>(read.size);
  const auto* const size =
      argument < call.arg_size() ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument)) : nullptr;
  return size ? size->getZExtValue() : 0;
}

/// The bytes of one local variable: who writes them, and who reads them.
class Slot {
 public:
  Slot(const ProgramCode& code, const llvm::AllocaInst& slot, Findings& findings)
      : code_(code), slot_(slot), findings_(findings) {
    const auto size = slot.getAllocationSize(slot.getDataLayout());
    if (size && !size->isScalable()) written_.resize(size->getFixedValue());
  }

  void run() {
    if (written_.empty() || !visit()) return;
    for (const auto& [call, argument, offset] : read_) look(*call, argument, offset);
  }

 private:
  struct Use {
    const llvm::CallBase* call;
    unsigned argument;
    std::uint64_t offset;
  };

  void write(std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t i = offset; i < offset + bytes && i < written_.size(); ++i) written_[i] = true;
  }

  /// False where it is not clear what is written.
  bool visit() {
    const llvm::DataLayout& layout = slot_.getDataLayout();
    llvm::SmallVector<std::pair<const llvm::Value*, std::uint64_t>> open{{&slot_, 0}};
    while (!open.empty()) {
      const auto [value, offset] = open.pop_back_val();
      for (const llvm::Use& use : value->uses()) {
        const auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
        if (!user) return false;
        if (const auto* const step = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
          llvm::APInt by(64, 0);
          if (!step->accumulateConstantOffset(layout, by) || by.isNegative()) return false;
          open.push_back({step, offset + by.getZExtValue()});
        } else if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user)) {
          if (store->getValueOperand() == value) return false;
          write(offset, layout.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue());
        } else if (const auto* const memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(user)) {
          const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
          if (!length) return false;
          if (memory->getRawDest() == value) write(offset, length->getZExtValue());
        } else if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(user)) {
          if (llvm::isa<llvm::IntrinsicInst>(call)) continue;  // lifetimes
          const unsigned helper = helperOf(*call);
          if (helper == 0 || !call->isArgOperand(&use)) return false;
          const unsigned argument = call->getArgOperandNo(&use);
          if (readBy(helper, argument))
            read_.push_back({call, argument, offset});
          else
            write(offset, written_.size());  // perhaps less
        } else if (!llvm::isa<llvm::LoadInst>(user)) {
          return false;
        }
      }
    }
    return true;
  }

  void look(const llvm::CallBase& call, unsigned argument, std::uint64_t offset) {
    if (!code_.certain.contains(call.getParent())) return;
    const std::uint64_t bytes = bytesOf(call, *readBy(helperOf(call), argument));
    if (bytes == 0 || offset + bytes > written_.size()) return;
    const auto begin = written_.begin() + static_cast<std::ptrdiff_t>(offset);
    const auto first = std::find(begin, begin + static_cast<std::ptrdiff_t>(bytes), false);
    if (first == begin + static_cast<std::ptrdiff_t>(bytes)) return;
    const auto last = std::find(first, begin + static_cast<std::ptrdiff_t>(bytes), true);
    const std::string from = std::to_string(first - begin), to = std::to_string(last - begin - 1);
    findings_.add("uninitialised", call, *code_.entry,
                  helperName(helperOf(call)) + " reads " +
                      (from == to ? "byte " + from : "bytes " + from + " to " + to) + " of " + name() +
                      ", which nothing has written",
                  "fill all of it, padding too: __builtin_memset(&value, 0, sizeof(value)); kernels before 6.3, and "
                  "later ones without CAP_PERFMON, refuse the program");
  }

  std::string name() const {
    auto* const slot = const_cast<llvm::AllocaInst*>(&slot_);  // LLVM's interface takes no const value
    for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(slot))
      return "'" + record->getVariable()->getName().str() + "'";
    for (const llvm::DbgVariableRecord* record : llvm::at::getDVRAssignmentMarkers(slot))
      return "'" + record->getVariable()->getName().str() + "'";
    return "a local variable";
  }

  const ProgramCode& code_;
  const llvm::AllocaInst& slot_;
  Findings& findings_;
  std::vector<bool> written_;
  std::vector<Use> read_;
};

}  // namespace

void checkStackBytes(const ProgramCode& code, Findings& findings) {
  if (findings.level("uninitialised") <= 0) return;
  for (const llvm::Function* const function : code.functions) {
    for (const llvm::Instruction& instruction : llvm::instructions(*function))
      if (const auto* const slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) Slot(code, *slot, findings).run();
  }
}

}  // namespace lathe::targets::bpf
