// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of options: the names are those that `nvcc --help`, NVRTC's documentation, `hipcc --help` and `clang --help`
// list. Whoever has one dash there has two here too.
#include "tools/options/spellings.h"

#include <algorithm>

namespace lathe::tool {
namespace {

enum class Takes { nothing, value };

struct Spelling {
  std::string_view theirs;  ///< without dashes
  Takes takes;
  std::string_view value;  ///< the row is for this value alone; empty: for any
  std::string_view ours;   ///< words; {} is the value
};

constexpr Spelling spellings[] = {
    {"std", Takes::value, "", "--std {}"},
    {"x", Takes::value, "cu", "-x cuda"},
    {"define-macro", Takes::value, "", "-D {}"},
    {"undefine-macro", Takes::value, "", "-U {}"},
    {"include-path", Takes::value, "", "-I {}"},
    {"isystem", Takes::value, "", "-I {}"},
    {"system-include", Takes::value, "", "-I {}"},
    {"include", Takes::value, "", "--pre-include {}"},
    {"pre-include", Takes::value, "", "--pre-include {}"},
    {"output-file", Takes::value, "", "-o {}"},
    {"MF", Takes::value, "", "--depfile {}"},
    {"dependency-output", Takes::value, "", "--depfile {}"},
    {"MT", Takes::value, "", "--depfile-target {}"},
    {"MQ", Takes::value, "", "--depfile-target {}"},
    {"dependency-target-name", Takes::value, "", "--depfile-target {}"},
    {"ffile-prefix-map", Takes::value, "", "--prefix-map {}"},
    // Code.
    {"ptx", Takes::nothing, "", "--emit ptx"},
    {"cubin", Takes::nothing, "", "--emit cubin"},
    {"fatbin", Takes::nothing, "", ""},
    {"target", Takes::value, "", "--target {}"},
    {"optimize", Takes::value, "", "-O {}"},
    {"Ofast", Takes::nothing, "", "-O 3 --fast-math"},
    {"maxrregcount", Takes::value, "", "--max-registers {}"},
    {"debug", Takes::nothing, "", "-g"},
    {"device-debug", Takes::nothing, "", "-g -O 0"},
    {"G", Takes::nothing, "", "-g -O 0"},
    {"lineinfo", Takes::nothing, "", "-g"},
    {"generate-line-info", Takes::nothing, "", "-g"},
    {"gline-tables-only", Takes::nothing, "", "-g"},
    {"resource-usage", Takes::nothing, "", "--resource-report"},
    {"res-usage", Takes::nothing, "", "--resource-report"},
    {"Xptxas", Takes::value, "-v", "--resource-report"},
    {"ptxas-options", Takes::value, "-v", "--resource-report"},
    {"restrict", Takes::nothing, "", "--no-alias"},
    // Arithmetic.
    {"use_fast_math", Takes::nothing, "", "--approximate-math --ftz"},
    {"ffast-math", Takes::nothing, "", "--fast-math"},
    {"cl-fast-relaxed-math", Takes::nothing, "", "--fast-math"},
    {"fapprox-func", Takes::nothing, "", "--approximate-math"},
    // The last of several counts: what takes an earlier one back says so.
    {"fmad", Takes::value, "true", "--no-contract=false"},
    {"fmad", Takes::value, "false", "--no-contract"},
    {"ffp-contract", Takes::value, "off", "--no-contract"},
    {"ffp-contract", Takes::value, "on", "--no-contract=false"},
    {"ffp-contract", Takes::value, "fast", "--no-contract=false"},
    {"ftz", Takes::value, "true", "--ftz"},
    {"ftz", Takes::value, "false", "--ftz=false"},
    // Of what may be approximate, parts cannot be chosen: where one is to be exact, all are.
    {"prec-div", Takes::value, "true", "--approximate-math=false"},
    {"prec-div", Takes::value, "false", ""},
    {"prec-sqrt", Takes::value, "true", "--approximate-math=false"},
    {"prec-sqrt", Takes::value, "false", ""},
    {"fgpu-flush-denormals-to-zero", Takes::nothing, "", "--ftz"},
    {"cl-denorms-are-zero", Takes::nothing, "", "--ftz"},
    // What Lathe does or permits in any case, and what is for a host's compiler alone.
    {"expt-relaxed-constexpr", Takes::nothing, "", ""},
    {"extended-lambda", Takes::nothing, "", ""},
    {"expt-extended-lambda", Takes::nothing, "", ""},
    {"default-device", Takes::nothing, "", ""},
    {"device-as-default-execution-space", Takes::nothing, "", ""},
    {"relocatable-device-code", Takes::value, "", ""},
    {"rdc", Takes::value, "", ""},
    {"fgpu-rdc", Takes::nothing, "", ""},
    {"offload-device-only", Takes::nothing, "", ""},
    {"cuda-device-only", Takes::nothing, "", ""},
    {"allow-unsupported-compiler", Takes::nothing, "", ""},
    {"m64", Takes::nothing, "", ""},
    {"machine", Takes::value, "64", ""},
    {"threads", Takes::value, "", ""},
    {"split-compile", Takes::value, "", ""},
    {"ccbin", Takes::value, "", ""},
    {"compiler-bindir", Takes::value, "", ""},
    {"Xcompiler", Takes::value, "", ""},
    {"compiler-options", Takes::value, "", ""},
    {"Xcudafe", Takes::value, "", ""},
    {"diag-suppress", Takes::value, "", ""},
    {"Wall", Takes::nothing, "", ""},
    {"Wextra", Takes::nothing, "", ""},
    {"Wno-deprecated-gpu-targets", Takes::nothing, "", ""},
    {"Wno-deprecated-declarations", Takes::nothing, "", ""},
    {"munsafe-fp-atomics", Takes::nothing, "", ""},
    // NVRTC's.
    {"dopt", Takes::value, "", ""},
    {"extra-device-vectorization", Takes::nothing, "", ""},
    {"device-int128", Takes::nothing, "", ""},
    {"device-float128", Takes::nothing, "", ""},
    {"builtin-move-forward", Takes::value, "", ""},
    {"builtin-initializer-list", Takes::value, "", ""},
    {"modify-stack-limit", Takes::value, "", ""},
    {"no-source-include", Takes::nothing, "", ""},
    {"minimal", Takes::nothing, "", ""},
    {"no-cache", Takes::nothing, "", ""},
    {"display-error-number", Takes::nothing, "", ""},
    {"no-display-error-number", Takes::nothing, "", ""},
    {"brief-diagnostics", Takes::value, "", ""},
    {"diag-error", Takes::value, "", ""},
    {"diag-warn", Takes::value, "", ""},
    {"optimization-info", Takes::value, "", ""},
    {"jump-table-density", Takes::value, "", ""},
    {"device-stack-protector", Takes::value, "", ""},
    {"random-seed", Takes::value, "", ""},
    {"frandom-seed", Takes::value, "", ""},
    {"Ofast-compile", Takes::value, "", ""},
    {"pch", Takes::nothing, "", ""},
    {"create-pch", Takes::value, "", ""},
    {"use-pch", Takes::value, "", ""},
    {"pch-dir", Takes::value, "", ""},
    {"pch-verbose", Takes::value, "", ""},
    {"pch-messages", Takes::value, "", ""},
    {"instantiate-templates-in-pch", Takes::value, "", ""},
};

/// Architectures are targets, whose names depend on the value.
constexpr std::string_view architectures[] = {"arch",          "gpu-architecture", "gencode",
                                              "generate-code", "offload-arch",     "cuda-gpu-arch"};

constexpr std::pair<std::string_view, std::string_view> others[] = {
    {"c", "'lathe compile' links nothing; leave -c out. --embed FILE.o writes the image as an object for a program"},
    {"dc", "--emit relocatable writes what further compiles link"},
    {"dlink", "name all sources, or what --emit relocatable wrote, in one compile"},
    {"code", "each architecture is a target: -t cuda:sm_80 -t cuda:sm_90"},
    {"MD", "--depfile FILE writes what the source includes"},
    {"MMD", "--depfile FILE writes what the source includes"},
    {"Xptxas", "of ptxas's options there is -v, which is --resource-report"},
    {"ptxas-options", "of ptxas's options there is -v, which is --resource-report"},
    {"ewp", "name all sources in one compile"},
    {"dlto", "name all sources, or what --emit relocatable wrote, in one compile"},
    {"keep", "--dump-after all --dump-dir DIR keeps what each stage makes"},
    {"save-temps", "--dump-after all --dump-dir DIR keeps what each stage makes"},
    {"time", "--time-stages shows how long each stage took"},
    {"S", "--emit asm, or an output file that ends in .s, gives assembly"},
    {"emit-llvm", "--emit ir gives LLVM IR, --emit bitcode its binary form"},
    {"mcpu", "the architecture stands behind the target's name: --target bpf:v3"},
    {"march", "the architecture stands behind the target's name: --target cpu:x86-64-v3"},
};

/// An option's name and, behind '=', its value.
struct Word {
  std::string_view name, value;
  bool hasValue = false;
};

Word split(std::string_view word) {
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  const std::size_t at = word.find('=');
  if (at == std::string_view::npos) return {word, {}};
  return {word.substr(0, at), word.substr(at + 1), true};
}

/// Whether `app` takes the word as it is, with a value in the next word or without.
struct Known {
  bool is = false, valueFollows = false;
};

Known knownTo(const CLI::App& app, std::string_view word) {
  const bool isLong = word.starts_with("--");
  const std::size_t end = isLong ? std::min(word.find('='), word.size()) : std::size_t{2};
  const CLI::Option* const option = app.get_option_no_throw(std::string(word.substr(0, end)));
  if (!option) return {};
  return {true, option->get_items_expected_max() > 0 && end == word.size()};
}

void addWords(std::vector<std::string>& out, std::string_view words, std::string_view value) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string_view word = words.substr(0, end);
    out.emplace_back(word == "{}" ? value : word);
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

/// "sm_90", "compute_90", "gfx942" or nvcc's "arch=compute_80,code=[sm_80,compute_80]" as targets, each once.
void addTargets(std::vector<std::string>& out, std::string_view value) {
  if (const std::size_t code = value.find("code="); code != std::string_view::npos) value.remove_prefix(code + 5);
  if (value.starts_with("arch=")) value.remove_prefix(5);
  while (!value.empty()) {
    const std::size_t end = std::min(value.find_first_of(",[]\"'"), value.size());
    if (std::string arch(value.substr(0, end)); !arch.empty()) {
      for (const std::string_view prefix : {"compute_", "lto_"}) {
        if (arch.starts_with(prefix)) arch = "sm_" + arch.substr(prefix.size());
      }
      const std::string target = (arch.starts_with("gfx") ? "amdgpu:" : "cuda:") + arch;
      if (std::ranges::find(out, target) == out.end()) out.insert(out.end(), {"--target", target});
    }
    value.remove_prefix(std::min(end + 1, value.size()));
  }
}

bool namesTarget(const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [](const std::string& word) {
    return word.starts_with("-t") || word == "--target" || word.starts_with("--target=");
  });
}

}  // namespace

std::vector<std::string> inOwnSpelling(std::span<const std::string> words, const CLI::App& app) {
  std::vector<std::string> out;
  bool wantsCuda = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
      break;
    }
    const bool isOption = word.size() > 1 && word[0] == '-';
    const Known known = isOption ? knownTo(app, word) : Known{};
    const auto keep = [&] {
      out.push_back(word);
      if (known.valueFollows && i + 1 < words.size()) out.push_back(words[++i]);
    };
    if (!isOption || (known.is && word.starts_with("--"))) {
      keep();
      continue;
    }
    const auto [name, joined, hasValue] = split(word);
    const bool inNext = !hasValue && i + 1 < words.size();
    const std::string_view value = hasValue ? joined : inNext ? std::string_view(words[i + 1]) : std::string_view();
    if (std::ranges::find(architectures, name) != std::end(architectures) && !value.empty()) {
      addTargets(out, value);
      i += inNext ? 1 : 0;
      continue;
    }
    const auto row = std::ranges::find_if(spellings, [&](const Spelling& one) {
      if (one.theirs != name) return false;
      if (one.takes == Takes::nothing) return !hasValue;
      return !value.empty() && (one.value.empty() || one.value == value);
    });
    if (row == std::end(spellings)) {
      keep();
      continue;
    }
    addWords(out, row->ours, value);
    wantsCuda |= name == "ptx" || name == "cubin" || name == "fatbin";
    i += row->takes == Takes::value && inNext ? 1 : 0;
  }
  if (wantsCuda && !namesTarget(out)) out.insert(out.end(), {"--target", "cuda"});
  return out;
}

std::string_view insteadOf(std::string_view option) {
  if (!option.starts_with('-')) return {};
  const auto row = std::ranges::find(others, split(option).name, [](const auto& one) { return one.first; });
  return row == std::end(others) ? std::string_view() : row->second;
}

}  // namespace lathe::tool
