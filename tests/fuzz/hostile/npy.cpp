// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of NumPy's, as `lathe run` reads them.
#include "tools/lathe/arguments/npy.h"

#include "hostile.h"

using namespace lathe;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto array = tool::parseNpy(hostile::textOf(data, size), "hostile.npy");
  if (!array) {
    hostile::touch(array.error().render());
    return 0;
  }
  const auto again = tool::parseNpy(tool::npyBytes(*array), "again.npy");
  hostile::require(again && again->bytes == array->bytes && again->shape == array->shape);
  return 0;
}
