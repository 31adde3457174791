// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies behind <lathe/bpf_types.h>.
#pragma once

#include <lathe/bpf_types.h>

#include "runtimes/bpf/types/btf.h"
#include "runtimes/bpf/types/cxx_types.h"

namespace lathe::bpf {

struct Types::Data {
  detail::Btf types;
};

}  // namespace lathe::bpf
