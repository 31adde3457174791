// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names by which portable IR marks kernels and variables (docs/portable-ir.md): a dialect's adapt() writes them,
// the lowering reads them.
#pragma once

namespace lathe::sdk {

namespace attribute {
inline constexpr const char* kernel = "lathe.kernel";       ///< an entry point
inline constexpr const char* bySection = "section";         ///< its value where a loader finds the entry by its section
inline constexpr const char* maxItems = "lathe.max-items";  ///< most items in a group
inline constexpr const char* minGroups = "lathe.min-groups";            ///< groups wanted resident on a multiprocessor
inline constexpr const char* maxRegisters = "lathe.max-registers";      ///< most registers of an item
inline constexpr const char* groupSize = "lathe.group-size";            ///< "x,y,z", the size of every launch's groups
inline constexpr const char* clusterSize = "lathe.cluster-size";        ///< "x,y,z", groups in a cluster
inline constexpr const char* clusterAt = "lathe.cluster-at";            ///< "line,file" of that mark
inline constexpr const char* maxCluster = "lathe.max-cluster";          ///< most groups in a cluster
inline constexpr const char* countsClusters = "lathe.counts-clusters";  ///< grids are counted in clusters
inline constexpr const char* subgroups = "lathe.subgroups";  ///< a kernel whose items work together as subgroups
/// Fewest items in a subgroup that a kernel is written for, where its items work together as subgroups.
inline constexpr const char* leastSubgroup = "lathe.least-subgroup";
inline constexpr const char* exported = "lathe.export";  ///< an ordinary function that C code may call
inline constexpr const char* hidden = "lathe.hidden";    ///< no library exports the kernel or exported function
inline constexpr const char* exact = "lathe.exact";  ///< a function that computes as written, whatever the job permits
/// Of a declaration: the program that loads or links the code defines it. The value is its type, a function's as
/// <lathe/runtime/host_symbols.h> writes signatures, a variable's its size in bytes or nothing.
inline constexpr const char* imported = "lathe.import";
inline constexpr const char* provided = "lathe.provided";  ///< a declaration that the loader resolves
/// Of a by-value parameter: the kernel does not write it, and may give its address away while the grid runs.
inline constexpr const char* gridConstant = "lathe.grid-constant";
/// Of a by-value parameter: it arrives as an address of device memory. Set by stage launch_layout.
inline constexpr const char* byReference = "lathe.by-reference";
// Attributes of calls of inline assembly.
inline constexpr const char* assembly = "lathe.assembly";  ///< the dialect that translates it where no one reads it
inline constexpr const char* assemblyRefusal = "lathe.assembly-refusal";  ///< why it is refused
inline constexpr const char* assemblyHint = "lathe.assembly-hint";        ///< and what to do about it
// Attributes of global variables.
inline constexpr const char* constant = "lathe.constant";  ///< read-only on the device, set by the host
inline constexpr const char* global = "lathe.global";      ///< the host may reach it by name
/// On a variable with `global`: the host and the device use it at one address, where the target has such variables.
inline constexpr const char* managed = "lathe.managed";
/// On a declaration: a definition of zeros, unless another source of the job has one.
inline constexpr const char* tentative = "lathe.tentative";
// Of functions and variables.
/// A name of the translation unit's own, though the host reaches what has it: other units may have it too.
inline constexpr const char* unitsOwn = "lathe.units-own";
}  // namespace attribute

}  // namespace lathe::sdk
