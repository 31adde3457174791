// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of keys, and the checks that a value's type does not make.
#include "core/descriptor/schema.h"

#include <algorithm>
#include <array>

#include "llvm/IR/CallingConv.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Regex.h"

#include "core/abi/math.h"
#include "core/descriptor/llvm_facts.h"

namespace lathe::detail {
namespace {

constexpr std::array<std::string_view, 14> constructs = {
    "recursion",     "indirect_call",    "fp128",           "alloca_dynamic",  "inline_asm",
    "trap",          "varargs",          "odd_integers",    "bfloat",          "small_atomics",
    "cycle_counter", "float_arithmetic", "signed_division", "aggregate_result"};
constexpr std::array<std::string_view, 10> expansions = {
    "atomics", "small_atomics", "ordered_atomics", "wide_conversions", "integers",
    "vectors", "overflow",      "intrinsics",      "addresses",        "hints"};
constexpr std::array<std::string_view, 2> floatAtomics = {"add.f32", "add.f64"};
constexpr std::array<std::string_view, 2> sharedWays = {"variable", "parameter"};
constexpr std::array<std::string_view, 3> frontends = {"device", "plain", "dialect"};  // as FrontEnd counts them
static_assert(static_cast<std::size_t>(FrontEnd::device) == 0 && static_cast<std::size_t>(FrontEnd::plain) == 1 &&
              static_cast<std::size_t>(FrontEnd::dialect) == 2);
constexpr std::array<std::string_view, 3> pipelines = {"items", "groups", "module"};  // as pipelineKinds has them
constexpr std::array<std::string_view, 2> relocations = {"static", "pic"};
constexpr std::array<std::string_view, 5> codeModels = {"tiny", "small", "kernel", "medium", "large"};
constexpr std::array<std::string_view, 2> longModifiers = {"ll", "l"};
constexpr std::array<std::string_view, 4> links = {"", "elf-shared", "elf-library", "wasm-module"};
constexpr std::array<std::string_view, 2> manglings = {"pattern", "itanium"};
constexpr std::array<std::string_view, 8> boundKeys = {"max_items",   "min_groups",     "max_registers",
                                                       "group_size",  "subgroup_size",  "cluster_size",
                                                       "max_cluster", "counts_clusters"};
constexpr std::array<std::string_view, 5> scopeKeys = {"item", "subgroup", "group", "device", "system"};
constexpr std::array<std::string_view, 7> codeFormats = {"portable", "ir",      "bitcode", "asm",
                                                         "object",   "archive", "linked"};
constexpr std::array<std::string_view, 8> formatWords = {"portable", "ir",      "bitcode", "asm",
                                                         "object",   "archive", "linked",  "image"};
constexpr std::array<std::string_view, 6> reflections = {"0",         "1",       "flush_denormals",
                                                         "fast_math", "precise", "ordinal"};

std::vector<std::string> asList(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

std::vector<std::string> mathNames() {
  return {
#define LATHE_MATH(name, signature, intrinsic) #name,
#define LATHE_SPARE_MATH(name, signature, intrinsic) #name,
#define LATHE_OWN_MATH(name, signature, intrinsic) #name,
#include "core/abi/math.def"
  };
}

std::vector<std::string> spareMathNames() {
  return {
#define LATHE_MATH(name, signature, intrinsic)
#define LATHE_SPARE_MATH(name, signature, intrinsic) #name,
#define LATHE_OWN_MATH(name, signature, intrinsic)
#include "core/abi/math.def"
  };
}

// --- how a value of a field is read: by its type, then checked ---------------------------------------------------

template <class Owner, class Value>
Owner ownerOf(Value Owner::*);
template <auto member>
using OwnerOf = decltype(ownerOf(member));

template <auto member>
void plain(SchemaReader& reader, const YamlNode& in, OwnerOf<member>& out) {
  reader.read(in, out.*member);
}

/// Reads by type, then `check(reader, node, value)`, unless the type was wrong already.
template <auto member, auto check>
void checked(SchemaReader& reader, const YamlNode& in, OwnerOf<member>& out) {
  reader.read(in, out.*member);
  if (in.kind != YamlNode::Kind::null) check(reader, in, out.*member);
}

void checkWord(SchemaReader& reader, const YamlNode& in, std::span<const std::string_view> words) {
  if (in.kind != YamlNode::Kind::scalar || std::ranges::find(words, in.text) != words.end()) return;
  reader.failUnknown(in.at, "value", in.text, asList(words));
}

/// Text, or a list of texts, out of a vocabulary.
template <const auto& words>
constexpr auto oneOf = [](SchemaReader& reader, const YamlNode& in, const auto&) {
  checkWord(reader, in, words);
  for (const YamlNode& item : in.items) checkWord(reader, item, words);
};

/// A map whose keys are out of a vocabulary.
template <const auto& words>
constexpr auto keysOf = [](SchemaReader& reader, const YamlNode& in, const auto&) {
  for (const auto& member : in.members) {
    if (std::ranges::find(words, member.key) == words.end())
      reader.failUnknown(member.at, "key", member.key, asList(words));
  }
};

/// Values "name=text", or "!name=text".
constexpr auto areBounds = [](SchemaReader& reader, const YamlNode& in, const auto& map) {
  keysOf<boundKeys>(reader, in, map);
  for (const auto& member : in.members) {
    const llvm::StringRef name = llvm::StringRef(member.value.text).split('=').first.ltrim('!');
    const bool whole =
        !name.empty() && name.size() < member.value.text.size() && llvm::StringRef(member.value.text).contains('=');
    if (member.value.kind == YamlNode::Kind::scalar && !whole)
      reader.fail(member.value.at, member.key + ": '" + member.value.text + "' is not NAME=TEXT or !NAME=NUMBERS");
  }
};

constexpr auto areBoundNames = [](SchemaReader& reader, const YamlNode& in, const auto& map) {
  keysOf<boundKeys>(reader, in, map);
};

/// Switches, and under "function" the name of the function that asks for them.
constexpr auto areSwitches = [](SchemaReader& reader, const YamlNode& in, const auto&) {
  for (const auto& member : in.members) {
    if (member.key != "function" && !ordinalFactor(member.value.text))
      reader.within(member.key, [&] { checkWord(reader, member.value, reflections); });
  }
};

constexpr auto isTriple = [](SchemaReader& reader, const YamlNode& in, const std::string& text) {
  if (in.kind != YamlNode::Kind::scalar || text == "host") return;
  if (auto fault = tripleFault(text)) reader.fail(in.at, "'" + text + "' is no triple: " + *fault);
};

constexpr auto areTriples = [](SchemaReader& reader, const YamlNode& in, const std::map<std::string, std::string>&) {
  for (const auto& member : in.members)
    reader.within(member.key, [&] { isTriple(reader, member.value, member.value.text); });
};

constexpr auto isPattern = [](SchemaReader& reader, const YamlNode& in, const std::string& text) {
  if (auto fault = patternFault(text)) reader.fail(in.at, "'" + text + "' is no regular expression: " + *fault);
};

constexpr auto isDataLayout = [](SchemaReader& reader, const YamlNode& in, const std::string& text) {
  if (auto layout = llvm::DataLayout::parse(text); !layout) {
    reader.fail(in.at, "not a data layout: " + llvm::toString(layout.takeError()));
  }
};

constexpr auto isConvention = [](SchemaReader& reader, const YamlNode& in, const std::string& text) {
  if (in.kind != YamlNode::Kind::scalar || callingConvention(text)) return;
  reader.fail(in.at, "'" + text + "' is no calling convention of LLVM's",
              "spell it as LLVM's assembly does: ccc, fastcc, cc 10");
};

constexpr auto isVectorLibrary = [](SchemaReader& reader, const YamlNode& in, const std::string& text) {
  if (in.kind != YamlNode::Kind::scalar || text.empty() || vectorLibrary(text)) return;
  reader.failUnknown(in.at, "value", text, vectorLibraryNames());
};

constexpr auto isName = [](SchemaReader& reader, const YamlNode& in, const std::string& text) {
  const bool good = !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  if (in.kind == YamlNode::Kind::scalar && !good) {
    reader.fail(in.at, "'" + text + "' is no target name; use lower-case letters, digits, '-' and '_'");
  }
};

constexpr auto areMathNames = [](SchemaReader& reader, const YamlNode& in, const std::vector<std::string>&) {
  for (const YamlNode& item : in.items) {
    const auto [name, form] = llvm::StringRef(item.text).split('.');
    const auto known = findMath(std::string_view(name));
    if (!known || !known->isDouble) {
      reader.failUnknown(item.at, "math function", name, mathNames());
    } else if (!form.empty() && form != "f32" && form != "f64" && form != "f32+afn" && form != "f64+afn") {
      reader.fail(item.at, "'" + item.text + "' is not NAME, NAME.f32 or NAME.f64, the last two with +afn or without");
    }
  }
};

constexpr auto areLibraryMath = [](SchemaReader& reader, const YamlNode& in, const std::vector<std::string>&) {
  for (const YamlNode& item : in.items) {
    const auto known = findMath(std::string_view(item.text));
    if (!known || !known->isDouble) reader.failUnknown(item.at, "math function", item.text, mathNames());
  }
};

constexpr auto areSpareMath = [](SchemaReader& reader, const YamlNode& in, const std::vector<std::string>&) {
  for (const YamlNode& item : in.items) {
    const auto known = findMath(std::string_view(item.text));
    if (!known || !known->isDouble || known->function->own != MathFunction::Own::spare)
      reader.failUnknown(item.at, "function of Lathe's own that a library may have too", item.text, spareMathNames());
  }
};

constexpr auto areNumbers = [](SchemaReader& reader, const YamlNode& in, const std::map<std::string, std::string>&) {
  for (const auto& member : in.members) {
    std::uint32_t number = 0;
    reader.within(member.key, [&] { reader.read(member.value, number); });
  }
};

constexpr auto arePowersOfTwo = [](SchemaReader& reader, const YamlNode& in, const std::vector<unsigned>& sizes) {
  if (in.kind != YamlNode::Kind::list) return;
  if (sizes.empty()) reader.fail(in.at, "at least one size is needed");
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!llvm::isPowerOf2_32(sizes[i])) reader.fail(in.items[i].at, "'" + in.items[i].text + "' is not a power of two");
  }
};

// --- values with a syntax of their own ---------------------------------------------------------------------------

void readVersion(SchemaReader& reader, const YamlNode& in, Descriptor&) {
  unsigned version = schemaVersion;
  reader.read(in, version);
  if (version != schemaVersion) {
    reader.fail(in.at, "schema version " + std::to_string(version) + " is not known; this Lathe reads version " +
                           std::to_string(schemaVersion));
  }
}

/// Clauses are read where the architecture is known: readWhen().
void skip(SchemaReader&, const YamlNode&, Descriptor&) {}

void readSubgroup(SchemaReader& reader, const YamlNode& in, Descriptor& out) {
  reader.readFields(in, out, subgroupFields());
}

/// A list, or one value that stands for a list of one.
template <auto member, auto check>
void oneOrMore(SchemaReader& reader, const YamlNode& in, OwnerOf<member>& out) {
  if (in.kind != YamlNode::Kind::scalar) return checked<member, check>(reader, in, out);
  YamlNode list;
  list.kind = YamlNode::Kind::list;
  list.at = in.at;
  list.items = {in};
  checked<member, check>(reader, list, out);
}

void readMath(SchemaReader& reader, const YamlNode& in, DeviceLibrary& out) {
  reader.readFields(in, out, mathFields());
  const auto lacksName = [](const std::string& pattern) { return pattern.find("{name}") == std::string::npos; };
  if (out.mathMangling == "pattern" && (lacksName(out.mathF32) || lacksName(out.mathF64)))
    reader.fail(in.at, "mangling 'pattern' needs 'f32' and 'f64' with {name} in them");
  if (!out.mathFast.empty() && lacksName(out.mathFastF32))
    reader.fail(in.at, "'fast' needs 'fast_f32' with {name} in it");
}

/// byval, byval(SPACE), packed, or byref(SPACE).
void readAggregates(SchemaReader& reader, const YamlNode& in, KernelAbi& out) {
  constexpr const char* forms = "byval, byval(SPACE), packed or byref(SPACE)";
  if (!reader.expect(in, YamlNode::Kind::scalar, forms)) return;
  const auto [way, rest] = llvm::StringRef(in.text).split('(');
  llvm::StringRef digits = rest;
  unsigned space = 0;
  const bool hasSpace = digits.consume_back(")") && !digits.getAsInteger(10, space);
  const bool bare = way == llvm::StringRef(in.text);
  out.aggregateSpace = hasSpace ? std::optional(space) : std::nullopt;
  if (way == "byval" && (bare || hasSpace)) {
    out.aggregates = AggregatePassing::byval;
  } else if (way == "packed" && bare) {
    out.aggregates = AggregatePassing::packed;
  } else if (way == "byref" && hasSpace) {
    out.aggregates = AggregatePassing::byref;
  } else {
    reader.fail(in.at, std::string("expected ") + forms + ", found '" + in.text + "'");
  }
}

/// Reads a member that is one of `words`, which stand in the order of its type's values.
template <auto member, const auto& words>
void readWord(SchemaReader& reader, const YamlNode& in, Descriptor& out) {
  if (!reader.expect(in, YamlNode::Kind::scalar, "a word")) return;
  checkWord(reader, in, words);
  const auto at = std::ranges::find(words, in.text);
  if (at != words.end()) out.*member = static_cast<std::remove_reference_t<decltype(out.*member)>>(at - words.begin());
}

/// Kind → list of words.
void readEntryKinds(SchemaReader& reader, const YamlNode& in, Descriptor& out) {
  if (!reader.expect(in, YamlNode::Kind::map, "a map")) return;
  for (const auto& member : in.members)
    reader.within(member.key, [&] { reader.read(member.value, out.entryKinds[member.key]); });
}

// --- the tables --------------------------------------------------------------------------------------------------

constexpr Field<Descriptor> descriptorFields[] = {
    {"lathe", "number", "schema version: 1. Required", readVersion, true},
    {"name", "text", "the target's name, and the file's. Required", checked<&Descriptor::name, isName>, true},
    {"description", "text", "one line for `lathe targets`", plain<&Descriptor::description>},
    {"extends", "text", "another target; this file is laid over it", plain<&Descriptor::extends>, true},
    {"triple", "text", "LLVM triple, or `host` for this machine's. Required", checked<&Descriptor::triple, isTriple>,
     true},
    {"frontend", "`device`, `plain`, `dialect`",
     "`device`: portable IR. `plain`: compiled for the triple directly, without the device ABI. `dialect`: for the "
     "triple "
     "of its `dialects`",
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
    {"data_layout", "text", "refuse to compile if LLVM's data layout differs",
     checked<&Descriptor::dataLayout, isDataLayout>},
    {"architectures", "map", "which architectures there are", plain<&Descriptor::architectures>, true},
    {"features", "text", "LLVM features for every compile: `+a,-b`", plain<&Descriptor::features>},
    {"address_spaces", "map", "numbers of the address spaces", plain<&Descriptor::addressSpaces>},
    {"kernel", "map", "how a kernel is called", plain<&Descriptor::kernel>},
    {"subgroup", "map", "the items that execute together", readSubgroup},
    {"intrinsics", "map",
     "device ABI entry → LLVM intrinsic, a map with its arguments, or `absent`, which a group of entries "
     "(`subgroup`, `barrier`, …) can be too; what stands later holds",
     readIntrinsics},
    {"sync_scopes", "map", "`item`, `subgroup`, `group`, `device`, `system` → LLVM synchronisation scope",
     checked<&Descriptor::syncScopes, keysOf<scopeKeys>>},
    {"device_libraries", "list of maps", "bitcode libraries to link, in order", plain<&Descriptor::deviceLibraries>},
    {"native_math", "list",
     "math functions that the back end selects itself: `sqrt` in both precisions, `sqrt.f32` in one, `sin.f32+afn` "
     "where the call may be approximate",
     checked<&Descriptor::nativeMath, areMathNames>},
    {"reflect", "map",
     "switches that a device library reads → `0`, `1`, `flush_denormals`, `fast_math`, `precise`, `ordinal` "
     "(the architecture's, also times a number: `ordinal*16`); "
     "`function`: the function it asks by",
     checked<&Descriptor::reflect, areSwitches>},
    {"externals", "list",
     "functions that may stay undefined: the loader or linker has them; `NAME*` stands for all that begin so",
     plain<&Descriptor::externals>},
    {"forbid", "list", "what the target cannot run", checked<&Descriptor::forbid, oneOf<constructs>>},
    {"expand", "list",
     "what late lowering rewrites because the back end lacks it: `atomics`, `small_atomics`, `ordered_atomics`, "
     "`integers`, `vectors`, "
     "`overflow`, `intrinsics`, `addresses`, `hints`",
     checked<&Descriptor::expand, oneOf<expansions>>},
    {"native_atomics", "list", "what `expand: [atomics]` leaves to the back end: `add.f32`, `add.f64`",
     checked<&Descriptor::nativeAtomics, oneOf<floatAtomics>>},
    {"printf", "map", "a variadic printf that the back end or the driver has", plain<&Descriptor::print>},
    {"emit", "map", "what can be emitted", plain<&Descriptor::emit>},
    {"codegen", "map", "switches of LLVM's code generator", plain<&Descriptor::codegen>},
    {"limits", "map", "what a launch may ask for", plain<&Descriptor::limits>},
    {"runtime", "text", "the runtime that loads images", plain<&Descriptor::runtime>},
    {"cuda_arch", "number", "value of `__CUDA_ARCH__` where a dialect has it; 0: the architecture's ordinal × 10",
     plain<&Descriptor::cudaArch>},
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
    {"tables", "number", "constant tables of the program that are only read; by default they are global",
     plain<&AddressSpaces::tables>},
};

constexpr Field<KernelAbi> kernelFields[] = {
    {"calling_convention", "text", "as LLVM assembly spells it", checked<&KernelAbi::callingConvention, isConvention>},
    {"aggregates", "`byval`, `byval(SPACE)`, `byref(SPACE)`, `packed`",
     "how by-value aggregates arrive; `packed`: all parameters in one block", readAggregates},
    {"parameter_bytes", "number", "most bytes of parameters", plain<&KernelAbi::parameterBytes>},
    {"global_pointers", "true, false", "pointer parameters always point to device memory",
     plain<&KernelAbi::globalPointers>},
    {"byte_booleans", "true, false", "a bool parameter is a byte of 0 or 1", plain<&KernelAbi::byteBooleans>},
    {"state", "true, false", "kernels can be given Lathe's state: device.cpp includes `lathe/sdk/device_state.h`",
     plain<&KernelAbi::state>},
    {"state_by_default", "true, false", "kernels of images are given it unless the job asks for the entry ABI `bare`",
     plain<&KernelAbi::stateByDefault>},
    {"checks", "true, false", "the runtime has the functions that kernels in checked mode call (core/abi/checks.h)",
     plain<&KernelAbi::checks>},
    {"launchers", "true, false", "a C function for each kernel that runs its groups; exported functions stay",
     plain<&KernelAbi::launchers>},
    {"bounds", "map",
     "`max_items`, `min_groups`, `max_registers`, and `subgroup_size` of kernels that use subgroups → `attribute={}`; "
     "`group_size` → `attribute={x},{y},{z}`; with `!` in front: metadata of numbers. Where there are clusters "
     "`cluster_size` likewise, `max_cluster` → `attribute={}`, and `counts_clusters` for kernels whose grid counts "
     "them",
     checked<&KernelAbi::boundAttributes, areBounds>},
    {"bound_features", "map",
     "features of the processor that a module with such a bound needs: `counts_clusters: +NAME`",
     checked<&KernelAbi::boundFeatures, areBoundNames>},
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
    {"size", "number or list", "items in a subgroup; several where a compile can choose, the default first",
     oneOrMore<&Descriptor::subgroupSizes, arePowersOfTwo>},
};

constexpr Field<DeviceLibrary> libraryFields[] = {
    {"name", "text", "for messages", plain<&DeviceLibrary::name>},
    {"role", "text", "the first library of a role that is found is used; empty: always used",
     plain<&DeviceLibrary::role>},
    {"embedded", "text", "a library built into Lathe", plain<&DeviceLibrary::embedded>},
    {"resident", "true, false", "not linked: the back end or the driver defines its functions",
     plain<&DeviceLibrary::resident>},
    {"files", "list", "where to look, in order; `$NAME` is an environment variable", plain<&DeviceLibrary::files>},
    {"math", "map", "the math functions it offers", readMath},
};

constexpr Field<DeviceLibrary> mathTable[] = {
    {"mangling", "`pattern`, `itanium`", "how names are made", checked<&DeviceLibrary::mathMangling, oneOf<manglings>>},
    {"f32", "text", "name of the float function; `{name}` is libm's", plain<&DeviceLibrary::mathF32>},
    {"f64", "text", "name of the double function", plain<&DeviceLibrary::mathF64>},
    {"renames", "map", "libm's name → the library's", plain<&DeviceLibrary::mathRenames>},
    {"also", "list", "what it has of the functions that not every library has",
     checked<&DeviceLibrary::mathAlso, areLibraryMath>},
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
    {"formats", "list", "`portable`, `ir`, `bitcode`, `asm`, `object`, `archive`, `linked`, `image`",
     checked<&EmitRules::formats, oneOf<formatWords>>},
    {"link", "`elf-shared`, `elf-library`, `wasm-module`",
     "how `linked` is made from an object; an `elf-library` may leave functions to others",
     checked<&EmitRules::link, oneOf<links>>},
};

constexpr Field<CodegenOptions> codegenFields[] = {
    {"relocation", "`static`, `pic`", "relocation model", checked<&CodegenOptions::relocation, oneOf<relocations>>},
    {"code_model", "`tiny`, `small`, `kernel`, `medium`, `large`", "code model",
     checked<&CodegenOptions::codeModel, oneOf<codeModels>>},
    {"no_trap_after_noreturn", "true, false", "no trap instruction behind a call that does not return",
     plain<&CodegenOptions::noTrapAfterNoreturn>},
    {"function_sections", "true, false", "one section for each function", plain<&CodegenOptions::functionSections>},
    {"one_trap", "true, false", "the back end takes one trap instruction in a function, no more",
     plain<&CodegenOptions::oneTrap>},
    {"vector_library", "text", "vector math library, as LLVM names it; empty: none",
     checked<&CodegenOptions::vectorLibrary, isVectorLibrary>},
    {"least_level", "number", "least optimisation level: code of a lower one does not load",
     plain<&CodegenOptions::leastLevel>},
    {"debug_info", "true, false", "the loader reads debug information: kept whether or not a job asks for it",
     plain<&CodegenOptions::debugInfo>},
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
    {"dwarf", "true, false", "false: an object has DWARF only if the job asks for debug information",
     plain<&CodegenOptions::dwarf>},
    {"extensions", "list", "extensions of the format that the back end may use", plain<&CodegenOptions::extensions>},
};

constexpr Field<Limits> limitFields[] = {
    {"group_items", "number", "most items in a group; 0: unknown", plain<&Limits::groupItems>},
    {"subgroup_group_items", "number", "most items in a group whose kernel uses subgroups; 0: as any group",
     plain<&Limits::subgroupGroupItems>},
    {"group", "3 numbers", "most items along x, y, z", plain<&Limits::group>},
    {"shared_bytes", "number", "most static shared memory of a group", plain<&Limits::sharedBytes>},
    {"call_arguments", "number", "most arguments of a call that is left after inlining; 0: any number",
     plain<&Limits::callArguments>},
    {"stack_bytes", "number", "most bytes of local variables along a chain of calls; 0: unknown",
     plain<&Limits::stackBytes>},
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

std::vector<WhenClause> readWhen(const YamlNode& document, std::vector<Finding>& findings) {
  const auto* const when = document.find("when");
  if (!when) return {};
  SchemaReader reader(findings);
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
