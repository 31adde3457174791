// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: blocks, tiles, coalesced threads, grid and cluster, over the device ABI. Where hardware has no
// clusters, a block is one of its own.
#ifndef LATHE_CUDA_COOPERATIVE_GROUPS_H
#define LATHE_CUDA_COOPERATIVE_GROUPS_H

#include <lathe/cuda/async_copy.h>
#include <lathe/cuda/prelude.h>

namespace cooperative_groups {
namespace __v1 {

namespace details {
LATHE_INLINE unsigned lane() {
  return lathe::detail::laneOfWarp();
}
LATHE_INLINE unsigned itemInBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
LATHE_INLINE unsigned itemsInBlock() {
  return blockDim.x * blockDim.y * blockDim.z;
}
using lathe::detail::WarpMask;
/// The lowest `size` of a warp's threads.
LATHE_INLINE WarpMask lowest(unsigned size) {
  return size >= 8 * sizeof(WarpMask) ? lathe::detail::wholeWarp : (WarpMask{1} << size) - 1;
}
LATHE_INLINE WarpMask maskOfTile(unsigned size) {
  return lowest(size) << (lane() & ~(size - 1));
}
LATHE_INLINE unsigned below(WarpMask mask) {
  return static_cast<unsigned>(lathe::detail::countOf(mask & lowest(lane())));
}
LATHE_INLINE WarpMask withoutLowest(WarpMask mask, unsigned count) {
  for (; count > 0; --count) mask &= mask - 1;
  return mask;
}
/// The lane of the item at position `rank` among the bits of `mask`.
LATHE_INLINE int laneAt(WarpMask mask, unsigned rank) {
  mask = withoutLowest(mask, rank);
  return mask == 0 ? -1 : lathe::detail::firstOf(mask);
}
/// The bits of `mask` whose positions among them are in the caller's row of `size`.
LATHE_INLINE WarpMask rowOf(WarpMask mask, unsigned size) {
  const WarpMask rest = withoutLowest(mask, below(mask) / size * size);
  return rest & ~withoutLowest(rest, size);
}
/// The place of a group among those that one group was divided into.
struct PlaceAmong {
  unsigned rank = 0, size = 1;
};
}  // namespace details

/// Any group: what it is is known at run time only.
class thread_group {
 public:
  LATHE_INLINE thread_group(bool block, details::WarpMask mask) : block_(block), mask_(mask) {}
  LATHE_INLINE void sync() const {
    if (block_)
      __lathe_group_barrier_apart();
    else
      __syncwarp(mask_);
  }
  LATHE_INLINE unsigned size() const {
    return block_ ? details::itemsInBlock() : static_cast<unsigned>(lathe::detail::countOf(mask_));
  }
  LATHE_INLINE unsigned num_threads() const { return size(); }
  LATHE_INLINE unsigned long long thread_rank() const {
    return block_ ? details::itemInBlock() : details::below(mask_);
  }
  LATHE_INLINE bool isBlock() const { return block_; }
  LATHE_INLINE details::WarpMask mask() const { return mask_; }

 private:
  bool block_;
  details::WarpMask mask_;
};

template <unsigned Size, class Parent = void>
class thread_block_tile;
namespace details {
struct TileMemory;
LATHE_INLINE TileMemory* ownTileMemory();
}  // namespace details
/// Shared memory for tiles of more than 32 threads of blocks of so many. Kernels that bring none have some all the
/// same.
template <unsigned MaxBlockSize = 1024>
struct alignas(16) block_tile_memory {
  static_assert(MaxBlockSize <= 1024, "a block has at most 1024 threads");
  unsigned char bytes[512];
};

class thread_block {
 public:
  thread_block() = default;
  LATHE_INLINE explicit thread_block(details::TileMemory* memory) : memory_(memory) {}
  /// Other than __syncthreads(), threads of one warp may come to it at different calls.
  LATHE_INLINE static void sync() { __lathe_group_barrier_apart(); }
  LATHE_INLINE static unsigned size() { return details::itemsInBlock(); }
  LATHE_INLINE static unsigned num_threads() { return details::itemsInBlock(); }
  LATHE_INLINE static unsigned thread_rank() { return details::itemInBlock(); }
  LATHE_INLINE static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  LATHE_INLINE static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  LATHE_INLINE static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  LATHE_INLINE static dim3 dim_threads() { return group_dim(); }
  struct arrival_token {};
  LATHE_INLINE static arrival_token barrier_arrive() { return {}; }
  LATHE_INLINE static void barrier_wait(arrival_token) { __lathe_group_barrier_apart(); }
  LATHE_INLINE operator thread_group() const { return {true, 0}; }
  LATHE_INLINE details::TileMemory* memory() const { return memory_ ? memory_ : details::ownTileMemory(); }

 private:
  details::TileMemory* memory_ = nullptr;
};
LATHE_INLINE thread_block this_thread_block() {
  return {};
}
template <unsigned MaxBlockSize>
LATHE_INLINE thread_block this_thread_block(block_tile_memory<MaxBlockSize>& memory) {
  return thread_block(reinterpret_cast<details::TileMemory*>(&memory));
}

/// What tiles of a warp and coalesced groups share: `Self` tells its mask, and the lane of a rank.
template <class Self>
class WarpGroup {
 public:
  LATHE_INLINE void sync() const { __syncwarp(mask()); }
  LATHE_INLINE int any(int predicate) const { return __any_sync(mask(), predicate); }
  LATHE_INLINE int all(int predicate) const { return __all_sync(mask(), predicate); }
  LATHE_INLINE details::WarpMask ballot(int predicate) const { return packed(__ballot_sync(mask(), predicate)); }
  template <class T>
  LATHE_INLINE details::WarpMask match_any(T value) const {
    return packed(__match_any_sync(mask(), value));
  }
  template <class T>
  LATHE_INLINE details::WarpMask match_all(T value, int& predicate) const {
    return packed(__match_all_sync(mask(), value, &predicate));
  }
  LATHE_INLINE operator thread_group() const { return {false, mask()}; }

 private:
  LATHE_INLINE details::WarpMask mask() const { return static_cast<const Self*>(this)->laneMask(); }
  LATHE_INLINE details::WarpMask packed(details::WarpMask bits) const {
    return static_cast<const Self*>(this)->byRank(bits);
  }
};

}  // namespace __v1
using namespace __v1;
}  // namespace cooperative_groups

#include <lathe/cuda/groups/tiles.h>

namespace cooperative_groups {
namespace __v1 {

class coalesced_group : public WarpGroup<coalesced_group> {
 public:
  LATHE_INLINE explicit coalesced_group(details::WarpMask mask, details::PlaceAmong place = {})
      : mask_(mask), place_(place) {}
  LATHE_INLINE unsigned size() const { return static_cast<unsigned>(lathe::detail::countOf(mask_)); }
  LATHE_INLINE unsigned num_threads() const { return size(); }
  LATHE_INLINE unsigned thread_rank() const { return details::below(mask_); }
  LATHE_INLINE unsigned meta_group_rank() const { return place_.rank; }
  LATHE_INLINE unsigned meta_group_size() const { return place_.size; }
  LATHE_INLINE details::WarpMask laneMask() const { return mask_; }
  LATHE_INLINE details::WarpMask byRank(details::WarpMask bits) const {
    details::WarpMask out = 0;
    unsigned at = 0;
    for (details::WarpMask left = mask_; left != 0; left &= left - 1, ++at)
      out |= (bits >> lathe::detail::firstOf(left) & 1) << at;
    return out;
  }
  template <class T>
  LATHE_INLINE T shfl(T value, int rank) const {
    return __shfl_sync(mask_, value, details::laneAt(mask_, static_cast<unsigned>(rank)));
  }
  template <class T>
  LATHE_INLINE T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return __shfl_sync(mask_, value, details::laneAt(mask_, rank < delta ? rank : rank - delta));
  }
  template <class T>
  LATHE_INLINE T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return __shfl_sync(mask_, value, details::laneAt(mask_, rank + delta < size() ? rank + delta : rank));
  }
  template <class T>
  LATHE_INLINE T shfl_xor(T value, unsigned bits) const {
    const unsigned other = thread_rank() ^ bits;
    return __shfl_sync(mask_, value, details::laneAt(mask_, other < size() ? other : thread_rank()));
  }

 private:
  details::WarpMask mask_;
  details::PlaceAmong place_;
};
LATHE_INLINE coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/// A group of the caller alone.
class this_thread_group {
 public:
  LATHE_INLINE static void sync() {}
  LATHE_INLINE static constexpr unsigned size() { return 1; }
  LATHE_INLINE static constexpr unsigned thread_rank() { return 0; }
};
LATHE_INLINE this_thread_group this_thread() {
  return {};
}

template <unsigned Size, class Parent>
LATHE_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<Size, Parent>(parent);
}
LATHE_INLINE thread_group tiled_partition(const thread_group& parent, unsigned size) {
  return {false, parent.isBlock() ? details::maskOfTile(size) : details::rowOf(parent.mask(), size)};
}
/// Of groups with gaps the ranks are divided, not the lanes.
LATHE_INLINE coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  if (parent.size() <= size) return parent;
  return coalesced_group(details::rowOf(parent.laneMask(), size),
                         {parent.thread_rank() / size, (parent.size() + size - 1) / size});
}
/// The groups are numbered by their first lanes.
template <class Group, class Label>
LATHE_INLINE coalesced_group labeled_partition(const Group& group, Label label) {
  const details::WarpMask own = __match_any_sync(group.laneMask(), label);
  const int first = lathe::detail::firstOf(own);
  const details::WarpMask firsts = __ballot_sync(group.laneMask(), details::lane() == static_cast<unsigned>(first));
  const auto count = [](details::WarpMask mask) { return static_cast<unsigned>(lathe::detail::countOf(mask)); };
  return coalesced_group(own, {count(firsts & details::lowest(static_cast<unsigned>(first))), count(firsts)});
}
/// Where all agree, one group; else that of `false` is the first.
template <class Group>
LATHE_INLINE coalesced_group binary_partition(const Group& group, bool predicate) {
  const details::WarpMask all = group.laneMask(), with = __ballot_sync(all, predicate);
  if (with == 0 || with == all) return coalesced_group(all);
  return coalesced_group(predicate ? with : all & ~with, {predicate, 2});
}

class grid_group {
 public:
  LATHE_INLINE bool is_valid() const { return true; }
  LATHE_INLINE static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  LATHE_INLINE static unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  LATHE_INLINE static unsigned long long size() { return num_blocks() * details::itemsInBlock(); }
  LATHE_INLINE static unsigned long long num_threads() { return size(); }
  LATHE_INLINE static unsigned long long thread_rank() {
    return block_rank() * details::itemsInBlock() + details::itemInBlock();
  }
  LATHE_INLINE static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  LATHE_INLINE static dim3 dim_blocks() { return group_dim(); }
  LATHE_INLINE static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  LATHE_INLINE static dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  LATHE_INLINE static dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
  LATHE_INLINE static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  LATHE_INLINE static unsigned long long num_clusters() {
    const dim3 clusters = dim_clusters();
    return static_cast<unsigned long long>(clusters.x) * clusters.y * clusters.z;
  }
  LATHE_INLINE static dim3 cluster_index() { return __clusterIdx(); }
  LATHE_INLINE static unsigned long long cluster_rank() {
    const dim3 clusters = dim_clusters(), at = cluster_index();
    return (static_cast<unsigned long long>(at.z) * clusters.y + at.y) * clusters.x + at.x;
  }
  /// For cooperative launches.
  LATHE_INLINE static void sync() { __lathe_grid_barrier(); }
  /// The second half is the whole barrier.
  using arrival_token = unsigned;
  LATHE_INLINE static arrival_token barrier_arrive() { return 0; }
  LATHE_INLINE static void barrier_wait(arrival_token) { __lathe_grid_barrier(); }
};
LATHE_INLINE grid_group this_grid() {
  return {};
}
typedef grid_group multi_grid_group;

/// Blocks that run together and reach each other's shared memory (sm_90).
class cluster_group {
 public:
  struct arrival_token {};
  LATHE_INLINE static arrival_token barrier_arrive() {
    __lathe_cluster_arrive();
    return {};
  }
  LATHE_INLINE static void barrier_wait() { __lathe_cluster_wait(); }
  LATHE_INLINE static void barrier_wait(arrival_token) { __lathe_cluster_wait(); }
  LATHE_INLINE static void sync() {
    (void)barrier_arrive();
    barrier_wait();
  }
  LATHE_INLINE static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  LATHE_INLINE static dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  LATHE_INLINE static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  LATHE_INLINE static unsigned query_shared_rank(const void* address) { return __cluster_query_shared_rank(address); }
  LATHE_INLINE static unsigned block_rank() { return __lathe_cluster_group_id(); }
  LATHE_INLINE static dim3 dim_blocks() { return __clusterDim(); }
  LATHE_INLINE static unsigned num_blocks() { return __clusterSizeInBlocks(); }
  LATHE_INLINE static unsigned thread_rank() { return block_rank() * details::itemsInBlock() + details::itemInBlock(); }
  LATHE_INLINE static unsigned num_threads() { return num_blocks() * details::itemsInBlock(); }
  LATHE_INLINE static unsigned size() { return num_threads(); }
  template <class T>
  LATHE_INLINE static T* map_shared_rank(T* address, unsigned rank) {
    return static_cast<T*>(__lathe_cluster_shared(const_cast<void*>(static_cast<const volatile void*>(address)), rank));
  }
};
LATHE_INLINE cluster_group this_cluster() {
  return {};
}

template <class Group>
LATHE_INLINE void sync(const Group& group) {
  group.sync();
}
template <class Group>
LATHE_INLINE auto thread_rank(const Group& group) {
  return group.thread_rank();
}
/// One thread of the group, and no other.
template <class Group, class Function>
LATHE_INLINE void invoke_one(const Group& group, Function function) {
  if (group.thread_rank() == 0) function();
}
/// Of tiles and coalesced groups: what it gives goes to all.
template <class Group, class Function>
LATHE_INLINE auto invoke_one_broadcast(const Group& group, Function function) {
  decltype(function()) out{};
  if (group.thread_rank() == 0) out = function();
  return group.shfl(out, 0);
}
template <class Group>
LATHE_INLINE auto group_size(const Group& group) {
  return group.size();
}

/// Each call is a batch, which wait() and wait_prior() count.
template <class Group, class T, class U, class Size>
LATHE_INLINE void memcpy_async(const Group& group, T* to, const U* from, Size bytes) {
  lathe::detail::copyAsync<lathe::detail::PromisedAlignment<Size>::value>(to, from, static_cast<unsigned long>(bytes),
                                                                          group.thread_rank(), group.size());
  __lathe_async_commit();
}
/// With room and length in elements: as many as both have.
template <class Group, class T, class Room, class Length>
LATHE_INLINE void memcpy_async(const Group& group, T* to, Room room, const T* from, Length length) {
  const unsigned long most = room, wanted = length;
  constexpr unsigned long promised = lathe::detail::PromisedAlignment<Room>::value;
  lathe::detail::copyAsync<(promised > alignof(T) ? promised : 1)>(
      to, from, (most < wanted ? most : wanted) * sizeof(T), group.thread_rank(), group.size());
  __lathe_async_commit();
}
template <class Group>
LATHE_INLINE void wait(const Group& group) {
  lathe::detail::waitForCopies();
  group.sync();
}
template <unsigned Stages, class Group>
LATHE_INLINE void wait_prior(const Group& group) {
  __lathe_async_wait(Stages);
  group.sync();
}

}  // namespace __v1
using namespace __v1;
}  // namespace cooperative_groups

#include <lathe/cuda/groups/reductions.h>

#endif
