// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The core knows whether a value is the job's or a default; this file knows which option of the command line, or which
// environment variable, gave it to the job.
#include "tools/lathe/commands/explain.h"

#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "tools/lathe/output/table.h"

namespace lathe::tool {
namespace {

/// Setting → the option that sets it.
constexpr std::array<std::pair<std::string_view, const char*>, 30> optionOf = {{
    {"target", "--target"},
    {"arch", "--target"},
    {"features", "--features"},
    {"emit", "--emit"},
    {"dialect", "-x"},
    {"kernel", "--kernel"},
    {"headers", "--header"},
    {"isolation", "--isolation"},
    {"options.optLevel", "-O"},
    {"options.debugInfo", "-g"},
    {"options.checked", "--checked"},
    {"options.coarsening", "--coarsening"},
    {"options.fastMath", "--fast-math"},
    {"options.approximateMath", "--approximate-math"},
    {"options.contract", "--no-contract"},
    {"options.flushDenormals", "--ftz"},
    {"options.entryAbi", "--entry-abi"},
    {"options.languageStandard", "--std"},
    {"options.defines", "-D"},
    {"options.undefines", "-U"},
    {"options.includeDirs", "-I"},
    {"options.prefixMap", "--prefix-map"},
    {"options.launchBounds.maxItems", "--max-items"},
    {"options.launchBounds.minGroups", "--min-groups"},
    {"options.launchBounds.maxRegisters", "--max-registers"},
    {"options.launchBounds.groupSize", "--group-size"},
    {"options.promises.arguments", "--fix"},
    {"options.promises.noAlias", "--no-alias"},
    {"options.promises.pointerAlign", "--pointer-align"},
    {"options.parameters", "--param"},
}};

/// The variable whose folder a path is under; empty if none is.
std::string variableOf(const std::string& path) {
  for (const char* name : {"LATHE_TARGET_PATH", "CUDA_HOME", "CUDA_PATH", "ROCM_PATH"}) {
    const char* const value = std::getenv(name);
    std::string_view rest = value ? value : "";
    while (!rest.empty()) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      if (!folder.empty() && path.starts_with(folder)) return name;
      rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    }
  }
  return {};
}

std::string originOf(const Setting& setting, const JobOptions& options) {
  for (const auto& [name, option] : optionOf) {
    if (name != setting.name) continue;
    // A target may know better than the command line.
    if (setting.origin == "descriptor" || setting.origin.find(".yaml") != std::string::npos) break;
    if (options.wasGiven(option)) {
      const bool simple = setting.origin == "job" || setting.origin == "default" || name == "isolation";
      return fmt::format("command line, {}{}", option, simple ? "" : " (" + setting.origin + ")");
    }
    if (setting.origin == "configuration") return "default";
    if (setting.name == "arch" && setting.origin.starts_with("job")) return "the device" + setting.origin.substr(3);
  }
  if (setting.name == "descriptor" || setting.name == "library") {
    const std::string& path = setting.name == "library" ? setting.value : setting.origin;
    if (const std::string variable = variableOf(path); !variable.empty())
      return fmt::format("{}, by ${}", setting.origin, variable);
  }
  return setting.origin;
}

std::string kindOf(const InputFile& file) {
  if (!file.sameAs.empty()) return "the same file as " + file.sameAs;
  return file.path.starts_with("/lathe/resolver/") ? "header resolver" : "disk";
}

/// Files besides the source itself.
std::vector<const InputFile*> headersOf(const CompileRecord& record, const Job& job) {
  const auto source = (std::filesystem::path(record.workingDirectory) / job.source.name).lexically_normal();
  std::vector<const InputFile*> out;
  for (const InputFile& file : record.files)
    if (file.path != source) out.push_back(&file);
  return out;
}

}  // namespace

std::string explanation(const CompileRecord& record, const Job& job, const JobOptions& options, const Output& out) {
  Table table({{"setting"}, {"value"}, {"from"}});
  for (const Setting& setting : record.settings)
    table.add({setting.name, setting.value.empty() ? "-" : setting.value, originOf(setting, options)});
  for (const InputFile* file : headersOf(record, job)) table.add({"header read", file->path, kindOf(*file)});
  for (const char* name : {"LATHE_TARGET_PATH", "CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(name); value && *value)
      table.add({"environment", value, std::string("$") + name});
  }
  return table.render(out);
}

Json explanationJson(const CompileRecord& record, const Job& job, const JobOptions& options) {
  Json settings = Json::array(), files = Json::array();
  for (const Setting& setting : record.settings)
    settings.push_back({{"name", setting.name}, {"value", setting.value}, {"origin", originOf(setting, options)}});
  for (const InputFile* file : headersOf(record, job))
    files.push_back({{"path", file->path}, {"bytes", file->bytes.size()}, {"origin", kindOf(*file)}});
  return {{"settings", settings}, {"files", files}};
}

}  // namespace lathe::tool
