// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The derivation follows calls through device code, which is read lazily: bodies that nobody asks about are not.
#include "core/lower/abi/provision.h"

#include <algorithm>
#include <list>
#include <memory>
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include "core/abi/math.h"
#include "core/abi/runtime_abi.h"
#include "core/lower/machine_libraries.h"
#include "core/portable/vocabulary.h"

extern "C" const char lathe_shared_device[], lathe_shared_device_end[];  // core/device/abi.cpp

namespace lathe::detail {
namespace {

bool isForbidden(const Descriptor& descriptor, std::string_view construct) {
  return llvm::is_contained(descriptor.forbid, construct);
}

/// Entries that the core makes where lowering `target` is in the table: work-group lowering has an item's position and
/// its barriers, and launch-sized memory that is a parameter brings its size.
bool madeByCore(const Descriptor& descriptor, const AbiEntry& entry) {
  if (entry.lowering == AbiLowering::generic || entry.lowering == AbiLowering::folded) return true;
  const bool bytes = entry.id == AbiId::dynamic_shared_bytes;
  if (descriptor.pipeline != PipelineKind::groups) return bytes && descriptor.kernel.dynamicShared == "parameter";
  return bytes || entry.group == AbiGroup::indexing || entry.id == AbiId::group_barrier ||
         entry.id == AbiId::subgroup_barrier;
}

/// A library of device code, of which bodies are read when they are asked for.
class DeviceCode {
 public:
  explicit DeviceCode(llvm::StringRef bitcode, const PortableLibrary* portable = nullptr)
      : retargeted_(portable != nullptr) {
    if (bitcode.empty()) return;
    auto module = llvm::getLazyBitcodeModule({bitcode, "device"}, context_, /*ShouldLazyLoadMetadata=*/true);
    if (module)
      module_ = std::move(*module);
    else
      llvm::consumeError(module.takeError());  // linking it says what is wrong
    if (module_ && portable) portable->nameVariants(*module_);
  }
  [[nodiscard]] bool isRetargeted() const { return retargeted_; }
  /// The function of that name with its body; null if there is none.
  llvm::Function* find(std::string_view name) {
    llvm::Function* const function = module_ ? module_->getFunction(name) : nullptr;
    if (!function || function->isDeclaration()) return nullptr;
    llvm::consumeError(function->materialize());
    return function;
  }

 private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  bool retargeted_;
};

class Provision {
 public:
  Provision(const Descriptor& descriptor, std::span<const char> deviceCode)
      : descriptor_(descriptor), bitcode_(deviceCode.data(), deviceCode.size()) {}

  bool has(const AbiEntry& entry) {
    if (entry.id == AbiId::subgroup_size && hasOneSubgroupSize(descriptor_)) return true;
    if (isRuledOut(descriptor_, entry)) return false;
    if (hasInState(entry)) return true;
    if (descriptor_.intrinsics.contains(std::string(entry.name)) || madeByCore(descriptor_, entry)) return true;
    if (const auto runs = ofDeviceCode(entry.symbol)) return *runs;
    if (entry.lowering != AbiLowering::fallback) return false;
    if (!fallbacks_) fallbacks_.emplace(fallbackBitcode());
    llvm::Function* const fallback = fallbacks_->find(entry.symbol);
    return fallback && canRun(*fallback, fallbacks_->isRetargeted());
  }

  /// Whether the function of that name in device code, the target's or the machine's, has all that it calls; nothing if
  /// none is there.
  std::optional<bool> ofDeviceCode(std::string_view symbol) {
    for (DeviceCode& code : deviceCode()) {
      if (llvm::Function* const own = code.find(symbol)) return canRun(*own, code.isRetargeted());
    }
    return std::nullopt;
  }

  /// True if everything exists that the body of an entry calls or uses.
  bool canRun(llvm::Function& body, bool retargeted) {
    return llvm::all_of(llvm::instructions(body), [&](const llvm::Instruction& instruction) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
      if (callee && callee != &body && !canCall(*callee, retargeted)) return false;
      return llvm::none_of(instruction.operands(), [&](const llvm::Use& operand) {
        const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(operand->stripPointerCasts());
        return variable && !retargeted && variable->getAddressSpace() == portableGroupSpace &&
               descriptor_.addressSpaces.group != portableGroupSpace;
      });
    });
  }

 private:
  /// True if the kernels of images have it through their state.
  bool hasInState(const AbiEntry& entry) {
    const RuntimeEntry* const form = stateForm(entry.id);
    return form && descriptor_.kernel.stateByDefault && ofDeviceCode(form->symbol).value_or(false);
  }

  /// `retargeted`: the call is in a machine's code, which serves targets that its authors did not know.
  bool canCall(const llvm::Function& callee, bool retargeted) {
    const std::string_view name = callee.getName();
    if (!name.starts_with("__lathe_")) {
      return !retargeted || !callee.isDeclaration() || callee.isIntrinsic() || findMath(name) ||
             descriptor_.hasExternal(name);
    }
    if (const AbiEntry* const entry = findAbiEntry(name)) return has(*entry);
    const RuntimeEntry* const entry = findRuntimeEntry(name);
    return !entry || entry->provider != RuntimeProvider::host || descriptor_.hasExternal(name);
  }

  /// The target's own, then that of its pipeline's machine.
  std::list<DeviceCode>& deviceCode() {
    if (!device_.empty()) return device_;
    device_.emplace_back(bitcode_);
    for (const PortableLibrary& library : machineLibraries(descriptor_))
      device_.emplace_back(library.bitcode, &library);
    return device_;
  }

  const Descriptor& descriptor_;
  llvm::StringRef bitcode_;
  std::list<DeviceCode> device_;
  std::optional<DeviceCode> fallbacks_;
};

}  // namespace

llvm::StringRef fallbackBitcode() {
  return {lathe_shared_device, static_cast<std::size_t>(lathe_shared_device_end - lathe_shared_device)};
}

bool hasOneSubgroupSize(const Descriptor& descriptor) {
  return descriptor.subgroupSizes.size() == 1 && descriptor.subgroupSizes.front() > 1;
}

bool isRuledOut(const Descriptor& descriptor, const AbiEntry& entry) {
  if (descriptor.lacks.contains(std::string(entry.name))) return true;
  const auto isAtomicOf = [&](std::string_view type) {
    return entry.group == AbiGroup::atomic && entry.name.ends_with(type);
  };
  if (isAtomicOf("_i128") && descriptor.limits.atomicBits < 128) return true;
  if ((isAtomicOf("_i64") || isAtomicOf("_f64")) && descriptor.limits.atomicBits < 64) return true;
  // Products of matrices are those of subgroups of 32 items and more.
  const std::vector<unsigned>& sizes = descriptor.subgroupSizes;
  if (entry.group == AbiGroup::matrix && !sizes.empty() && *std::ranges::max_element(sizes) < 32) return true;
  return entry.id == AbiId::trap && isForbidden(descriptor, "trap") && !descriptor.kernel.stateByDefault &&
         !descriptor.intrinsics.contains(std::string(entry.name));
}

bool providesEntry(const Descriptor& descriptor, std::span<const char> deviceCode, const AbiEntry& entry) {
  return Provision(descriptor, deviceCode).has(entry);
}

bool deviceCodeHas(const Descriptor& descriptor, std::span<const char> deviceCode, std::string_view symbol) {
  return Provision(descriptor, deviceCode).ofDeviceCode(symbol).value_or(false);
}

void dropUnprovided(llvm::Module& library, llvm::function_ref<bool(llvm::StringRef)> wanted,
                    const Descriptor& descriptor, std::span<const char> deviceCode, bool retargeted) {
  Provision provision(descriptor, deviceCode);
  for (llvm::Function& function : library) {
    const AbiEntry* const entry =
        function.isDeclaration() ? nullptr : findAbiEntry(std::string_view(function.getName()));
    if (!entry) continue;
    if (wanted(function.getName())) {
      llvm::consumeError(function.materialize());
      if (!isRuledOut(descriptor, *entry) && provision.canRun(function, retargeted)) continue;
    } else if (!function.isWeakForLinker()) {
      continue;  // one that may be replaced is not taken for another's sake: the target's own comes first
    }
    function.deleteBody();
    function.setComdat(nullptr);
  }
}

}  // namespace lathe::detail
