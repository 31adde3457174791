// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What data cannot say of BPF. BTF is made from debug information by a back end that knows C: what C++ adds to it is
// rewritten first, because LLVM 22 crashes on some of it and the kernel refuses the rest.
#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <lathe/sdk/portable_ir.h>
#include <lathe/sdk/target.h>

#include "targets/bpf/atomics.h"
#include "targets/bpf/checks/checks.h"
#include "targets/bpf/fields.h"
#include "targets/bpf/lines.h"
#include "targets/bpf/plain_names.h"

namespace lathe::targets {
namespace {

/// Rewrites a module's debug information into what C could have said.
///   before: !DICompositeType(tag: DW_TAG_class_type, name: "Pair<int>", elements: {member, DISubprogram, inheritance})
///   after:  !DICompositeType(tag: DW_TAG_structure_type, name: "Pair_int", elements: {member, member "base_…"})
class TypesOfC {
 public:
  /// `text` is the source as the user wrote it.
  TypesOfC(llvm::Module& module, llvm::StringRef text) : module_(module), context_(module.getContext()), text_(text) {}

  void run() {
    collect();
    for (llvm::Function& function : module_) {
      if (!function.isDeclaration() && function.getSubprogram()) rewrite(function, *function.getSubprogram());
    }
    // By index: what is made here is looked at too.
    for (std::size_t i = 0; i < nodes_.size(); ++i) rewrite(nodes_[i]);
    for (llvm::MDNode* node : nodes_) {
      for (unsigned i = 0; i < node->getNumOperands(); ++i) {
        if (llvm::MDNode* other = replacement(node->getOperand(i))) node->replaceOperandWith(i, other);
      }
    }
    forEachAttachment([&](unsigned kind, llvm::MDNode* node, auto& holder) {
      if (llvm::MDNode* other = replacement(node)) holder.setMetadata(kind, other);
    });
  }

 private:
  llvm::MDNode* replacement(const llvm::Metadata* old) const {
    const auto found = replaced_.find(old);
    return found == replaced_.end() ? nullptr : found->second;
  }

  template <class Visit>
  void forEachAttachment(Visit visit) {
    llvm::SmallVector<std::pair<unsigned, llvm::MDNode*>> attached;
    const auto visitAll = [&](auto& holder) {
      attached.clear();
      holder.getAllMetadata(attached);
      for (const auto& [kind, node] : attached) visit(kind, node, holder);
    };
    for (llvm::GlobalVariable& variable : module_.globals()) visitAll(variable);
    for (llvm::Function& function : module_) {
      visitAll(function);
      for (llvm::Instruction& instruction : llvm::instructions(function)) visitAll(instruction);
    }
  }

  /// Every node that the module reaches.
  void collect() {
    for (llvm::NamedMDNode& list : module_.named_metadata()) {
      for (llvm::MDNode* node : list.operands()) nodes_.insert(node);
    }
    forEachAttachment([&](unsigned, llvm::MDNode* node, auto&) { nodes_.insert(node); });
    for (llvm::Function& function : module_) {
      for (llvm::Instruction& instruction : llvm::instructions(function)) {
        for (llvm::DbgRecord& record : instruction.getDbgRecordRange()) {
          nodes_.insert(record.getDebugLoc().getAsMDNode());
          if (const auto* variable = llvm::dyn_cast<llvm::DbgVariableRecord>(&record))
            nodes_.insert(variable->getVariable());
          if (const auto* label = llvm::dyn_cast<llvm::DbgLabelRecord>(&record)) nodes_.insert(label->getLabel());
        }
      }
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const llvm::MDOperand& operand : nodes_[i]->operands()) {
        if (auto* node = llvm::dyn_cast_or_null<llvm::MDNode>(operand.get())) nodes_.insert(node);
      }
    }
  }

  /// The kernel holds a function that is called external to the signature in the source, which the optimiser may change
  /// where it is internal by now.
  void rewrite(const llvm::Function& function, llvm::DISubprogram& source) {
    if (!function.hasLocalLinkage() || source.isLocalToUnit()) return nameParameters(source);
    auto* const local = llvm::DISubprogram::getDistinct(
        context_, source.getScope(), source.getName(), source.getLinkageName(), source.getFile(), source.getLine(),
        source.getType(), source.getScopeLine(), source.getContainingType(), source.getVirtualIndex(),
        source.getThisAdjustment(), source.getFlags(), source.getSPFlags() | llvm::DISubprogram::SPFlagLocalToUnit,
        source.getUnit(), source.getTemplateParams(), source.getDeclaration(), source.getRetainedNodes());
    replace(source, local);
    nameParameters(*local);
  }

  /// It also wants a name for each parameter.
  void nameParameters(llvm::DISubprogram& function) {
    llvm::SmallVector<llvm::Metadata*> kept(function.getRetainedNodes().begin(), function.getRetainedNodes().end());
    const llvm::DITypeRefArray types = function.getType()->getTypeArray();  // the result, then the parameters
    for (unsigned i = 1; i < types.size(); ++i) {
      llvm::MDString* const name = llvm::MDString::get(context_, "argument" + std::to_string(i));
      const auto known = llvm::find_if(kept, [&](const llvm::Metadata* node) {
        const auto* const variable = llvm::dyn_cast<llvm::DILocalVariable>(node);
        return variable && variable->getArg() == i;
      });
      if (known == kept.end()) {
        kept.push_back(llvm::DILocalVariable::get(context_, &function, name->getString(), function.getFile(),
                                                  function.getLine(), types[i], i, llvm::DINode::FlagArtificial, 0,
                                                  nullptr));
        nodes_.insert(llvm::cast<llvm::MDNode>(kept.back()));
      } else if (auto* variable = llvm::cast<llvm::DILocalVariable>(*known); variable->getName().empty()) {
        variable->replaceOperandWith(1, name);
      }
    }
    if (kept.size() == function.getRetainedNodes().size()) return;
    llvm::MDTuple* const list = llvm::MDTuple::get(context_, kept);
    nodes_.insert(list);
    function.replaceRetainedNodes(list);
  }

  void rewrite(llvm::MDNode* node) {
    if (auto* composite = llvm::dyn_cast<llvm::DICompositeType>(node))
      rewrite(*composite);
    else if (auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(node))
      rewrite(*derived);
    else if (auto* basic = llvm::dyn_cast<llvm::DIBasicType>(node))
      rewrite(*basic);
    else if (auto* file = llvm::dyn_cast<llvm::DIFile>(node))
      rewrite(*file);
    else if (auto* function = llvm::dyn_cast<llvm::DISubprogram>(node); function && !isIdentifier(function->getName()))
      rename(*function, function->getLinkageName());  // an operator, a destructor
  }

  /// Cuts off what Lathe puts before and behind the source: BTF copies lines by their numbers, and the kernel shows
  /// them.
  void rewrite(llvm::DIFile& file) {
    const std::optional<llvm::StringRef> source = file.getSource();
    if (!source || *source == text_) return;
    // Not StringRef::find(), which takes a millisecond for headers like <linux/bpf.h>.
    if (::memmem(source->data(), source->size(), text_.data(), text_.size()) == nullptr) return;
    replace(file, llvm::DIFile::get(context_, file.getRawFilename(), file.getRawDirectory(), std::nullopt,
                                    llvm::MDString::get(context_, text_)));
  }

  void rewrite(llvm::DICompositeType& type) {
    rename(type, type.getName());
    const unsigned tag = type.getTag();
    const bool isClass = tag == llvm::dwarf::DW_TAG_class_type;
    if (isClass || tag == llvm::dwarf::DW_TAG_structure_type || tag == llvm::dwarf::DW_TAG_union_type)
      keepMembers(type);
    if (tag == llvm::dwarf::DW_TAG_enumeration_type) showWidth(type);
    if (!isClass) return;
    replace(type, llvm::DICompositeType::getDistinct(context_, llvm::dwarf::DW_TAG_structure_type, type.getRawName(),
                                                     type.getRawFile(), type.getLine(), type.getRawScope(),
                                                     type.getRawBaseType(), type.getSizeInBits(), type.getAlignInBits(),
                                                     type.getOffsetInBits(), type.getFlags(), type.getRawElements(),
                                                     type.getRuntimeLang(), std::nullopt, nullptr, nullptr, nullptr));
  }

  /// The back end takes the type of `enum Mode : __u8` for a basic one without a look.
  static void showWidth(llvm::DICompositeType& type) {
    llvm::DIType* plain = type.getBaseType();
    while (const auto* const derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(plain))
      plain = derived->getBaseType();
    if (plain == type.getBaseType()) return;
    for (unsigned i = 0; i < type.getNumOperands(); ++i)
      if (type.getOperand(i) == type.getRawBaseType()) return type.replaceOperandWith(i, plain);
  }

  /// What has storage: no functions, static members, friends, virtual or empty bases.
  static bool hasStorage(const llvm::DINode* element) {
    const auto* const member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
    if (!member || member->isStaticMember()) return false;
    if (member->getTag() == llvm::dwarf::DW_TAG_member) return true;
    if (member->getTag() != llvm::dwarf::DW_TAG_inheritance || member->isVirtual()) return false;
    const auto* const base = llvm::dyn_cast_or_null<llvm::DICompositeType>(member->getBaseType());
    return base && llvm::any_of(base->getElements(), hasStorage);
  }

  void keepMembers(llvm::DICompositeType& type) {
    llvm::SmallVector<llvm::Metadata*> members;
    for (llvm::DINode* element : type.getElements()) {
      if (hasStorage(element)) members.push_back(element);
    }
    if (members.size() == type.getElements().size()) return;
    llvm::MDTuple* const list = llvm::MDTuple::get(context_, members);
    nodes_.insert(list);
    // replaceElements() takes only lists that hold all that were there.
    for (unsigned i = 0; i < type.getNumOperands(); ++i)
      if (type.getOperand(i) == type.getRawElements()) return type.replaceOperandWith(i, list);
  }

  void rewrite(llvm::DIDerivedType& type) {
    rename(type, type.getName());
    // `extern const void name` of C, which libbpf looks up among all symbols of the kernel.
    const auto* const base = llvm::dyn_cast_or_null<llvm::DICompositeType>(type.getBaseType());
    if (base && base->getName() == "lathe_bpf_untyped") {
      for (unsigned i = 0; i < type.getNumOperands(); ++i)
        if (type.getOperand(i) == base) return type.replaceOperandWith(i, nullptr);
    }
    switch (type.getTag()) {
      case llvm::dwarf::DW_TAG_reference_type:
      case llvm::dwarf::DW_TAG_rvalue_reference_type:
        return replace(type, derived(type, llvm::dwarf::DW_TAG_pointer_type, type.getRawName(), type.getSizeInBits()));
      case llvm::dwarf::DW_TAG_inheritance:
        return replace(type,
                       derived(type, llvm::dwarf::DW_TAG_member,
                               llvm::MDString::get(context_, "base_" + std::to_string(type.getOffsetInBits() / 8)),
                               type.getBaseType()->getSizeInBits()));
      case llvm::dwarf::DW_TAG_ptr_to_member_type:
        return replace(type, llvm::DIBasicType::get(context_, llvm::dwarf::DW_TAG_base_type, "pointer_to_member",
                                                    type.getSizeInBits(), type.getAlignInBits(),
                                                    llvm::dwarf::DW_ATE_unsigned, llvm::DINode::FlagZero));
      default:
        return;
    }
  }

  /// The type of nullptr; and char8_t, char16_t and char32_t, of which the back end would make void.
  void rewrite(llvm::DIBasicType& type) {
    if (type.getEncoding() == llvm::dwarf::DW_ATE_UTF)
      return replace(type,
                     llvm::DIBasicType::get(context_, type.getTag(), type.getRawName(), type.getSizeInBits(),
                                            type.getAlignInBits(), llvm::dwarf::DW_ATE_unsigned, type.getFlags()));
    if (type.getTag() != llvm::dwarf::DW_TAG_unspecified_type) return;
    constexpr unsigned pointerBits = 64;
    replace(type, llvm::DIDerivedType::get(context_, llvm::dwarf::DW_TAG_pointer_type, "", nullptr, 0, nullptr, nullptr,
                                           pointerBits, 0, 0, std::nullopt, std::nullopt, llvm::DINode::FlagZero));
  }

  llvm::DIDerivedType* derived(const llvm::DIDerivedType& from, unsigned tag, llvm::MDString* name,
                               std::uint64_t bits) {
    return llvm::DIDerivedType::getDistinct(context_, tag, name, from.getFile(), from.getLine(), from.getScope(),
                                            from.getBaseType(), bits, from.getAlignInBits(), from.getOffsetInBits(),
                                            std::nullopt, std::nullopt, from.getFlags());
  }

  void replace(const llvm::MDNode& old, llvm::MDNode* with) {
    replaced_[&old] = with;
    nodes_.insert(with);
  }

  static bool isIdentifier(llvm::StringRef name) {
    return llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  }

  /// The kernel takes the names of C only, and no longer than KSYM_NAME_LEN, which was 128 for long.
  void rename(llvm::MDNode& node, llvm::StringRef wanted) {
    std::string name;
    for (const char c : wanted) {
      const bool good = llvm::isAlnum(c) || c == '_';
      if (good || !llvm::StringRef(name).ends_with("_")) name += good ? c : '_';
    }
    while (wanted.ends_with(">") && name.ends_with('_')) name.pop_back();
    constexpr std::size_t mostLetters = 127;
    name.resize(std::min(name.size(), mostLetters));
    constexpr unsigned nameOperand = 2;  // of DIType and DISubprogram
    const auto* const old = llvm::dyn_cast_or_null<llvm::MDString>(node.getOperand(nameOperand).get());
    if (old && old->getString() != name) node.replaceOperandWith(nameOperand, llvm::MDString::get(context_, name));
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  llvm::StringRef text_;
  llvm::SetVector<llvm::MDNode*> nodes_;
  llvm::DenseMap<const llvm::Metadata*, llvm::MDNode*> replaced_;
};

/// Gives the records of relocated accesses (CO-RE) names that no other compile of this process has, while LLVM makes
/// them. LLVM 22 keeps these variables in a map of the process by their names (GEPGlobals in
/// BPFAbstractMemberAccess.cpp) and never clears it: a second module with the same access would get the first one's
/// variable, which is gone. A name begins with the type's; it can go when the map belongs to the module.
///   before: @"llvm.task_struct:0:8$0:1" in every compile
///   after:  @"llvm.task_struct___7:0:8$0:1" in the seventh, up to afterLate, which takes the number away again
class RecordNames {
 public:
  void makeUnique(llvm::Module& module) {
    static std::atomic<unsigned> compiles = 0;
    suffix_ = "___" + std::to_string(++compiles);
    llvm::SmallPtrSet<const llvm::MDNode*, 32> seen;
    for (llvm::Function& function : module) {
      for (llvm::Instruction& instruction : llvm::instructions(function)) {
        if (llvm::MDNode* const type = instruction.getMetadata(llvm::LLVMContext::MD_preserve_access_index))
          rename(type, seen);
      }
    }
  }
  void restore(llvm::Module& module) {
    for (llvm::DICompositeType* const type : renamed_)
      type->replaceOperandWith(nameOperand, llvm::MDString::get(module.getContext(), withoutSuffix(type->getName())));
    for (llvm::GlobalVariable& variable : module.globals())
      if (variable.hasAttribute("btf_ama")) variable.setName(withoutSuffix(variable.getName()));
  }

 private:
  static constexpr unsigned nameOperand = 2;  // of DIType

  [[nodiscard]] std::string withoutSuffix(llvm::StringRef name) const {
    std::string out = name.str();
    if (const std::size_t at = out.find(suffix_); at != std::string::npos) out.erase(at, suffix_.size());
    return out;
  }
  /// The type of an access, or the structure that a chain of them begins with.
  void rename(llvm::MDNode* node, llvm::SmallPtrSetImpl<const llvm::MDNode*>& seen) {
    while (auto* const derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node)) node = derived->getBaseType();
    auto* const type = llvm::dyn_cast_or_null<llvm::DICompositeType>(node);
    if (!type || type->getName().empty() || !seen.insert(type).second) return;
    type->replaceOperandWith(nameOperand, llvm::MDString::get(type->getContext(), (type->getName() + suffix_).str()));
    renamed_.push_back(type);
  }

  std::string suffix_;
  std::vector<llvm::DICompositeType*> renamed_;
};

/// Variables that C++ leaves to the linker to merge (inline, of templates) become static, as functions do: libbpf loads
/// no section of a single variable.
void keepVariables(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.hasLinkOnceLinkage() || variable.hasSection()) continue;
    variable.setComdat(nullptr);
    variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

/// Functions that other objects define or call: linkers of BPF objects find in BTF what has the symbol's name. An
/// object, as against an image for the loader, may leave functions to them.
void prepareForLinking(llvm::Module& module, bool isObject) {
  constexpr unsigned nameOperand = 2;  // of DISubprogram
  for (llvm::Function& function : module) {
    if (function.hasLocalLinkage() || function.isIntrinsic()) continue;
    if (isObject && function.isDeclaration()) function.addFnAttr(sdk::attribute::provided);
    llvm::DISubprogram* const source = function.getSubprogram();
    if (source && source->getName() != function.getName())
      source->replaceOperandWith(nameOperand, llvm::MDString::get(module.getContext(), function.getName()));
  }
}

class BpfHooks final : public sdk::TargetHooks {
 public:
  llvm::Error afterRetarget(sdk::TargetContext& context) override {
    takePlainNames(context.module, context.diagnostics);
    prepareForLinking(context.module, context.job.emit == "object");
    makeFieldAccesses(context.module);
    placeMembers(context.module);
    TypesOfC(context.module, context.job.source.text).run();
    names_.makeUnique(context.module);
    keepVariables(context.module);
    bpf::markOwnStacks(context.module);
    return llvm::Error::success();
  }
  llvm::Error afterLate(sdk::TargetContext& context) override {
    names_.restore(context.module);
    showCallers(context.module);
    lowerAtomics(context);
    return llvm::Error::success();
  }
  llvm::Error validate(sdk::TargetContext& context) override {
    bpf::checkPrograms(context.module, context.job.emit != "object", context.job.options.parameters,
                       context.diagnostics);
    return llvm::Error::success();
  }

 private:
  RecordNames names_;
};

}  // namespace
}  // namespace lathe::targets

LATHE_TARGET_HOOKS(bpf, lathe::targets::BpfHooks)
