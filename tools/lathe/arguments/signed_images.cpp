// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/lathe/arguments/signed_images.h"

#include <lathe/signature.h>

namespace lathe::tool {

void SignedImages::configure(CLI::App& app) {
  app.add_option("--require-signature", keys_, "take only images signed by one of the public keys in this file")
      ->type_name("KEYS");
}

Result<FatImage> SignedImages::open(const std::string& path) const {
  auto out = FatImage::open(path);
  if (!out || !required()) return out;
  const auto keys = readPublicKeys(keys_);
  if (!keys) return keys.error();
  auto signer = verify(*out, *keys);
  if (signer) return out;
  signer.error().message = path + ": " + signer.error().message;
  return std::move(signer).error();
}

}  // namespace lathe::tool
