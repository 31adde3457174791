// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe bpf …`: programs for the kernel, loaded, attached and looked at. What is attached goes when the command ends,
// by Ctrl-C and `kill -9` too: links belong to the process.
#include <fmt/format.h>

#include <lathe/bpf_features.h>
#include <lathe/bpf_types.h>

#include "tools/lathe/arguments/files.h"
#include "tools/lathe/commands/bpf/attach.h"
#include "tools/lathe/commands/bpf/maps.h"
#include "tools/lathe/commands/bpf/object.h"
#include "tools/lathe/commands/bpf/top.h"
#include "tools/lathe/commands/bpf/trace.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/output/table.h"
#include "tools/options/number_options.h"

namespace lathe::tool {
namespace {

constexpr std::string_view examples =
    R"(Places to attach to: tp:CATEGORY:NAME raw_tp:NAME kprobe:FUNCTION kretprobe:FUNCTION
  uprobe:FILE:FUNCTION uretprobe:FILE:FUNCTION uprobe.multi:FILE:FUNCTION,… usdt:FILE:PROVIDER:NAME samples:PER_SECOND
  xdp:INTERFACE xdp.generic:INTERFACE xdp.native:INTERFACE ingress:INTERFACE egress:INTERFACE cgroup:FOLDER netns:FILE
  sockmap:MAP iter iter:map:MAP iter:process:NUMBER
Examples:
  lathe bpf features                                       what this kernel permits
  lathe bpf load count.bpf.cpp                             does the verifier take it?
  lathe bpf attach count.bpf.cpp --duration 5              by its sections; then shows its maps
  lathe bpf attach filter.bpf.cpp --at first=xdp:eth0
  lathe bpf trace opens.bpf.cpp                            its records as they come
  lathe bpf link main.bpf.cpp maps.bpf.cpp -o all.o        several files as one object
  lathe bpf top                                            the programs that take most time
  lathe bpf maps dump switches                             a map of the kernel, by its types
  lathe bpf types task_struct -o task.h)";

std::string_view nameOf(bpf::Feature::State state) {
  switch (state) {
    case bpf::Feature::State::present:
      return "yes";
    case bpf::Feature::State::refused:
      return "refused";
    case bpf::Feature::State::absent:
      return "no";
  }
  return "";
}

class BpfCommand final : public Command {
 public:
  std::string_view name() const override { return "bpf"; }
  std::string_view summary() const override { return "load, attach and look at programs for the kernel"; }

  void configure(CLI::App& app) override {
    app.require_subcommand(1);
    load_ = app.add_subcommand("load", "load programs into the kernel, and drop them: does the verifier take them?");
    attach_ = app.add_subcommand("attach", "load, attach, wait, show the maps and detach");
    inspect_ = app.add_subcommand("inspect", "show the programs, maps and variables of a file");
    options_[0].configure(*load_);
    options_[1].configure(*attach_);
    options_[2].configure(*inspect_);
    trace_ = app.add_subcommand("trace", "load, attach, and show records and texts of bpf_printk() as they come");
    options_[3].configure(*trace_);
    for (CLI::App* const sub : {load_, attach_, trace_}) {
      sub->add_flag("--raw-log", open_.rawLog, "with a refusal, show the verifier's whole log");
      sub->add_option("--pin-folder", open_.pinFolder, "where maps that are pinned by name lie (default: /sys/fs/bpf)")
          ->type_name("DIR");
      sub->add_option("--kernel-types", open_.kernelTypes, "a file with the kernel's BTF, where it shows none itself")
          ->type_name("FILE");
    }
    load_->add_flag("--log", open_.alwaysLog, "show the verifier's log of what it takes, too");
    attachment_.configure(*attach_);
    traced_.configure(*trace_);
    addNumber(*attach_, "--entries", entries_, "most entries of a map that are shown (default: 20)", "N");
    link_ = app.add_subcommand("link", "make one object of several, as libbpf's static linker does");
    options_[4].configure(*link_);
    link_->add_option("more", more_, "more sources, images or objects")->type_name("FILE")->required();
    link_->add_option("-o,--output", output_, "where to write the object")->type_name("FILE")->required();
    features_ = app.add_subcommand("features", "show what this kernel permits to this user, and why not");
    features_->add_flag("--helpers", helpers_, "show the helper functions that each type of program has here instead");
    types_ = app.add_subcommand("types", "write a C++ header of the kernel's types and functions");
    types_->add_option("type", names_, "names of structures, unions, enumerations, typedefs or kernel functions")
        ->type_name("TYPE");
    types_
        ->add_option("--for", for_,
                     "write BTF with what this object's accesses are relocated by instead, for --kernel-types")
        ->type_name("OBJECT");
    types_->add_option("--from", from_, "a file with BTF, or an object, instead of the running kernel")
        ->type_name("FILE");
    types_->add_option("-o,--output", output_, "where to write (default: '-', standard output)")->type_name("FILE");
    maps_ = app.add_subcommand("maps", "list, read and write the maps that the kernel has");
    heldMaps_.configure(*maps_);
    top_ = app.add_subcommand("top", "show the kernel's programs by the time they take, until Ctrl-C");
    taken_.configure(*top_);
    for (CLI::App* const sub : {load_, attach_, trace_, inspect_, link_, features_, types_, maps_, top_})
      sub->fallthrough();
    app.footer(std::string(examples));
    for (CLI::App* const sub : {load_, attach_, trace_, inspect_, link_}) hideLaunches(*sub);
    load_->footer("Examples:\n  lathe bpf load count.bpf.cpp\n  lathe bpf load count.o -k on_switch --raw-log");
    attach_->footer(
        "Examples:\n  lathe bpf attach count.bpf.cpp --duration 5\n"
        "  lathe bpf attach drop.bpf.cpp --at drop=xdp:eth0\n"
        "Places: tp:CATEGORY:NAME, raw_tp:NAME, kprobe:FUNCTION, uprobe:FILE:FUNCTION, usdt:FILE:PROVIDER:NAME, "
        "samples:HZ,\n  xdp:INTERFACE, ingress:INTERFACE, egress:INTERFACE, cgroup:FOLDER, netns:FILE, sockmap:MAP, "
        "iter");
    trace_->footer(
        "Examples:\n  lathe bpf trace count.bpf.cpp --duration 5\n  lathe bpf trace events.o --count 10 --json");
    inspect_->footer("Example:\n  lathe bpf inspect count.bpf.cpp");
    link_->footer("Example:\n  lathe bpf link count.bpf.cpp more.bpf.c -o all.o");
    features_->footer("Example:\n  lathe bpf features --helpers");
    types_->footer(
        "Examples:\n  lathe bpf types task_struct bpf_task_acquire -o kernel.h\n"
        "  lathe bpf types --for count.o -o count.btf");
    maps_->footer(
        "Examples:\n  lathe bpf maps dump counts\n  lathe bpf maps update counts 7 '{\"runs\": 1}'\n"
        "Keys and values are JSON by the types that the kernel keeps, or hex:DIGITS, the bytes as they lie.");
    top_->footer("Example:\n  lathe bpf top --once --json");
  }

  ExitCode run(Output& out) override {
    if (*features_) return helpers_ ? showHelpers(out) : showFeatures(out);
    if (*types_) return writeTypes(out);
    if (*maps_) return heldMaps_.run(out);
    if (*top_) return taken_.run(out);
    if (*link_) return link(out);
    JobOptions& options = options_[*load_ ? 0 : *attach_ ? 1 : *inspect_ ? 2 : 3];
    options.setDefaultTarget("bpf");
    options.prepare(out);
    auto input = readBpfInput(options, out);
    if (!input) return out.fail(input.error());
    auto object = bpf::Object::open(std::as_bytes(std::span(input->elf)), open_);
    if (!object) return out.fail(object.error());
    if (auto done = enable(*object, options.kernels()); !done) return out.fail(done.error());
    if (*inspect_) return inspect(*object, *input, out);
    if (auto loaded = object->load(); !loaded) return out.fail(loaded.error());
    if (*trace_) return traced_.run(*object, *input, out);
    return *load_ ? showLoaded(*object, out) : attachAndWait(*object, out);
  }

 private:
  /// Options of what is launched over a grid mean nothing here.
  static void hideLaunches(CLI::App& sub) {
    for (const char* name :
         {"--approximate-math", "--checked", "--coarsening", "--entry-abi", "--fast-math", "--ftz", "--group-size",
          "--max-items", "--max-registers", "--min-groups", "--no-alias", "--no-contract", "--pointer-align"}) {
      if (CLI::Option* const option = sub.get_option_no_throw(name)) option->group("");
    }
  }

  static Result<void> enable(const bpf::Object& object, const std::vector<std::string>& names) {
    if (names.empty()) return {};
    for (const bpf::Program& program : object.programs()) program.setEnabled(false);
    for (const std::string& name : names) {
      auto program = object.program(name);
      if (!program) return std::move(program).error();
      program->setEnabled(true);
    }
    return {};
  }

  ExitCode link(Output& out) {
    JobOptions& options = options_[4];
    options.setDefaultTarget("bpf");
    options.prepare(out);
    std::vector<std::string> files = {options.file()};
    files.insert(files.end(), more_.begin(), more_.end());
    std::vector<BpfInput> inputs;
    for (const std::string& file : files) {
      auto input = readBpfInput(options.withFile(file), out, BpfUse::linked);
      if (!input) return out.fail(input.error());
      inputs.push_back(*std::move(input));
    }
    std::vector<bpf::LinkInput> objects;
    for (std::size_t i = 0; i < files.size(); ++i)
      objects.push_back({files[i], std::as_bytes(std::span(inputs[i].elf))});
    const auto linked = bpf::linkObjects(objects);
    if (!linked) return out.fail(linked.error());
    if (auto done = writeFile(output_, {reinterpret_cast<const char*>(linked->data()), linked->size()}); !done)
      return out.fail(done.error());
    if (out.json()) out.document({{"output", output_}, {"objects", files.size()}, {"bytes", linked->size()}});
    return ExitCode::ok;
  }

  static ExitCode inspect(const bpf::Object& object, const BpfInput& input, Output& out) {
    Table programs({{"program"}, {"type"}, {"section"}});
    Table maps({{"map"},
                {"kind"},
                {"key", Table::Align::right},
                {"value", Table::Align::right},
                {"entries", Table::Align::right}});
    Json document = {{"programs", Json::array()}, {"maps", Json::array()}};
    const auto own = bpf::Types::ofObject(std::as_bytes(std::span(input.elf)));
    for (const bpf::Program& program : object.programs()) {
      programs.add({program.name(), program.kind(), program.section()});
      document["programs"].push_back(
          {{"name", program.name()}, {"type", program.kind()}, {"section", program.section()}});
    }
    for (const bpf::RawMap& map : object.maps()) {
      maps.add({map.name(), map.kind(), std::to_string(map.keyBytes()), std::to_string(map.valueBytes()),
                std::to_string(map.maxEntries())});
      document["maps"].push_back({{"name", map.name()},
                                  {"kind", map.kind()},
                                  {"keyBytes", map.keyBytes()},
                                  {"valueBytes", map.valueBytes()},
                                  {"entries", map.maxEntries()},
                                  {"variables", map.isInternal()}});
      if (auto types = bpf::typesOf(map)) {
        document["maps"].back()["keyType"] = typeJson(types->key);
        document["maps"].back()["valueType"] = typeJson(types->value);
      }
      if (auto record = own ? own->recordOf(map.name()) : std::nullopt)
        document["maps"].back()["recordType"] = typeJson(*record);
    }
    if (out.json())
      out.document(document);
    else
      out.text(programs.render(out) + "\n" + maps.render(out));
    return ExitCode::ok;
  }

  ExitCode showLoaded(const bpf::Object& object, Output& out) const {
    Json list = Json::array();
    for (const bpf::Program& program : object.programs()) {
      if (program.descriptor() < 0) continue;
      const auto id = program.id();
      if (!id) return out.fail(id.error());
      list.push_back({{"name", program.name()}, {"type", program.kind()}, {"id", *id}});
      out.text(fmt::format("{}: loaded ({}, number {})\n", program.name(), program.kind(), *id));
    }
    if (open_.alwaysLog) out.text(object.verifierLog());
    if (out.json()) out.document({{"loaded", std::move(list)}});
    return ExitCode::ok;
  }

  ExitCode attachAndWait(const bpf::Object& object, Output& out) {
    const EndBySignal signals;
    const auto counting = bpf::Statistics::enable();  // without it there are no counts
    auto links = attachment_.attach(object, out);
    if (!links) return out.fail(links.error());
    attachment_.start();
    // Iterators go over what there is, and are done.
    Json texts = Json::object();
    bool waits = false;
    for (const Attached& one : *links) {
      waits |= !one.link.iterates();
      if (!one.link.iterates()) continue;
      auto text = one.link.read();
      if (!text) return out.fail(text.error());
      out.text(*text);
      texts[one.program] = *std::move(text);
    }
    constexpr auto step = std::chrono::milliseconds(20);
    while (waits && !attachment_.isOver()) EndBySignal::sleepFor(step);
    for (Attached& one : *links) {
      if (auto done = one.link.detach(); !done) return out.fail(done.error());
    }
    return report(object, std::move(texts), out);
  }

  ExitCode report(const bpf::Object& object, Json texts, Output& out) const {
    Json document = {{"programs", Json::array()}, {"maps", Json::object()}};
    if (!texts.empty()) document["texts"] = std::move(texts);
    Table programs({{"program"}, {"runs", Table::Align::right}, {"ns each", Table::Align::right}});
    for (const bpf::Program& program : object.programs()) {
      const auto counts = program.descriptor() < 0 ? Result<bpf::RunCounts>(bpf::RunCounts{}) : program.counts();
      if (!counts) return out.fail(counts.error());
      document["programs"].push_back({{"name", program.name()},
                                      {"runs", counts->runs},
                                      {"nanoseconds", counts->nanoseconds},
                                      {"missed", counts->missed}});
      programs.add({program.name(), std::to_string(counts->runs),
                    counts->runs ? std::to_string(counts->nanoseconds / counts->runs) : ""});
    }
    out.text(programs.render(out));
    for (const bpf::RawMap& map : object.maps()) {
      constexpr std::string_view ofLibbpf = "__bpf_";  // of its header for USDT
      if (map.isInternal() || map.keyBytes() == 0 || map.kind() == "stack_trace" || map.kind() == "prog_array" ||
          map.kind() == "struct_ops" || map.name().starts_with(ofLibbpf))
        continue;
      const auto types = bpf::typesOf(map);
      if (!types) return out.fail(types.error());
      auto entries = entriesOf(map, {&types->key, &types->value}, entries_);
      if (!entries) continue;  // a kind without values to read
      out.text(fmt::format("\n{} ({}):\n", out.paint(Style::bold, map.name()), map.kind()));
      for (const Json& entry : *entries)
        out.text(fmt::format("  {}: {}\n", entry["key"].dump(), entry[map.isPerCpu() ? "values" : "value"].dump()));
      if (entries->size() == entries_) out.text("  …\n");
      document["maps"][map.name()] = *std::move(entries);
    }
    if (out.json()) out.document(document);
    return ExitCode::ok;
  }

  static ExitCode showFeatures(Output& out) {
    auto features = bpf::probeFeatures();
    if (!features) return out.fail(features.error());
    Json list = Json::array();
    Table table({{"area"}, {"what"}, {"here"}, {"reason, remedy"}});
    for (const bpf::Feature& feature : *features) {
      list.push_back({{"area", feature.area},
                      {"name", feature.name},
                      {"state", nameOf(feature.state)},
                      {"detail", feature.detail},
                      {"remedy", feature.remedy}});
      const std::string joint = feature.detail.empty() || feature.remedy.empty() ? "" : "; ";
      table.add(
          {feature.area, feature.name, std::string(nameOf(feature.state)), feature.detail + joint + feature.remedy});
    }
    if (out.json())
      out.document({{"features", std::move(list)}});
    else
      out.text(table.render(out));
    return ExitCode::ok;
  }

  static ExitCode showHelpers(Output& out) {
    auto programs = bpf::probeHelpers();
    if (!programs) return out.fail(programs.error());
    Json document = Json::object();
    std::string text;
    for (const bpf::ProgramHelpers& program : *programs) {
      document[program.program] = program.helpers;
      text += fmt::format("{} ({})\n", program.program, program.helpers.size());
      for (const std::string& helper : program.helpers) text += "  " + helper + "\n";
    }
    if (out.json())
      out.document({{"helpers", std::move(document)}});
    else
      out.text(text.empty() ? "this process may not load programs, so that the kernel does not answer\n" : text);
    return ExitCode::ok;
  }

  [[nodiscard]] Result<std::string> reducedTypes(const bpf::Types& types) const {
    auto elf = readFile(for_);
    if (!elf) return std::move(elf).error();
    const auto reduced = types.reducedFor(std::as_bytes(std::span(*elf)));
    if (!reduced) return reduced.error();
    return std::string(reinterpret_cast<const char*>(reduced->data()), reduced->size());
  }

  ExitCode writeTypes(Output& out) const {
    if (names_.empty() == for_.empty())
      return out.usage("bpf types: name types for a header, or an object with --for", "lathe bpf types --help");
    if (out.json() && !for_.empty() && output_ == "-")
      return out.usage("bpf types: BTF is no text; with --json it needs a file, -o FILE", "lathe bpf types --help");
    const auto types = from_.empty() ? bpf::Types::ofKernel() : bpf::Types::ofFile(from_);
    if (!types) return out.fail(types.error());
    const auto text = for_.empty() ? types->header(names_) : reducedTypes(*types);
    if (!text) return out.fail(text.error());
    if (output_ == "-") {
      if (out.json())
        out.document({{"header", *text}, {"types", layoutsOf(*types)}});
      else
        out.raw(*text);
      return ExitCode::ok;
    }
    if (auto done = writeFile(output_, *text); !done) return out.fail(done.error());
    if (out.json()) out.document({{"output", output_}, {"types", layoutsOf(*types)}});
    return ExitCode::ok;
  }

  /// The layouts of the types that are named; functions have none.
  [[nodiscard]] Json layoutsOf(const bpf::Types& types) const {
    Json out = Json::array();
    for (const std::string& name : names_)
      if (const auto layout = types.layout(name)) out.push_back(typeJson(*layout));
    return out;
  }

  CLI::App *load_ = nullptr, *attach_ = nullptr, *inspect_ = nullptr, *trace_ = nullptr, *link_ = nullptr,
           *features_ = nullptr, *types_ = nullptr, *maps_ = nullptr, *top_ = nullptr;
  JobOptions options_[5];
  Attachment attachment_;
  BpfTrace traced_;
  BpfMaps heldMaps_;
  BpfTop taken_;
  bpf::OpenOptions open_;
  std::vector<std::string> names_, more_;
  std::string from_, for_, output_ = "-";
  std::size_t entries_ = 20;
  bool helpers_ = false;
};

}  // namespace

std::unique_ptr<Command> makeBpfCommand() {
  return std::make_unique<BpfCommand>();
}

}  // namespace lathe::tool
