// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images as parts of programs, and the rules that tell a build system when to make them again.
#include "tools/lathe/arguments/program_options.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "tools/lathe/arguments/files.h"

namespace lathe::tool {
namespace {

/// A path as a make rule spells it.
std::string escaped(std::string_view path) {
  std::string out;
  for (const char letter : path) {
    if (letter == ' ' || letter == '#') out += '\\';
    if (letter == '$') out += '$';
    out += letter;
  }
  return out;
}

}  // namespace

void ProgramOptions::configure(CLI::App& app, bool needsFile) {
  if (needsFile) {
    app.add_option("-o,--output", embed_, "by its ending: C and C++ source (.c, .cpp), assembly (.s), an object (.o)")
        ->type_name("FILE")
        ->required();
  } else {
    app.add_option("--embed", embed_,
                   "write the image as a part of a program: C and C++ source (.c, .cpp), assembly (.s), an object (.o)")
        ->type_name("FILE");
  }
  app.add_option("--symbol", symbol_, "the embedded image's symbol (default: lathe_NAME_images)")->type_name("NAME");
  app.add_option("--section", section_, "the embedded image's section")->type_name("NAME");
  app.add_option("--embed-triple", triple_, "the machine of embedded assembly and objects (default: this one)")
      ->type_name("TRIPLE");
  app.add_option("--kernel-header", header_, "write a C++ header that declares each kernel as a function")
      ->type_name("FILE");
  app.add_option("--image-file", imageFile_,
                 "where the header finds an image that is not embedded, from the program's folder\n"
                 "(default: the image's name)")
      ->type_name("PATH");
  app.add_option("--namespace", nameSpace_, "the header's namespace (default: kernels)")->type_name("NAME");
  app.add_option("--host-include", includes_,
                 "a header with the structures that kernels take (default: the generated header has its own)")
      ->type_name("HEADER")
      ->allow_extra_args(false);
}

std::vector<std::string> ProgramOptions::outputs() const {
  std::vector<std::string> out;
  for (const std::string* const path : {&embed_, &header_}) {
    if (!path->empty()) out.push_back(*path);
  }
  return out;
}

Result<EmbedForm> ProgramOptions::form() const {
  const std::string ending = std::filesystem::path(embed_).extension().string();
  for (const std::string_view source : {".c", ".cc", ".cpp", ".cxx"}) {
    if (ending == source) return EmbedForm::c;
  }
  if (ending == ".s" || ending == ".S") return EmbedForm::assembly;
  if (ending == ".o" || ending == ".obj") return EmbedForm::object;
  return Error{.code = ErrorCode::InvalidArgument,
               .message = fmt::format("{}: the ending says no form in which an image is embedded", embed_),
               .hint = "endings are .c, .cpp, .s and .o"};
}

Result<void> ProgramOptions::write(std::span<const std::byte> bytes, const std::string& path,
                                   const std::string& stem) const {
  std::string symbol = symbol_;
  if (symbol.empty()) {
    symbol = fmt::format("lathe_{}_images", stem);
    std::ranges::replace_if(
        symbol, [](char c) { return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')); },
        '_');
  }
  std::string part, header;
  if (!embed_.empty()) {
    const auto wanted = form();
    if (!wanted) return wanted.error();
    auto made = embedded(bytes, {.form = *wanted, .symbol = symbol, .section = section_, .triple = triple_});
    if (!made) return std::move(made).error();
    part = *std::move(made);
  }
  if (!header_.empty()) {
    const auto fat = FatImage::fromBytes(bytes);
    if (!fat) return fat.error();
    KernelHeaderOptions options{.nameSpace = nameSpace_, .symbol = {}, .file = {}, .includes = includes_};
    if (!embed_.empty())
      options.symbol = symbol;
    else
      options.file = imageFile_.empty() ? std::filesystem::path(path).filename().string() : imageFile_;
    auto made = kernelHeader(*fat, options);
    if (!made) return std::move(made).error();
    header = *std::move(made);
  }
  // Both are made before one is written, so that a wrong request leaves no half of it behind.
  if (!embed_.empty()) {
    if (auto done = writeFile(embed_, part); !done) return done;
  }
  return header_.empty() ? Result<void>() : writeIfChanged(header_, header);
}

std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& inputs) {
  std::string out;
  for (const std::string& target : targets) out += fmt::format("{}{}", out.empty() ? "" : " ", escaped(target));
  out += ":";
  for (const std::string& input : inputs) out += fmt::format(" \\\n  {}", escaped(input));
  out += "\n";
  // A header that is gone is no target that make cannot build.
  for (const std::string& input : inputs) out += fmt::format("\n{}:\n", escaped(input));
  return out;
}

}  // namespace lathe::tool
