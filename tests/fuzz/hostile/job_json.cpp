// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs as JSON text.
#include <lathe/job.h>

#include "hostile.h"
#include "text_pieces.h"

using namespace lathe;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto job = jobFromJson(hostile::textOf(data, size));
  if (!job) {
    hostile::touch(job.error().render());
    return 0;
  }
  const auto again = jobFromJson(toJson(*job));
  hostile::require(again && *again == *job);
  const auto fromBytes = jobFromBytes(canonicalBytes(*job));
  hostile::require(fromBytes && *fromBytes == *job);
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  return hostile::give(hostile::mutatedText(std::string(hostile::textOf(data, size)), seed), data, size, maxSize);
}
