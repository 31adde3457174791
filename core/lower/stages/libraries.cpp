// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage libraries: links bitcode for what the module calls, until nothing more is found; folds the switches that a
// library reads by calls of a function or from variables; makes everything internal again and gives every function, the
// libraries' included, the same CPU and features, without which nothing inlines.
//
//   before: declare float @__nv_sinf(float)
//   after:  define internal float @__nv_sinf(float) "target-cpu"="sm_90" { … }
#include "core/lower/stages/libraries.h"

#include <set>

#include <fmt/format.h>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Linker/Linker.h"

#include "core/abi/device_abi.h"
#include "core/abi/ir_types.h"
#include "core/abi/math.h"
#include "core/descriptor/llvm_facts.h"
#include "core/lower/abi/device_abi.h"
#include "core/lower/abi/provision.h"
#include "core/lower/abi/queries.h"
#include "core/lower/device_libraries.h"
#include "core/lower/globals.h"
#include "core/lower/machine_libraries.h"
#include "core/lower/math/math.h"
#include "core/lower/stages.h"
#include "core/lower/stages/retarget.h"
#include "core/support/llvm_bridge.h"

extern "C" const char lathe_shared_math[], lathe_shared_math_end[];                // core/device/math.cpp
extern "C" const char lathe_shared_vector_math[], lathe_shared_vector_math_end[];  // core/device/vector_math.cpp

namespace lathe::detail {
namespace {

class LibraryLinker {
 public:
  explicit LibraryLinker(Lowering& lowering)
      : lowering_(lowering), machineLibraries_(machineLibraries(lowering.descriptor)) {
    for (const llvm::Function& function : *lowering.module) {
      if (!function.isDeclaration()) own_.insert(function.getName().str());
    }
  }

  llvm::Error run() {
    bool again = true;
    while (again) {
      const std::set<std::string> before = undefinedNames();
      if (auto error = linkAll()) return error;
      again = undefinedNames() != before;
      answerQueriesOfLibraries(lowering_);
      // Libraries call the device ABI and mathematics themselves.
      if (auto error = lowerDeviceAbi(lowering_)) return error;
      again |= lowerMath(lowering_);
    }
    forEachArray([](llvm::GlobalVariable& array, std::uint64_t) {
      if (!array.isDeclaration()) array.setLinkage(llvm::GlobalValue::InternalLinkage);
    });
    return llvm::Error::success();
  }

 private:
  std::set<std::string> undefinedNames() const {
    std::set<std::string> out;
    for (const llvm::Function& function : *lowering_.module)
      if (isUndefined(function)) out.insert(function.getName().str());
    return out;
  }
  bool anyUndefined() const { return llvm::any_of(*lowering_.module, isUndefined); }
  static bool isUndefined(const llvm::Function& function) {
    return function.isDeclaration() && !function.isIntrinsic() && !function.use_empty();
  }

  /// Links `bitcode` if a name that begins with `prefix` is wanted.
  llvm::Error linkMath(std::string_view prefix, llvm::StringRef bitcode, llvm::StringRef name) {
    const bool isWanted = llvm::any_of(*lowering_.module, [&](const llvm::Function& function) {
      return isUndefined(function) && function.getName().starts_with(prefix);
    });
    return isWanted ? link({bitcode, name}, {}) : llvm::Error::success();
  }

  bool wantsFallbacks() const {
    return llvm::any_of(*lowering_.module, [](const llvm::Function& function) {
      const AbiEntry* const entry =
          isUndefined(function) ? findAbiEntry(std::string_view(function.getName())) : nullptr;
      return entry && entry->lowering == AbiLowering::fallback;
    });
  }

  llvm::Error linkAll() {
    if (!anyUndefined()) return llvm::Error::success();
    if (!lowering_.deviceLibrary.empty()) {
      const llvm::StringRef bitcode(lowering_.deviceLibrary.data(), lowering_.deviceLibrary.size());
      // Compiled from C++, as kernels are, whose generic pointers are those of space 0.
      const bool moves = lowering_.descriptor.addressSpaces.generic != 0;
      if (auto error = link({bitcode, lowering_.descriptor.name}, {.retargeted = moves})) return error;
    }
    for (const PortableLibrary& library : machineLibraries_) {
      if (auto error = link({library.bitcode, library.name}, {.portable = &library})) return error;
    }
    if (wantsFallbacks()) {
      if (auto error = link({fallbackBitcode(), "shared"}, {})) return error;
    }
    const auto embedded = [](const char* begin, const char* end) {
      return llvm::StringRef(begin, static_cast<std::size_t>(end - begin));
    };
    if (auto error = linkMath(ownMathPrefix, embedded(lathe_shared_math, lathe_shared_math_end), "shared mathematics"))
      return error;
    if (auto error = linkMath(vectorMathPrefix, embedded(lathe_shared_vector_math, lathe_shared_vector_math_end),
                              "shared mathematics of vectors"))
      return error;
    std::set<std::string> served;
    for (const DeviceLibrary& library : lowering_.descriptor.deviceLibraries) {
      // Opening a large library costs more than the rest of a small compile.
      if (!anyUndefined()) return llvm::Error::success();
      if (!library.role.empty() && served.contains(library.role)) continue;
      const auto buffer = lowering_.libraries.find(library);
      if (library.providedByBackend) served.insert(library.role);
      if (!buffer) continue;
      served.insert(library.role);
      if (auto error = link(buffer->getMemBufferRef(), {.keepCalls = library.role == "math"})) return error;
    }
    return llvm::Error::success();
  }

  /// How a library is linked.
  struct Manner {
    const PortableLibrary* portable = nullptr;  ///< in portable IR: it is retargeted
    bool retargeted = false;                    ///< as portable IR is
    bool keepCalls = false;  ///< what its authors do not want inlined stays so, such as the way of few numbers
  };

  /// Refuses a library that was made for another version of the device ABI.
  static llvm::Error checkTypes(const llvm::Module& library, llvm::StringRef name) {
    for (const llvm::Function& function : library) {
      if (function.isDeclaration()) continue;
      const AbiEntry* const entry = findAbiEntry(std::string_view(function.getName()));
      if (!entry || hasSignature(*function.getFunctionType(), entry->signature)) continue;
      return toLlvm({.code = ErrorCode::InvalidModule,
                     .message = "device library " + name.str() + " has a '" + std::string(entry->symbol) +
                                "' of another type than the device ABI's",
                     .hint = "compile it again with this version's <lathe/device/abi.h>",
                     .stage = "libraries"});
    }
    return llvm::Error::success();
  }

  /// Links only what the module needs of one library.
  llvm::Error link(llvm::MemoryBufferRef bitcode, const Manner& manner) {
    llvm::Module& module = *lowering_.module;
    const auto wanted = [&](llvm::StringRef name) {
      const llvm::Function* const function = module.getFunction(name);
      return function && isUndefined(*function);
    };
    const PortableLibrary* const portable = manner.portable;
    const auto wantedHere = [&](llvm::StringRef name) { return wanted(portable ? portable->entryOf(name) : name); };
    auto library = lowering_.libraries.excerptFor(wantedHere, bitcode, module.getContext());
    if (library && !*library) return llvm::Error::success();
    if (!library) {
      return toLlvm({.code = ErrorCode::InvalidModule,
                     .message = "device library " + bitcode.getBufferIdentifier().str() +
                                " is not readable: " + llvm::toString(library.takeError()),
                     .stage = "libraries"});
    }
    if (portable) portable->nameVariants(**library);
    if (auto error = checkTypes(**library, bitcode.getBufferIdentifier())) return error;
    dropMapped(**library);
    dropUnprovided(**library, wanted, lowering_.descriptor, lowering_.deviceLibrary, portable != nullptr);
    if (manner.keepCalls) {
      for (const llvm::Function& function : **library)
        if (function.hasFnAttribute(llvm::Attribute::NoInline)) called_.insert(function.getName().str());
    }
    const bool useful = llvm::any_of(**library, [&](const llvm::Function& function) {
      return !function.isDeclaration() && wanted(function.getName());
    });
    if (!useful) return llvm::Error::success();
    if (portable || manner.retargeted) {
      if (llvm::Error error = retargetLazily(**library, lowering_)) return error;
    } else {
      (*library)->setTargetTriple(module.getTargetTriple());
      (*library)->setDataLayout(module.getDataLayout());
    }
    if (llvm::Error error = (*library)->materializeMetadata()) return error;
    // A library's flags speak of the options it was built with, not of this compile.
    dropNamedMetadata(**library, /*keepFlags=*/false);
    if (llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded)) {
      return toLlvm(
          {.code = ErrorCode::InvalidModule,
           .message = "device library " + bitcode.getBufferIdentifier().str() + " does not link with the kernel",
           .stage = "libraries"});
    }
    internalise();
    makeArrays();
    const std::string name = bitcode.getBufferIdentifier().str();
    if (!llvm::is_contained(lowering_.linkedLibraries, name)) lowering_.linkedLibraries.push_back(name);
    return llvm::Error::success();
  }

  /// Calls visit(array, its elements) for the arrays of the machine's libraries that the module has.
  template <class Visit>
  void forEachArray(const Visit& visit) {
    for (const PortableLibrary& library : machineLibraries_) {
      for (const auto& [name, elements] : library.arrays) {
        if (auto* const array = lowering_.module->getGlobalVariable(llvm::StringRef(name), /*AllowInternal=*/true))
          visit(*array, elements);
      }
    }
  }

  /// Gives arrays their lengths. They stay external for what is linked later.
  void makeArrays() {
    forEachArray([&](llvm::GlobalVariable& declared, std::uint64_t elements) {
      if (!declared.isDeclaration()) return;
      auto* const type = llvm::ArrayType::get(declared.getValueType()->getArrayElementType(), elements);
      auto* const made = new llvm::GlobalVariable(*lowering_.module, type, /*isConstant=*/false,
                                                  llvm::GlobalValue::ExternalLinkage, llvm::UndefValue::get(type), "",
                                                  &declared, declared.getThreadLocalMode(), declared.getAddressSpace());
      made->setAlignment(llvm::Align(16));  // for vectors
      made->takeName(&declared);
      declared.replaceAllUsesWith(made);
      declared.eraseFromParent();
    });
  }

  /// What the descriptor maps for this architecture stays undefined, whatever the library has.
  void dropMapped(llvm::Module& library) const {
    for (const auto& [entry, mapping] : lowering_.descriptor.intrinsics) {
      llvm::Function* const function = library.getFunction("__lathe_" + entry);
      if (!function || function->isDeclaration()) continue;
      function->deleteBody();
      function->setComdat(nullptr);
    }
  }

  void internalise() {
    for (llvm::Function& function : *lowering_.module) {
      if (function.isDeclaration() || own_.contains(function.getName().str())) continue;
      if (function.hasWeakAnyLinkage() && findAbiEntry(std::string_view(function.getName())))
        function.addFnAttr(llvm::Attribute::AlwaysInline);
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setVisibility(llvm::GlobalValue::DefaultVisibility);
      function.setComdat(nullptr);
      function.removeFnAttr(llvm::Attribute::OptimizeNone);
      function.removeFnAttr(llvm::Attribute::NoRecurse);
      if (!function.hasFnAttribute(llvm::Attribute::AlwaysInline) && !called_.contains(function.getName().str()))
        function.removeFnAttr(llvm::Attribute::NoInline);
      function.setCallingConv(llvm::CallingConv::C);
      for (llvm::User* user : function.users()) {
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) call->setCallingConv(llvm::CallingConv::C);
      }
    }
    for (llvm::GlobalVariable& variable : lowering_.module->globals()) {
      if (variable.isDeclaration() || !variable.hasLinkOnceLinkage()) continue;
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
      variable.setVisibility(llvm::GlobalValue::DefaultVisibility);
      variable.setComdat(nullptr);
    }
  }

  Lowering& lowering_;
  std::vector<PortableLibrary> machineLibraries_;
  std::set<std::string> own_;
  std::set<std::string> called_;  // of libraries, and not to be inlined
};

/// The value of a switch: a number, or an option of the job.
std::uint32_t reflected(const std::string& value, const Lowering& lowering) {
  const Options& options = lowering.job.options;
  if (value == "flush_denormals") return options.flushDenormals ? 1 : 0;
  const bool approximate = options.fastMath || options.approximateMath;
  if (value == "fast_math") return approximate ? 1 : 0;
  if (value == "precise") return approximate ? 0 : 1;
  return ordinalValue(value, lowering.archOrdinal);
}

/// Calls of the reflection function ("function" in the descriptor's table) become constants, unknown switches 0.
void foldReflection(Lowering& lowering) {
  const auto& table = lowering.descriptor.reflect;
  const auto name = table.find("function");
  llvm::Function* const query = name == table.end() ? nullptr : lowering.module->getFunction(name->second);
  if (!query) return;
  for (llvm::User* user : llvm::make_early_inc_range(query->users())) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call) continue;
    llvm::StringRef text;
    std::uint32_t value = 0;
    if (llvm::getConstantStringInfo(call->getArgOperand(0), text)) {
      if (const auto found = table.find(text.str()); found != table.end()) value = reflected(found->second, lowering);
    }
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), value));
    call->eraseFromParent();
  }
  if (query->use_empty()) query->eraseFromParent();
}

/// Variables that a library declares to read its switches from become constants of this module.
void defineSwitches(Lowering& lowering) {
  for (const auto& [name, value] : lowering.descriptor.reflect) {
    llvm::GlobalVariable* const variable = lowering.module->getGlobalVariable(name);
    if (!variable || !variable->isDeclaration() || !variable->getValueType()->isIntegerTy()) continue;
    variable->setInitializer(llvm::ConstantInt::get(variable->getValueType(), reflected(value, lowering)));
    variable->setConstant(true);
    variable->setVisibility(llvm::GlobalValue::DefaultVisibility);
    variable->setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

void makeUniform(Lowering& lowering) {
  for (llvm::Function& function : *lowering.module) {
    if (function.isIntrinsic()) continue;
    if (const std::string& processor = lowering.descriptor.processor; processor.empty())
      function.removeFnAttr("target-cpu");
    else
      function.addFnAttr("target-cpu", processor);
    function.removeFnAttr("tune-cpu");
    if (!lowering.descriptor.codegen.jumpTables) function.addFnAttr("no-jump-tables", "true");
    if (!lowering.descriptor.codegen.libraryCalls) {
      // What LLVM's passes make out of loops. It still knows the calls of the source.
      for (const char* made : {"memset", "memset_pattern16", "memcpy", "memmove", "bcmp", "strlen", "wcslen"})
        function.addFnAttr(std::string("no-builtin-") + made);
    }
    if (lowering.info.features.empty())
      function.removeFnAttr("target-features");
    else
      function.addFnAttr("target-features", lowering.info.features);
    if (lowering.job.options.flushDenormals) function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  }
}

}  // namespace

llvm::Error linkLibraries(Lowering& lowering) {
  if (auto error = LibraryLinker(lowering).run()) return error;
  foldReflection(lowering);
  defineSwitches(lowering);
  makeUniform(lowering);
  return llvm::Error::success();
}

llvm::Error stage::libraries(Lowering& lowering) {
  for (const DeviceLibrary& library : lowering.descriptor.deviceLibraries) {
    const auto missing = lowering.libraries.missingFile(library);
    if (!missing) continue;
    const auto& [variable, path] = *missing;
    lowering.warnings.push_back({.severity = Severity::warning,
                                 .code = ErrorCode::FileUnreadable,
                                 .message = fmt::format("{}: the file {} cannot be read", variable, path),
                                 .hint = "without it another library serves as " + library.name});
  }
  return linkLibraries(lowering);
}

}  // namespace lathe::detail
