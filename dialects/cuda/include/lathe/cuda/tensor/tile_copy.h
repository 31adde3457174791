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

/// Begins to copy the tile at column x and row y to shared memory, at a multiple of 128 bytes; one thread does. Column x
/// is a multiple of 16 bytes, or the hardware (H100) ends the kernel with an illegal instruction. What lies outside of the
/// tensor comes as the map says.
__device__ __forceinline__ void copy_tile(void* to, const CUtensorMap* map, int x, int y, TransferBarrier& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::
          "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(map), "r"(x), "r"(y), "r"(barrier.address())
      : "memory");
}

}  // namespace lathe::cuda
#endif
