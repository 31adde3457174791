// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of tiles by the hardware (TMA: `cp.async.bulk.tensor`, sm_90), and the barriers that count their bytes. The
// host makes the tensor maps: Device::createTensorMap() (<lathe/runtime/tensor_map.h>) or cuTensorMapEncodeTiled(). PTX
// ISA, "cp.async.bulk.tensor" and "mbarrier".
//
//   __shared__ lathe::cuda::TransferBarrier full;               // of one block: one thread prepares it, all
//   synchronise full.prepare(1); full.expect(sizeof tile);                                   // one thread
//   lathe::cuda::copy_tile(tile, &map, x, y, full);
//   full.wait(0);                                               // everybody
#ifndef LATHE_CUDA_TENSOR_TILE_COPY_H
#define LATHE_CUDA_TENSOR_TILE_COPY_H

#include <cuda.h>

namespace lathe::cuda {

/// A barrier in shared memory that completes a phase when `arrivals` threads have arrived and all bytes expected have
/// come. Phases have parities 0, 1, 0, …
class alignas(8) TransferBarrier {
 public:
  /// By one thread, before all others use it: prepared_barriers() and __syncthreads() stand between.
  __device__ __forceinline__ void prepare(unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address()), "r"(arrivals) : "memory");
  }
  __device__ __forceinline__ void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address()) : "memory");
  }
  /// Arrives, and has the phase wait for `bytes` of copies.
  __device__ __forceinline__ void expect(unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address()), "r"(bytes) : "memory");
  }
  /// Waits for the end of the phase of that parity. Of a barrier just prepared, that of parity 1 counts as over.
  __device__ __forceinline__ void wait(unsigned parity) const {
    unsigned done = 0;
    while (!done) {
      asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                   : "=r"(done)
                   : "r"(address()), "r"(parity)
                   : "memory");
    }
  }
  __device__ __forceinline__ unsigned address() const {
    return static_cast<unsigned>(__cvta_generic_to_shared(&word_));
  }

 private:
  unsigned long long word_;
};

/// Makes barriers that this thread prepared known to copies; before __syncthreads().
__device__ __forceinline__ void prepared_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Makes what this thread wrote to shared memory known to store_tile(); before the barrier that the storing thread
/// waits at.
__device__ __forceinline__ void written_tile() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Each is for tensors of one to five dimensions, whose first coordinate is that of neighbouring elements.
#define LATHE_TILE_COPIES(dimensions, coordinates, names, registers, first, second)                                   \
  /** Begins to copy the tile at those coordinates to shared memory, at a multiple of 128 bytes; one thread does. The \
      first is a multiple of 16 bytes, or the hardware (H100) ends the kernel with an illegal instruction. What lies  \
      outside of the tensor comes as the map says. */                                                                 \
  __device__ __forceinline__ void copy_tile(void* to, const CUtensorMap* map, LATHE_LIST coordinates,                 \
                                            TransferBarrier& barrier) {                                               \
    asm volatile("cp.async.bulk.tensor." dimensions                                                                   \
                 ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" names "}], [" first         \
                 "];" ::"r"(detail::addressOf(to)),                                                                   \
                 "l"(map), LATHE_LIST registers, "r"(barrier.address())                                               \
                 : "memory");                                                                                         \
  }                                                                                                                   \
  /** The same into every group of the cluster whose rank's bit is set in `groups`, at the same place of its shared   \
      memory; each one's barrier at the place of `barrier` counts the bytes. */                                       \
  __device__ __forceinline__ void multicast_tile(void* to, const CUtensorMap* map, LATHE_LIST coordinates,            \
                                                 TransferBarrier& barrier, unsigned short groups) {                   \
    asm volatile("cp.async.bulk.tensor." dimensions                                                                   \
                 ".shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {" names    \
                 "}], [" first "], " second ";" ::"r"(detail::addressOf(to)),                                         \
                 "l"(map), LATHE_LIST registers, "r"(barrier.address()), "h"(groups)                                  \
                 : "memory");                                                                                         \
  }                                                                                                                   \
  /** Begins to copy a tile from shared memory to the tensor: commit_stores() and wait_stores() end it. */            \
  __device__ __forceinline__ void store_tile(const void* from, const CUtensorMap* map, LATHE_LIST coordinates) {      \
    asm volatile("cp.async.bulk.tensor." dimensions ".global.shared::cta.tile.bulk_group [%1, {" names                \
                 "}], [%0];" ::"r"(detail::addressOf(from)),                                                          \
                 "l"(map), LATHE_LIST registers                                                                       \
                 : "memory");                                                                                         \
  }
#define LATHE_LIST(...) __VA_ARGS__

namespace detail {
__device__ __forceinline__ unsigned addressOf(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
}  // namespace detail

LATHE_TILE_COPIES("1d", (int x), "%2", ("r"(x)), "%3", "%4")
LATHE_TILE_COPIES("2d", (int x, int y), "%2, %3", ("r"(x), "r"(y)), "%4", "%5")
LATHE_TILE_COPIES("3d", (int x, int y, int z), "%2, %3, %4", ("r"(x), "r"(y), "r"(z)), "%5", "%6")
LATHE_TILE_COPIES("4d", (int x, int y, int z, int w), "%2, %3, %4, %5", ("r"(x), "r"(y), "r"(z), "r"(w)), "%6", "%7")
LATHE_TILE_COPIES("5d", (int x, int y, int z, int w, int v), "%2, %3, %4, %5, %6",
                  ("r"(x), "r"(y), "r"(z), "r"(w), "r"(v)), "%7", "%8")
#undef LATHE_TILE_COPIES
#undef LATHE_LIST

/// Begins to copy what a convolution multiplies with one element of its filter: pixels of a tensor of images (channels,
/// columns, rows, images) from that position on, `right` and `down` further, as many as its map says, which
/// cuTensorMapEncodeIm2col() makes.
__device__ __forceinline__ void copy_pixels(void* to, const CUtensorMap* map, int channel, int column, int row,
                                            int image, unsigned short right, unsigned short down,
                                            TransferBarrier& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, "
      "%5}], "
      "[%6], {%7, %8};" ::"r"(detail::addressOf(to)),
      "l"(map), "r"(channel), "r"(column), "r"(row), "r"(image), "r"(barrier.address()), "h"(right), "h"(down)
      : "memory");
}

/// Ends a batch of stores of this thread.
__device__ __forceinline__ void commit_stores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Waits until at most `batches` of the latest are unfinished: their tiles may be written again and the others'
/// elements are in the tensor.
template <int batches>
__device__ __forceinline__ void wait_stores() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(batches) : "memory");
}

}  // namespace lathe::cuda
#endif
