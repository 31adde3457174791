// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's linker joins the modules. It would take a second definition for a reason to end the process, convert between
// types of variables in silence, and call a function with another type than it has, so that all is looked at before.
#include "core/driver/program/link_modules.h"

#include <map>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Path.h"

#include "core/frontend/entry_layout.h"
#include "core/portable/vocabulary.h"
#include "core/support/diagnostics.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// A symbol as one source has it.
struct Mention {
  std::size_t source = 0;
  llvm::GlobalValue* value = nullptr;
};

SourceLocation placeOf(const llvm::GlobalValue& value) {
  if (const auto* const function = llvm::dyn_cast<llvm::Function>(&value)) return locationOf(*function);
  if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) return locationOf(*variable);
  return {};
}

bool isUnsized(const llvm::Type& type) {
  const auto* const array = llvm::dyn_cast<llvm::ArrayType>(&type);
  return array && array->getNumElements() == 0;
}

/// Whether two types are the same but for the names of structures, which a context gives to one module only.
bool sameShape(const llvm::Type* a, const llvm::Type* b) {
  if (a == b) return true;
  if (a->getTypeID() != b->getTypeID() || a->getNumContainedTypes() != b->getNumContainedTypes()) return false;
  if (const auto* const array = llvm::dyn_cast<llvm::ArrayType>(a)) {
    if (array->getNumElements() != llvm::cast<llvm::ArrayType>(b)->getNumElements()) return false;
  } else if (const auto* const structure = llvm::dyn_cast<llvm::StructType>(a)) {
    const auto* const other = llvm::cast<llvm::StructType>(b);
    if (structure->isPacked() != other->isPacked() || structure->isOpaque() != other->isOpaque()) return false;
  } else if (const auto* const function = llvm::dyn_cast<llvm::FunctionType>(a)) {
    if (function->isVarArg() != llvm::cast<llvm::FunctionType>(b)->isVarArg()) return false;
  } else {
    return false;  // integers, vectors and pointers of one shape are one type
  }
  for (unsigned i = 0; i < a->getNumContainedTypes(); ++i) {
    if (!sameShape(a->getContainedType(i), b->getContainedType(i))) return false;
  }
  return true;
}

/// Whether a variable of one type may be declared as the other: `extern T name[]` leaves the number of elements open,
/// and where both do, each source may see launch-sized memory in its own way.
bool sameVariable(const llvm::GlobalVariable& a, const llvm::GlobalVariable& b) {
  const llvm::Type* const one = a.getValueType();
  const llvm::Type* const other = b.getValueType();
  if (sameShape(one, other) || (isUnsized(*one) && isUnsized(*other))) return true;
  const bool open = (isUnsized(*one) && a.isDeclaration()) || (isUnsized(*other) && b.isDeclaration());
  return open && one->isArrayTy() && other->isArrayTy() &&
         sameShape(one->getArrayElementType(), other->getArrayElementType());
}

std::string kindOf(const llvm::GlobalValue& value) {
  if (llvm::isa<llvm::Function>(value)) return "a function";
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  if (!variable) return "an alias";
  if (variable->hasAttribute(attribute::constant)) return "a variable in constant memory";
  return variable->getAddressSpace() == portableGroupSpace ? "a group-shared variable" : "a variable";
}

std::string typeOf(const llvm::GlobalValue& value) {
  std::string out;
  llvm::raw_string_ostream(out) << *value.getValueType();
  return out;
}

/// How two mentions contradict each other: "is a function in a.cu and a variable in b.cu"; empty if they do not.
std::string contradiction(const Mention& first, const Mention& second, const std::vector<SourceModule>& sources) {
  const auto say = [&](const std::string& one, const std::string& other) {
    return one + " in " + sources[first.source].source + " and " + other + " in " + sources[second.source].source;
  };
  const std::string kind = kindOf(*first.value), otherKind = kindOf(*second.value);
  if (kind != otherKind) return "is " + say(kind, otherKind);
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(first.value);
  const bool same = variable ? sameVariable(*variable, *llvm::cast<llvm::GlobalVariable>(second.value))
                             : sameShape(first.value->getValueType(), second.value->getValueType());
  return same ? std::string() : "has type " + say(typeOf(*first.value), typeOf(*second.value));
}

/// Collects what LLVM's linker says, which by itself goes to standard error and ends the process.
class LinkerDiagnostics final : public llvm::DiagnosticHandler {
 public:
  explicit LinkerDiagnostics(std::string& text) : text_(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error || !text_.empty()) return true;
    llvm::raw_string_ostream stream(text_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

 private:
  std::string& text_;
};

/// True for names that other sources cannot mean.
bool isOfOneSource(const llvm::GlobalValue& value) {
  if (value.hasLocalLinkage()) return true;
  if (const auto* const function = llvm::dyn_cast<llvm::Function>(&value))
    return function->hasFnAttribute(attribute::unitsOwn);
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  return variable && variable->hasAttribute(attribute::unitsOwn);
}

/// True if linkers look at a symbol.
bool isLinked(const llvm::GlobalValue& value) {
  return value.hasName() && !value.getName().starts_with("llvm.") && !value.hasAppendingLinkage();
}

/// Internal functions and variables whose name another source has too, and names of their own for them. LLVM's linker
/// would append a number after a point, which not every assembler takes in the name of a kernel.
class LocalNames {
 public:
  struct Rename {
    std::size_t source;
    llvm::GlobalObject* object;
    std::string symbol;
    std::string prefix;  ///< of a kernel's name
  };

  explicit LocalNames(std::vector<std::pair<std::string, llvm::Module*>> modules) : modules_(std::move(modules)) {
    for (std::size_t i = 0; i < modules_.size(); ++i) {
      for (const llvm::GlobalValue& value : modules_[i].second->global_values()) {
        if (!isLinked(value)) continue;
        if (isOfOneSource(value))
          first_.try_emplace(value.getName(), i);
        else
          shared_.insert(value.getName());
      }
    }
  }

  /// The new names in the sources' order.
  std::vector<Rename> renames() {
    std::vector<Rename> out;
    for (std::size_t i = 0; i < modules_.size(); ++i) {
      for (llvm::GlobalObject& object : modules_[i].second->global_objects()) {
        if (!object.hasName() || object.hasPrivateLinkage() || !isOfOneSource(object)) continue;
        const auto first = first_.find(object.getName());
        if (first == first_.end() || (first->second == i && !shared_.contains(object.getName()))) continue;
        out.push_back(rename(i, object, prefixOf(modules_[i].first)));
      }
    }
    return out;
  }

 private:
  Rename rename(std::size_t source, llvm::GlobalObject& object, const std::string& stem) {
    std::string prefix = stem;
    const auto symbol = [&] { return (object.getName() + "_" + prefix).str(); };
    for (unsigned number = 2; first_.contains(symbol()) || shared_.contains(symbol()); ++number)
      prefix = stem + std::to_string(number);
    first_.try_emplace(symbol(), source);
    return {source, &object, symbol(), prefix};
  }

  std::vector<std::pair<std::string, llvm::Module*>> modules_;
  llvm::StringMap<std::size_t> first_;  ///< the first source of each internal name
  llvm::StringSet<> shared_;            ///< names that all sources mean
};

std::vector<std::pair<std::string, llvm::Module*>> modulesOf(const std::vector<SourceModule>& sources) {
  std::vector<std::pair<std::string, llvm::Module*>> out;
  for (const SourceModule& source : sources) out.emplace_back(source.source, source.module.get());
  return out;
}

bool isKernel(const llvm::GlobalObject& object) {
  const auto* const function = llvm::dyn_cast<llvm::Function>(&object);
  return function && !function->isDeclaration() && function->hasMetadata(entryMetadata);
}

class ModuleLinker {
 public:
  explicit ModuleLinker(std::vector<SourceModule>& sources) : sources_(sources) {}

  Result<void> run() {
    if (auto alike = makeAlike(); !alike) return alike;
    placeConstants();
    for (std::size_t i = 0; i < sources_.size(); ++i) lookAt(i);
    if (!diagnostics_.empty()) return combined(std::move(diagnostics_), "link_sources");
    for (LocalNames::Rename& rename : LocalNames(modulesOf(sources_)).renames()) apply(std::move(rename));
    return join();
  }

 private:
  /// What portable IR says of its machine is the same for all but in its spelling.
  Result<void> makeAlike() {
    const llvm::Module& first = *sources_.front().module;
    const llvm::DataLayout& layout = first.getDataLayout();
    for (SourceModule& source : sources_) {
      const llvm::DataLayout& own = source.module->getDataLayout();
      if (own.getPointerSizeInBits(0) != layout.getPointerSizeInBits(0) ||
          own.isLittleEndian() != layout.isLittleEndian() || own.getAllocaAddrSpace() != layout.getAllocaAddrSpace()) {
        return Error{.code = ErrorCode::PortableRule,
                     .message = sources_.front().source + " is compiled for " + first.getTargetTriple().str() +
                                " and " + source.source + " for " + source.module->getTargetTriple().str() +
                                ", which lay out memory in different ways",
                     .hint = "compile both for one target",
                     .stage = "link_sources"};
      }
      source.module->setDataLayout(layout);
      source.module->setTargetTriple(first.getTargetTriple());
    }
    return {};
  }

  /// A declaration cannot tell that its variable's definition is in constant memory, where front ends put what is const
  /// and has a value: the definition decides.
  ///   before: @table = external constant … "lathe.global"     in another source: @table = constant … "lathe.constant"
  ///   after:  @table = external constant … "lathe.constant"
  void placeConstants() {
    llvm::StringSet<> defined;
    const auto isOf = [](const llvm::GlobalVariable& variable, const char* place) {
      return isLinked(variable) && !isOfOneSource(variable) && variable.isConstant() && variable.hasAttribute(place);
    };
    for (SourceModule& source : sources_) {
      for (const llvm::GlobalVariable& variable : source.module->globals())
        if (!variable.isDeclaration() && isOf(variable, attribute::constant)) defined.insert(variable.getName());
    }
    for (SourceModule& source : sources_) {
      for (llvm::GlobalVariable& variable : source.module->globals()) {
        if (!variable.isDeclaration() || !defined.contains(variable.getName()) || !isOf(variable, attribute::global))
          continue;
        variable.setAttributes(variable.getAttributes().removeAttribute(variable.getContext(), attribute::global));
        variable.addAttribute(attribute::constant);
      }
    }
  }

  void report(const Mention& first, const Mention& second, std::string what, std::string hint) {
    const std::string& other = sources_[first.source].source;
    diagnostics_.push_back({.severity = Severity::error,
                            .code = ErrorCode::SourceError,
                            .message = "'" + demangled(second.value->getName()) + "' " + std::move(what),
                            .location = placeOf(*second.value),
                            .snippet = {},
                            .notes = {{"in " + other, placeOf(*first.value), {}}},
                            .hint = std::move(hint)});
  }

  /// Two definitions that may be one: of constants that a loader reads from a section of their own.
  static bool isRepeated(const llvm::GlobalValue& a, const llvm::GlobalValue& b) {
    const auto* const one = llvm::dyn_cast<llvm::GlobalVariable>(&a);
    const auto* const other = llvm::dyn_cast<llvm::GlobalVariable>(&b);
    return one && other && one->hasSection() && one->getSection() == other->getSection() &&
           one->getInitializer() == other->getInitializer();
  }

  void lookAt(std::size_t source) {
    for (llvm::GlobalValue& value : sources_[source].module->global_values()) {
      if (!isLinked(value)) continue;
      if (isOfOneSource(value)) continue;
      // A kernel that nothing calls is wanted all the same.
      if (value.hasLinkOnceLinkage() && llvm::isa<llvm::Function>(value) &&
          llvm::cast<llvm::Function>(value).hasMetadata(entryMetadata))
        value.setLinkage(llvm::GlobalValue::WeakODRLinkage);
      const Mention here{source, &value};
      const auto [first, fresh] = mentions_.try_emplace(value.getName(), here);
      if (!fresh) {
        if (std::string what = contradiction(first->second, here, sources_); !what.empty())
          report(first->second, here, std::move(what), "declare it in one header that both include");
        alignAlike(*first->second.value, value);
      }
      if (!value.isStrongDefinitionForLinker()) continue;
      const auto [defined, only] = definitions_.try_emplace(value.getName(), here);
      if (only) continue;
      if (isRepeated(*defined->second.value, value)) {
        value.setLinkage(llvm::GlobalValue::WeakAnyLinkage);
        continue;
      }
      report(defined->second, here,
             "is defined in " + sources_[defined->second.source].source + " and in " + sources_[source].source,
             "define it in one source and declare it in the others, or give each its own: static, or in a namespace "
             "without a name");
    }
  }

  /// Of two declarations the linker would take the first one's alignment.
  static void alignAlike(llvm::GlobalValue& a, llvm::GlobalValue& b) {
    auto* const one = llvm::dyn_cast<llvm::GlobalVariable>(&a);
    auto* const other = llvm::dyn_cast<llvm::GlobalVariable>(&b);
    if (!one || !other || !one->isDeclaration() || !other->isDeclaration()) return;
    const llvm::MaybeAlign most = std::max(one->getAlign().valueOrOne(), other->getAlign().valueOrOne());
    one->setAlignment(most);
    other->setAlignment(most);
  }

  void apply(LocalNames::Rename rename) {
    SourceModule& source = sources_[rename.source];
    llvm::GlobalObject& object = *rename.object;
    const std::string old = object.getName().str();
    const std::string kernel = isKernel(object) ? entryOf(llvm::cast<llvm::Function>(object)).name : std::string();
    object.setName(rename.symbol);
    // What a front end lets linkers merge by its old name is another source's.
    object.setComdat(nullptr);
    if (!object.hasLocalLinkage() && !object.isDeclaration()) object.setLinkage(llvm::GlobalValue::ExternalLinkage);
    bool named = false;
    for (NamedEntry& entry : source.entries) {
      if (entry.symbol != old) continue;
      entry.symbol = rename.symbol;
      if (!source.isAsked) entry.name = rename.prefix + "::" + entry.name;
      named = true;
    }
    if (!named && !kernel.empty()) source.newNames.push_back({rename.prefix + "::" + kernel, rename.symbol});
  }

  Result<void> join() {
    llvm::Module& whole = *sources_.front().module;
    llvm::LLVMContext& context = whole.getContext();
    std::string refusal;
    auto before = context.getDiagnosticHandler();
    context.setDiagnosticHandler(std::make_unique<LinkerDiagnostics>(refusal));
    llvm::Linker linker(whole);
    const SourceModule* refused = nullptr;
    for (SourceModule& source : llvm::drop_begin(sources_)) {
      if (linker.linkInModule(std::move(source.module)) && !refused) refused = &source;
    }
    context.setDiagnosticHandler(std::move(before));
    if (!refused) return {};
    return Error{.code = ErrorCode::InvalidModule,
                 .message = refused->source + " cannot be linked with the sources before it: " + refusal,
                 .stage = "link_sources"};
  }

  std::vector<SourceModule>& sources_;
  llvm::StringMap<Mention> mentions_;     ///< the first of each symbol
  llvm::StringMap<Mention> definitions_;  ///< the first of each
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace

std::string prefixOf(const std::string& source) {
  std::string out = llvm::sys::path::stem(source).str();
  for (char& letter : out) {
    if (!llvm::isAlnum(letter)) letter = '_';
  }
  return out;
}

std::vector<PrefixedKernel> prefixedKernels(const std::vector<std::pair<std::string, llvm::Module*>>& modules) {
  std::vector<PrefixedKernel> out;
  for (LocalNames::Rename& rename : LocalNames(modules).renames()) {
    if (isKernel(*rename.object))
      out.push_back({rename.source, rename.object->getName().str(), std::move(rename.prefix)});
  }
  return out;
}

Result<void> linkModules(std::vector<SourceModule>& sources) {
  return ModuleLinker(sources).run();
}

}  // namespace lathe::detail
