// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Job bundles, with their hash repaired.
#include <lathe/bundle.h>

#include "hostile.h"
#include "llvm/Support/BLAKE3.h"

using namespace lathe;

namespace {
constexpr std::size_t sizeAt = 12, hashAt = 20, hashBytes = 32, headerBytes = hashAt + hashBytes;

void repair(std::string& bundle) {
  if (bundle.size() < headerBytes) return;
  const std::uint64_t size = bundle.size() - headerBytes;
  std::memcpy(bundle.data() + sizeAt, &size, sizeof(size));
  const auto* const payload = reinterpret_cast<const std::uint8_t*>(bundle.data()) + headerBytes;
  const auto hash = llvm::BLAKE3::hash<hashBytes>(llvm::ArrayRef(payload, size));
  std::memcpy(bundle.data() + hashAt, hash.data(), hash.size());
}
}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bundle = bundleFromBytes(hostile::textOf(data, size));
  if (!bundle) {
    hostile::touch(bundle.error().render());
    return 0;
  }
  // One spelling: what reads is what would have been written.
  hostile::require(bundleBytes(*bundle) == hostile::textOf(data, size));
  hostile::touch(toJson(bundle->job));
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  std::string bundle(hostile::textOf(data, size));
  if (seed % 8 == 0 || bundle.size() < headerBytes) {
    bundle = hostile::mutated(std::move(bundle));
  } else {
    bundle.replace(headerBytes, std::string::npos, hostile::mutated(bundle.substr(headerBytes)));
  }
  repair(bundle);
  return hostile::give(bundle, data, size, maxSize);
}
