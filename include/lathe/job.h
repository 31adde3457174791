// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job: everything that a caller decides of what a compile produces, as one plain value. On one machine equal jobs
// give byte-identical images; the hash covers every field. Files that the source includes, descriptors and device
// libraries are not part of it: CompileRecord and bundles (<lathe/bundle.h>) keep them. What does not change the output
// (isolation, dumps, timing) is in CompileRequest (<lathe/compiler.h>).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/export.h>
#include <lathe/result.h>

namespace lathe {

/// The user's source. `text` may hold bitcode: it is bytes.
struct Source {
  /// File name used in messages, debug information and `#include "…"` resolution. Need not exist.
  std::string name = "kernel.cpp";
  std::string text;
  /// A dialect ("kernel", "cuda", "bpf", "bpf-c") or "ir" (LLVM IR text, bitcode or a portable image); empty: chosen by
  /// the name's extension, of those that the target takes.
  std::string dialect;
  bool operator==(const Source&) const = default;
};

/// A header the source may include as "name" or <name>, found before any folder is searched.
struct Header {
  std::string name;
  std::string text;
  bool operator==(const Header&) const = default;
};

/// The optimisation level, as compilers' -O0 to -O3.
enum class OptLevel : std::uint8_t { O0, O1, O2, O3 };

/// The way in which an entry point receives Lathe's own state: exception record, print buffer, the kernel's number and
/// heap (<lathe/sdk/kernel_state.h>).
enum class EntryAbi : std::uint8_t {
  bare,   ///< the user's parameters only; printf and traps are the target's own
  state,  ///< one hidden, last, by-value argument
  /// `state` in images of targets whose kernels can neither print nor allocate without one; else `bare`. What is
  /// emitted as code is `bare`, so that others can launch it.
  automatic,
};

/// Promises about a kernel's launches and wishes for its code; 0 means none.
struct LaunchBounds {
  std::uint32_t maxItems = 0;      ///< most items in a group
  std::uint32_t minGroups = 0;     ///< groups wanted resident on one multiprocessor
  std::uint32_t maxRegisters = 0;  ///< most registers an item may use
  /// The exact group size of every launch, x y z; all 0: not fixed.
  std::array<std::uint32_t, 3> groupSize = {0, 0, 0};
  bool operator==(const LaunchBounds&) const = default;
};

/// Promises about every launch, by which kernels are specialised. Lathe's runtimes refuse a launch that breaks one of
/// `arguments` or `pointerAlign`; the rest, and other launchers, they trust. A portable image keeps none: they are
/// given when it is lowered.
struct Promises {
  /// The values of scalar parameters, which still are passed: numbers ("1024", "-0.5", "0x1p-3", "true"), by the
  /// parameter's name or its position from 0, for each kernel of the job that has it. One that no kernel has is an
  /// error.
  std::map<std::string, std::string> arguments;
  /// Every pointer parameter is `__restrict__`: what a kernel writes through one, it reaches by no other.
  bool noAlias = false;
  /// Pointers are multiples of so many bytes, a power of two; 0: of what their types say.
  std::uint32_t pointerAlign = 0;
  bool operator==(const Promises&) const = default;
};

/// Compile options. Defaults are what NVRTC and nvcc users expect: O3, FMA contraction on, IEEE otherwise.
struct Options {
  OptLevel optLevel = OptLevel::O3;
  bool debugInfo = false;  ///< DWARF and line tables in the code
  bool fastMath = false;   ///< reassociation, no NaN/Inf/signed zero, approximate division and functions
  /// Division, square roots and functions of mathematics in f32 may be approximate; NaN, infinities and the order of
  /// operations stay as written. With `flushDenormals` what nvcc's and NVRTC's -use_fast_math asks for.
  bool approximateMath = false;
  bool contract = true;         ///< a*b+c may become one fused operation
  bool flushDenormals = false;  ///< f32 denormals are zero
  EntryAbi entryAbi = EntryAbi::automatic;
  bool checked = false;  ///< each access and barrier is looked at while the kernel runs (docs/checked-mode.md)
  /// Groups that one launched group serves where the grid is large, in images of targets that can (docs/coarsening.md):
  /// 0: decided for each kernel; 1: one; else that many, whatever the grid, for all kernels that can be so compiled.
  std::uint32_t coarsening = 0;
  std::string languageStandard = "c++20";
  std::vector<std::string> defines;      ///< "NAME" or "NAME=VALUE", in order
  std::vector<std::string> undefines;    ///< "NAME"
  std::vector<std::string> includeDirs;  ///< folders searched for headers, in order
  /// "OLD=NEW": in what an image holds of paths (names of sources, `__FILE__`, debug information, its job's hash) OLD
  /// at the beginning is NEW; of several the last that fits. Diagnostics keep the paths as they are.
  std::vector<std::string> prefixMap;
  LaunchBounds launchBounds;  ///< for every entry of the job; a kernel's own annotation wins where both are set
  Promises promises;          ///< likewise for every entry
  std::map<std::string, std::string> parameters;  ///< values of lathe::param("name"), folded as constants
  bool operator==(const Options&) const = default;
};

/// One compile. A plain value; safe to copy across threads.
struct Job {
  Source source;
  /// Further sources of the same program, each compiled by itself, and linked with `source` before anything is
  /// optimised: sources of any dialect that the target takes, bitcode, and images with portable or "relocatable" IR.
  std::vector<Source> furtherSources;
  std::vector<Header> headers;
  /// Kernels to compile, as C++ name expressions ("saxpy<float>"); empty, or with "*": every kernel the source defines.
  std::vector<std::string> entries;
  std::string target = "cpu";
  std::string arch;      ///< an architecture of the target ("sm_90"); empty: its default; "native": this machine's
  std::string features;  ///< further features, as LLVM writes them: "+ptx83,-avx512f"
  /// The format of the code in the image: "image" (the target's default), "image:cubin,ptx" (those of the descriptor's
  /// formats in one image, for a runtime), or a format alone, as others launch it ("ir", "asm", "ptx", …), "portable"
  /// (unlowered portable IR of the kernels), or "relocatable": portable IR of all that the source defines, which may
  /// use what others define, to be one of another job's sources.
  std::string emit = "image";
  Options options;
  bool operator==(const Job&) const = default;
};

/// BLAKE3-256 of a job's canonical bytes.
struct JobHash {
  std::array<std::uint8_t, 32> bytes{};
  /// 64 lower-case hexadecimal digits.
  [[nodiscard]] LATHE_API std::string hex() const;
  auto operator<=>(const JobHash&) const = default;
};

/// The canonical serialisation: versioned, length-prefixed little-endian fields in declaration order. Equal jobs have
/// equal bytes and different jobs different bytes.
[[nodiscard]] LATHE_API std::string canonicalBytes(const Job& job);
/// Reads what canonicalBytes() wrote. Errors: InvalidArgument (truncated, unknown version, trailing bytes).
[[nodiscard]] LATHE_API Result<Job> jobFromBytes(std::string_view bytes);
/// The hash of canonicalBytes().
[[nodiscard]] LATHE_API JobHash hashOf(const Job& job);

/// A job as JSON text (pretty-printed, keys in declaration order). Source bytes that are not UTF-8 are base64.
[[nodiscard]] LATHE_API std::string toJson(const Job& job);
/// Reads what toJson() wrote. Errors: InvalidArgument, naming the key.
[[nodiscard]] LATHE_API Result<Job> jobFromJson(std::string_view json);
/// A short text for people: "saxpy<float> from saxpy.cpp for cuda:sm_90 at O3".
[[nodiscard]] LATHE_API std::string describe(const Job& job);

}  // namespace lathe
