// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small stand-in for the stages around work-group lowering, and ORC to run the result.
#include "tests/unit/work_group/lowered.h"

#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "core/group/optimise.h"

namespace lathe::test {
namespace {

constexpr unsigned groupSpace = 3;

/// Functions annotated "lathe.kernel" get the attribute of that name.
void markKernels(llvm::Module& module) {
  llvm::GlobalVariable* const annotations = module.getGlobalVariable("llvm.global.annotations");
  if (!annotations) return;
  for (const llvm::Use& use : llvm::cast<llvm::ConstantArray>(annotations->getInitializer())->operands()) {
    auto* const subject = llvm::cast<llvm::ConstantStruct>(use)->getOperand(0)->stripPointerCasts();
    llvm::cast<llvm::Function>(subject)->addFnAttr("lathe.kernel");
  }
  annotations->eraseFromParent();
}

/// Moves shared variables to their address space; what is not static is of dynamic size.
void moveShared(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
    const bool dynamic = variable.getName() == "dynamicVariable";
    if (!dynamic && variable.getSection() != "lathe.shared") continue;
    auto* const moved = new llvm::GlobalVariable(module, variable.getValueType(), false, variable.getLinkage(),
                                                 dynamic ? nullptr : llvm::PoisonValue::get(variable.getValueType()),
                                                 "", &variable, llvm::GlobalValue::NotThreadLocal, groupSpace);
    moved->takeName(&variable);
    moved->setAlignment(variable.getAlign());
    variable.replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(moved, variable.getType()));
    variable.eraseFromParent();
  }
}

void run(llvm::Module& module, llvm::TargetMachine& machine,
         const std::function<llvm::ModulePassManager(llvm::PassBuilder&)>& pipeline) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  pipeline(builder).run(module, modules);
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> makeMachine(Effort effort, const std::string& cpu) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string problem;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, problem);
  llvm::SubtargetFeatures features;
  if (cpu.empty()) {
    for (const auto& [name, on] : llvm::sys::getHostCPUFeatures()) features.AddFeature(name, on);
  }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu.empty() ? llvm::sys::getHostCPUName().str() : cpu, features.getString(), {}, llvm::Reloc::PIC_,
      std::nullopt, effort == Effort::none ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Aggressive));
}

void retarget(llvm::Module& module, const llvm::TargetMachine& machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (llvm::Function& function : module) {
    function.setCallingConv(llvm::CallingConv::C);
    for (const char* leak : {"target-cpu", "target-features", "tune-cpu"}) function.removeFnAttr(leak);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoRecurse);
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
  markKernels(module);
  moveShared(module);
}

void simplify(llvm::Module& module, llvm::TargetMachine& machine) {
  run(module, machine, [](llvm::PassBuilder& builder) {
    llvm::ModulePassManager passes;
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(
        builder.buildFunctionSimplificationPipeline(llvm::OptimizationLevel::O1, llvm::ThinOrFullLTOPhase::None)));
    return passes;
  });
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  run(module, machine, [](llvm::PassBuilder& builder) {
    detail::registerItemLoopPasses(builder);
    builder.registerVectorizerStartEPCallback(
        [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(llvm::VerifierPass()); });
    return builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  });
}

std::unique_ptr<llvm::Module> loadKernels(llvm::LLVMContext& context, llvm::TargetMachine& machine,
                                          llvm::ArrayRef<std::string> names) {
  auto buffer = llvm::MemoryBuffer::getFile(LATHE_TEST_KERNELS);
  EXPECT_TRUE(buffer);
  auto module = llvm::cantFail(llvm::parseBitcodeFile(**buffer, context));
  retarget(*module, machine);
  if (names.empty()) return module;
  // Lowering all of them in each test's process would be most of the work of the tests.
  for (llvm::Function& function : *module) {
    if (!function.hasFnAttribute("lathe.kernel") || llvm::is_contained(names, function.getName().str())) continue;
    function.removeFnAttr("lathe.kernel");
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  run(*module, machine, [](llvm::PassBuilder&) {
    llvm::ModulePassManager passes;
    passes.addPass(llvm::GlobalDCEPass());
    return passes;
  });
  return module;
}

LoweredKernel::LoweredKernel(const std::string& name, Effort effort) {
  auto machine = makeMachine(effort);
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = loadKernels(*context, *machine, name);
  if (effort != Effort::none) simplify(*module, *machine);
  const auto resources = llvm::cantFail(detail::lowerWorkGroups(*module, *machine, {.groupSpace = groupSpace}));
  EXPECT_EQ(resources.size(), 1U);
  resources_ = resources.front();
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  const bool broken = llvm::verifyModule(*module, &stream);
  if (const char* const path = std::getenv("LATHE_TEST_DUMP")) {
    std::error_code failed;
    llvm::raw_fd_ostream file(path, failed);
    if (!failed) module->print(file, nullptr);
  }
  EXPECT_FALSE(broken) << problem;
  if (broken) std::abort();
  if (effort == Effort::full) optimise(*module, *machine);
  llvm::orc::JITTargetMachineBuilder builder(machine->getTargetTriple());
  builder.setCPU(machine->getTargetCPU().str());
  builder.getFeatures() = llvm::SubtargetFeatures(machine->getTargetFeatureString());
  builder.setCodeGenOptLevel(machine->getOptLevel());
  jit_ = llvm::cantFail(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(builder)).create());
  llvm::cantFail(jit_->addIRModule({std::move(module), std::move(context)}));
  entry_ = llvm::cantFail(jit_->lookup(name)).toPtr<abi::GroupEntry>();
}

const LoweredKernel& LoweredKernel::of(const std::string& name, Effort effort) {
  static std::map<std::pair<std::string, Effort>, std::unique_ptr<LoweredKernel>> made;
  auto& kernel = made[{name, effort}];
  if (!kernel) kernel.reset(new LoweredKernel(name, effort));
  return *kernel;
}

void LoweredKernel::run(Extent count, Extent size, std::size_t dynamicBytes, const void* parameters) const {
  constexpr std::size_t align = abi::groupBlockAlign;
  const auto blockOf = [](std::size_t bytes) {
    const std::size_t whole = (bytes + align - 1) / align * align;
    std::unique_ptr<unsigned char, decltype(&std::free)> block(
        bytes ? static_cast<unsigned char*>(std::aligned_alloc(align, whole)) : nullptr, &std::free);
    std::fill_n(block.get(), whole * (bytes != 0), static_cast<unsigned char>(0xcd));  // nothing may count on zeros
    return block;
  };
  const auto shared = blockOf((resources_.sharedBytes + align - 1) / align * align + dynamicBytes);
  const auto context = blockOf(resources_.contextBytes * abi::paddedItems(static_cast<std::uint64_t>(size.items())));
  const auto narrow = [](int value) { return static_cast<std::uint32_t>(value); };
  // Rows in pieces of one group, two groups and so on.
  for (int group = 0, most = 1, groups = 0; group < count.items(); group += groups, ++most) {
    groups = std::min(most, count.x - group % count.x);
    const abi::GroupLaunch launch = {
        .groupId = {narrow(group % count.x), narrow(group / count.x % count.y), narrow(group / (count.x * count.y))},
        .groupSize = {narrow(size.x), narrow(size.y), narrow(size.z)},
        .groupCount = {narrow(count.x), narrow(count.y), narrow(count.z)},
        .dynamicSharedBytes = static_cast<std::uint32_t>(dynamicBytes),
        .groups = narrow(groups),
        .reserved = 0,
        .shared = shared.get(),
        .context = context.get()};
    entry_(parameters, &launch);
  }
}

}  // namespace lathe::test
