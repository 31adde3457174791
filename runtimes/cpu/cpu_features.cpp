// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processor features under LLVM's names, read from the processor ("CPUID" and "XGETBV", Intel's Software Developer's
// Manual, volume 2; AMD64 Architecture Programmer's Manual, volume 3, appendix E). The compiler's builtins for them
// would read more, at every start of the process, and each reading costs a virtual machine microseconds. Features that
// no instruction depends on, as slow-3ops-lea, are not in the list.
#include "runtimes/cpu/cpu_features.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "core/support/text.h"

namespace lathe::detail {
namespace {

/// Calls `visit(name)` for each feature that a list asks for.
template <class Visit>
void forEachFeature(std::string_view list, Visit visit) {
  for (const std::string_view one : parts(list, ','))
    if (one.starts_with('+')) visit(one.substr(1));
}

#if defined(__x86_64__)
enum Leaf { basic, extended, features, moreFeatures };
enum Register : unsigned { eax, ebx, ecx, edx };
using Words = std::array<unsigned, 4>;

Words cpuid(unsigned number, unsigned subleaf) {
  Words out{};
  __cpuid_count(number, subleaf, out[eax], out[ebx], out[ecx], out[edx]);
  return out;
}

/// A leaf; zeros where the processor has none. Each is read when it is first asked for.
const Words& wordsOf(Leaf leaf) {
  static const unsigned most = cpuid(0, 0)[eax];
  switch (leaf) {
    case basic: {
      static const Words words = cpuid(1, 0);
      return words;
    }
    case extended: {  // every processor with 64 bits says so there
      static const Words words = cpuid(0x80000001, 0);
      return words;
    }
    case features: {
      static const Words words = most >= 7 ? cpuid(7, 0) : Words{};
      return words;
    }
    case moreFeatures:
      break;
  }
  static const Words words = wordsOf(features)[eax] >= 1 ? cpuid(7, 1) : Words{};
  return words;
}

/// What the system keeps of registers when it changes threads, without which their instructions fault: bits of XCR0.
enum State : unsigned { always = 0, vectors = 0x6, wideVectors = 0xe6, tiles = 0x60000 };

bool isKept(State state) {
  if (state == always) return true;
  constexpr unsigned systemUsesIt = 1U << 27;
  static const unsigned kept = [] {
    unsigned low = 0, high = 0;
    if ((wordsOf(basic)[ecx] & systemUsesIt) != 0) __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
  }();
  return (kept & state) == state;
}

/// Where the processor says that it has a feature.
struct FeatureBit {
  std::string_view name;
  Leaf leaf;
  Register word;
  unsigned bit;
  State state = always;
};

constexpr std::array featureBits = std::to_array<FeatureBit>({{"sse3", basic, ecx, 0},
                                                              {"pclmul", basic, ecx, 1},
                                                              {"ssse3", basic, ecx, 9},
                                                              {"fma", basic, ecx, 12, vectors},
                                                              {"cx16", basic, ecx, 13},
                                                              {"sse4.1", basic, ecx, 19},
                                                              {"sse4.2", basic, ecx, 20},
                                                              {"movbe", basic, ecx, 22},
                                                              {"popcnt", basic, ecx, 23},
                                                              {"aes", basic, ecx, 25},
                                                              {"avx", basic, ecx, 28, vectors},
                                                              {"f16c", basic, ecx, 29, vectors},
                                                              {"rdrnd", basic, ecx, 30},
                                                              {"sahf", extended, ecx, 0},
                                                              {"lzcnt", extended, ecx, 5},
                                                              {"sse4a", extended, ecx, 6},
                                                              {"xop", extended, ecx, 11, vectors},
                                                              {"lwp", extended, ecx, 15, vectors},
                                                              {"fma4", extended, ecx, 16, vectors},
                                                              {"tbm", extended, ecx, 21},
                                                              {"bmi", features, ebx, 3},
                                                              {"avx2", features, ebx, 5, vectors},
                                                              {"bmi2", features, ebx, 8},
                                                              {"avx512f", features, ebx, 16, wideVectors},
                                                              {"avx512dq", features, ebx, 17, wideVectors},
                                                              {"rdseed", features, ebx, 18},
                                                              {"adx", features, ebx, 19},
                                                              {"avx512ifma", features, ebx, 21, wideVectors},
                                                              {"avx512cd", features, ebx, 28, wideVectors},
                                                              {"sha", features, ebx, 29},
                                                              {"avx512bw", features, ebx, 30, wideVectors},
                                                              {"avx512vl", features, ebx, 31, wideVectors},
                                                              {"avx512vbmi", features, ecx, 1, wideVectors},
                                                              {"avx512vbmi2", features, ecx, 6, wideVectors},
                                                              {"gfni", features, ecx, 8},
                                                              {"vaes", features, ecx, 9, vectors},
                                                              {"vpclmulqdq", features, ecx, 10, vectors},
                                                              {"avx512vnni", features, ecx, 11, wideVectors},
                                                              {"avx512bitalg", features, ecx, 12, wideVectors},
                                                              {"avx512vpopcntdq", features, ecx, 14, wideVectors},
                                                              {"avx512vp2intersect", features, edx, 8, wideVectors},
                                                              {"amx-bf16", features, edx, 22, tiles},
                                                              {"avx512fp16", features, edx, 23, wideVectors},
                                                              {"amx-tile", features, edx, 24, tiles},
                                                              {"amx-int8", features, edx, 25, tiles},
                                                              {"sha512", moreFeatures, eax, 0, vectors},
                                                              {"sm3", moreFeatures, eax, 1, vectors},
                                                              {"sm4", moreFeatures, eax, 2, vectors},
                                                              {"avxvnni", moreFeatures, eax, 4, vectors},
                                                              {"avx512bf16", moreFeatures, eax, 5, wideVectors},
                                                              {"cmpccxadd", moreFeatures, eax, 7},
                                                              {"amx-fp16", moreFeatures, eax, 21, tiles},
                                                              {"avxifma", moreFeatures, eax, 23, vectors},
                                                              {"avxvnniint8", moreFeatures, edx, 4, vectors},
                                                              {"avxneconvert", moreFeatures, edx, 5, vectors},
                                                              {"amx-complex", moreFeatures, edx, 8, tiles},
                                                              {"avxvnniint16", moreFeatures, edx, 10, vectors},
                                                              {"avx10.1", moreFeatures, edx, 19, wideVectors},
                                                              {"avx10.2", moreFeatures, edx, 19, wideVectors},
                                                              {"egpr", moreFeatures, edx, 21}});

/// Levels of the x86-64 ABI ("Micro-Architecture Levels"): each asks for the one before too.
struct Level {
  std::string_view name, features;
};
constexpr std::array levels =
    std::to_array<Level>({{"x86-64-v2", "+cx16,+sahf,+popcnt,+sse3,+sse4.1,+sse4.2,+ssse3"},
                          {"x86-64-v3", "+x86-64-v2,+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe"},
                          {"x86-64-v4", "+x86-64-v3,+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl"}});

/// Nothing: nobody knows such a feature.
std::optional<bool> has(std::string_view name) {
  for (const FeatureBit& feature : featureBits) {
    if (feature.name != name) continue;
    if (!isKept(feature.state) || (wordsOf(feature.leaf)[feature.word] >> feature.bit & 1U) == 0) return false;
    constexpr unsigned versionLeaf = 0x24;
    return name != "avx10.2" || (cpuid(versionLeaf, 0)[ebx] & 0xffU) >= 2;
  }
  for (const Level& level : levels) {
    if (level.name != name) continue;
    bool out = true;
    forEachFeature(level.features, [&](std::string_view part) { out = out && has(part).value_or(false); });
    return out;
  }
  return std::nullopt;
}
#else
std::optional<bool> has(std::string_view) {
  return std::nullopt;
}
#endif

}  // namespace

std::vector<std::string> missingFeatures(const ImageInfo& info) {
  std::vector<std::string> out;
  const auto check = [&](std::string_view name) {
    if (!has(name).value_or(true) && std::ranges::find(out, name) == out.end()) out.emplace_back(name);
  };
  check(info.arch);
  forEachFeature(info.features, check);
  for (const std::string& wanted : info.requires_) forEachFeature(wanted, check);
  return out;
}

std::size_t presentFeatures(std::string_view list) {
  std::size_t out = 0;
  forEachFeature(list, [&](std::string_view name) { out += has(name).value_or(false) ? 1 : 0; });
  return out;
}

}  // namespace lathe::detail
