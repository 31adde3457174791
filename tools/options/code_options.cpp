// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options follow the names that users of Clang and nvcc know.
#include "tools/options/code_options.h"

#include <charconv>

#include <fmt/format.h>

#include "tools/options/number_options.h"

namespace lathe::tool {

CLI::Validator assignmentValidator(const char* form) {
  return {[](std::string& text) {
            const std::size_t at = text.find('=');
            return at == 0 || at == std::string::npos || at + 1 == text.size() ? "'" + text + "' has no NAME=VALUE"
                                                                               : std::string();
          },
          form};
}

std::pair<std::string, std::string> splitAssignment(const std::string& text) {
  const std::size_t at = text.find('=');
  return {text.substr(0, at), text.substr(at + 1)};
}

CLI::Option* addList(CLI::App& app, const std::string& name, std::vector<std::string>& list, const char* help,
                     const char* form) {
  return app.add_option(name, list, help)->type_name(form)->allow_extra_args(false);
}

std::optional<Extent3> parseExtents(const std::string& text) {
  Extent3 out;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::uint32_t* const extent : {&out.x, &out.y, &out.z}) {
    const auto [next, status] = std::from_chars(at, end, *extent);
    if (status != std::errc() || *extent == 0) return std::nullopt;
    if (next == end) return out;
    if (*next != ',') return std::nullopt;
    at = next + 1;
  }
  return std::nullopt;
}

CLI::Validator extentsValidator() {
  return {[](std::string& text) {
            return parseExtents(text) ? std::string() : "'" + text + "' is not X[,Y,Z] with each 1 or more";
          },
          "X[,Y,Z]"};
}

void CodeOptions::configure(CLI::App& app) {
  configureLanguage(app);
  configureCode(app);
}

void CodeOptions::configureLanguage(CLI::App& app) {
  app.add_option("--std", options_.languageStandard, "language standard (default: c++20)")->type_name("STD");
  addList(app, "-D", options_.defines, "define a macro", "NAME[=VALUE]");
  addList(app, "-U", options_.undefines, "undefine a macro", "NAME");
  addList(app, "-I", options_.includeDirs, "search a folder for headers", "DIR");
  addList(app, "--pre-include", firstHeaders_, "read a header before the source, as if that began with it", "HEADER");
  addList(app, "--prefix-map", options_.prefixMap, "write NEW for a leading OLD in the paths that an image holds",
          "OLD=NEW");
  addList(app, "--param", parameters_, "value of lathe::param(\"NAME\")", "NAME=VALUE")->check(assignmentValidator(""));
}

void CodeOptions::configureCode(CLI::App& app) {
  app.add_option("-O", optLevel_, "optimisation level (default: 3)")
      ->check(CLI::IsMember({"0", "1", "2", "3"}))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->type_name("LEVEL");
  app.add_flag("-g", options_.debugInfo, "debug information and line tables");
  app.add_flag("--checked", options_.checked,
               "find wrong accesses, races and divergent barriers while the kernel runs (docs/checked-mode.md)");
  addNumber(app, "--coarsening", options_.coarsening,
            "groups that one launched group serves, on targets that can (docs/coarsening.md; default: 0,\n"
            "decided for each kernel and launch; 1: never; else that many, whatever the launch)",
            "N", 0, 16);
  app.add_flag("--fast-math", options_.fastMath, "reassociate, ignore NaN and infinity, approximate functions");
  app.add_flag("--approximate-math", options_.approximateMath,
               "approximate division, roots and functions in f32, NaN and infinity kept;\n"
               "with --ftz what nvcc's -use_fast_math means");
  app.add_flag("--no-contract", noContract_, "keep a*b+c as two operations");
  app.add_flag("--ftz", options_.flushDenormals, "treat denormal floats as zero");
  app.add_option("--entry-abi", entryAbi_,
                 "bare: the user's parameters only; state: one hidden last argument more, by which a\n"
                 "kernel prints, fails and allocates (default: auto, which is bare but where that is the only way)")
      ->check(CLI::IsMember({"auto", "bare", "state"}));
  addNumber(app, "--max-items", options_.launchBounds.maxItems, "most items in a group", "N");
  app.add_option("--group-size", groupSize_, "exact group size of every launch")->check(extentsValidator());
  addNumber(app, "--min-groups", options_.launchBounds.minGroups, "groups wanted resident on a multiprocessor", "N");
  addList(app, "--fix", fixed_, "specialise for launches that pass this number to a parameter (by name, or from 0)",
          "NAME=VALUE")
      ->check(assignmentValidator(""));
  app.add_flag("--no-alias", options_.promises.noAlias,
               "what is written through one pointer parameter no other leads to");
  addNumber(app, "--pointer-align", options_.promises.pointerAlign,
            "pointers that are passed are multiples of so many bytes", "BYTES");
  addNumber(app, "--max-registers", options_.launchBounds.maxRegisters, "most registers of an item", "N");
}

Result<Options> CodeOptions::options() const {
  Options out = options_;
  for (const std::string& value : fixed_) out.promises.arguments.insert(splitAssignment(value));
  for (const std::string& parameter : parameters_) out.parameters.insert(splitAssignment(parameter));
  out.optLevel = static_cast<OptLevel>(optLevel_[0] - '0');
  out.contract = !noContract_;
  out.entryAbi = entryAbi_ == "state" ? EntryAbi::state : entryAbi_ == "bare" ? EntryAbi::bare : EntryAbi::automatic;
  if (!groupSize_.empty()) {
    const auto size = parseExtents(groupSize_);
    if (!size) return Error{ErrorCode::InvalidArgument, fmt::format("--group-size: '{}' is not X[,Y,Z]", groupSize_)};
    out.launchBounds.groupSize = {size->x, size->y, size->z};
  }
  return out;
}

Source CodeOptions::withHeadersFirst(Source source) const {
  if (firstHeaders_.empty()) return source;
  std::string first;
  for (const std::string& header : firstHeaders_) first += "#include \"" + header + "\"\n";
  source.text = first + "#line 1 \"" + source.name + "\"\n" + source.text;
  return source;
}

}  // namespace lathe::tool
