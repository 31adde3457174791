// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of <cooperative_groups.h>: tiles of a block. Up to 32 threads are a part of a warp; tiles of 64 to 1024 threads
// are several warps, which exchange values and wait for each other by words of shared memory.
#ifndef LATHE_CUDA_TILES_H
#define LATHE_CUDA_TILES_H

#include <lathe/cuda/groups/barrier_words.h>

namespace cooperative_groups {
namespace __v1 {

namespace details {

constexpr unsigned warpItems = 8 * sizeof(WarpMask), mostItems = 1024;
/// The bytes that a thread hands to others of a tile of several warps.
constexpr unsigned slotBytes = 8;

/// Shared memory for all tiles of several warps in a block: a slot for each warp, and a barrier for each tile of each
/// size. There are 16 tiles of 64 threads, 8 of 128 and so on; those of one size follow those of the next smaller one.
struct TileMemory {
  alignas(16) unsigned char slots[mostItems / warpItems][slotBytes];
  lathe::detail::CountedBarrier<2> barriers[mostItems / warpItems];

  LATHE_INLINE static unsigned firstBarrier(unsigned size) { return 2 * (mostItems / 64) - 2 * (mostItems / size); }
};
static_assert(sizeof(TileMemory) <= sizeof(block_tile_memory<>), "kernels bring as much memory as tiles use");
/// The memory of kernels that bring none.
LATHE_INLINE TileMemory* ownTileMemory() {
  __shared__ TileMemory memory;
  return &memory;
}

/// The place among its parent's tiles. Without a parent in the type it is carried along.
template <unsigned Size, class Parent>
struct PlaceOfTile {
  LATHE_INLINE static unsigned meta_group_rank() { return itemInBlock() / Size; }
  LATHE_INLINE static unsigned meta_group_size() { return (itemsInBlock() + Size - 1) / Size; }
};
template <unsigned Size, unsigned ParentSize, class GrandParent>
struct PlaceOfTile<Size, thread_block_tile<ParentSize, GrandParent>> {
  LATHE_INLINE static unsigned meta_group_rank() { return itemInBlock() % ParentSize / Size; }
  LATHE_INLINE static constexpr unsigned meta_group_size() { return (ParentSize + Size - 1) / Size; }
};
template <unsigned Size>
struct PlaceOfTile<Size, void> {
  LATHE_INLINE PlaceOfTile() : rank_(itemInBlock() / Size), size_((itemsInBlock() + Size - 1) / Size) {}
  LATHE_INLINE PlaceOfTile(unsigned rank, unsigned size) : rank_(rank), size_(size) {}
  LATHE_INLINE unsigned meta_group_rank() const { return rank_; }
  LATHE_INLINE unsigned meta_group_size() const { return size_; }

 private:
  unsigned rank_, size_;
};

/// A tile within a warp.
template <unsigned Size, class Self>
class NarrowTile : public WarpGroup<Self> {
 public:
  LATHE_INLINE static unsigned thread_rank() { return lane() & (Size - 1); }
  LATHE_INLINE static WarpMask laneMask() { return maskOfTile(Size); }
  LATHE_INLINE static WarpMask byRank(WarpMask bits) { return bits >> (lane() & ~(Size - 1)) & lowest(Size); }
  template <class T>
  LATHE_INLINE T shfl(T value, int rank) const {
    return __shfl_sync(laneMask(), value, rank, Size);
  }
  template <class T>
  LATHE_INLINE T shfl_up(T value, unsigned delta) const {
    return __shfl_up_sync(laneMask(), value, delta, Size);
  }
  template <class T>
  LATHE_INLINE T shfl_down(T value, unsigned delta) const {
    return __shfl_down_sync(laneMask(), value, delta, Size);
  }
  template <class T>
  LATHE_INLINE T shfl_xor(T value, unsigned bits) const {
    return __shfl_xor_sync(laneMask(), value, static_cast<int>(bits), Size);
  }

 protected:
  template <class Group>
  LATHE_INLINE explicit NarrowTile(const Group&) {}
};

/// A tile of several warps. One thread of each warp arrives at the barrier for all of them. On devices where threads
/// cannot wait for some of the others a tile is the whole block.
template <unsigned Size>
class WideTile {
  static_assert(warpItems == 32 && Size <= mostItems, "a tile has at most 1024 items; where warps are subgroups, one");

 public:
  static constexpr unsigned warps = Size / 32;

  LATHE_INLINE static unsigned thread_rank() { return itemInBlock() & (Size - 1); }
  LATHE_INLINE void sync() const {
    if (lathe::detail::waitsForBlocks()) return lathe::detail::waitForBlock(Size);
    auto& barrier = memory_->barriers[TileMemory::firstBarrier(Size) + itemInBlock() / Size];
    const unsigned parity = __lathe_atomic_load_i32(&barrier.count, 0, 2) >> 31;
    __syncwarp();
    if (lane() == 0) (void)barrier.arrive(1);
    do __lathe_item_yield();
    while (!barrier.isParityOver(parity));
    __syncwarp();
  }
  template <class T>
  LATHE_INLINE T shfl(T value, unsigned rank) const {
    T* const slot = slotOf<T>(rank / 32 % warps);
    if (thread_rank() == rank % Size) *slot = value;
    sync();
    const T out = *slot;
    sync();
    return out;
  }
  LATHE_INLINE int any(int predicate) const {
    return overWarps(__any_sync(lathe::detail::wholeWarp, predicate), [](int a, int b) { return a | b; });
  }
  LATHE_INLINE int all(int predicate) const {
    return overWarps(__all_sync(lathe::detail::wholeWarp, predicate), [](int a, int b) { return a & b; });
  }
  /// What `op` makes of one value a warp, for all threads.
  template <class T, class Op>
  LATHE_INLINE T overWarps(T value, Op op) const {
    T out = exchange(value, 0);
#pragma unroll
    for (unsigned distance = warps / 2; distance > 0; distance /= 2)
      out = op(out, __shfl_xor_sync(lathe::detail::wholeWarp, out, static_cast<int>(distance), warps));
    return out;
  }
  /// What `op` makes of the values that the last lanes of the warps before the thread's own pass; of no use in the
  /// first.
  template <class T, class Op>
  LATHE_INLINE T beforeWarp(T value, Op op) const {
    T out = exchange(value, 31);
#pragma unroll
    for (unsigned distance = 1; distance < warps; distance *= 2) {
      const T other = __shfl_up_sync(lathe::detail::wholeWarp, out, distance, warps);
      if (lane() % warps >= distance) out = op(other, out);
    }
    const unsigned warp = thread_rank() / 32;
    return __shfl_sync(lathe::detail::wholeWarp, out, warp == 0 ? 0 : static_cast<int>(warp - 1), warps);
  }
  LATHE_INLINE TileMemory* memory() const { return memory_; }

 protected:
  /// All threads of `parent` come here, first from what they may have done with an earlier tile of the size.
  template <class Group>
  LATHE_INLINE explicit WideTile(const Group& parent) : memory_(parent.memory()) {
    if (lathe::detail::waitsForBlocks()) return;
    parent.sync();
    if (thread_rank() == 0) memory_->barriers[TileMemory::firstBarrier(Size) + itemInBlock() / Size].init(warps);
    parent.sync();
  }
  LATHE_INLINE explicit WideTile(TileMemory* memory) : memory_(memory) {}

 private:
  template <class T>
  LATHE_INLINE T* slotOf(unsigned warp) const {
    static_assert(__is_trivially_copyable(T) && sizeof(T) <= slotBytes,
                  "tiles of more than 32 threads exchange at most 8 bytes");
    return reinterpret_cast<T*>(memory_->slots[(itemInBlock() & ~(Size - 1)) / 32 + warp]);
  }
  /// The value that lane `from` of warp `lane() % warps` passes.
  template <class T>
  LATHE_INLINE T exchange(T value, unsigned from) const {
    if (lane() == from) *slotOf<T>(thread_rank() / 32) = value;
    sync();
    const T out = *slotOf<T>(lane() % warps);
    sync();
    return out;
  }

  TileMemory* memory_;
};

/// The warp itself.
class WholeWarp : public NarrowTile<warpItems, WholeWarp> {
 public:
  LATHE_INLINE WholeWarp() : NarrowTile(0) {}
  LATHE_INLINE static constexpr unsigned size() { return warpItems; }
};

/// Of what a tile of the same threads is made.
template <class Tile>
LATHE_INLINE auto sameTile(const Tile& tile) {
  if constexpr (Tile::isWide)
    return tile.memory();
  else
    return 0;
}

template <bool IsWide, unsigned Size, class Self>
struct TileBase {
  using Type = NarrowTile<Size, Self>;
};
template <unsigned Size, class Self>
struct TileBase<true, Size, Self> {
  using Type = WideTile<Size>;
};

}  // namespace details

template <unsigned Size, class Parent>
class thread_block_tile
    : public details::TileBase<(Size > details::warpItems), Size, thread_block_tile<Size, Parent>>::Type,
      public details::PlaceOfTile<Size, Parent> {
  static_assert((Size & (Size - 1)) == 0 && Size > 0, "a tile has 1, 2, 4, … 512 or 1024 items");
  using Base = typename details::TileBase<(Size > details::warpItems), Size, thread_block_tile>::Type;

 public:
  static constexpr bool isWide = Size > details::warpItems;

  /// A part of `parent`, which may be a tile of several warps itself.
  LATHE_INLINE explicit thread_block_tile(const Parent& parent) : Base(parent) {}
  LATHE_INLINE static constexpr unsigned size() { return Size; }
  LATHE_INLINE static constexpr unsigned num_threads() { return Size; }
};
template <unsigned Size>
class thread_block_tile<Size, void>
    : public details::TileBase<(Size > details::warpItems), Size, thread_block_tile<Size, void>>::Type,
      public details::PlaceOfTile<Size, void> {
  using Base = typename details::TileBase<(Size > details::warpItems), Size, thread_block_tile>::Type;
  using Place = details::PlaceOfTile<Size, void>;

 public:
  static constexpr bool isWide = Size > details::warpItems;

  template <class Other>
  LATHE_INLINE thread_block_tile(const thread_block_tile<Size, Other>& other)
      : Base(details::sameTile(other)), Place(other.meta_group_rank(), other.meta_group_size()) {}
  LATHE_INLINE static constexpr unsigned size() { return Size; }
  LATHE_INLINE static constexpr unsigned num_threads() { return Size; }
};

}  // namespace __v1
using namespace __v1;
}  // namespace cooperative_groups

#endif
