// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most of the texts are in the image; a skeleton is made of the object in it.
#include "tools/lathe/arguments/interface_options.h"

#include <array>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include <lathe/bpf_types.h>

#include "tools/lathe/arguments/files.h"

namespace lathe::tool {

void InterfaceOptions::configure(CLI::App& app) {
  app.add_option("--c-header", cHeader_, "write a C header that declares the kernels (targets that make libraries)")
      ->type_name("FILE");
  app.add_option("--cxx-header", cxxHeader_, "write a C++ header")->type_name("FILE");
  app.add_option("--cxx-skeleton", cxxSkeleton_,
                 "write a C++ header with the programs, maps and variables of a BPF object, typed, and its bytes")
      ->type_name("FILE");
  app.add_option("--c-skeleton", cSkeleton_, "write the same for libbpf's C interface, as 'bpftool gen skeleton' does")
      ->type_name("FILE");
  app.add_option("--skeleton-namespace", skeletonNamespace_,
                 "the namespace or structure in these headers (default: the source's name, count_bpf)")
      ->type_name("NAME");
  app.add_option("--manifest", manifest_, "write entry points, layouts and required symbols as JSON")
      ->type_name("FILE");
}

std::vector<std::string> InterfaceOptions::outputs() const {
  return {cHeader_, cxxHeader_, cxxSkeleton_, cSkeleton_, manifest_};
}

// In a namespace called as the file is, unless another was asked for: count.bpf.cpp has count_bpf.
Result<std::string> InterfaceOptions::skeletonOf(const Image& image, const std::string& source, bool isC) const {
  const ImageInfo& info = image.info();
  if (info.runtime != "bpf" || image.code().empty())
    return Error{.code = ErrorCode::FormatUnsupported,
                 .message = fmt::format("target '{}' does not make BPF objects, which skeletons are for", info.target),
                 .hint = "compile with --target bpf"};
  const auto make = isC ? bpf::cSkeleton : bpf::cxxSkeleton;
  if (!skeletonNamespace_.empty()) return make(image.code().front().bytes, skeletonNamespace_);
  std::string name = std::filesystem::path(source == "-" ? "program" : source).stem().string();
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  if (std::isdigit(static_cast<unsigned char>(name.front())) != 0) name.insert(name.begin(), '_');
  return make(image.code().front().bytes, name);
}

// All the texts are found before anything is written, so that a wrong request leaves no half of it behind.
Result<void> InterfaceOptions::write(const Image& image, const std::string& target, const std::string& source) const {
  std::vector<std::pair<std::string, std::string_view>> texts;
  for (const auto& [format, path] :
       {std::pair("c-header", &cHeader_), std::pair("cxx-header", &cxxHeader_), std::pair("manifest", &manifest_)}) {
    if (path->empty()) continue;
    const Code* const code = image.find(format);
    if (!code)
      return Error{
          .code = ErrorCode::FormatUnsupported,
          .message = fmt::format("target '{}' does not make a {}: its kernels are not called from C", target, format),
          .hint = "targets for C programs are 'object' (this machine), x86-64-v3, aarch64, …"};
    texts.emplace_back(*path, std::string_view(reinterpret_cast<const char*>(code->bytes.data()), code->bytes.size()));
  }
  std::array<std::string, 2> skeletons;
  for (const bool isC : {false, true}) {
    const std::string& path = isC ? cSkeleton_ : cxxSkeleton_;
    if (path.empty()) continue;
    auto made = skeletonOf(image, source, isC);
    if (!made) return std::move(made).error();
    skeletons[isC ? 1 : 0] = *std::move(made);
    texts.emplace_back(path, skeletons[isC ? 1 : 0]);
  }
  for (const auto& [path, text] : texts) {
    if (auto done = writeIfChanged(path, text); !done) return done;
  }
  return {};
}

}  // namespace lathe::tool
