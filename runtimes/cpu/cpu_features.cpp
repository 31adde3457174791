// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processor features by the compiler's cpuid builtins, whose names are LLVM's. They take literals only, hence the list.
// Those that not every compiler has a builtin for are read from the processor ("CPUID", Intel's Software Developer's
// Manual, volume 2). Features that no instruction depends on, as slow-3ops-lea, are in neither list.
#include "runtimes/cpu/cpu_features.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace lathe::detail {
namespace {

struct Feature {
  std::string_view name;
  bool present;
};

std::span<const Feature> knownFeatures() {
#if defined(__x86_64__)
#define LATHE_FEATURE(name) Feature{name, __builtin_cpu_supports(name) != 0}
  static const std::array features = {
      LATHE_FEATURE("sse3"),       LATHE_FEATURE("ssse3"),      LATHE_FEATURE("sse4.1"),
      LATHE_FEATURE("sse4.2"),     LATHE_FEATURE("popcnt"),     LATHE_FEATURE("avx"),
      LATHE_FEATURE("avx2"),       LATHE_FEATURE("fma"),        LATHE_FEATURE("bmi"),
      LATHE_FEATURE("bmi2"),       LATHE_FEATURE("f16c"),       LATHE_FEATURE("avx512f"),
      LATHE_FEATURE("avx512cd"),   LATHE_FEATURE("avx512dq"),   LATHE_FEATURE("avx512bw"),
      LATHE_FEATURE("avx512vl"),   LATHE_FEATURE("avx512ifma"), LATHE_FEATURE("avx512vbmi"),
      LATHE_FEATURE("avx512vnni"), LATHE_FEATURE("avx512bf16"), LATHE_FEATURE("avx512vbmi2"),
      LATHE_FEATURE("gfni"),       LATHE_FEATURE("vpclmulqdq"), LATHE_FEATURE("avx512bitalg"),
      LATHE_FEATURE("aes"),        LATHE_FEATURE("pclmul"),     LATHE_FEATURE("avx512vpopcntdq"),
      LATHE_FEATURE("sse4a"),      LATHE_FEATURE("fma4"),       LATHE_FEATURE("xop"),
      LATHE_FEATURE("x86-64-v2"),  LATHE_FEATURE("x86-64-v3"),  LATHE_FEATURE("x86-64-v4")};
#undef LATHE_FEATURE
  return features;
#else
  return {};
#endif
}

#if defined(__x86_64__)
enum Leaf : unsigned { basic, extended, features, moreFeatures, avx10, leafCount };
enum Register : unsigned { eax, ebx, ecx, edx, registerCount };

/// Where the processor says that it has a feature.
struct FeatureBit {
  std::string_view name;
  Leaf leaf;
  Register word;
  unsigned bit;
};

constexpr std::array featureBits = std::to_array<FeatureBit>({{"movbe", basic, ecx, 22},
                                                              {"cx16", basic, ecx, 13},
                                                              {"rdrnd", basic, ecx, 30},
                                                              {"lzcnt", extended, ecx, 5},
                                                              {"tbm", extended, ecx, 21},
                                                              {"lwp", extended, ecx, 15},
                                                              {"adx", features, ebx, 19},
                                                              {"sha", features, ebx, 29},
                                                              {"rdseed", features, ebx, 18},
                                                              {"vaes", features, ecx, 9},
                                                              {"avx512vp2intersect", features, edx, 8},
                                                              {"avx512fp16", features, edx, 23},
                                                              {"amx-bf16", features, edx, 22},
                                                              {"amx-tile", features, edx, 24},
                                                              {"amx-int8", features, edx, 25},
                                                              {"sha512", moreFeatures, eax, 0},
                                                              {"sm3", moreFeatures, eax, 1},
                                                              {"sm4", moreFeatures, eax, 2},
                                                              {"avxvnni", moreFeatures, eax, 4},
                                                              {"cmpccxadd", moreFeatures, eax, 7},
                                                              {"amx-fp16", moreFeatures, eax, 21},
                                                              {"avxifma", moreFeatures, eax, 23},
                                                              {"avxvnniint8", moreFeatures, edx, 4},
                                                              {"avxneconvert", moreFeatures, edx, 5},
                                                              {"amx-complex", moreFeatures, edx, 8},
                                                              {"avxvnniint16", moreFeatures, edx, 10},
                                                              {"avx10.1", moreFeatures, edx, 19},
                                                              {"avx10.2", moreFeatures, edx, 19},
                                                              {"egpr", moreFeatures, edx, 21}});

/// All leaves that the list names, zeros where the processor has none. Read once: each leaf costs a virtual machine
/// microseconds.
const auto& leaves() {
  static const auto words = [] {
    std::array<std::array<unsigned, registerCount>, leafCount> out{};
    const auto read = [&](Leaf leaf, unsigned number, unsigned subleaf) {
      auto& to = out[leaf];
      __cpuid_count(number, subleaf, to[eax], to[ebx], to[ecx], to[edx]);
    };
    constexpr unsigned extendedLeaf = 0x80000001, avx10Leaf = 0x24;
    const unsigned most = __get_cpuid_max(0, nullptr);
    if (most >= 1) read(basic, 1, 0);
    if (most >= 7) read(features, 7, 0);
    if (out[features][eax] >= 1) read(moreFeatures, 7, 1);
    if (most >= avx10Leaf) read(avx10, avx10Leaf, 0);
    if (__get_cpuid_max(extendedLeaf - 1, nullptr) >= extendedLeaf) read(extended, extendedLeaf, 0);
    return out;
  }();
  return words;
}

std::optional<bool> hasBit(std::string_view name) {
  for (const FeatureBit& feature : featureBits) {
    if (feature.name != name) continue;
    const bool isThere = (leaves()[feature.leaf][feature.word] >> feature.bit & 1U) != 0;
    return isThere && (name != "avx10.2" || (leaves()[avx10][ebx] & 0xffU) >= 2);
  }
  return std::nullopt;
}
#else
std::optional<bool> hasBit(std::string_view) {
  return std::nullopt;
}
#endif

/// Nothing: nobody knows such a feature.
std::optional<bool> has(std::string_view name) {
  for (const Feature& feature : knownFeatures()) {
    if (feature.name == name) return feature.present;
  }
  return hasBit(name);
}

/// Calls `visit(name)` for each feature that a list asks for.
template <class Visit>
void forEachFeature(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    const std::string_view one = list.substr(0, end);
    if (one.starts_with('+')) visit(one.substr(1));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

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
