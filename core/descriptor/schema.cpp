// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of keys.
#include "core/descriptor/schema.h"

#include "llvm/Support/Regex.h"

#include "core/descriptor/field_readers.h"

namespace lathe::detail {
namespace {

constexpr Field<Descriptor> descriptorFields[] = {
    {"lathe", "number", "schema version: 1. Required", readVersion, true},
    {"name", "text", "the target's name, and the file's. Required", checked<&Descriptor::name, isName>, true},
    {"description", "text", "one line for `lathe targets`", plain<&Descriptor::description>},
    {"extends", "text", "another target; this file is laid over it", plain<&Descriptor::extends>, true},
    {"triple", "text", "LLVM triple, or `host` for this machine's. Required", checked<&Descriptor::triple, isTriple>,
     true},
    {"frontend", "`device`, `native`, `dialect`",
     "`device`: portable IR. `native`: compiled for the triple directly, without the device ABI. `dialect`: for the "
     "triple of its `dialects`",
     readWord<&Descriptor::frontend, frontends>, true},
    {"dialects", "list", "dialects of the sources it takes, the default first; none: the portable ones",
     plain<&Descriptor::dialects>},
    {"pipeline", "`items`, `groups`, `module`",
     "the list of stages. `items`: kernels of a grid, for hardware that runs items. `groups`: kernels of a grid, whose "
     "items become loops. `module`: linkage, sections and signatures stay as written; functions with a section of "
     "their own are the entry points",
     readWord<&Descriptor::pipeline, pipelines>},
    {"entry_kinds", "map",
     "what the entry points of a module are to its loader → the first words of sections that say so; words under "
     "`as_named` are kinds themselves",
     readEntryKinds},
    {"calls_by_number", "true, false", "functions of the loader are called by number, as constant addresses",
     plain<&Descriptor::callsByNumber>},
    {"architectures", "map", "which architectures there are", plain<&Descriptor::architectures>, true},
    {"features", "text", "LLVM features for every compile: `+a,-b`", plain<&Descriptor::features>},
    {"address_spaces", "map", "numbers of the address spaces", plain<&Descriptor::addressSpaces>},
    {"kernel", "map", "how a kernel is called", plain<&Descriptor::kernel>},
    {"subgroup", "map", "the items that execute together", readSubgroup},
    {"intrinsics", "map",
     "device ABI entry → LLVM intrinsic, or a map with its arguments; an entry that neither this nor device code nor "
     "Lathe provides is absent",
     readIntrinsics},
    {"lacks", "map",
     "device ABI entry, or a group of them (`subgroup`, `barrier`, …) → the reason why the machine has it not, "
     "whatever "
     "would provide it; empty: it has it after all; what stands later holds",
     readLacks},
    {"sync_scopes", "map", "`item`, `subgroup`, `group`, `device`, `system` → LLVM synchronisation scope",
     checked<&Descriptor::syncScopes, keysOf<scopeKeys>>},
    {"device_libraries", "list of maps", "bitcode libraries to link, in order", plain<&Descriptor::deviceLibraries>},
    {"toolkit_headers", "list",
     "where the headers of the toolkit's own libraries may be, which dialects read before Lathe's of the same names; "
     "the "
     "first folder that has all of them counts; `$NAME` is an environment variable, which ends the search if it is "
     "`none`, and `*` in the name of a folder stands for anything",
     plain<&Descriptor::toolkitHeaders>},
    {"native_math", "list",
     "math functions that the back end selects itself: `sqrt` in both precisions, `sqrt.f32` in one, `sin.f32+afn` "
     "where the call may be approximate",
     checked<&Descriptor::nativeMath, areMathNames>},
    {"reflect", "map",
     "switches that a device library reads → a whole number, `flush_denormals`, `fast_math`, `precise`, `ordinal` "
     "(the architecture's, also times a number: `ordinal*16`); it reads them from variables of these names, or by "
     "`function`, the function it asks",
     checked<&Descriptor::reflect, areSwitches>},
    {"externals", "list",
     "functions that may stay undefined: the loader or linker has them; `NAME*` stands for all that begin so",
     plain<&Descriptor::externals>},
    {"imports", "true, false",
     "code may use what `LATHE_IMPORT` marks: functions and variables of the program that loads or links it",
     plain<&Descriptor::imports>},
    {"forbid", "list", "what the target cannot run", checked<&Descriptor::forbid, oneOf<constructs>>},
    {"legalize", "list",
     "what late lowering rewrites because the back end lacks it: `atomics`, `partword_atomics`, `ordered_atomics`, "
     "`generic_accesses`, `wide_conversions`, `integers`, `vectors`, `overflow`, `intrinsics`, `addresses`, `hints`, "
     "`irreducible` (loops that are entered at several places), `end_item` (device code's `__lathe_end_item`, which "
     "becomes a return from the kernel), `aggregates` (structures that control flow chooses between), `copies` (of "
     "structures, and fills of local arrays: by 16 bytes, from level 1 on), `narrow_floats` (arithmetic on bfloat16 "
     "and half, where the processor has none), `bfloat` (its bits, and arithmetic on floats), `free_choices` (of "
     "values without a cost, which LLVM's StructurizeCFG mixes up)",
     checked<&Descriptor::legalize, oneOf<expansions>>},
    {"native_atomics", "list", "what `legalize: [atomics]` leaves to the back end: `add.f32`, `add.f64`",
     checked<&Descriptor::nativeAtomics, oneOf<floatAtomics>>},
    {"printf", "map", "a variadic printf that the back end or the driver has", plain<&Descriptor::print>},
    {"emit", "map", "what can be emitted", plain<&Descriptor::emit>},
    {"text", "map", "spellings of a language of the C family, for the format `source`", plain<&Descriptor::text>},
    {"codegen", "map", "switches of LLVM's code generator", plain<&Descriptor::codegen>},
    {"limits", "map", "what a launch may ask for", plain<&Descriptor::limits>},
    {"runtime", "text", "the runtime that loads images", plain<&Descriptor::runtime>},
    {"arch_macro", "number or `ordinal*N`",
     "value of the macro by which a dialect's sources ask for the architecture; by default the dialect's own",
     checked<&Descriptor::archMacro, isOrdinalOrNumber>},
    {"module_flags", "map", "module flags with whole numbers", checked<&Descriptor::moduleFlags, areNumbers>},
    {"plugin", "text", "a shared library with hooks, beside this file", plain<&Descriptor::plugin>, true},
    {"when", "list of maps", "changes for some architectures, applied in order", skip, true},
};

constexpr Field<ArchitectureRules> architectureFields[] = {
    {"default", "text", "used where a job names none", plain<&ArchitectureRules::defaultName>},
    {"pattern", "text", "POSIX extended regular expression of the whole name; its first group is the ordinal",
     checked<&ArchitectureRules::pattern, isPattern>},
    {"prefix", "text", "left out in file names and messages", plain<&ArchitectureRules::prefix>},
    {"native", "text", "who knows what `native` is: `host` or a runtime", plain<&ArchitectureRules::native>},
    {"minimum", "number", "least ordinal", plain<&ArchitectureRules::minimum>},
    {"aliases", "map", "other names → architecture", plain<&ArchitectureRules::aliases>},
    {"triples", "map", "architecture → LLVM triple, where LLVM tells architectures apart by these: all there are",
     checked<&ArchitectureRules::triples, areTriples>},
};

constexpr Field<AddressSpaces> spaceFields[] = {
    {"generic", "number", "pointers that can point anywhere", plain<&AddressSpaces::generic>},
    {"global", "number", "device memory", plain<&AddressSpaces::global>},
    {"group", "number", "memory shared by a group", plain<&AddressSpaces::group>},
    {"constant", "number", "constants set by the host", plain<&AddressSpaces::constant>},
    {"private", "number", "local variables (alloca)", plain<&AddressSpaces::alloca_>},
    {"constant_data", "number", "constant tables of the program that are only read; by default they are global",
     plain<&AddressSpaces::constantData>},
};

constexpr Field<KernelAbi> kernelFields[] = {
    {"calling_convention", "text", "as LLVM assembly spells it", readConvention},
    {"aggregates", "`byval`, `byval(SPACE)`, `byref(SPACE)`, `packed`",
     "how by-value aggregates arrive; `packed`: all parameters in one block", readAggregates},
    {"parameter_bytes", "number", "most bytes of parameters", plain<&KernelAbi::parameterBytes>},
    {"large_by_reference", "true, false",
     "by-value aggregates for which these leave no room, the largest first, arrive as addresses of device memory "
     "that the runtime fills",
     plain<&KernelAbi::largeByReference>},
    {"global_pointers", "true, false", "pointer parameters always point to device memory",
     plain<&KernelAbi::globalPointers>},
    {"byte_booleans", "true, false", "a bool parameter is a byte of 0 or 1", plain<&KernelAbi::byteBooleans>},
    {"state", "true, false", "kernels can be given Lathe's state: device.cpp includes `lathe/sdk/device_state.h`",
     plain<&KernelAbi::state>},
    {"state_by_default", "true, false",
     "kernels of images that print, fail or allocate are given it unless the job asks for the entry ABI `bare`",
     plain<&KernelAbi::stateByDefault>},
    {"checks", "true, false", "the runtime has the functions that kernels in checked mode call (core/abi/checks.h)",
     plain<&KernelAbi::checks>},
    {"host_stubs", "true, false", "a C function for each kernel that runs its groups; exported functions stay",
     plain<&KernelAbi::hostStubs>},
    {"bounds", "map",
     "`max_items`, `min_groups`, `max_registers`, and `subgroup_size` of kernels that use subgroups → `attribute={}`; "
     "`group_size` → `attribute={x},{y},{z}`; with `!` in front: metadata of numbers. Where there are clusters "
     "`cluster_size` likewise, `max_cluster` → `attribute={}`, and `counts_clusters` for kernels whose grid counts "
     "them",
     checked<&KernelAbi::boundAttributes, areBounds>},
    {"bound_features", "map",
     "features of the processor that a module with such a bound needs: `counts_clusters: +NAME`",
     checked<&KernelAbi::boundFeatures, areBoundNames>},
    {"assembly_features", "map",
     "features of the processor that a module needs whose inline assembly has this (a regular expression): `PATTERN: "
     "+NAME`",
     checked<&KernelAbi::assemblyFeatures, arePatterns>},
    {"constant_parameter", "text", "attribute of by-value parameters that are constants of the whole grid",
     plain<&KernelAbi::constantParameter>},
    {"dynamic_shared", "`variable`, `parameter`",
     "where launch-sized shared memory is: behind the static one, or in a last parameter of group space",
     checked<&KernelAbi::dynamicShared, oneOf<sharedWays>>},
    {"inline_all", "true, false", "every function is inlined into the kernels, but for recursive ones",
     plain<&KernelAbi::inlineAll>},
    {"attributes", "list", "`name=value` for every kernel", plain<&KernelAbi::attributes>},
};

constexpr Field<Descriptor> subgroupTable[] = {
    {"size", "number or list",
     "items in a subgroup; several where a compile can choose, the default first; 8, 16, 32 or 64 for `pipeline: "
     "groups`",
     oneOrMore<&Descriptor::subgroupSizes, arePowersOfTwo>},
};

constexpr Field<DeviceLibrary> libraryFields[] = {
    {"name", "text", "for messages", plain<&DeviceLibrary::name>},
    {"role", "text", "the first library of a role that is found is used; empty: always used",
     plain<&DeviceLibrary::role>},
    {"embedded", "text", "a library built into Lathe", plain<&DeviceLibrary::embedded>},
    {"provided_by_backend", "true, false", "not linked: the back end or the driver defines its functions",
     plain<&DeviceLibrary::providedByBackend>},
    {"files", "list", "where to look, in order; `$NAME` is an environment variable", plain<&DeviceLibrary::files>},
    {"math", "map", "the math functions it offers", readMath},
};

constexpr Field<DeviceLibrary> mathTable[] = {
    {"mangling", "`pattern`, `itanium`", "how names are made", checked<&DeviceLibrary::mathMangling, oneOf<manglings>>},
    {"f32", "text", "name of the float function; `{name}` is libm's", plain<&DeviceLibrary::mathF32>},
    {"f64", "text", "name of the double function", plain<&DeviceLibrary::mathF64>},
    {"renames", "map", "libm's name → the library's", plain<&DeviceLibrary::mathRenames>},
    {"also", "list",
     "what it has of the functions that not every library has; `sincos`, `sincospi`: with two pointers for the results",
     checked<&DeviceLibrary::mathAlso, areLibraryMathOrPairs>},
    {"replaced", "list", "what it has that Lathe's own code serves better: `atan2`, `tgamma`",
     checked<&DeviceLibrary::mathReplaced, areSpareMath>},
    {"fast_f32", "text", "name of a float function for calls that may be approximate",
     plain<&DeviceLibrary::mathFastF32>},
    {"fast", "list", "the functions that have one", checked<&DeviceLibrary::mathFast, areLibraryMath>},
};

constexpr Field<PrintRules> printFields[] = {
    {"function", "text", "its name", plain<&PrintRules::function>},
    {"format_space", "number", "address space of formats and of the strings of %s", plain<&PrintRules::formatSpace>},
    {"long_long", "`ll`, `l`", "length modifier of integers of 64 bits",
     checked<&PrintRules::longLong, oneOf<longModifiers>>},
};

constexpr Field<EmitRules> emitFields[] = {
    {"default", "text", "the format that an image holds", checked<&EmitRules::defaultFormat, oneOf<codeFormats>>},
    {"names", "map", "format → the name it is shown and stored by", checked<&EmitRules::names, keysOf<formatWords>>},
    {"formats", "list", "`portable`, `ir`, `bitcode`, `asm`, `object`, `archive`, `linked`, `source`, `image`",
     checked<&EmitRules::formats, oneOf<formatWords>>},
    {"link", "`elf-shared`, `elf-library`, `wasm-module`",
     "how `linked` is made from an object; an `elf-library` may leave functions to others",
     checked<&EmitRules::link, oneOf<links>>},
    {"load_flags", "map",
     "symbols by which a program finds out which architectures its processor has: `function`, called first, and "
     "`words`, an array of 32-bit words",
     checked<&EmitRules::loadFlags, keysOf<loadFlagWords>>},
    {"load_bits", "map", "architecture → the number of its bit in these words",
     checked<&EmitRules::loadBits, areNumbers>},
};

constexpr Field<UnrollLimits> unrollFields[] = {
    {"full", "number", "instructions that a loop with a constant number of iterations may become",
     plain<&UnrollLimits::full>},
    {"partial", "number", "instructions that the body of any other may become", plain<&UnrollLimits::partial>},
    {"count", "number", "iterations that become one where their number is known at run time only",
     plain<&UnrollLimits::count>},
};

constexpr Field<CoarsenLimits> coarsenFields[] = {
    {"groups", "number", "most groups that one serves", plain<&CoarsenLimits::groups>},
    {"loaded", "number", "bytes that an item may load for all of them", plain<&CoarsenLimits::loaded>},
    {"reloaded", "number", "bytes of those that it loads in loops and another loop loads again, for all of them",
     plain<&CoarsenLimits::reloaded>},
    {"reach", "number", "bytes between the addresses of neighbouring items, for all of them",
     plain<&CoarsenLimits::reach>},
    {"instructions", "number", "instructions of an item, for all of them", plain<&CoarsenLimits::instructions>},
    {"shared", "number", "bytes of the variables of all of them", plain<&CoarsenLimits::shared>},
    {"carried", "number", "values that an item's loops carry from turn to turn, for all of them",
     plain<&CoarsenLimits::carried>},
    {"items", "number", "items that a launch has at least, for each multiprocessor and group served",
     plain<&CoarsenLimits::items>},
};

constexpr Field<CodegenOptions> codegenFields[] = {
    {"relocation", "`static`, `pic`", "relocation model", checked<&CodegenOptions::relocation, oneOf<relocations>>},
    {"code_model", "`tiny`, `small`, `kernel`, `medium`, `large`", "code model",
     checked<&CodegenOptions::codeModel, oneOf<codeModels>>},
    {"one_trap", "true, false", "the back end takes one trap instruction in a function, no more",
     plain<&CodegenOptions::oneTrap>},
    {"vector_library", "text", "vector math library, as LLVM names it; empty: none",
     checked<&CodegenOptions::vectorLibrary, isVectorLibrary>},
    {"min_opt_level", "number", "least optimisation level: code of a lower one does not load",
     plain<&CodegenOptions::minOptLevel>},
    {"debug_info", "true, false", "the loader reads debug information: kept whether or not a job asks for it",
     plain<&CodegenOptions::debugInfo>},
    {"recompute_phis", "true, false",
     "sums that all ways to a block know are added again where they are used: instructions for registers",
     plain<&CodegenOptions::recomputesPhis>},
    {"jump_tables", "true, false", "a switch may become a jump table", plain<&CodegenOptions::jumpTables>},
    {"library_calls", "true, false", "the optimiser may make calls of memcpy and the like out of loops",
     plain<&CodegenOptions::libraryCalls>},
    {"host_features", "true, false", "architecture `native` takes the machine's features too",
     plain<&CodegenOptions::hostFeatures>},
    {"reusable_machines", "list", "architectures whose back end's tables may serve one compile after another",
     plain<&CodegenOptions::reusableMachines>},
    {"own_process", "true, false",
     "the back end keeps state between modules: each compile that generates code has a process of its own",
     plain<&CodegenOptions::ownProcess>},
    {"starts_alone", "true, false",
     "LLVM's passes for the machine that run before all others keep state between modules: one thread at a time runs "
     "them",
     plain<&CodegenOptions::startsAlone>},
    {"dwarf", "true, false", "false: an object has DWARF only if the job asks for debug information",
     plain<&CodegenOptions::dwarf>},
    {"unroll", "map",
     "how far loops are unrolled where items run by themselves; without it LLVM decides for the machine",
     plain<&CodegenOptions::unroll>},
    {"coarsen", "map",
     "how many groups of a large grid one may serve, its items loading for all of them at once; without it none",
     plain<&CodegenOptions::coarsen>},
    {"extensions", "list", "extensions of the format that the back end may use", plain<&CodegenOptions::extensions>},
};

constexpr Field<Limits> limitFields[] = {
    {"group_items", "number", "most items in a group; 0: unknown", plain<&Limits::groupItems>},
    {"subgroup_group_items", "number",
     "most items in a group whose kernel uses subgroups; 0: as any group, not for `pipeline: groups`",
     plain<&Limits::subgroupGroupItems>},
    {"group", "3 numbers", "most items along x, y, z", plain<&Limits::group>},
    {"atomic_bits", "number", "width of the widest atomic access; 128 by default", plain<&Limits::atomicBits>},
    {"shared_bytes", "number", "most static shared memory of a group", plain<&Limits::sharedBytes>},
    {"constant_bytes", "number", "most bytes in the constant space; 0: any number", plain<&Limits::constantBytes>},
    {"call_arguments", "number", "most arguments of a call that is left after inlining; 0: any number",
     plain<&Limits::callArguments>},
    {"stack_bytes", "number", "most bytes of variables along a chain of calls; 0: unknown", plain<&Limits::stackBytes>},
};

constexpr Field<WhenClause> whenFields[] = {
    {"arch_at_least", "text", "architectures whose ordinal is no less than this one's",
     plain<&WhenClause::archAtLeast>},
    {"arch_matches", "text", "architectures that match a regular expression",
     checked<&WhenClause::archMatches, isPattern>},
    {"then", "map", "keys laid over the document",
     [](SchemaReader&, const YamlNode& in, WhenClause& out) { out.then = &in; }},
};

}  // namespace

template <>
std::span<const Field<Descriptor>> fieldsOf<Descriptor>() {
  return descriptorFields;
}
template <>
std::span<const Field<ArchitectureRules>> fieldsOf<ArchitectureRules>() {
  return architectureFields;
}
template <>
std::span<const Field<AddressSpaces>> fieldsOf<AddressSpaces>() {
  return spaceFields;
}
template <>
std::span<const Field<KernelAbi>> fieldsOf<KernelAbi>() {
  return kernelFields;
}
template <>
std::span<const Field<DeviceLibrary>> fieldsOf<DeviceLibrary>() {
  return libraryFields;
}
template <>
std::span<const Field<PrintRules>> fieldsOf<PrintRules>() {
  return printFields;
}
template <>
std::span<const Field<EmitRules>> fieldsOf<EmitRules>() {
  return emitFields;
}
template <>
std::span<const Field<CodegenOptions>> fieldsOf<CodegenOptions>() {
  return codegenFields;
}
template <>
std::span<const Field<UnrollLimits>> fieldsOf<UnrollLimits>() {
  return unrollFields;
}
template <>
std::span<const Field<CoarsenLimits>> fieldsOf<CoarsenLimits>() {
  return coarsenFields;
}
template <>
std::span<const Field<Limits>> fieldsOf<Limits>() {
  return limitFields;
}
template <>
std::span<const Field<WhenClause>> fieldsOf<WhenClause>() {
  return whenFields;
}

std::span<const Field<Descriptor>> subgroupFields() {
  return subgroupTable;
}
std::span<const Field<DeviceLibrary>> mathFields() {
  return mathTable;
}

std::string_view nameOf(PipelineKind kind) {
  return pipelines[static_cast<std::size_t>(kind)];
}

std::span<const std::string_view> forbiddableConstructs() {
  return constructs;
}

std::optional<std::string> patternFault(const std::string& pattern) {
  std::string fault;
  if (llvm::Regex(pattern).isValid(fault)) return std::nullopt;
  return fault;
}

std::vector<WhenClause> readWhen(const YamlNode& document, std::vector<YamlDiagnostic>& diagnostics) {
  const auto* const when = document.find("when");
  if (!when) return {};
  SchemaReader reader(diagnostics);
  std::vector<WhenClause> clauses;
  reader.within("when", [&] {
    reader.read(when->value, clauses);
    for (std::size_t i = 0; i < clauses.size(); ++i) {
      const YamlNode& node = when->value.items[i];
      if (!node.isMap()) continue;
      if (clauses[i].archAtLeast.empty() == clauses[i].archMatches.empty()) {
        reader.fail(node.at, "a clause has exactly one of arch_at_least and arch_matches");
      }
      if (!clauses[i].then) reader.fail(node.at, "key 'then' is missing");
    }
  });
  return clauses;
}

}  // namespace lathe::detail
