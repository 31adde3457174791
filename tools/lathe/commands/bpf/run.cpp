// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/lathe/commands/bpf/run.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <lathe/bpf_host.h>

#include "tools/lathe/arguments/arguments.h"
#include "tools/lathe/arguments/files.h"
#include "tools/lathe/arguments/value.h"
#include "tools/lathe/output/report.h"

namespace lathe::tool {
namespace {

using Bytes = std::vector<std::byte>;

/// The bytes that "FILE", "-" or "hex:…" stands for.
Result<Bytes> bytesFrom(const std::string& text) {
  constexpr std::string_view digits = "hex:";
  Bytes out;
  if (text.starts_with(digits)) {
    if (parseHex(std::string_view(text).substr(digits.size()), out)) return out;
    return Error{ErrorCode::InvalidArgument, fmt::format("'{}': not hexadecimal digits, two a byte", text)};
  }
  auto file = readFile(text);
  if (!file) return std::move(file).error();
  std::ranges::transform(*file, std::back_inserter(out), [](char c) { return static_cast<std::byte>(c); });
  return out;
}

/// The names that the kernel gives results of packet programs.
std::string_view nameOfResult(std::string_view kind, std::int32_t value) {
  constexpr std::string_view xdp[] = {"XDP_ABORTED", "XDP_DROP", "XDP_PASS", "XDP_TX", "XDP_REDIRECT"};
  constexpr std::string_view tc[] = {"TC_ACT_OK", "TC_ACT_RECLASSIFY", "TC_ACT_SHOT", "TC_ACT_PIPE"};
  const auto index = static_cast<std::size_t>(std::max(value, 0));
  if (kind == "xdp" && value >= 0 && index < std::size(xdp)) return xdp[index];
  if (kind == "sched_cls" && value >= 0 && index < std::size(tc)) return tc[index];
  if (kind == "sched_cls" && value == -1) return "TC_ACT_UNSPEC";
  return {};
}

/// The type behind the program's only parameter; null if it has none that is known.
const TypeLayout* contextType(const EntryPoint& entry) {
  if (entry.parameters.empty() || entry.parameters.front().type.element.empty()) return nullptr;
  const TypeLayout& type = entry.parameters.front().type.element.front();
  return type.size == 0 ? nullptr : &type;
}

/// The input that --arg describes, or zeros of the context's size.
Result<Bytes> contextFrom(const ProgramRun& run, const EntryPoint& entry, bool takesPacket) {
  if (run.arguments.empty()) {
    const TypeLayout* const type = contextType(entry);
    return Bytes(type && !takesPacket ? static_cast<std::size_t>(type->size) : 0);
  }
  auto arguments = parseArguments(run.arguments, entry);
  if (!arguments) return std::move(arguments).error();
  if (arguments->empty() || !arguments->front().array) return Bytes();
  return arguments->front().array->bytes;
}

std::string digitsOf(std::span<const std::byte> bytes, std::size_t most) {
  std::string out;
  for (const std::byte one : bytes.first(std::min(bytes.size(), most)))
    out += fmt::format("{:02x}", static_cast<unsigned>(one));
  return bytes.size() > most ? out + "…" : out;
}

/// Runs the program of `entry` in an object that is not loaded yet.
Result<ExitCode> runIn(bpf::Object& object, const EntryPoint& entry, const ProgramRun& run, Output& out);

}  // namespace

void ProgramRun::configure(CLI::App& app) {
  app.add_option("--packet", packet, "of BPF programs, the packet: a file, or hex:DIGITS")->type_name("FILE");
  app.add_option("--context", context, "of BPF programs, the bytes of the context: a file, or hex:DIGITS")
      ->type_name("FILE");
  app.add_option("--save-packet", savePacket, "write the packet after the run")->type_name("FILE");
  app.add_option("--save-context", saveContext, "write the context after the run")->type_name("FILE");
}

Result<ExitCode> runProgram(const Image& image, const EntryPoint& entry, const ProgramRun& run, Output& out) {
  auto object = bpf::Object::open(image);
  if (!object) return std::move(object).error();
  return runIn(*object, entry, run, out);
}

bool isProgramObject(const std::string& file) {
  constexpr std::size_t machineAt = 18;  // e_machine of the header
  constexpr char bpf = static_cast<char>(247);
  std::ifstream in(file, std::ios::binary);
  std::array<char, machineAt + 2> header{};
  in.read(header.data(), header.size());
  const bool isElf = in && std::string_view(header.data(), 4) == std::string_view("\177ELF", 4);
  return isElf && (header[machineAt] == bpf || header[machineAt + 1] == bpf);
}

Result<ExitCode> runProgramOfObject(const std::string& file, const std::vector<std::string>& names,
                                    const ProgramRun& run, Output& out) {
  auto bytes = bytesFrom(file);
  if (!bytes) return std::move(bytes).error();
  auto object = bpf::Object::open(*bytes);
  if (!object) return std::move(object).error();
  if (names.size() > 1) return Error{ErrorCode::InvalidArgument, "--kernel: one run is of one program; name one"};
  const std::vector<bpf::Program> programs = object->programs();
  std::string all;
  for (const bpf::Program& program : programs) all += (all.empty() ? "" : ", ") + program.name();
  EntryPoint entry;
  for (const bpf::Program& program : programs) {
    if (names.empty() ? programs.size() > 1 : program.name() != names.front()) continue;
    entry.name = entry.symbol = program.name();
    entry.kind = program.kind();
  }
  if (entry.name.empty())
    return Error{ErrorCode::UnknownKernel, fmt::format("{}: name one of its programs with --kernel: {}", file, all)};
  if (!run.arguments.empty())
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("{}: --arg needs the types that an image has; give --context or --packet", file)};
  return runIn(*object, entry, run, out);
}

namespace {

Result<ExitCode> runIn(bpf::Object& object, const EntryPoint& entry, const ProgramRun& run, Output& out) {
  const bool takesPacket = bpf::takesPacket(entry.kind);
  auto context = run.context.empty() ? contextFrom(run, entry, takesPacket) : bytesFrom(run.context);
  if (!context) return std::move(context).error();
  auto packet = run.packet.empty() ? Result<Bytes>(Bytes()) : bytesFrom(run.packet);
  if (!packet) return std::move(packet).error();
  // What --arg makes for a program on packets is the packet.
  if (takesPacket && run.packet.empty() && run.context.empty()) std::swap(*context, *packet);
  if (takesPacket && packet->empty())
    return Error{ErrorCode::InvalidArgument, fmt::format("{}: a program of type {} needs a packet: --packet FILE or "
                                                         "--packet hex:…",
                                                         entry.name, entry.kind)};

  for (const bpf::Program& other : object.programs()) other.setEnabled(other.name() == entry.symbol);
  if (auto loaded = object.load(); !loaded) return std::move(loaded).error();
  auto program = object.program(entry.symbol);
  if (!program) return std::move(program).error();
  auto result = program->testRun({.packet = *packet, .context = *context, .repeat = std::max(run.repeat, 1U)});
  if (!result) return std::move(result).error();

  const auto save = [](const std::string& path, const Bytes& bytes) -> Result<void> {
    if (path.empty()) return {};
    return writeFile(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  if (auto saved = save(run.savePacket, result->packet); !saved) return std::move(saved).error();
  if (auto saved = save(run.saveContext, *context); !saved) return std::move(saved).error();

  const std::string_view name = nameOfResult(entry.kind, result->value);
  const TypeLayout* const type = contextType(entry);
  const bool showsContext = !takesPacket && type && context->size() == type->size;
  if (out.json()) {
    Json document = {{"program", entry.name}, {"kind", entry.kind}, {"result", result->value}};
    if (!name.empty()) document["name"] = name;
    if (showsContext) document["context"] = decodeJson(*type, *context);
    if (takesPacket) document["packet"] = digitsOf(result->packet, SIZE_MAX);
    if (result->nanoseconds != 0) document["nanoseconds"] = result->nanoseconds;
    out.document(document);
    return ExitCode::ok;
  }
  out.text(fmt::format("{}: {}{}\n", entry.name, result->value, name.empty() ? "" : fmt::format(" ({})", name)));
  if (showsContext) out.text(fmt::format("context: {}\n", decodeJson(*type, *context).dump()));
  constexpr std::size_t shownBytes = 64;
  if (takesPacket && result->packet != *packet)
    out.text(fmt::format("packet: {} bytes, {}\n", result->packet.size(), digitsOf(result->packet, shownBytes)));
  if (result->nanoseconds != 0)
    out.text(out.paint(Style::dim, fmt::format("{} runs, {} ns each", std::max(run.repeat, 1U), result->nanoseconds)) +
             "\n");
  return ExitCode::ok;
}

}  // namespace
}  // namespace lathe::tool
