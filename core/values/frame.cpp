// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors as frames.
#include "core/values/frame.h"

#include "core/values/cbor.h"
#include "core/values/result_values.h"

namespace lathe::detail {

Error brokenFrame() {
  return {.code = ErrorCode::Internal,
          .message = "a worker and its caller do not understand each other; are they of one version?"};
}

std::string encodeError(const Error& error) {
  CborWriter out;
  writeValue(out, error);
  return out.take();
}

Error decodeError(std::string_view bytes) {
  CborReader in(bytes);
  Error error;
  readValue(in, error);
  return in.atEnd() ? error : brokenFrame();
}

}  // namespace lathe::detail
