// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rocPRIM's collectives of blocks and warps, on what <cub/cub.cuh> has. Each header has the path and the names of
// rocPRIM's. Device-wide algorithms are declared, for host code.
#ifndef LATHE_ROCPRIM_H
#define LATHE_ROCPRIM_H

#include <lathe/hip/rocprim_functions.h>
#include <rocprim/block/block_adjacent_difference.hpp>
#include <rocprim/block/block_discontinuity.hpp>
#include <rocprim/block/block_exchange.hpp>
#include <rocprim/block/block_histogram.hpp>
#include <rocprim/block/block_load.hpp>
#include <rocprim/block/block_load_func.hpp>
#include <rocprim/block/block_radix_rank.hpp>
#include <rocprim/block/block_radix_sort.hpp>
#include <rocprim/block/block_reduce.hpp>
#include <rocprim/block/block_run_length_decode.hpp>
#include <rocprim/block/block_scan.hpp>
#include <rocprim/block/block_shuffle.hpp>
#include <rocprim/block/block_sort.hpp>
#include <rocprim/block/block_store.hpp>
#include <rocprim/block/block_store_func.hpp>
#include <rocprim/warp/warp_exchange.hpp>
#include <rocprim/warp/warp_load.hpp>
#include <rocprim/warp/warp_reduce.hpp>
#include <rocprim/warp/warp_scan.hpp>
#include <rocprim/warp/warp_sort.hpp>
#include <rocprim/warp/warp_sort_stable.hpp>
#include <rocprim/warp/warp_store.hpp>

namespace rocprim {

#define LATHE_ROCPRIM_HOST(name) \
  template <class... Arguments>  \
  __host__ hipError_t name(Arguments&&...);
LATHE_ROCPRIM_HOST(reduce)
LATHE_ROCPRIM_HOST(inclusive_scan)
LATHE_ROCPRIM_HOST(exclusive_scan)
LATHE_ROCPRIM_HOST(transform)
LATHE_ROCPRIM_HOST(select)
LATHE_ROCPRIM_HOST(radix_sort_keys)
LATHE_ROCPRIM_HOST(radix_sort_pairs)
LATHE_ROCPRIM_HOST(run_length_encode)
LATHE_ROCPRIM_HOST(reduce_by_key)
#undef LATHE_ROCPRIM_HOST

}  // namespace rocprim

#endif
