// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe explain CODE`, and the pages it prints. All pages are embedded as one text, in which each begins with its
// heading, "# NAME (VALUE)"; the build joins docs/errors/*.md to that text.
#include "tools/lathe/output/error_pages.h"

#include <fmt/format.h>

#include "tools/lathe/commands/command.h"
#include "tools/lathe/output/table.h"

extern "C" const char lathe_error_pages[];
extern "C" const char lathe_error_pages_end[];

namespace lathe::tool {
namespace {

class ExplainCommand final : public Command {
 public:
  std::string_view name() const override { return "explain"; }
  std::string_view summary() const override { return "explain an error code"; }

  void configure(CLI::App& app) override {
    app.add_option("code", code_, "a code's name or number, as in 'unsupported' or 111; without one: the list")
        ->type_name("CODE");
    app.footer("Examples:\n  lathe explain unsupported\n  lathe explain 116");
  }

  ExitCode run(Output& out) override {
    if (code_.empty()) return list(out);
    const auto code = find();
    if (!code) {
      std::vector<std::string> names;
      for (const ErrorCode one : errorCodes()) names.emplace_back(errorName(one));
      return out.fail({.code = ErrorCode::InvalidArgument,
                       .message = fmt::format("no error code is called '{}'{}", code_, didYouMean(code_, names)),
                       .hint = "'lathe explain' lists them"});
    }
    const std::string page = errorPage(*code);
    if (out.json()) {
      out.document({{"code", errorName(*code)},
                    {"value", static_cast<int>(*code)},
                    {"family", familyName(errorFamily(*code))},
                    {"meaning", errorMeaning(*code)},
                    {"page", page}});
    } else {
      out.text(page);
    }
    return ExitCode::ok;
  }

 private:
  std::optional<ErrorCode> find() const {
    for (const ErrorCode code : errorCodes())
      if (code_ == std::to_string(static_cast<int>(code))) return code;
    return errorCodeNamed(code_);
  }

  static ExitCode list(Output& out) {
    Json document = Json::array();
    Table table({{"code"}, {"name"}, {"family"}, {"meaning"}});
    for (const ErrorCode code : errorCodes()) {
      const std::string number = std::to_string(static_cast<int>(code));
      const std::string name(errorName(code)), family(familyName(errorFamily(code))), meaning(errorMeaning(code));
      table.add({number, name, family, meaning});
      document.push_back({{"code", name}, {"value", static_cast<int>(code)}, {"family", family}, {"meaning", meaning}});
    }
    if (out.json())
      out.document({{"codes", document}});
    else
      out.text(table.render(out));
    return ExitCode::ok;
  }

  std::string code_;
};

}  // namespace

std::string errorPage(ErrorCode code) {
  const std::string_view all(lathe_error_pages, static_cast<std::size_t>(lathe_error_pages_end - lathe_error_pages));
  const std::string heading = fmt::format("# {} ({})\n", errorName(code), static_cast<int>(code));
  const std::size_t begin = all.find(heading);
  if (begin == std::string_view::npos) return fmt::format("{}: {}\n", errorName(code), errorMeaning(code));
  const std::size_t end = all.find("\n# ", begin + 1);
  return std::string(all.substr(begin, end == std::string_view::npos ? end : end + 1 - begin));
}

std::string errorPageUri(ErrorCode code) {
  constexpr std::string_view base = LATHE_DOCS_URL;
  return base.empty() ? std::string() : fmt::format("{}/errors/{}.md", base, errorName(code));
}

std::unique_ptr<Command> makeExplainCommand() {
  return std::make_unique<ExplainCommand>();
}

}  // namespace lathe::tool
