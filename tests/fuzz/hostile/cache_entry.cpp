// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache's entries, whose digest anyone can make right: what is in them is read as if nobody had vouched for it. The
// first byte says what the rest is: a list of outcomes, a file of the cache folder, code that the runtime library
// keeps.
#include <algorithm>

#include "core/cache/cache_file.h"
#include "core/cache/compile_cache.h"
#include "core/cache/result_frame.h"
#include "core/store/compiled_code.h"
#include "core/values/cbor.h"
#include "hostile.h"

using namespace lathe;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  const std::string_view value = hostile::textOf(data + 1, size - 1);
  const std::string key(32, 'k'), other(32, 'o');
  constexpr std::uint64_t most = std::uint64_t{1} << 20U;
  switch (data[0] % 3) {
    case 0: {
      const std::string file = detail::packEntry(key, value);
      hostile::require(detail::unpackEntry(key, file) == value);
      hostile::require(!detail::unpackEntry(other, file));
      detail::CborReader in(value);
      detail::CacheInputs inputs;
      detail::readValue(in, inputs);
      if (!in.atEnd()) return 0;
      if (const auto job = jobFromBytes(inputs.key.job)) hostile::touch(describe(*job));
      hostile::touch(inputs.key.digest());
      detail::CborWriter out;
      detail::writeValue(out, inputs);
      hostile::touch(out.take());
      break;
    }
    case 1:
      if (const auto read = detail::unpackEntry(key, value, most)) hostile::touch(*read);
      break;
    default:
      if (const auto code = detail::unpackCompiledCode(value)) {
        hostile::touch(detail::packCompiledCode(*code));
        hostile::touch(detail::compiledCodePath(code->question));
      }
  }
  return 0;
}

/// The checksum of a file of the runtime library is made right again; that of an entry is over its key, and is not.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned) {
  if (size == 0) return LLVMFuzzerMutate(data, size, maxSize);
  if (data[0] % 3 == 2) {
    if (const auto code = detail::unpackCompiledCode(hostile::textOf(data + 1, size - 1))) {
      const std::string text =
          static_cast<char>(data[0]) + detail::packCompiledCode({.question = hostile::mutated(code->question),
                                                                 .surroundings = hostile::mutated(code->surroundings),
                                                                 .image = hostile::mutated(code->image)});
      return hostile::give(text, data, size, maxSize);
    }
  }
  return 1 + LLVMFuzzerMutate(data + 1, size - 1, std::max(size, maxSize) - 1);
}
