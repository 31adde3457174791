// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images as bundles of Clang's offload bundler, and images of such bundles: of the targets that Lathe has, AMD GPUs
// alone have drivers that load them.
#include <cstddef>
#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

#include <lathe/formats/offload_bundle.h>

#include "targets/amdgpu/bundle_format.h"
#include "targets/amdgpu/code_object.h"

namespace lathe {
namespace {

constexpr std::string_view target = "amdgpu", codeFormat = "hsaco", runtimeName = "hip";
/// What stands before the processor; the first is written, the other is what older compilers wrote.
constexpr std::string_view prefixes[] = {"hipv4-amdgcn-amd-amdhsa--", "hip-amdgcn-amd-amdhsa--"};

Error refused(ErrorCode code, std::string message, std::string hint = {}) {
  return {.code = code, .message = "offload bundle: " + std::move(message), .hint = std::move(hint)};
}

/// "+sramecc,-xnack" of ":sramecc+:xnack-", which stands behind the processor.
std::string featuresOf(std::string_view suffix) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(suffix).split(words, ':', -1, /*KeepEmpty=*/false);
  std::string out;
  for (const llvm::StringRef word : words) {
    if (!word.ends_with("+") && !word.ends_with("-")) continue;
    out += (out.empty() ? "" : ",") + std::string(1, word.back()) + word.drop_back().str();
  }
  return out;
}

/// The settings that a code object was compiled for, as they stand behind its processor's name
/// (llvm.org/docs/AMDGPUUsage.html, "Target ID"): ":sramecc+:xnack-". Open ones, with either of which the code runs,
/// and those that the processor does not have are not named.
std::string settingsOf(std::string_view code) {
  using namespace llvm::ELF;
  if (code.size() < sizeof(Elf64_Ehdr)) return {};
  const std::uint32_t flags = llvm::support::endian::read32le(code.data() + offsetof(Elf64_Ehdr, e_flags));
  const auto named = [&](std::string_view name, std::uint32_t mask, std::uint32_t off, std::uint32_t on) {
    const std::uint32_t set = flags & mask;
    return set == on || set == off ? ":" + std::string(name) + (set == on ? "+" : "-") : std::string();
  };
  return named("sramecc", EF_AMDGPU_FEATURE_SRAMECC_V4, EF_AMDGPU_FEATURE_SRAMECC_OFF_V4,
               EF_AMDGPU_FEATURE_SRAMECC_ON_V4) +
         named("xnack", EF_AMDGPU_FEATURE_XNACK_V4, EF_AMDGPU_FEATURE_XNACK_OFF_V4, EF_AMDGPU_FEATURE_XNACK_ON_V4);
}

/// "gfx942:sramecc:xnack" of "…--gfx942:sramecc-:xnack+": what is chosen by, without the values.
std::string settingNames(std::string id) {
  std::erase_if(id, [](char letter) { return letter == '+'; });
  for (std::size_t at = id.find(':'); at != std::string::npos; at = id.find(':', at + 1))
    if (const std::size_t sign = id.find('-', at); sign != std::string::npos) id.erase(sign, 1);
  return id;
}

/// What stands behind a prefix; empty: it is code of another machine.
std::string_view processorOf(std::string_view id) {
  for (const std::string_view prefix : prefixes)
    if (id.starts_with(prefix)) return id.substr(prefix.size());
  return {};
}

/// The processor alone.
std::string_view archOf(std::string_view id) {
  const std::string_view processor = processorOf(id);
  return processor.substr(0, processor.find(':'));
}

Result<Image> imageOf(targets::BundledCode code) {
  const std::string_view processor = processorOf(code.id);
  const std::string arch(archOf(code.id));
  auto entries = targets::entriesOfCodeObject(code.bytes);
  if (!entries) {
    Error error = std::move(entries).error();
    error.message = "offload bundle: " + code.id + ": " + error.message;
    return error;
  }
  ImageInfo info;
  info.target = target;
  info.arch = arch;
  info.features = featuresOf(processor.substr(arch.size()));
  info.runtime = runtimeName;
  info.entries = *std::move(entries);
  info.provenance.producer = "offload bundle";
  info.provenance.description = code.id;
  return Image::build(std::move(info), {{std::string(codeFormat), arch, std::move(code.bytes)}});
}

}  // namespace

bool isOffloadBundle(std::string_view bytes) {
  return targets::isOffloadBundle(bytes);
}

Result<std::string> offloadBundle(std::span<const Image> images, bool compressed) {
  if (images.empty()) return refused(ErrorCode::InvalidArgument, "there are no images for it");
  std::vector<targets::BundledCode> codes;
  for (const Image& image : images) {
    const ImageInfo& info = image.info();
    if (info.runtime != runtimeName)
      return refused(ErrorCode::Unsupported, "code of target '" + info.target + "' is in none");
    const Code* const code = image.find(codeFormat);
    if (!code)
      return refused(ErrorCode::InvalidArgument, "the image for " + info.target + ":" + info.arch +
                                                     " has no code of format '" + std::string(codeFormat) + "'");
    const auto hidden =
        std::ranges::find_if(info.entries, [](const EntryPoint& entry) { return !entry.hidden.empty(); });
    if (hidden != info.entries.end())
      return refused(ErrorCode::InvalidArgument,
                     "kernel '" + hidden->name + "' takes a state, which only Lathe's runtime gives it",
                     "compile it with --entry-abi bare");
    std::string bytes(reinterpret_cast<const char*>(code->bytes.data()), code->bytes.size());
    std::string id = std::string(prefixes[0]) + info.arch + settingsOf(bytes);
    for (const targets::BundledCode& other : codes) {
      if (archOf(other.id) != info.arch || (other.id != id && settingNames(other.id) == settingNames(id))) continue;
      return refused(ErrorCode::InvalidArgument,
                     "codes for " + other.id.substr(prefixes[0].size()) + " and " + id.substr(prefixes[0].size()) +
                         " exclude each other",
                     "of one processor's codes either all name a setting, each another value, or none does");
    }
    codes.push_back({std::move(id), std::move(bytes)});
  }
  return targets::offloadBundleOf(codes, compressed);
}

Result<FatImage> imagesOfOffloadBundle(std::string_view bytes) {
  auto codes = targets::codesOfOffloadBundle(bytes);
  if (!codes) return std::move(codes).error();
  std::vector<Image> images;
  std::string others;
  for (targets::BundledCode& code : *codes) {
    if (processorOf(code.id).empty()) {
      others += (others.empty() ? "" : ", ") + code.id;
      continue;
    }
    auto image = imageOf(std::move(code));
    if (!image) return std::move(image).error();
    images.push_back(*std::move(image));
  }
  if (images.empty())
    return refused(ErrorCode::UnknownTarget, others.empty() ? std::string("it holds no code for devices")
                                                            : "it holds code of other machines only: " + others);
  return FatImage::build(images);
}

}  // namespace lathe
