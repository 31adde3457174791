// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/lathe/commands/bpf/attach.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "tools/lathe/commands/bpf/printk.h"
#include "tools/options/number_options.h"

namespace lathe::tool {
namespace {

volatile std::sig_atomic_t interrupted = 0;

}  // namespace

EndBySignal::EndBySignal() {
  interrupted = 0;
  struct sigaction action{};
  action.sa_handler = [](int) { interrupted = 1; };
  ::sigaction(SIGINT, &action, &interrupt_);
  ::sigaction(SIGTERM, &action, &end_);
}

EndBySignal::~EndBySignal() {
  ::sigaction(SIGINT, &interrupt_, nullptr);
  ::sigaction(SIGTERM, &end_, nullptr);
}

bool EndBySignal::came() noexcept {
  return interrupted != 0;
}

void EndBySignal::sleepFor(std::chrono::duration<double> time) {
  const auto end = std::chrono::steady_clock::now() + time;
  constexpr auto step = std::chrono::milliseconds(20);
  while (!came() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(step);
}

void Attachment::configure(CLI::App& app) {
  app.add_option("--at", places_, "attach a program there, not where its section says; repeatable")
      ->type_name("PROGRAM=PLACE")
      ->allow_extra_args(false);
  addNumber(app, "--duration", duration_, "detach after so many seconds (default: 0, by Ctrl-C)", "SECONDS", 0, 1e9);
}

Result<std::vector<Attached>> Attachment::attach(const bpf::Object& object, Output& out) const {
  std::vector<Attached> links;
  std::vector<std::string> placed;
  const std::vector<bpf::Program> programs = object.programs();
  const auto needsTracefs = [](const bpf::Program& program) { return program.kind() == "tracepoint"; };
  if (std::ranges::any_of(programs, needsTracefs)) (void)provideTracefs();  // without it attaching says what is missing
  for (const std::string& text : places_) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos)
      return Error{ErrorCode::InvalidArgument, fmt::format("--at: '{}' is not PROGRAM=PLACE", text)};
    auto program = object.program(text.substr(0, at));
    if (!program) return std::move(program).error();
    auto place = bpf::parseAttachPoint(text.substr(at + 1));
    if (!place) return std::move(place).error();
    auto link = program->attach(*place);
    if (!link) return std::move(link).error();
    links.push_back({program->name(), *std::move(link)});
    placed.push_back(program->name());
    out.note(fmt::format("{}: attached to {}\n", program->name(), bpf::describe(*place)));
  }
  for (const bpf::Program& program : programs) {
    if (program.descriptor() < 0 || std::ranges::find(placed, program.name()) != placed.end()) continue;
    if (program.kind() == "struct_ops") continue;  // their maps are registered, below
    if (!program.namesPlace()) {
      out.note(fmt::format("{}: not attached: its section '{}' names no place; give it one with --at\n", program.name(),
                           program.section()));
      continue;
    }
    auto link = program.attach();
    if (!link) return std::move(link).error();
    links.push_back({program.name(), *std::move(link)});
    out.note(fmt::format("{}: attached by its section {}\n", program.name(), program.section()));
  }
  for (const bpf::RawMap& map : object.maps()) {
    if (map.kind() != "struct_ops") continue;
    auto link = map.attachStructOps();
    if (!link) return std::move(link).error();
    links.push_back({map.name(), *std::move(link)});
    out.note(fmt::format("{}: registered with the kernel\n", map.name()));
  }
  if (links.empty()) return Error{ErrorCode::InvalidArgument, "nothing was attached; say where with --at"};
  return links;
}

}  // namespace lathe::tool
