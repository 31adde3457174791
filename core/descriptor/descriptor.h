// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target's descriptor: what Lathe knows of a target without running any of its code. This is the checked form of the
// YAML file described in docs/descriptor.md; every default stands here, once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <lathe/result.h>

namespace lathe::detail {

/// How a kernel's by-value aggregates arrive.
enum class AggregatePassing : std::uint8_t {
  byval,   ///< as `ptr byval(T)`, in generic space or as `ptr addrspace(N) byval(T)`
  byref,   ///< as `ptr addrspace(N) byref(T)`
  packed,  ///< all parameters in one block: group entries (core/group/entry/group_entry.h)
};

/// How sources become IR.
enum class FrontEnd : std::uint8_t {
  device,   ///< as portable IR, which names no target
  native,   ///< for the target's own triple, portable rules relaxed
  dialect,  ///< for the triple of the dialects that the target lists
};

struct ArchitectureRules {
  std::string defaultName = "generic";
  /// POSIX extended regular expression that a whole name matches; its first group, if any, holds the ordinal.
  std::string pattern = ".*";
  std::string prefix;  ///< "sm_": removed in messages and file names only
  /// Asked of the machine for arch "native": "host" (LLVM's host CPU) or a runtime's name.
  std::string native;
  std::optional<unsigned> minimum;             ///< least ordinal accepted
  std::map<std::string, std::string> aliases;  ///< compute_90 → sm_90
  /// Where LLVM tells architectures apart by triple and not by processor: all of them, each with its triple.
  std::map<std::string, std::string> triples;
};

struct AddressSpaces {
  unsigned generic = 0;
  unsigned global = 0;
  unsigned group = 3;
  unsigned constant = 0;
  unsigned alloca_ = 0;
  /// Tables of the program's own that are only read through addresses known to lead to them; nothing: they stay global.
  std::optional<unsigned> constantData;
};

struct KernelAbi {
  unsigned callingConvention = 0;  ///< LLVM's number (llvm::CallingConv)
  AggregatePassing aggregates = AggregatePassing::byval;
  std::optional<unsigned> aggregateSpace;  ///< N of the above
  bool byteBooleans = false;               ///< a bool parameter is a byte, not an i1
  bool largeByReference = false;  ///< aggregates for which there is no room arrive as addresses of device memory
  std::uint64_t parameterBytes = 4096;
  bool globalPointers = false;  ///< pointer parameters of kernels always point to global memory
  bool state = false;           ///< device.cpp has what kernels with a state call
  bool stateByDefault = false;  ///< images' kernels that use one have it unless the job says otherwise
  bool hostStubs = false;       ///< each kernel gets a C function that runs its groups (core/group/host_stubs.cpp)
  bool checks = false;          ///< the runtime has the functions of checked mode (core/abi/checks.h)
  /// What launch bounds become: key max_items | min_groups | max_registers | group_size | subgroup_size | cluster_size
  /// | max_cluster | counts_clusters, value "name=text" with {} or {x} {y} {z} replaced: a function attribute, or with
  /// "!name=1,2" metadata of numbers. A target without `cluster_size` has no clusters.
  std::map<std::string, std::string> boundAttributes;
  /// What a bound, if a kernel has it, adds to the processor's features.
  std::map<std::string, std::string> boundFeatures;
  /// What inline assembly, if the pattern is found in some, adds to the processor's features.
  std::map<std::string, std::string> assemblyFeatures;
  /// The attribute of by-value parameters that kernels only read and whose address they may give away; empty: none.
  std::string constantParameter;
  /// How launch-sized shared memory arrives: "variable" behind the static one, or "parameter", the last of all.
  std::string dynamicShared = "variable";
  bool inlineAll = false;  ///< kernels call nothing: every function is inlined, but for recursive ones
  /// "name=text" put on every kernel.
  std::vector<std::string> attributes;
};

/// What one entry of the device ABI becomes.
struct IntrinsicMapping {
  /// An LLVM intrinsic ("llvm.nvvm.read.ptx.sreg.tid.x"), overloads spelled out.
  std::string name;
  /// Arguments: "$0"… for the entry's own, or integer constants. Empty and !explicitArguments: the entry's own.
  std::vector<std::string> arguments;
  bool explicitArguments = false;
};

/// One bitcode library a target may link.
struct DeviceLibrary {
  std::string name;
  std::string role;                ///< the first library found of a role is the one used; empty: always used
  std::string embedded;            ///< name of a library built into Lathe; empty: look in `files`
  bool providedByBackend = false;  ///< not linked: the back end or the driver defines its functions
  std::vector<std::string> files;  ///< candidates; $NAME is an environment variable
  /// How the library spells math function {name}: {name} and, for "itanium", a mangled OpenCL-style signature.
  std::string mathMangling;      ///< "pattern" or "itanium"; empty: offers no math
  std::string mathF32, mathF64;  ///< patterns: "__nv_{name}f", "__nv_{name}"
  /// libm name → library's base name where they differ.
  std::map<std::string, std::string> mathRenames;
  std::vector<std::string> mathAlso;      ///< of the functions that not every library has (math.def), those it has
  std::vector<std::string> mathReplaced;  ///< those it has that Lathe's own serve better
  /// What serves a float call that may be approximate, and of which functions: "__nv_fast_{name}f".
  std::string mathFastF32;
  std::vector<std::string> mathFast;
};

/// What `forbid` may list, for stage validate.
std::span<const std::string_view> forbiddableConstructs();

/// How far loops are unrolled where items run by themselves; sizes in LLVM's instructions. All 0: as LLVM's cost model
/// of the machine says.
struct UnrollLimits {
  std::uint64_t full = 0;     ///< size that a loop with a constant number of iterations may become
  std::uint64_t partial = 0;  ///< size that the body of any other may become
  unsigned count = 0;         ///< iterations that become one where their number is known at run time only
};

/// How far groups are jammed (stage coarsen): each limit is of all groups that one serves together. `groups` 0: never.
struct CoarsenLimits {
  unsigned groups = 0;             ///< most that one serves; a power of two
  std::uint64_t loaded = 0;        ///< bytes that an item loads
  std::uint64_t reloaded = 0;      ///< bytes of those that loops load which another loads again
  std::uint64_t reach = 0;         ///< bytes between neighbouring items' addresses in one access
  std::uint64_t instructions = 0;  ///< of an item, in LLVM's instructions
  std::uint64_t shared = 0;        ///< bytes of group variables
  std::uint64_t carried = 0;       ///< values that loops carry from turn to turn
  std::uint64_t items = 0;         ///< fewest items of a launch, for each multiprocessor and group that one serves
};

struct CodegenOptions {
  std::string relocation = "static";  ///< static | pic
  std::string codeModel = "";         ///< small | medium | large; empty: LLVM's default
  bool oneTrap = false;               ///< a function has at most one trap instruction
  std::string vectorLibrary;          ///< as LLVM names it: "LIBMVEC"; empty: none
  unsigned minOptLevel = 0;           ///< code of a lower optimisation level does not load
  bool debugInfo = false;             ///< the loader reads it: kept whether or not the job asks for it
  bool recomputesPhis = false;        ///< sums that all ways to a block know are added again where they are used
  bool jumpTables = true;             ///< a switch may become one
  bool libraryCalls = true;           ///< the optimiser may make memcpy and the like out of loops
  bool hostFeatures = false;          ///< arch "native" also takes the machine's features
  bool ownProcess = false;            ///< LLVM's code generator keeps state between modules: one compile a process
  bool startsAlone = false;           ///< LLVM's passes for it that run first keep state: one thread at a time
  bool dwarf = true;                  ///< false: an object has DWARF only if the job asks for debug information
  UnrollLimits unroll;
  CoarsenLimits coarsen;
  /// Architectures, as triples begin, of which LLVM's target machine keeps nothing of a module that another may not
  /// see.
  std::vector<std::string> reusableMachines;
  /// What the back end may use beyond the architecture, by the format's own names; read by hooks.
  std::vector<std::string> extensions;
};

/// C's printf, where a target has it as a variadic function.
struct PrintRules {
  std::string function;         ///< empty: none
  unsigned formatSpace = 0;     ///< where its formats and strings have to be
  std::string longLong = "ll";  ///< length modifier of integers of 64 bits
};

/// How kernels are written as text of the C family (core/emit/text/): the language's spellings. Templates have holes
/// that docs/text-targets.md lists. Without `types` a target is not written as text.
struct TextRules {
  std::string prelude;                              ///< before everything else
  std::map<std::string, std::string> types;         ///< i1 i8 … i64 unsigned, s8 … s64 signed, f16 f32 f64 → spelling
  std::map<std::string, std::string> bits;          ///< type → the same bits as that type: "as_float({0})"
  std::map<std::string, std::string> features;      ///< type → a line that code with that type begins with
  std::map<std::string, std::string> spaces;        ///< number of an address space → qualifier
  std::map<std::string, std::string> scopes;        ///< LLVM synchronisation scope → argument of atomic functions
  std::map<std::string, std::string> qualifiers;    ///< metadata of a kernel → qualifier in front of it
  std::map<std::string, std::string> declarations;  ///< kernel, parameters, variables → template
  std::map<std::string, std::string> functions;     ///< function or operation, `*` stands for anything → template
  std::map<std::string, std::string> helpers;       ///< function of the text's own → definition, where code names it
  std::map<std::string, std::string> half;          ///< `widen`, `narrow`: f16 is stored only and computed as f32
  std::vector<std::string> reserved;                ///< names that kernels cannot have
};

struct EmitRules {
  /// What emit=image stores: "source" (text.types), "asm", "object", "archive" (a static library of the object),
  /// "linked" (what a linker made of the object), ….
  std::string defaultFormat = "object";
  /// format → name shown and stored: {asm: ptx, object: cubin, linked: hsaco}
  std::map<std::string, std::string> names;
  std::vector<std::string> formats = {"portable", "ir", "bitcode", "asm", "object", "image"};
  /// How the object is linked: "elf-shared" (complete in itself), "elf-library" (a shared object that may need others),
  /// "wasm-module"; "" if it is not.
  std::string link;
  /// How programs find out, when they are loaded, which architectures their processor has: "function", which is to be
  /// called first and may be missing, and "words", an array of 32-bit words with a bit for each architecture.
  std::map<std::string, std::string> loadFlags;
  std::map<std::string, std::string> loadBits;  ///< architecture → the number of its bit in those words
};

struct Limits {
  std::uint64_t groupItems = 0;          ///< 0: unknown
  std::uint64_t subgroupGroupItems = 0;  ///< of groups whose items work together as subgroups; 0: as any group
  std::array<std::uint64_t, 3> group = {0, 0, 0};
  std::uint64_t sharedBytes = 0;    ///< static
  std::uint64_t constantBytes = 0;  ///< in the constant space; 0: any number
  std::uint64_t callArguments = 0;  ///< of a call that is left after inlining; 0: any
  std::uint64_t stackBytes = 0;     ///< of local variables along a chain of calls; 0: unknown
  std::uint64_t atomicBits = 128;   ///< of the widest atomic access
};

/// Which list of stages lowers a target's modules (core/driver/pipelines.cpp).
enum class PipelineKind : std::uint8_t {
  items,   ///< kernels of a grid, for hardware that runs items
  groups,  ///< kernels of a grid, for hardware that does not: a function runs the items of a group
  module,  ///< an object as it was written: linkage, sections and signatures stay; a loader finds entries by section
};

inline constexpr std::array pipelineKinds = {PipelineKind::items, PipelineKind::groups, PipelineKind::module};
/// As descriptors spell it.
[[nodiscard]] std::string_view nameOf(PipelineKind kind);

/// A descriptor resolved for one architecture: `when` clauses applied. Immutable once made.
struct Descriptor {
  std::string name;
  std::string description;
  std::string origin;  ///< "built in" or a path
  std::string extends;
  std::string triple;  ///< "host" in the file has become the machine's
  FrontEnd frontend = FrontEnd::device;
  std::vector<std::string> dialects;  ///< of its sources, the default first; empty: the portable ones
  PipelineKind pipeline = PipelineKind::items;
  /// What entry points are to the loader: kind → first words of sections; those under "as_named" are
  /// kinds themselves.
  std::map<std::string, std::vector<std::string>> entryKinds;
  /// Functions of the loader are called by number, as constant addresses: no indirect calls.
  bool callsByNumber = false;
  ArchitectureRules architectures;
  std::string arch;                 ///< resolved: never empty, an alias or "native"
  std::string processor;            ///< what LLVM calls `arch`; empty where the triple says it
  std::optional<unsigned> ordinal;  ///< of the architecture: 90 for sm_90
  bool archIsNative = false;        ///< "native" was asked for, and `arch` is what this machine has
  std::string features;             ///< LLVM feature string for the resolved architecture
  AddressSpaces addressSpaces;
  KernelAbi kernel;
  std::vector<unsigned> subgroupSizes = {1};
  std::map<std::string, IntrinsicMapping> intrinsics;
  /// Device ABI entries that the machine lacks whatever else would provide them → the reason.
  std::map<std::string, std::string> lacks;
  std::map<std::string, std::string> syncScopes;  ///< item, subgroup, group, device, system → LLVM scope; "" is system
  std::vector<DeviceLibrary> deviceLibraries;
  /// Candidates for the folder with the headers of the toolkit's libraries; core/descriptor/candidate_path.h.
  std::vector<std::string> toolkitHeaders;
  /// Math functions (libm base names, "sqrt") that the back end selects natively: in both precisions, in one
  /// ("sqrt.f32"), or where a call allows an approximation ("sin.f32+afn").
  std::vector<std::string> nativeMath;
  /// NVVM-style reflection: name → "0", "1", or an option: flush_denormals, fast_math, precise, ordinal, ordinal*N.
  /// Under "function" stands the function that asks for a name.
  std::map<std::string, std::string> reflect;
  /// Functions that the target's driver, loader or linker provides: "vprintf".
  std::vector<std::string> externals;
  bool imports = false;  ///< code may use functions and variables of the program that loads or links it
  /// Whether `externals` has a name; one with a star at its end stands for all that begin so.
  [[nodiscard]] bool hasExternal(std::string_view name) const;
  /// Whether programs have variables that a host can find and write: everywhere but in languages without a word for
  /// them (`text.declarations.variable`).
  [[nodiscard]] bool hasHostVariables() const { return text.types.empty() || text.declarations.contains("variable"); }
  std::vector<std::string> forbid;    ///< recursion, indirect_call, fp128, alloca_dynamic, …
  std::vector<std::string> legalize;  ///< what late lowering rewrites (core/lower/legalize/legalize.cpp)
  /// Atomic operations that `legalize: [atomics]` leaves alone because the back end has them: "add.f32".
  std::vector<std::string> nativeAtomics;
  PrintRules print;
  EmitRules emit;
  TextRules text;
  CodegenOptions codegen;
  Limits limits;
  std::string runtime;    ///< empty: none
  std::string archMacro;  ///< value of a dialect's macro of the architecture: a number, ordinal*N, or empty
  std::map<std::string, std::string> moduleFlags;  ///< integer module flags, "override" behaviour
  std::string plugin;                              ///< a shared library beside the file that brings hooks; empty: none
};

/// A descriptor file as loaded: text, name and the means to resolve it. Cheap to copy, immutable, thread-safe.
class DescriptorFile {
 public:
  /// Finds the text a descriptor `extends`; fails with UnknownTarget.
  using Lookup = llvm::function_ref<Result<DescriptorFile>(std::string_view name)>;

  /// Parses and checks everything: every key, type, intrinsic and `when` branch. Errors: DescriptorInvalid with
  /// file:line:column and all diagnostics in `diagnostics`.
  static Result<DescriptorFile> load(std::string text, std::string origin, Lookup lookup);

  const std::string& name() const;
  const std::string& origin() const;
  /// All bytes that decide the target (own text and what it extends): part of cache keys.
  const std::string& bytes() const;
  /// The shared library that this file, not one it extends, says brings its hooks; empty: none.
  std::string plugin() const;
  /// The rules that decide what resolve() accepts.
  const ArchitectureRules& architectures() const;
  /// The file (0: the outermost base) and line that decide a key for an architecture, `when` clauses included; nothing
  /// if the key is nowhere and so has its default.
  struct KeyPlace {
    std::size_t file = 0;
    std::uint32_t line = 0;
  };
  std::optional<KeyPlace> whereSet(std::initializer_list<std::string_view> path, const Descriptor& resolved) const;
  /// The architectures LLVM knows of those that the rules allow, by ordinal, then by name.
  std::vector<std::string> architectureNames() const;
  /// The descriptor for one architecture: "" is the default, aliases are replaced, and "native" becomes the machine's
  /// where the rules say "host"; elsewhere the caller must have asked the runtime. What was resolved once is kept: a
  /// second call costs a look-up. Errors: UnknownArchitecture (pattern, minimum, or nothing LLVM knows).
  Result<std::shared_ptr<const Descriptor>> resolved(std::string_view arch) const;
  /// The same as a copy.
  Result<Descriptor> resolve(std::string_view arch, std::string* resolvedArch = nullptr) const;

 private:
  struct Data;
  explicit DescriptorFile(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace lathe::detail
