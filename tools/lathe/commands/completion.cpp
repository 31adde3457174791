// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe completion SHELL`: completion scripts, derived from the command line's own definition.
#include <algorithm>

#include <fmt/format.h>

#include "tools/lathe/commands/command.h"

namespace lathe::tool {
namespace {

struct OptionWords {
  std::vector<std::string> names;  ///< "-o", "--output"
  std::string help;
  bool takesValue = false;
  bool takesTarget = false;
};

std::vector<OptionWords> optionsOf(const CLI::App& app) {
  std::vector<OptionWords> out;
  for (const CLI::Option* option : app.get_options()) {
    OptionWords words;
    for (const std::string& name : option->get_snames()) words.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) words.names.push_back("--" + name);
    if (words.names.empty()) continue;  // positional
    words.help = option->get_description();
    words.takesValue = option->get_items_expected_max() > 0;
    words.takesTarget = std::find(words.names.begin(), words.names.end(), "--target") != words.names.end();
    out.push_back(std::move(words));
  }
  // Of commands with commands of their own, the options of all of these.
  for (const CLI::App* sub :
       app.get_parent() ? app.get_subcommands([](const CLI::App*) { return true; }) : std::vector<const CLI::App*>()) {
    for (OptionWords& words : optionsOf(*sub)) {
      const auto same = [&](const OptionWords& known) { return known.names == words.names; };
      if (std::none_of(out.begin(), out.end(), same)) out.push_back(std::move(words));
    }
  }
  return out;
}

std::string namesOf(const std::vector<OptionWords>& options) {
  std::string out;
  for (const OptionWords& option : options)
    out += fmt::format("{}{}", out.empty() ? "" : " ", fmt::join(option.names, " "));
  return out;
}

std::vector<const CLI::App*> commandsOf(const CLI::App& root) {
  return root.get_subcommands([](const CLI::App*) { return true; });
}

std::string commandNames(const CLI::App& root) {
  std::string out;
  for (const CLI::App* command : commandsOf(root))
    out += fmt::format("{}{}", out.empty() ? "" : " ", command->get_name());
  return out;
}

/// Text within a shell's single quotes; `escape` stands for one quote.
std::string quoted(std::string_view text, std::string_view escape) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += escape;
    else
      out += c;
  }
  return out + "'";
}

constexpr std::string_view zshQuote = R"('\'')";
constexpr std::string_view fishQuote = R"(\')";

std::string bashScript(const CLI::App& root) {
  std::string cases;
  for (const CLI::App* command : commandsOf(root))
    cases += fmt::format("    {}) options='{}' ;;\n", command->get_name(), namesOf(optionsOf(*command)));
  return fmt::format(
      R"script(# bash completion for lathe; source it, or save it as lathe in bash-completion's completions folder
_lathe() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} options
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '{} {}' -- "$current"))
    return
  fi
  if [[ $previous == --target || $previous == -t ]]; then
    COMPREPLY=($(compgen -W "$(lathe targets --names 2>/dev/null)" -- "$current"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}    *) options= ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _lathe lathe
)script",
      commandNames(root), namesOf(optionsOf(root)), cases);
}

/// One word of _arguments: 'option[help]:value:action', with what is special to it escaped.
std::string zshArgument(const std::string& name, const OptionWords& option) {
  std::string help;
  for (const char c : option.help) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') help += '\\';
    help += c;
  }
  const std::string_view action = !option.takesValue   ? ""
                                  : option.takesTarget ? ":target:_lathe_targets"
                                                       : ":value:_files";
  return quoted(fmt::format("*{}[{}]{}", name, help, action), zshQuote);
}

std::string zshScript(const CLI::App& root) {
  std::string commands, cases;
  for (const CLI::App* command : commandsOf(root)) {
    commands += fmt::format("    {}\n",
                            quoted(fmt::format("{}:{}", command->get_name(), command->get_description()), zshQuote));
    cases += fmt::format("    {}) _arguments", command->get_name());
    for (const OptionWords& option : optionsOf(*command))
      for (const std::string& name : option.names) cases += fmt::format(" \\\n      {}", zshArgument(name, option));
    cases += " \\\n      '*:file:_files' ;;\n";
  }
  return fmt::format(R"script(#compdef lathe
_lathe_targets() {{ compadd -- $(lathe targets --names 2>/dev/null) }}
_lathe() {{
  local -a commands=(
{})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _lathe "$@"; else compdef _lathe lathe; fi
)script",
                     commands, cases);
}

std::string fishOption(const OptionWords& option, std::string_view condition) {
  std::string out = "complete -c lathe";
  if (!condition.empty()) out += fmt::format(" -n '{}'", condition);
  for (const std::string& name : option.names) {
    if (name.starts_with("--"))
      out += " -l " + name.substr(2);
    else
      out += (name.size() == 2 ? " -s " : " -o ") + name.substr(1);
  }
  if (option.takesTarget)
    out += " -x -a '(lathe targets --names 2>/dev/null)'";
  else if (option.takesValue)
    out += " -r";
  return out + " -d " + quoted(option.help, fishQuote) + "\n";
}

std::string fishScript(const CLI::App& root) {
  std::string out = "# fish completion for lathe; save it as ~/.config/fish/completions/lathe.fish\n";
  for (const OptionWords& option : optionsOf(root)) out += fishOption(option, "__fish_use_subcommand");
  for (const CLI::App* command : commandsOf(root)) {
    out += fmt::format("complete -c lathe -f -n __fish_use_subcommand -a {} -d {}\n", command->get_name(),
                       quoted(command->get_description(), fishQuote));
    for (const OptionWords& option : optionsOf(*command))
      out += fishOption(option, fmt::format("__fish_seen_subcommand_from {}", command->get_name()));
  }
  return out;
}

class CompletionCommand final : public Command {
 public:
  explicit CompletionCommand(const CLI::App& root) : root_(root) {}
  std::string_view name() const override { return "completion"; }
  std::string_view summary() const override { return "print a shell's completion script"; }

  void configure(CLI::App& app) override {
    app.add_option("shell", shell_, "bash, zsh or fish")
        ->type_name("SHELL")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    app.footer(
        "Examples:\n  source <(lathe completion bash)\n  lathe completion fish > "
        "~/.config/fish/completions/lathe.fish");
  }

  ExitCode run(Output& out) override {
    const std::string script = shell_ == "bash"  ? bashScript(root_)
                               : shell_ == "zsh" ? zshScript(root_)
                                                 : fishScript(root_);
    if (out.json())
      out.document({{"shell", shell_}, {"script", script}});
    else
      out.text(script);
    return ExitCode::ok;
  }

 private:
  const CLI::App& root_;
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> makeCompletionCommand(const CLI::App& root) {
  return std::make_unique<CompletionCommand>(root);
}

}  // namespace lathe::tool
