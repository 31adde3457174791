// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What travels between a worker and its caller. The first byte says which of them it is.
#include <algorithm>

#include "core/cache/result_frame.h"
#include "core/driver/worker_values.h"
#include "core/values/frame.h"
#include "hostile.h"

using namespace lathe;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  const std::string_view payload = hostile::textOf(data + 1, size - 1);
  CompileRecord record;
  switch (data[0] % 3) {
    case 0:
      hostile::touch(detail::decodeError(payload).render());
      break;
    case 1:
      if (const auto result = detail::decodeCompileResult(payload, &record))
        hostile::touch(detail::encodeCompileResult(result, &record));
      else
        hostile::touch(result.error().render());
      break;
    default:
      if (const auto call = detail::decodeCompile(payload)) hostile::touch(canonicalBytes(call->job));
  }
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned) {
  if (size == 0) return LLVMFuzzerMutate(data, size, maxSize);
  return 1 + LLVMFuzzerMutate(data + 1, size - 1, std::max(size, maxSize) - 1);
}
