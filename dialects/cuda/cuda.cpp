// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA dialect: Clang's CUDA device mode at cc1 level, with Lathe's own headers instead of a toolkit's. Clang marks
// kernels by calling convention and memory by address space; adapt() turns that into Lathe's attributes.
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <lathe/sdk/address_spaces.h>
#include <lathe/sdk/dialect.h>
#include <lathe/sdk/portable_ir.h>

#include "dialects/cuda/header_overrides.h"
#include "dialects/cuda/language.h"
#include "dialects/cuda/machine_headers.h"
#include "dialects/cuda/ptx/operand_types.h"
#include "dialects/cuda/ptx/replace.h"
#include "dialects/cuda/ptx/written_inputs.h"
#include "dialects/cuda/sides/host_calls.h"
#include "dialects/cuda/sides/host_code.h"
#include "dialects/cuda/standards/older_aggregates.h"
#include "dialects/cuda/unit_symbols.h"

namespace lathe::dialects {
namespace {

constexpr std::string_view extensions[] = {".cu", ".cuh"};

constexpr auto arguments = cudaLanguageWith(
    {"-D__CUDACC__=1", "-D__NVCC__=1", "-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0",
     "-D__CUDACC_VER_BUILD__=0", "-D__CUDA_API_VER_MAJOR__=13", "-D__CUDA_API_VER_MINOR__=0",
     "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1", "-D__CUDACC_EXTENDED_LAMBDA__=1", "-D__CUDACC_RELAXED_CONSTEXPR__=1",
     "-idirafter", machineFolders[0], "-idirafter", machineFolders[1]});

// Clang's address spaces for this triple.
constexpr unsigned globalSpace = 1;
constexpr unsigned constantSpace = 4;

/// The macros by which sources ask for instructions of one architecture alone (sm_90a) or of its family (sm_100f); nvcc
/// defines them on its command line and the functions of them in <crt/host_defines.h>.
std::string specificArchitecture(const sdk::TargetFacts& target) {
  std::string text;
  const char kind = target.archMacro && !target.arch.empty() ? target.arch.back() : '\0';
  const std::string arch = std::to_string(target.archMacro);
  if (kind == 'a') {
    text += "#define __CUDA_ARCH_FEAT_SM" + std::to_string(target.archOrdinal) + "_ALL 1\n";
    text +=
        "#define __CUDA_ARCH_SPECIFIC__ " + arch + "\n#define __CUDA_HAS_ARCH_SPECIFIC(N) (" + arch + " == (N##0))\n";
  } else {
    text += "#define __CUDA_HAS_ARCH_SPECIFIC(N) 0\n";
  }
  if (kind == 'a' || kind == 'f') {
    // sm_101 is a family of its own, between those of sm_100 and sm_103.
    constexpr unsigned apart = 1010;
    text += "#define __CUDA_ARCH_FAMILY_SPECIFIC__ " + arch + "\n#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(N) ";
    text += target.archMacro == apart ? "((N) == 101)\n"
                                      : "((N) != 101 && " + arch + " >= (N##0) && " + arch + " < (N##0) + 100)\n";
  } else {
    text += "#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(N) 0\n";
  }
  return text;
}

std::string preamble(const Job& job, const sdk::TargetFacts& target) {
  // Off NVIDIA's GPUs sources get the code that they have for one with what other machines can do as well.
  constexpr unsigned elsewhere = 800;
  const std::string arch = std::to_string(target.archMacro ? target.archMacro : elsewhere);
  return "#undef __CUDA_ARCH__\n#define __CUDA_ARCH__ " + arch + "\n#define __CUDA_ARCH_LIST__ " + arch + "\n" +
         specificArchitecture(target) + olderStandardMark(job.options);
}

/// Moves `global` to generic space with its role as an attribute, which a declaration has for the sake of its
/// definition. Without relocatable device code, CUDA compilers take a declaration for a definition, unless it has no
/// size: extern __constant__ int t[];
void toRole(llvm::GlobalVariable& global, const char* role) {
  if (global.isExternallyInitialized() || global.isDeclaration()) global.addAttribute(role);
  const bool isSized =
      global.getValueType()->isSized() && global.getDataLayout().getTypeAllocSize(global.getValueType()) > 0;
  if (global.isDeclaration() && isSized) global.addAttribute(sdk::attribute::tentative);
  if (global.getSection() == sdk::attribute::managed) {
    global.addAttribute(sdk::attribute::managed);
    global.setSection("");
  }
  global.setExternallyInitialized(false);
  sdk::moveToSpace(global, 0);
}

/// Before CUDA 13 these were beside the toolkit's own headers; since then their folder is one of its own.
constexpr std::string_view toolkitLibraries[] = {"cub/", "cuda/", "nv/", "thrust/"};

constexpr std::string_view toolkitHeaders[] = {driverHeader};

/// The C++ library, and the headers of the toolkit that bring more than declarations.
constexpr std::string_view libraryHeaders[] = {"algorithm",
                                               "array",
                                               "atomic",
                                               "bit",
                                               "cassert",
                                               "cfloat",
                                               "chrono",
                                               "climits",
                                               "cmath",
                                               "complex",
                                               "concepts",
                                               "cooperative_groups.h",
                                               "cooperative_groups/reduce.h",
                                               "cooperative_groups/scan.h",
                                               "cstddef",
                                               "cstdint",
                                               "cstdio",
                                               "cstdlib",
                                               "cstring",
                                               "ctime",
                                               "cuComplex.h",
                                               "cuda_bf16.h",
                                               "cuda_fp16.h",
                                               "cuda_fp8.h",
                                               "cuda_pipeline.h",
                                               "curand_kernel.h",
                                               "deque",
                                               "fstream",
                                               "functional",
                                               "iomanip",
                                               "iostream",
                                               "iterator",
                                               "limits",
                                               "list",
                                               "map",
                                               "memory",
                                               "mma.h",
                                               "numeric",
                                               "optional",
                                               "queue",
                                               "random",
                                               "ratio",
                                               "set",
                                               "span",
                                               "sstream",
                                               "stdexcept",
                                               "string",
                                               "string_view",
                                               "tuple",
                                               "type_traits",
                                               "unordered_map",
                                               "unordered_set",
                                               "utility",
                                               "variant",
                                               "vector"};

/// Whether the function compares `number`, a value or a variable's: it casts what fits.
bool isCompared(const llvm::Value& number) {
  const auto hasComparison = [](const llvm::Value& value) {
    return llvm::any_of(value.users(), [](const llvm::User* user) { return llvm::isa<llvm::FCmpInst>(user); });
  };
  if (hasComparison(number)) return true;
  const auto* const read = llvm::dyn_cast<llvm::LoadInst>(&number);
  const auto* const variable = read ? llvm::dyn_cast<llvm::AllocaInst>(read->getPointerOperand()) : nullptr;
  return variable && llvm::any_of(variable->users(), [&](const llvm::User* user) {
           return llvm::isa<llvm::LoadInst>(user) && hasComparison(*user);
         });
}

/// Casts of floating-point numbers to integers, as NVIDIA's compiler makes them: to 8 and 16 bits by way of 32, where
/// the instruction saturates, so that 300.0f becomes the byte 44, -1.0f the byte 0 and NaN 0. Wider ones have no
/// certain value where the number does not fit, as saturation costs several instructions off NVIDIA's GPUs. A constant
/// is folded here.
///
///   before: %b = call i8 @llvm.fptoui.sat.i8.f32(float %x)    after: %w = call i32 @llvm.fptoui.sat.i32.f32(float %x)
///           %n = call i32 @llvm.fptosi.sat.i32.f32(float %x)         %b = trunc i32 %w to i8
///                                                                    %n = fptosi float %x to i32
void castsAsHardware(llvm::Function& conversion) {
  const bool isSigned = conversion.getIntrinsicID() == llvm::Intrinsic::fptosi_sat;
  llvm::Type* const type = conversion.getReturnType();
  const unsigned bits = type->getScalarSizeInBits();
  for (llvm::User* user : llvm::make_early_inc_range(conversion.users())) {
    auto* const cast = llvm::cast<llvm::CallInst>(user);
    llvm::Value* const number = cast->getArgOperand(0);
    if (bits >= 32 && llvm::isa<llvm::Constant>(number)) continue;
    llvm::IRBuilder<> builder(cast);
    llvm::Value* made = nullptr;
    if (bits >= 32) {
      made = isSigned ? builder.CreateFPToSI(number, type) : builder.CreateFPToUI(number, type);
    } else {
      llvm::Type* const wide = type->getWithNewBitWidth(32);
      made = builder.CreateIntrinsic(conversion.getIntrinsicID(), {wide, number->getType()}, {number});
      made = builder.CreateTrunc(made, type);
    }
    made->takeName(cast);
    cast->replaceAllUsesWith(made);
    cast->eraseFromParent();
  }
}

/// Gives casts some value where the number does not fit, the same for all uses: what depends on it is not undefined, as
/// in C++, unless the source compares the number and so sees to it.
///
///   before: %n = fptosi float %x to i32    after: %c = fptosi float %x to i32    %n = freeze i32 %c
void settleCasts(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(instruction) || isCompared(*instruction.getOperand(0))) continue;
    llvm::IRBuilder<> builder(instruction.getNextNode());
    auto* const settled = llvm::cast<llvm::FreezeInst>(builder.CreateFreeze(&instruction));
    instruction.replaceUsesWithIf(settled, [&](const llvm::Use& use) { return use.getUser() != settled; });
  }
}

void adaptCasts(llvm::Module& module) {
  std::vector<llvm::Function*> conversions;
  for (llvm::Function& function : module) {
    const llvm::Intrinsic::ID id = function.getIntrinsicID();
    if (id == llvm::Intrinsic::fptosi_sat || id == llvm::Intrinsic::fptoui_sat) conversions.push_back(&function);
  }
  // The wide ones first: the narrow ones add such calls, which stay.
  llvm::stable_sort(conversions, [](const llvm::Function* a, const llvm::Function* b) {
    return a->getReturnType()->getScalarSizeInBits() > b->getReturnType()->getScalarSizeInBits();
  });
  for (llvm::Function* conversion : conversions) {
    castsAsHardware(*conversion);
    if (conversion->use_empty()) conversion->eraseFromParent();
  }
  for (llvm::Function& function : module) settleCasts(function);
}

/// Clang lists what host code names for a linker of device code; Lathe keeps what the job asks for.
void forgetHostUses(llvm::Module& module) {
  llvm::GlobalVariable* const list = module.getGlobalVariable("__clang_gpu_used_external", /*AllowInternal=*/true);
  if (!list) return;
  llvm::removeFromUsedLists(module, [&](const llvm::Constant* used) { return used->stripPointerCasts() == list; });
  list->eraseFromParent();
}

/// Gives the outputs of a text of several instructions registers of their own, as nvcc always does: sources count on it
/// that what is written first does not change what is read after.
void separateOutputs(llvm::CallInst& statement) {
  const auto& text = *llvm::cast<llvm::InlineAsm>(statement.getCalledOperand());
  if (llvm::StringRef(text.getAsmString()).count(';') < 2) return;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text.getConstraintString()).split(parts, ',');
  std::string constraints;
  for (const llvm::StringRef part : parts) {
    const bool shares = part.starts_with("=") && !part.starts_with("=&") && !part.starts_with("=*");
    constraints += constraints.empty() ? "" : ",";
    constraints += shares ? "=&" + part.drop_front().str() : part.str();
  }
  statement.setCalledOperand(llvm::InlineAsm::get(text.getFunctionType(), text.getAsmString(), constraints,
                                                  text.hasSideEffects(), text.isAlignStack(), text.getDialect(),
                                                  text.canThrow()));
}

/// Marks the asm statements, which are PTX unless a dialect on top of this one has marked them, for other targets than
/// NVIDIA's.
void markAssembly(llvm::Module& module) {
  ptx::inlineCarries(module);
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || !call->isInlineAsm() || call->hasFnAttr(sdk::attribute::assembly)) continue;
      ptx::checkOperandTypes(*call);
      call = ptx::ownWrittenInputs(*call);
      separateOutputs(*call);
      call->addFnAttr(llvm::Attribute::get(module.getContext(), sdk::attribute::assembly, "cuda"));
    }
  }
}

/// A file by which an include folder shows itself as the toolkit's.
constexpr std::string_view toolkitMark = "crt/host_defines.h";

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> openFiles(sdk::DialectFiles files) {
  files.files = withoutMachineLibc(std::move(files.files));
  return withHeaderOverrides(std::move(files), toolkitMark, toolkitLibraries);
}

}  // namespace

bool isCudaKernel(const clang::FunctionDecl& function) {
  return function.hasAttr<clang::CUDAGlobalAttr>();
}

llvm::Error adaptCuda(llvm::Module& module) {
  adaptCasts(module);
  forgetHostUses(module);
  endAtHostCalls(module);
  nameUnitsOwn(module);
  markAssembly(module);
  for (llvm::Function& function : module) {
    if (function.getCallingConv() != llvm::CallingConv::PTX_Kernel) continue;
    function.setCallingConv(llvm::CallingConv::C);
    function.addFnAttr(sdk::attribute::kernel);
    function.addFnAttr(sdk::attribute::leastSubgroup, "32");  // tiles and collectives of a warp count on it
    const auto carry = [&](llvm::StringRef from, llvm::StringRef to) {
      const llvm::Attribute attribute = function.getFnAttribute(from);
      if (attribute.isValid()) function.addFnAttr(to, attribute.getValueAsString());
    };
    carry("nvvm.maxntid", sdk::attribute::maxItems);
    carry("nvvm.minctasm", sdk::attribute::minGroups);
    carry("nvvm.maxnreg", sdk::attribute::maxRegisters);
    carry("nvvm.reqntid", sdk::attribute::groupSize);
    carry("nvvm.maxclusterrank", sdk::attribute::maxCluster);
    for (llvm::Argument& argument : function.args()) {
      if (!argument.hasAttribute("nvvm.grid_constant")) continue;
      function.removeParamAttr(argument.getArgNo(), "nvvm.grid_constant");
      argument.addAttr(llvm::Attribute::get(function.getContext(), sdk::attribute::gridConstant));
    }
  }
  for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module.globals())) {
    if (global.getAddressSpace() == constantSpace)
      toRole(global, sdk::attribute::constant);
    else if (global.getAddressSpace() == globalSpace)
      toRole(global, sdk::attribute::global);
  }
  return llvm::Error::success();
}

extern const sdk::Dialect cudaDialect;
const sdk::Dialect cudaDialect = {
    .name = "cuda",
    .description = "CUDA C++ (kernels and device functions)",
    .extensions = extensions,
    .clangArguments = arguments,
    .kernelMarker = "__global__",
    .isKernel = isCudaKernel,
    .prelude = "lathe/cuda/prelude.h",
    .libraryHeaders = libraryHeaders,
    .preludeOnRequest = false,
    .preamble = preamble,
    .adapt = adaptCuda,
    .assemblyArchitecture = "nvptx64",
    .replaceAssembly = replacePtx,
    .oldestStandard = "c++20",
    .copiesArguments = true,
    .toolkitLibraries = toolkitLibraries,
    .explanations = cudaExplanations,
    .harmlessErrors = cudaHarmlessErrors,
    .createHooks = createHostCodeHooks,
    .openFiles = openFiles,
    .toolkitHeaders = toolkitHeaders,
};

}  // namespace lathe::dialects
