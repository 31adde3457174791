// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe inspect`: what an image holds, for people or as JSON, its code as files and as instructions, and the resources
// that its kernels use.
#include <optional>

#include <fmt/format.h>

#include <lathe/compiler.h>
#include <lathe/disassembly.h>
#include <lathe/runtime/type_layout.h>

#include "tools/lathe/arguments/arguments.h"
#include "tools/lathe/arguments/files.h"
#include "tools/lathe/arguments/signed_images.h"
#include "tools/lathe/arguments/value.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/output/code_resources.h"
#include "tools/lathe/output/report.h"
#include "tools/lathe/output/table.h"
#include "tools/options/number_options.h"

namespace lathe::tool {
namespace {

class InspectCommand final : public Command {
 public:
  std::string_view name() const override { return "inspect"; }
  std::string_view summary() const override { return "show what an image holds"; }

  void configure(CLI::App& app) override {
    app.add_option("image", path_, "image file")->type_name("IMAGE")->required();
    app.add_option("-t,--target", target_, "of a fat image, the image for this target")->type_name("NAME[:ARCH]");
    CLI::Option* const emit =
        app.add_option("-e,--emit", emit_, "write the code section of this format and show nothing")
            ->type_name("FORMAT");
    app.add_option("-o,--output", output_, "where --emit writes (default: '-', standard output)")
        ->type_name("OUT")
        ->needs(emit);
    app.add_flag("-a,--all", all_, "of a fat image, every image in full");
    app.add_flag("--disassemble", disassemble_,
                 "show the machine code's instructions (of host CPUs and AMD GPUs; of NVIDIA GPUs by nvdisasm)");
    app.add_flag("--resource-report", resources_,
                 "show the registers, spills, memory and occupancy of each kernel, as its code says");
    addNumber(app, "--items", items_, "items of a group, for the occupancy of kernels that do not fix them", "N", 1,
              1024);
    images_.configure(app);
    app.footer(
        "Examples:\n  lathe inspect saxpy.limg\n  lathe inspect saxpy.limg --emit ptx | less\n"
        "  lathe inspect saxpy.limg -t amdgpu:gfx942 --disassemble");
  }

  ExitCode run(Output& out) override {
    auto fat = images_.open(path_);
    if (!fat) return out.fail(fat.error());
    if (disassemble_ || resources_) {
      CompilerConfig config;
      config.cache.enabled = false;  // nothing is compiled
      auto made = Compiler::create(std::move(config));
      if (!made && disassemble_) return out.fail(made.error());
      if (made) compiler_.emplace(*std::move(made));
    }
    if (target_.empty() && fat->entries().size() > 1) {
      if (all_ || disassemble_ || resources_) {
        for (std::size_t i = 0; i < fat->entries().size(); ++i) {
          auto image = fat->image(i);
          if (!image) return out.fail(image.error());
          add(*image, out);
        }
        return finish(out);
      }
      if (!emit_.empty())
        return out.usage("--emit: the file holds images for several targets; name one with -t", "lathe inspect --help");
      if (out.json())
        out.document(fatImageJson(*fat));
      else
        out.text(fatImageTable(*fat).render(out));
      return ExitCode::ok;
    }
    const auto index = target_.empty() ? Result<std::size_t>(std::size_t{0}) : entryFor(*fat, target_);
    if (!index) return out.fail(index.error());
    auto image = fat->image(*index);
    if (!image) return out.fail(image.error());
    if (!emit_.empty()) return extract(*image, out);
    if (all_ || disassemble_ || resources_) {
      add(*image, out);
      return finish(out);
    }
    if (out.json())
      out.document(Json::parse(toJson(*image)));
    else
      show(*image, out);
    return ExitCode::ok;
  }

 private:
  /// A target that is not known here has no tools of its own.
  Result<std::string> disassembledBy(const Code& code, const ImageInfo& info) const {
    auto text = compiler_->disassembled(code, info);
    const bool isKnown = text || text.error().code != ErrorCode::UnknownTarget;
    return isKnown ? std::move(text) : disassembled(code, info.features);
  }

  /// Shows one of the images, or adds it to what finish() shows of all.
  void add(const Image& image, Output& out) {
    if (resources_) report_.add(image, compiler_ ? &*compiler_ : nullptr, items_);
    Json document =
        all_ ? Json::parse(toJson(image)) : Json{{"target", image.info().target}, {"arch", image.info().arch}};
    const bool isFirst = documents_.empty();
    if (all_ && !out.json()) {
      out.text(isFirst ? "" : "\n");
      show(image, out);
    }
    if (disassemble_) {
      for (const Code& code : image.code()) {
        const auto text = disassembledBy(code, image.info());
        document["disassembly"].push_back(text ? Json{{"format", code.format}, {"text", *text}}
                                               : Json{{"format", code.format}, {"error", text.error().message}});
        if (out.json()) continue;
        out.text(fmt::format("{}{}  {}\n", isFirst && !all_ ? "" : "\n",
                             out.paint(Style::bold, targetName(image.info())), code.format));
        out.text(text ? *text : text.error().message + "\n");
      }
    }
    documents_.push_back(std::move(document));
  }

  ExitCode finish(Output& out) {
    if (out.json()) {
      Json document = {{"images", std::move(documents_)}};
      if (resources_) document["resources"] = report_.json();
      out.document(document);
    } else if (resources_) {
      out.text(report_.table().render(out));
    }
    return ExitCode::ok;
  }

  ExitCode extract(const Image& image, Output& out) const {
    if (output_ == "-" && out.json())
      return out.usage("--json and code on standard output exclude each other; name a file with -o",
                       "lathe inspect --help");
    const Code* code = image.find(emit_);
    if (!code) {
      std::string formats;
      for (const Code& one : image.code()) formats += fmt::format("{}{}", formats.empty() ? "" : ", ", one.format);
      return out.fail({ErrorCode::FormatUnsupported, fmt::format("{}: holds no {} code; it has {}", path_, emit_,
                                                                 formats.empty() ? "none" : formats)});
    }
    const std::string_view bytes(reinterpret_cast<const char*>(code->bytes.data()), code->bytes.size());
    if (output_ == "-") {
      out.raw(bytes);
      return ExitCode::ok;
    }
    if (auto done = writeFile(output_, bytes); !done) return out.fail(done.error());
    if (out.json()) out.document({{"output", output_}, {"format", code->format}, {"bytes", bytes.size()}});
    return ExitCode::ok;
  }

  void show(const Image& image, Output& out) const {
    const ImageInfo& info = image.info();
    out.text(fmt::format("{}  {}\n", out.paint(Style::bold, targetName(info)),
                         humanBytes(static_cast<double>(image.bytes().size()))));
    const auto line = [&](std::string_view label, std::string_view text) {
      if (!text.empty()) out.text(fmt::format("  {:<10} {}\n", label, text));
    };
    line("features", info.features);
    line("runtime", info.runtime);
    line("requires", fmt::format("{}", fmt::join(info.requires_, ", ")));
    line("source", info.provenance.sourceName);
    line("job", info.provenance.description);
    line("hash", info.provenance.jobHash);
    line("made by", fmt::format("{}{}{}", info.provenance.producer, info.provenance.compiler.empty() ? "" : ", ",
                                info.provenance.compiler));
    for (const EntryPoint& entry : info.entries) showEntry(entry, out);
    showGlobals(info, out);
    Table code({{"code"}, {"arch"}, {"bytes", Table::Align::right}});
    for (const Code& one : image.code())
      code.add({std::string(one.format), std::string(one.arch), std::to_string(one.bytes.size())});
    out.text("\n" + code.render(out));
  }

  static void showEntry(const EntryPoint& entry, Output& out) {
    out.text(fmt::format("\n{}\n", out.paint(Style::bold, signatureOf(entry))));
    if (!entry.section.empty()) {
      // A loader calls it by the convention of its section: no block of parameters, no launch.
      out.text(fmt::format("  symbol {}, section {}{}{}\n", entry.symbol, entry.section,
                           entry.kind.empty() ? "" : ", program of type ", entry.kind));
      return;
    }
    out.text(fmt::format("  symbol {}, {} entry, {} parameter bytes aligned to {}{}\n", entry.symbol,
                         entry.abi == EntryAbi::state ? "state" : "bare", entry.parameterBytes, entry.parameterAlign,
                         entry.dynamicShared ? ", launch-sized shared memory" : ""));
    if (const std::string resources = resourceText(entry.resources); !resources.empty())
      out.text(fmt::format("  uses {}\n", resources));
    showBounds(entry, out);
    if (const CoarseEntry& coarse = entry.coarse; coarse.groups != 0)
      out.text(fmt::format("  coarse form {}: a group serves {}, in launches of at least {} items a multiprocessor\n",
                           coarse.symbol, coarse.groups, coarse.leastItems));
    if (entry.parameters.empty() && entry.hidden.empty()) return;
    Table table({{"  offset", Table::Align::right},
                 {"size", Table::Align::right},
                 {"align", Table::Align::right},
                 {"type"},
                 {"name"}});
    const auto add = [&](const Parameter& parameter, const std::string& note) {
      table.add({std::to_string(parameter.offset), std::to_string(parameter.type.size),
                 std::to_string(parameter.type.align), parameter.type.name, parameter.name + note});
      // What lies behind an address has offsets of its own.
      addFields(parameter.type, parameter.byReference ? 0 : parameter.offset, "  ", table);
    };
    for (const Parameter& parameter : entry.parameters) add(parameter, noteOf(parameter, entry));
    for (const Parameter& parameter : entry.hidden) add(parameter, " (hidden: the runtime passes it)");
    out.text(table.render(out));
  }

  /// What the code was specialised for.
  static std::string noteOf(const Parameter& parameter, const EntryPoint& entry) {
    if (!parameter.fixed.empty()) {
      const auto bytes = std::as_bytes(std::span(parameter.fixed)).first(parameter.type.size);
      return fmt::format(" (fixed: {})", decodeJson(parameter.type, bytes).dump());
    }
    if (parameter.byReference) return " (by reference: the runtime passes its address)";
    if (entry.pointerAlign == 0 || parameter.type.kind != TypeKind::pointer) return {};
    return fmt::format(" (a multiple of {})", entry.pointerAlign);
  }

  /// The members of by-value records, indented below their parameter.
  static void addFields(const TypeLayout& type, std::uint64_t base, const std::string& indent, Table& table) {
    if (type.kind != TypeKind::record) return;
    for (const TypeLayout::Field& field : type.fields) {
      const std::string bits = isBitField(field.type) ? fmt::format(" : {}", field.type.count) : "";
      table.add({std::to_string(base + field.offset), std::to_string(field.type.size),
                 std::to_string(isBitField(field.type) ? field.type.element.front().align : field.type.align),
                 indent + field.type.name, field.name.empty() ? "(base)" : "." + field.name + bits});
      addFields(field.type, base + field.offset, indent + "  ", table);
    }
  }

  static void showBounds(const EntryPoint& entry, Output& out) {
    const LaunchBounds& bounds = entry.bounds;
    std::string text;
    const auto add = [&](std::uint32_t value, std::string_view words) {
      if (value) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", words, value);
    };
    add(bounds.maxItems, "at most items");
    add(bounds.minGroups, "resident groups");
    add(bounds.maxRegisters, "at most registers");
    if (bounds.groupSize[0])
      text += fmt::format("{}group size {}", text.empty() ? "" : ", ", fmt::join(bounds.groupSize, "x"));
    if (entry.cluster.size[0])
      text += fmt::format("{}clusters of {}", text.empty() ? "" : ", ", fmt::join(entry.cluster.size, "x"));
    add(entry.cluster.most, "clusters of at most");
    if (!text.empty()) out.text(fmt::format("  bounds: {}\n", text));
  }

  static void showGlobals(const ImageInfo& info, Output& out) {
    if (info.globals.empty()) return;
    Table table({{"variable"}, {"space"}, {"type"}, {"bytes", Table::Align::right}});
    for (const GlobalVariable& global : info.globals)
      table.add({global.name, global.space, global.type.name, std::to_string(global.type.size)});
    out.text("\n" + table.render(out));
  }

  static constexpr std::uint32_t usualItems = 256;

  bool all_ = false;
  bool disassemble_ = false;
  std::optional<Compiler> compiler_;
  bool resources_ = false;
  std::uint32_t items_ = usualItems;
  ResourceReport report_;
  Json documents_ = Json::array();
  SignedImages images_;
  std::string path_;
  std::string target_;
  std::string emit_;
  std::string output_ = "-";
};

}  // namespace

std::unique_ptr<Command> makeInspectCommand() {
  return std::make_unique<InspectCommand>();
}

}  // namespace lathe::tool
