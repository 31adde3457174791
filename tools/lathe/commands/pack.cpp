// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe pack`, `lathe unpack` and `lathe sign`: fat images out of images and fat images, and back; keys, and
// signatures by them. Need no compiler.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <lathe/fat_image.h>
#include <lathe/formats/offload_bundle.h>
#include <lathe/signature.h>

#include "tools/lathe/arguments/files.h"
#include "tools/lathe/arguments/job_options.h"
#include "tools/lathe/arguments/signed_images.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/output/report.h"

namespace lathe::tool {
namespace {

class PackCommand final : public Command {
 public:
  std::string_view name() const override { return "pack"; }
  std::string_view summary() const override { return "put images for several targets into one file"; }

  void configure(CLI::App& app) override {
    app.alias("merge");
    app.add_option("images", inputs_, "images and fat images")->type_name("IMAGE")->required();
    app.add_option("-o,--output", output_, "the fat image")->type_name("OUT.limg")->required();
    app.add_option("--sign", key_, "sign it with this secret key (`lathe sign` makes keys)")->type_name("KEY");
    inputsSigned_.configure(app);
    CLI::Option* const bundle =
        app.add_flag("--offload-bundle", bundle_,
                     "write a bundle of Clang's offload bundler instead, which the HIP library loads: the code alone");
    app.add_flag("--compress", compress_, "compress the bundle by Zstandard")->needs(bundle);
    app.footer(
        "Examples:\n  lathe pack blur-cpu.limg blur-cuda.limg -o blur.limg\n"
        "  lathe pack blur.limg --offload-bundle --compress -o blur.hipfb\n"
        "  lathe pack theirs.hipfb -o theirs.limg         a bundle that another compiler made");
  }

  ExitCode run(Output& out) override {
    std::vector<Image> images;
    for (const std::string& path : inputs_) {
      const auto fat = inputsSigned_.open(path);
      if (!fat) return out.fail(fat.error());
      for (std::size_t i = 0; i < fat->entries().size(); ++i) {
        auto image = fat->image(i);
        if (!image) return out.fail(image.error());
        images.push_back(*std::move(image));
      }
    }
    if (bundle_) return writeBundle(images, out);
    auto fat = FatImage::build(images);
    if (!fat) return out.fail(fat.error());
    if (!key_.empty()) {
      const auto key = SigningKey::open(key_);
      if (!key) return out.fail(key.error());
      fat = sign(*fat, *key);
      if (!fat) return out.fail(fat.error());
    }
    if (auto done = fat->save(output_); !done) return out.fail(done.error());
    if (out.json()) {
      Json document = fatImageJson(*fat);
      document["output"] = output_;
      out.document(document);
    } else {
      tell(images.size(), fat->bytes().size(), out);
    }
    return ExitCode::ok;
  }

 private:
  void tell(std::size_t images, std::size_t bytes, Output& out) const {
    out.text(fmt::format("{}: {} image{}, {}\n", output_, images, images == 1 ? "" : "s",
                         humanBytes(static_cast<double>(bytes))));
  }

  ExitCode writeBundle(const std::vector<Image>& images, Output& out) const {
    if (!key_.empty()) return out.usage("--sign: bundles hold no signatures", "lathe pack --help");
    const auto bytes = offloadBundle(images, compress_);
    if (!bytes) return out.fail(bytes.error());
    if (auto done = writeFile(output_, *bytes); !done) return out.fail(done.error());
    if (out.json())
      out.document({{"output", output_}, {"images", images.size()}, {"bytes", bytes->size()}});
    else
      tell(images.size(), bytes->size(), out);
    return ExitCode::ok;
  }

  bool bundle_ = false;
  bool compress_ = false;
  std::vector<std::string> inputs_;
  SignedImages inputsSigned_;
  std::string key_;
  std::string output_;
};

class UnpackCommand final : public Command {
 public:
  std::string_view name() const override { return "unpack"; }
  std::string_view summary() const override { return "take the images out of a fat image"; }

  void configure(CLI::App& app) override {
    images_.configure(app);
    app.add_option("image", path_, "the fat image")->type_name("IMAGE")->required();
    app.add_option("-t,--target", target_, "only the image for this target")->type_name("NAME[:ARCH]");
    app.add_option("-d,--dir", folder_, "where to write NAME-TARGET-ARCH.limg (default: here)")->type_name("DIR");
    app.footer("Example:\n  lathe unpack blur.limg -t cuda:sm_90");
  }

  ExitCode run(Output& out) override {
    const auto fat = images_.open(path_);
    if (!fat) return out.fail(fat.error());
    std::vector<std::size_t> wanted;
    if (target_.empty()) {
      for (std::size_t i = 0; i < fat->entries().size(); ++i) wanted.push_back(i);
    } else {
      auto index = entryFor(*fat, target_);
      if (!index) return out.fail(index.error());
      wanted.push_back(*index);
    }
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    Json written = Json::array();
    const std::string stem = std::filesystem::path(path_).stem().string();
    for (const std::size_t index : wanted) {
      const FatImageEntry& entry = fat->entries()[index];
      const bool isAlone = std::ranges::none_of(wanted, [&](std::size_t other) {
        return other != index && fat->entries()[other].target == entry.target &&
               fat->entries()[other].arch == entry.arch;
      });
      const std::string name = fmt::format("{}-{}{}{}{}{}", stem, entry.target, entry.arch.empty() ? "" : "-",
                                           entry.arch, isAlone ? "" : fmt::format("-{}", index), imageExtension);
      const auto path = std::filesystem::path(folder_) / name;
      const auto image = fat->image(index);
      if (!image) return out.fail(image.error());
      if (auto done = image->save(path); !done) return out.fail(done.error());
      written.push_back(path.string());
      if (!out.json()) out.text(path.string() + "\n");
    }
    if (out.json()) out.document({{"written", std::move(written)}});
    return ExitCode::ok;
  }

 private:
  SignedImages images_;
  std::string path_;
  std::string target_;
  std::string folder_ = ".";
};

class SignCommand final : public Command {
 public:
  std::string_view name() const override { return "sign"; }
  std::string_view summary() const override { return "sign images, so that others can tell who made them"; }

  void configure(CLI::App& app) override {
    CLI::Option* const image = app.add_option("image", path_, "an image or a fat image")->type_name("IMAGE");
    CLI::Option* const key = app.add_option("-k,--key", key_, "the secret key to sign with")->type_name("KEY");
    app.add_option("-o,--output", output_, "the signed image (default: in place)")->type_name("OUT.limg")->needs(image);
    CLI::Option* const made =
        app.add_option("--new-key", newKey_, "make a secret key, and KEY.pub with its public one, and sign nothing")
            ->type_name("KEY");
    image->needs(key);
    made->excludes(image)->excludes(key);
    app.add_option("--comment", comment_, "for people, in KEY.pub")->type_name("TEXT")->needs(made);
    app.footer(
        "Examples:\n  lathe sign --new-key release.key --comment \"releases of blur\"\n"
        "  lathe sign blur.limg --key release.key\n"
        "  lathe run blur.limg --require-signature release.key.pub --grid 1 --group 64");
  }

  ExitCode run(Output& out) override {
    if (!newKey_.empty()) return makeKey(out);
    if (path_.empty()) return out.usage("name an image, or a file with --new-key", "lathe sign --help");
    const auto images = FatImage::open(path_);
    if (!images) return out.fail(images.error());
    const auto key = SigningKey::open(key_);
    if (!key) return out.fail(key.error());
    const auto made = sign(*images, *key);
    if (!made) return out.fail(made.error());
    const std::string& target = output_.empty() ? path_ : output_;
    if (auto done = made->save(target); !done) return out.fail(done.error());
    if (out.json())
      out.document({{"output", target}, {"key", key->publicKey().hex()}});
    else
      out.text(fmt::format("{}: signed by {}\n", target, key->publicKey().hex()));
    return ExitCode::ok;
  }

 private:
  ExitCode makeKey(Output& out) const {
    const auto key = SigningKey::generate();
    if (!key) return out.fail(key.error());
    if (auto done = key->save(newKey_); !done) return out.fail(done.error());
    const PublicKey known{key->publicKey().bytes, comment_};
    const std::string beside = newKey_ + ".pub";
    if (auto done = writePublicKeys(beside, std::span(&known, 1)); !done) return out.fail(done.error());
    if (out.json())
      out.document({{"secret", newKey_}, {"public", beside}, {"key", known.hex()}});
    else
      out.text(fmt::format("{}: keep it secret; {}: for everybody\n", newKey_, beside));
    return ExitCode::ok;
  }

  std::string path_;
  std::string key_;
  std::string output_;
  std::string newKey_;
  std::string comment_;
};

}  // namespace

std::unique_ptr<Command> makePackCommand() {
  return std::make_unique<PackCommand>();
}

std::unique_ptr<Command> makeUnpackCommand() {
  return std::make_unique<UnpackCommand>();
}

std::unique_ptr<Command> makeSignCommand() {
  return std::make_unique<SignCommand>();
}

}  // namespace lathe::tool
