// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A description that lacks a member. The test is that this does not compile.
#include "core/values/describe.h"

namespace lathe::detail {

struct Extent {
  unsigned x = 0, y = 0;
  unsigned z = 0;  // new
};
template <>
struct Description<Extent> {
  static constexpr auto fields = std::tuple(field("x", &Extent::x), field("y", &Extent::y));
};
static_assert(fieldCount<Extent>() == 2);

}  // namespace lathe::detail
