// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/bpf/load_failure.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "core/support/diagnostics.h"
#include "core/support/nearest.h"
#include "runtimes/bpf/types/btf.h"
#include "runtimes/bpf/verifier/log.h"
#include "runtimes/bpf/verifier/rules.h"

namespace lathe::bpf::detail {
namespace {

/// The object's source lines, by which what the log says of a place is completed: it has no columns and only the last
/// part of a file's name, and before Linux 6.9 no lines at all.
class Sources {
 public:
  explicit Sources(std::span<const std::byte> elf) {
    const auto types = elfSection(elf, ".BTF"), extension = elfSection(elf, ".BTF.ext");
    if (!types || !extension) return;
    auto read = Btf::parse({types->begin(), types->end()});
    if (!read) return;
    types_ = *std::move(read);
    lines_ = btfLines(*extension, types_);
  }

  /// `line` with the whole file name, the column and the text as it is indented.
  /// Of several places in one line it is the last that begins before `instruction`.
  [[nodiscard]] SourceLine completed(SourceLine line, std::uint32_t instruction) const {
    const BtfLine* best = nullptr;
    for (const BtfLine& known : lines_) {
      const bool same = line.line != 0 ? known.line == line.line && sameFile(known.file, line.file)
                                       : !line.text.empty() && known.text.find(line.text) != std::string_view::npos;
      if (same && (!best || known.instruction <= instruction)) best = &known;
    }
    if (best) return {std::string(best->file), std::string(best->text), best->line, best->column};
    return line;
  }

  /// "args[2]", the member of the program's context at `offset`; empty where the types do not say it.
  [[nodiscard]] std::string memberOfContext(std::string_view program, std::uint64_t offset) const {
    const auto parameters = types_.members(types_.type(types_.find(BtfKind::function, program)).to);
    if (parameters.empty()) return {};
    const BtfType pointer = types_.type(types_.stripped(parameters.front().type));
    return pointer.kind == BtfKind::pointer ? memberAt(pointer.to, offset) : std::string();
  }

 private:
  [[nodiscard]] std::string memberAt(std::uint32_t number, std::uint64_t offset) const {
    std::string out;
    constexpr int deepest = 16;
    for (int depth = 0; depth < deepest; ++depth) {
      number = types_.stripped(number);
      const BtfType type = types_.type(number);
      if (type.kind == BtfKind::array) {
        const std::uint64_t bytes = types_.sizeOf(type.to);
        if (bytes == 0 || offset / bytes >= type.elements) return {};
        out += fmt::format("[{}]", offset / bytes);
        offset %= bytes;
        number = type.to;
        continue;
      }
      if (type.kind != BtfKind::structure && type.kind != BtfKind::union_) break;
      constexpr std::uint64_t bitsPerByte = 8;
      const auto members = types_.members(number);
      const auto found = std::ranges::find_if(members, [&](const BtfMember& member) {
        const std::uint64_t begin = member.bitOffset / bitsPerByte;
        return begin <= offset && offset < begin + std::max<std::uint64_t>(types_.sizeOf(member.type), 1);
      });
      if (found == members.end()) return {};
      if (!found->name.empty()) out += (out.empty() ? "" : ".") + std::string(found->name);
      offset -= found->bitOffset / bitsPerByte;
      number = found->type;
    }
    return out;
  }
  static bool sameFile(std::string_view whole, std::string_view last) {
    return whole == last || (whole.ends_with(last) && whole[whole.size() - last.size() - 1] == '/');
  }
  Btf types_;
  std::vector<BtfLine> lines_;
};

std::string snippetOf(const SourceLine& source) {
  if (source.text.empty()) return {};
  std::string out = source.text + '\n';
  if (source.column == 0 || source.column > source.text.size()) return out;
  for (std::size_t i = 0; i + 1 < source.column; ++i) out += source.text[i] == '\t' ? '\t' : ' ';
  return out + "^\n";
}

SourceLocation locationOf(const SourceLine& source) {
  return {source.file, source.line, source.column};
}

/// The line of the verdict that says most: the first that the table knows, else the first.
std::string_view decisive(const std::vector<std::string>& verdict) {
  for (const std::string& line : verdict)
    if (explain(line, "")) return line;
  return verdict.empty() ? std::string_view() : verdict.front();
}

/// The program that libbpf says did not load.
std::string refusedProgram(std::string_view messages) {
  const std::size_t at = messages.rfind(": BPF program load failed");
  if (at == std::string_view::npos) return {};
  const std::size_t from = messages.rfind("prog '", at);
  if (from == std::string_view::npos) return {};
  const std::size_t name = from + std::string_view("prog '").size();
  return std::string(messages.substr(name, messages.find('\'', name) - name));
}

bool isReadable(const char* file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored);
}

/// What is said of an object that the kernel does not let this process load.
Error notPermitted(const ObjectState& state, int status, const std::string& program, const std::string& reason) {
  Error out =
      bpfError(status, program.empty() ? "object: loading it" : fmt::format("program '{}': loading it", program),
               program.empty() ? reason : "");
  for (bpf_program* at = nullptr; (at = state.library.bpf_object__next_program(state.object, at));) {
    if (program != state.library.bpf_program__name(at)) continue;
    const char* const section = state.library.bpf_program__section_name(at);
    out.message = fmt::format("program '{}': the kernel does not permit programs of SEC(\"{}\") to this process",
                              program, section);
  }
  return out;
}

/// The program in SEC("freplace…") that libbpf could not prepare, because Program::replaces() was not called; null: it
/// was another one.
const bpf_program* unsaidReplacement(const ObjectState& state, std::string_view reason) {
  if (reason.find("failed to prepare load attributes") == std::string_view::npos) return nullptr;
  for (bpf_program* at = nullptr; (at = state.library.bpf_object__next_program(state.object, at));) {
    const std::string_view section = state.library.bpf_program__section_name(at);
    const bool named = reason.find(fmt::format("'{}'", state.library.bpf_program__name(at))) != std::string_view::npos;
    if (named && section.starts_with("freplace")) return at;
  }
  return nullptr;
}

/// The map that the kernel did not make because it has no entries; empty: it was not that.
std::string emptyMap(const ObjectState& state, std::string_view reason) {
  if (reason.find("failed to create: Invalid argument") == std::string_view::npos) return {};
  for (bpf_map* at = nullptr; (at = state.library.bpf_object__next_map(state.object, at));) {
    const std::string name = state.library.bpf_map__name(at);
    if (state.library.bpf_map__max_entries(at) == 0 && reason.find(fmt::format("'{}'", name)) != std::string_view::npos)
      return name;
  }
  return {};
}

}  // namespace

std::vector<std::string> logsIn(std::string_view messages) {
  constexpr std::string_view begin = "-- BEGIN PROG LOAD LOG --\n", end = "-- END PROG LOAD LOG --";
  std::vector<std::string> out;
  for (std::size_t from = 0; (from = messages.find(begin, from)) != std::string_view::npos;) {
    from += begin.size();
    out.emplace_back(messages.substr(from, messages.find(end, from) - from));
  }
  return out;
}

Error refusal(std::string_view program, std::string_view log, std::span<const std::byte> elf, bool rawLog) {
  const VerifierLog read = readVerifierLog(log);
  const Sources sources(elf);
  const std::string_view message = decisive(read.verdict);
  const unsigned number = registerNamedIn(message);
  std::string holds;
  for (std::size_t i = read.steps.size(); holds.empty() && number <= 10 && i-- > 0;)
    holds = inWords(stateOf(read.steps[i].states, number));
  if (holds.empty()) holds = inWords(stateOf(read.lastStates, number));
  if (holds == inWords("scalar()")) holds.clear();
  std::string asked(message);
  if (message.ends_with("'scalar'") && holds.starts_with("a pointer into the packet")) asked += " (packet)";
  if (message.ends_with("'scalar'") && holds == inWords("0")) asked += " (null)";
  constexpr std::string_view contextAccess = "invalid bpf_context access off=";
  if (message.starts_with(contextAccess)) {
    const std::string_view text = message.substr(contextAccess.size());
    std::uint64_t offset = 0;
    const auto status = std::from_chars(text.data(), text.data() + text.size(), offset).ec;
    const std::string member = status == std::errc() ? sources.memberOfContext(program, offset) : std::string();
    if (!member.empty()) asked += fmt::format(" ({})", member);
  }
  const auto explanation = explain(asked, holds);

  Diagnostic out{.code = ErrorCode::ProgramRefused};
  out.message = fmt::format("program '{}': {}", program,
                            explanation       ? explanation->words
                            : message.empty() ? std::string("the kernel's verifier refuses it, and does not say why")
                                              : fmt::format("the kernel's verifier refuses it: {}", message));
  if (explanation) out.hint = explanation->hint;
  if (!read.steps.empty()) {
    const SourceLine source = sources.completed(read.steps.back().source, read.steps.back().instruction);
    out.location = locationOf(source);
    out.snippet = snippetOf(source);
  }
  for (const PathStep& step : pathTo(read, number)) {
    const SourceLine source = sources.completed(step.source, step.instruction);
    out.notes.push_back({step.words, locationOf(source), snippetOf(source)});
  }
  std::string verdict;
  for (const std::string& line : read.verdict) verdict += (verdict.empty() ? "" : "; ") + line;
  if (!verdict.empty()) out.notes.push_back({.message = "the verifier's words: " + verdict});
  if (rawLog) out.notes.push_back({.message = "the verifier's log:", .snippet = std::string(log)});
  return lathe::detail::combined({std::move(out)}, "load", "bpf");
}

namespace {

/// What sections of programs begin with (docs of libbpf, "Program Types and ELF Sections").
std::vector<std::string> sectionNames() {
  return {"cgroup",
          "cgroup_skb",
          "classifier",
          "fentry",
          "fexit",
          "flow_dissector",
          "fmod_ret",
          "freplace",
          "iter",
          "kprobe",
          "kretprobe",
          "ksyscall",
          "lsm",
          "lwt_in",
          "lwt_out",
          "lwt_xmit",
          "perf_event",
          "raw_tp",
          "raw_tracepoint",
          "sk_lookup",
          "sk_msg",
          "sk_reuseport",
          "sk_skb",
          "socket",
          "sockops",
          "struct_ops",
          "syscall",
          "tc",
          "tcx",
          "tp",
          "tp_btf",
          "tracepoint",
          "uprobe",
          "uretprobe",
          "usdt",
          "xdp"};
}

}  // namespace

Error loadFailure(const ObjectState& state, int status, const LibbpfMessages& messages) {
  const std::string program = refusedProgram(messages.text());
  const std::string reason = messages.reason();
  const bool wasRefused = readVerifierLog(state.log).processed != 0 || !readVerifierLog(state.log).verdict.empty();
  if (!program.empty() && wasRefused) return refusal(program, state.log, state.elf, state.options.rawLog);
  if (status == -EPERM || status == -EACCES) return notPermitted(state, status, program, reason);
  Error out = bpfError(status, "object: loading it", reason);
  if (const bpf_program* const replacing = unsaidReplacement(state, reason)) {
    out.code = ErrorCode::InvalidArgument;
    out.message = fmt::format("program '{}' replaces a function of another program, which nothing names",
                              state.library.bpf_program__name(replacing));
    out.hint = "load the other program first, and name the function with Program::replaces()";
  } else if (reason.find("extern (") != std::string::npos || reason.find("extern '") != std::string::npos) {
    out.code = ErrorCode::UndefinedFunction;
    out.hint = "this kernel has no such function or variable; mark it __weak, and test for it";
  } else if (const std::size_t at = reason.find("ELF section name '"); at != std::string::npos) {
    const std::string_view name = std::string_view(reason).substr(at + std::strlen("ELF section name '"));
    const std::string_view kind = name.substr(0, name.find_first_of("/.'"));
    out.code = ErrorCode::InvalidArgument;
    out.hint = fmt::format("the section says of which type a program is{}", didYouMean(kind, sectionNames()));
  } else if (const std::string map = emptyMap(state, reason); !map.empty()) {
    out.code = ErrorCode::InvalidArgument;
    out.message = fmt::format("object: map '{}' has room for no entries (max_entries is 0)", map);
    out.hint = "give it a number in its definition, or by setMaxEntries() before load()";
  } else if (const std::size_t at = messages.text().find("parameter mismatch"); at != std::string::npos) {
    const std::string& text = messages.text();
    const std::size_t from = text.rfind('\n', at) + 1;  // 0 where there is no line before
    out.notes.push_back({.message = text.substr(from, text.find('\n', at) - from)});
    out.code = ErrorCode::InvalidArgument;
    out.hint =
        "a map of that name with another definition is pinned already; remove its file, or choose another folder";
  } else if (!isReadable("/sys/kernel/btf/vmlinux") && reason.find("BTF") != std::string::npos) {
    out.code = ErrorCode::Unsupported;
    out.hint =
        "this kernel has no BTF (/sys/kernel/btf/vmlinux); name a file with it: --kernel-types, "
        "OpenOptions::kernelTypes";
  }
  if (out.code == ErrorCode::DriverError || out.code == ErrorCode::InvalidArgument) {
    if (!program.empty())
      out.message = fmt::format("program '{}': {}", program, reason.empty() ? std::strerror(-status) : reason);
  }
  return out;
}

}  // namespace lathe::bpf::detail
