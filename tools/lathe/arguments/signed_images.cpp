// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/lathe/arguments/signed_images.h"

#include <fstream>

#include <lathe/formats/offload_bundle.h>
#include <lathe/signature.h>

#include "tools/lathe/arguments/files.h"

namespace lathe::tool {

namespace {

/// The images of a file, which may be an offload bundle.
Result<FatImage> opened(const std::string& path) {
  auto out = FatImage::open(path);
  if (out || out.error().code != ErrorCode::ImageCorrupt) return out;
  const auto bytes = readFile(path);
  if (!bytes || !isOffloadBundle(*bytes)) return out;
  auto images = imagesOfOffloadBundle(*bytes);
  if (!images) images.error().message = path + ": " + images.error().message;
  return images;
}

}  // namespace

void SignedImages::configure(CLI::App& app) {
  app.add_option("--require-signature", keys_, "take only images signed by one of the public keys in this file")
      ->type_name("KEYS");
}

bool SignedImages::isBundle(const std::string& path) {
  std::string start(64, '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  return isOffloadBundle(start);
}

Result<FatImage> SignedImages::open(const std::string& path) const {
  auto out = opened(path);
  if (!out || !required()) return out;
  const auto keys = readPublicKeys(keys_);
  if (!keys) return keys.error();
  auto signer = verify(*out, *keys);
  if (signer) return out;
  signer.error().message = path + ": " + signer.error().message;
  return std::move(signer).error();
}

}  // namespace lathe::tool
