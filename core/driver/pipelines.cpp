// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of stages: the whole lowering core at a glance. A list is read down its column.
#include "core/driver/pipelines.h"

#include "core/lower/lowering.h"
#include "core/lower/stages.h"

namespace lathe::detail {
namespace {

constexpr unsigned items = 1U << static_cast<unsigned>(PipelineKind::items);
constexpr unsigned groups = 1U << static_cast<unsigned>(PipelineKind::groups);
constexpr unsigned module = 1U << static_cast<unsigned>(PipelineKind::module);
constexpr unsigned all = items | groups | module;

bool isChecked(const Lowering& lowering) {
  return lowering.job.options.checked;
}
bool isOptimised(const Lowering& lowering) {
  return lowering.job.options.optLevel != OptLevel::O0;
}
bool hasNoFunctionAddresses(const Lowering& lowering) {
  return llvm::is_contained(lowering.descriptor.forbid, "indirect_call");
}
bool hasState(const Lowering& lowering) {
  return lowering.entryAbi == EntryAbi::state;
}
bool callsNothing(const Lowering& lowering) {
  return lowering.descriptor.kernel.inlineAll;
}
bool hasHostStubs(const Lowering& lowering) {
  return lowering.descriptor.kernel.hostStubs;
}
bool isWrittenAsText(const Lowering& lowering) {
  return !lowering.descriptor.text.types.empty();
}
bool passesDynamicShared(const Lowering& lowering) {
  return lowering.descriptor.kernel.dynamicShared == "parameter";
}

// clang-format off
constexpr Stage table[] = {
    {"section_entries",   "functions in sections of their own become entry points",               module,         &stage::markSectionEntries},
    {"neutralise",        "what the front end leaked goes, C's library becomes the device ABI",    all,            &stage::neutralise},
    {"host_symbols",      "what only a host's linker reads goes, C's functions get bodies",       items | groups, &stage::releaseHostSymbols},
    {"import",            "annotations become attributes, the portable rules are checked",        all,            &stage::import},
    {"entries",           "the kernels that the job asks for",                                    items | groups, &stage::findKernels},
    {"entries",           "the entry points that the job asks for",                               module,         &stage::findSectionEntries},
    {"exports",           "functions that C code may call get C's convention",                    groups,         &stage::exportFunctions, hasHostStubs},
    {"select",            "keep what the entries need; kernels that are called become functions", items | groups, &stage::internalise},
    {"select",            "keep the module's linkage, settle what a linker would merge",          module,         &stage::settleLinkage},
    {"specialise",        "what the job fixes becomes constant",                                  all,            &stage::specialise},
    {"assembly",          "inline assembly of other processors becomes portable",                 items | groups, &stage::replaceAssembly},
    {"retarget",          "triple, data layout and address spaces of the target",                 all,            &stage::retarget},
    {"separate_failures", "failures in functions that stay functions are reported without item",  groups,         &stage::separateFailures},
    {"device_abi",        "calls of the device ABI become intrinsics and instructions",           all,            &stage::deviceAbi},
    {"instrument",        "checked mode's calls",                                                 all,            &stage::instrument, isChecked},
    {"libraries",         "link device libraries, fold their switches",                           all,            &stage::libraries},
    {"call_by_number",    "calls through pointers become choices among functions",               items,          &stage::callByNumber, hasNoFunctionAddresses},
    {"kernel_state",      "kernels get their state as a last parameter",                          all,            &stage::kernelState, hasState},
    {"group_shape",       "where subgroups run along a row, the group's extents become a parameter", items,       &stage::groupShape},
    {"dynamic_shared",    "launch-sized shared memory becomes a parameter",                       items,          &stage::dynamicShared, passesDynamicShared},
    {"launch_layout",     "parameter layouts and launch bounds",                                  items | groups, &stage::launchLayout},
    {"kernel_abi",        "calling convention and parameter passing",                             items,          &stage::kernelAbi},
    {"inline_all",        "every function becomes part of its kernel",                            all,            &stage::inlineAll, callsNothing},
    {"after_kernel_abi",  "the target's own rewriting before optimisation",                       all,            &stage::afterKernelAbi},
    {"small_copies",      "copies as wide as a register become one access",                       items,          &stage::smallCopies, isOptimised},
    {"simplify",          "inline and simplify, unroll loops over an item's arrays",              items,          &stage::simplifyItems},
    {"simplify",          "inline and simplify",                                                  module,         &stage::simplify},
    {"simplify",          "inline and simplify, unroll within limits",                            groups,         &stage::simplifyBeforeLoops},
    {"work_groups",       "items become loops",                                                   groups,         &stage::workGroups},
    {"host_stubs",        "each kernel gets a C function that launches it",                       groups,         &stage::hostStubs, hasHostStubs},
    {"optimise",          "the second half of the target's pipeline, loops unrolled",             items,          &stage::optimiseItems},
    {"optimise",          "the second half of the target's optimisation pipeline",                module,         &stage::optimise},
    {"optimise",          "the target's optimisation pipeline, with outer-loop vectorisation",    groups,         &stage::optimiseLoops},
    {"coarsen",           "a second entry whose items serve several groups",                      items,          &stage::coarsen, isOptimised},
    {"vector_width",      "the items that an instruction serves",                                 groups,         &stage::vectorWidth},
    {"late_libraries",    "mathematics that the optimiser made, dead code",                       all,            &stage::lateLibraries},
    {"late",              "constructs that the back end lacks",                                   all,            &stage::late},
    {"structure",         "loops and branches nest, values are scalars: what text can say",          items,          &stage::structure, isWrittenAsText},
    {"validate",          "report everything the target cannot run",                              all,            &stage::validate},
    {"description",       "an object says of itself what is in it",                               groups,         &stage::description, hasHostStubs},
    {"emit",              "code generation",                                                      all,            &stage::emit},
    {"link",              "linking by LLD in a child process, where the target needs it",         all,            &stage::link},
    {"image",             "entry points, layouts, code and provenance in one file",               all,            &stage::image},
};
// clang-format on

}  // namespace

std::span<const Stage> stages() {
  return table;
}

}  // namespace lathe::detail
