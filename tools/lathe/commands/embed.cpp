// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe embed`: an image that is there already, as a part of a program.
#include <filesystem>

#include <fmt/format.h>

#include "tools/lathe/arguments/files.h"
#include "tools/lathe/arguments/program_options.h"
#include "tools/lathe/arguments/signed_images.h"
#include "tools/lathe/commands/command.h"

namespace lathe::tool {
namespace {

class EmbedCommand final : public Command {
 public:
  std::string_view name() const override { return "embed"; }
  std::string_view summary() const override { return "make an image a part of a program"; }

  void configure(CLI::App& app) override {
    app.add_option("image", path_, "an image or a fat image")->type_name("IMAGE")->required();
    options_.configure(app, /*needsFile=*/true);
    images_.configure(app);
    app.footer("Example:\n  lathe embed blur.limg -o blur_images.c --kernel-header blur.h --namespace kernels");
  }

  ExitCode run(Output& out) override {
    const auto fat = images_.open(path_);
    if (!fat) return out.fail(fat.error());
    // The file as it is: an image stays one.
    const auto bytes = readFile(path_);
    if (!bytes) return out.fail(bytes.error());
    const std::string stem = std::filesystem::path(path_).stem().string();
    if (auto done = options_.write(std::as_bytes(std::span(*bytes)), path_, stem); !done) return out.fail(done.error());
    if (out.json()) {
      out.document({{"written", options_.outputs()}});
    } else {
      for (const std::string& file : options_.outputs()) out.text(file + "\n");
    }
    return ExitCode::ok;
  }

 private:
  std::string path_;
  SignedImages images_;
  ProgramOptions options_;
};

}  // namespace

std::unique_ptr<Command> makeEmbedCommand() {
  return std::make_unique<EmbedCommand>();
}

}  // namespace lathe::tool
