// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each object's functions get the name of its architecture, and an object beside them has the plain names as indirect
// functions (ELF's STT_GNU_IFUNC, generic System V ABI as extended by GNU): the dynamic linker, or the start of a
// static program, asks a resolver once for the address. The resolver reads the words in which the platform's run-time
// library keeps what the processor has (emit.load_flags and load_bits of the descriptor).
//
//   before: v2.o: saxpy, saxpy_scratch      v3.o: saxpy, saxpy_scratch
//   after:  v2.o: saxpy.v2, …               v3.o: saxpy.v3, …
//           dispatch.o: @saxpy = ifunc, resolved to @saxpy.v3 if the processor has it, else to @saxpy.v2
#include "core/emit/dispatch.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/ObjCopy/CommonConfig.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include "core/descriptor/descriptor.h"
#include "core/image/interface.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

Error invalid(std::string message, std::string hint = {}) {
  return {.code = ErrorCode::InvalidArgument, .message = std::move(message), .hint = std::move(hint), .stage = "link"};
}

/// An object and the symbols that other code can name.
struct Level {
  std::string name;  ///< the architecture
  std::string object;
  std::set<std::string> functions;
  std::optional<unsigned> bit;
};

std::string_view textOf(const Image& image, std::string_view format) {
  const Code* const code = image.find(format);
  return code ? std::string_view(reinterpret_cast<const char*>(code->bytes.data()), code->bytes.size())
              : std::string_view();
}

/// The C header but for its first line, which names the target.
std::string_view declarationsOf(const Image& image) {
  const std::string_view text = textOf(image, interface_format::cHeader);
  return text.substr(std::min(text.find('\n'), text.size()));
}

class LevelArchive {
 public:
  explicit LevelArchive(std::span<const LevelObject> given) : given_(given) {}

  Result<std::string> run() {
    if (given_.size() < 2)
      return invalid("an archive that dispatches needs the objects of two architectures, the least first");
    for (const LevelObject& one : given_) {
      if (auto read = add(one); !read) return std::move(read).error();
    }
    auto dispatch = dispatchObject();
    if (!dispatch) return std::move(dispatch).error();
    std::vector<std::pair<std::string, std::string>> members = {{"dispatch.o", *std::move(dispatch)}};
    for (Level& level : levels_) {
      auto renamed = withLevelNames(level);
      if (!renamed) return fromLlvm(renamed.takeError());
      members.emplace_back(level.name + ".o", *std::move(renamed));
    }
    llvm::SmallVector<llvm::NewArchiveMember, 4> files;
    for (const auto& [name, bytes] : members) files.emplace_back(llvm::MemoryBufferRef(bytes, name));
    auto archive = llvm::writeArchiveToBuffer(files, llvm::SymtabWritingMode::NormalSymtab,
                                              llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
    if (!archive) return fromLlvm(archive.takeError());
    return (*archive)->getBuffer().str();
  }

 private:
  Result<void> add(const LevelObject& given) {
    const ImageInfo& info = given.image->info();
    const std::string who = info.target + ":" + info.arch;
    Level level{.name = info.arch, .object = std::string(textOf(*given.image, "object")), .functions = {}, .bit = {}};
    if (level.object.empty())
      return invalid(who + ": the image has no object", "compile with emit \"object\" for a target that makes objects");
    if (declarationsOf(*given.image) != declarationsOf(*given_.front().image))
      return invalid(who + " declares other functions than " + given_.front().image->info().arch,
                     "compile one source with the same options for all architectures");
    if (std::ranges::find(levels_, level.name, &Level::name) != levels_.end())
      return invalid("architecture '" + level.name + "' is there twice");
    if (const auto bit = given.rules->loadBits.find(level.name); bit != given.rules->loadBits.end()) {
      unsigned number = 0;
      if (!llvm::StringRef(bit->second).getAsInteger(10, number)) level.bit = number;
    }
    if (!levels_.empty() && (!level.bit || !given.rules->loadFlags.contains("words"))) {
      return Error{.code = ErrorCode::Unsupported,
                   .message = who + ": nothing says how a program finds out that its processor has this",
                   .hint = "architectures that emit.load_bits of the target's descriptor lists have such a way",
                   .stage = "link",
                   .target = info.target};
    }
    // The last that the processor has is taken.
    if (!levels_.empty() && levels_.back().bit && *levels_.back().bit > *level.bit)
      return invalid("architecture '" + level.name + "' comes after '" + levels_.back().name + "', which has more",
                     "name the least first");
    if (auto read = readSymbols(level); !read) return read;
    if (!levels_.empty() && level.functions != levels_.front().functions)
      return invalid(who + " defines other functions than " + levels_.front().name);
    levels_.push_back(std::move(level));
    return {};
  }

  /// Finds what other code can name: functions. Of variables each object would have its own.
  Result<void> readSymbols(Level& level) {
    auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(level.object, level.name));
    if (!file) return fromLlvm(file.takeError());
    const auto* const elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(file->get());
    if (!elf)
      return Error{.code = ErrorCode::Unsupported,
                   .message = level.name + ": only ELF has functions that are chosen when a program is loaded",
                   .stage = "link"};
    const llvm::Triple triple = elf->makeTriple();
    if (!triple_) triple_ = llvm::Triple(triple.getArchName(), "unknown", "linux", "gnu");
    if (triple_->getArch() != triple.getArch())
      return invalid(level.name + " is code for another kind of processor than " + levels_.front().name);
    for (const llvm::object::ELFSymbolRef symbol : elf->symbols()) {
      auto flags = symbol.getFlags();
      if (!flags) return fromLlvm(flags.takeError());
      using llvm::object::SymbolRef;
      if ((*flags & SymbolRef::SF_Undefined) || !(*flags & SymbolRef::SF_Global)) continue;
      auto name = symbol.getName();
      if (!name) return fromLlvm(name.takeError());
      if (symbol.getELFType() != llvm::ELF::STT_FUNC) {
        return Error{
            .code = ErrorCode::Unsupported,
            .message = "variable '" + demangled(*name) + "' would be in the program once for each architecture",
            .hint = "make it static, or pass its address to the kernels",
            .stage = "link"};
      }
      level.functions.insert(name->str());
    }
    return {};
  }

  static std::string levelName(const std::string& function, const Level& level) {
    std::string out = function + "." + level.name;
    std::ranges::replace(out, '-', '_');
    return out;
  }

  /// The object with its functions under their names for it, and without the description of itself, which has the plain
  /// ones.
  static llvm::Expected<std::string> withLevelNames(const Level& level) {
    auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(level.object, level.name));
    if (!file) return file.takeError();
    llvm::objcopy::ConfigManager config;
    std::vector<std::string> names;
    names.reserve(level.functions.size());  // the map refers to them
    for (const std::string& function : level.functions) {
      names.push_back(levelName(function, level));
      config.Common.SymbolsToRename[function] = names.back();
    }
    auto pattern = llvm::objcopy::NameOrPattern::create(imageSectionName, llvm::objcopy::MatchStyle::Literal,
                                                        [](llvm::Error error) { return error; });
    if (!pattern) return pattern.takeError();
    if (auto error = config.Common.ToRemove.addMatcher(std::move(pattern))) return error;
    llvm::SmallString<0> out;
    llvm::raw_svector_ostream stream(out);
    if (auto error = llvm::objcopy::executeObjcopyOnBinary(config, **file, stream)) return error;
    return out.str().str();
  }

  Result<std::string> dispatchObject() const {
    std::string reason;
    const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(*triple_, reason);
    if (!target) return Error{.code = ErrorCode::Unsupported, .message = reason, .stage = "link"};
    const std::unique_ptr<llvm::TargetMachine> machine(
        target->createTargetMachine(*triple_, "", "", llvm::TargetOptions(), llvm::Reloc::PIC_));
    llvm::LLVMContext context;
    llvm::Module module("dispatch", context);
    module.setTargetTriple(*triple_);
    module.setDataLayout(machine->createDataLayout());
    for (const std::string& function : levels_.front().functions) addFunction(module, function);
    llvm::SmallString<0> out;
    llvm::raw_svector_ostream stream(out);
    llvm::legacy::PassManager passes;
    if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile)) {
      return Error{
          .code = ErrorCode::Unsupported, .message = "LLVM makes no objects for " + triple_->str(), .stage = "link"};
    }
    passes.run(module);
    return out.str().str();
  }

  /// The function by its plain name, and its resolver.
  void addFunction(llvm::Module& module, const std::string& function) const {
    llvm::IRBuilder<> builder(module.getContext());
    // Whoever calls it knows its type; a resolver gives an address.
    auto* const anyType = llvm::FunctionType::get(builder.getVoidTy(), false);
    auto* const resolver = llvm::Function::Create(llvm::FunctionType::get(builder.getPtrTy(), false),
                                                  llvm::GlobalValue::InternalLinkage, function + ".resolver", module);
    builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", resolver));
    const auto& flags = given_.back().rules->loadFlags;
    if (const auto prepare = flags.find("function"); prepare != flags.end())
      builder.CreateCall(module.getOrInsertFunction(prepare->second, anyType));
    auto* const words = llvm::cast<llvm::GlobalVariable>(
        module.getOrInsertGlobal(flags.at("words"), llvm::ArrayType::get(builder.getInt32Ty(), 0)));
    words->setVisibility(llvm::GlobalValue::HiddenVisibility);
    const auto addressFor = [&](const Level& level) {
      return llvm::cast<llvm::Constant>(module.getOrInsertFunction(levelName(function, level), anyType).getCallee());
    };
    llvm::Value* chosen = addressFor(levels_.front());
    constexpr unsigned wordBits = 32;
    for (const Level& level : llvm::drop_begin(levels_)) {
      llvm::Value* const at = builder.CreateConstInBoundsGEP1_64(builder.getInt32Ty(), words, *level.bit / wordBits);
      llvm::Value* const word = builder.CreateLoad(builder.getInt32Ty(), at);
      llvm::Value* const bit = builder.CreateAnd(word, std::uint64_t{1} << (*level.bit % wordBits));
      chosen = builder.CreateSelect(builder.CreateIsNotNull(bit), addressFor(level), chosen);
    }
    builder.CreateRet(chosen);
    llvm::GlobalIFunc::create(anyType, 0, llvm::GlobalValue::ExternalLinkage, function, resolver, &module);
  }

  std::span<const LevelObject> given_;
  std::vector<Level> levels_;
  std::optional<llvm::Triple> triple_;
};

}  // namespace

Result<std::string> archiveOfLevels(std::span<const LevelObject> levels) {
  return LevelArchive(levels).run();
}

}  // namespace lathe::detail
