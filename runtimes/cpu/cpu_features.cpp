// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processor features by the compiler's cpuid builtins, whose names are LLVM's. They take literals only, hence the list.
#include "runtimes/cpu/cpu_features.h"

#include <array>
#include <string_view>

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

bool isMissing(std::string_view name) {
  for (const Feature& feature : knownFeatures()) {
    if (feature.name == name) return !feature.present;
  }
  return false;
}

}  // namespace

std::optional<std::string> missingFeature(const ImageInfo& info) {
  if (isMissing(info.arch)) return info.arch;
  const auto missingIn = [](std::string_view list) -> std::optional<std::string> {
    while (!list.empty()) {
      const auto end = std::min(list.find(','), list.size());
      const std::string_view one = list.substr(0, end);
      if (one.starts_with('+') && isMissing(one.substr(1))) return std::string(one.substr(1));
      list.remove_prefix(std::min(end + 1, list.size()));
    }
    return std::nullopt;
  };
  if (auto missing = missingIn(info.features)) return missing;
  for (const std::string& wanted : info.requires_) {
    if (auto missing = missingIn(wanted)) return missing;
  }
  return std::nullopt;
}

}  // namespace lathe::detail
