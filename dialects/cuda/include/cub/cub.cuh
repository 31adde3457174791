// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's collective operations of a block and of a warp, for kernels that use them: reduce, scan, load, store, exchange,
// radix sort, adjacent differences. Interfaces are those of CUB's documentation; algorithm choices are accepted and
// have no effect. Device-wide algorithms are host code, declared and never defined. A CUB of the user's, given with -I,
// comes first.
#ifndef LATHE_CUDA_CUB_H
#define LATHE_CUDA_CUB_H

#include <lathe/cuda/prelude.h>
#include <cuda/functional>

// Threads of a warp.
#ifndef LATHE_CUB_WARP
#define LATHE_CUB_WARP 32
#endif

// The namespace: hipCUB's is another, and its users may call it cub themselves.
#ifndef LATHE_CUB
#define LATHE_CUB cub
#endif

namespace LATHE_CUB {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

struct Sum {
  template <class T>
  LATHE_CUDA_BOTH constexpr T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
struct Difference {
  template <class T>
  LATHE_CUDA_BOTH constexpr T operator()(const T& a, const T& b) const {
    return a - b;
  }
};
struct Max {
  template <class T>
  LATHE_CUDA_BOTH constexpr T operator()(const T& a, const T& b) const {
    return b > a ? b : a;
  }
};
struct Min {
  template <class T>
  LATHE_CUDA_BOTH constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};
struct Equality {
  template <class T>
  LATHE_CUDA_BOTH constexpr bool operator()(const T& a, const T& b) const {
    return a == b;
  }
};
struct Inequality {
  template <class T>
  LATHE_CUDA_BOTH constexpr bool operator()(const T& a, const T& b) const {
    return !(a == b);
  }
};

template <class K, class V>
struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  KeyValuePair() = default;
  LATHE_CUDA_BOTH KeyValuePair(const K& k, const V& v) : key(k), value(v) {}
  LATHE_CUDA_BOTH bool operator!=(const KeyValuePair& other) const { return key != other.key || value != other.value; }
};
struct ArgMax {
  template <class K, class V>
  LATHE_CUDA_BOTH KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class V>
  LATHE_CUDA_BOTH KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};

LATHE_INLINE unsigned LaneId() {
  return lathe::detail::laneOfWarp();
}
LATHE_INLINE int RowMajorTid(int sizeX, int sizeY, int) {
  return static_cast<int>((threadIdx.z * sizeY + threadIdx.y) * sizeX + threadIdx.x);
}

namespace detail {

using lathe::detail::countOf;
using lathe::detail::WarpMask;

/// A value of another lane of a group of `width`, of any size: word by word.
template <class T, class Move>
LATHE_INLINE T moved(const T& value, Move move) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned& word : words) word = move(word);
  T out = value;
  __builtin_memcpy(&out, words, sizeof(T));
  return out;
}
template <class T>
LATHE_INLINE T fromBelow(WarpMask mask, const T& value, unsigned distance, int width) {
  return moved(value, [=](unsigned word) { return __shfl_up_sync(mask, word, distance, width); });
}
template <class T>
LATHE_INLINE T fromAbove(WarpMask mask, const T& value, unsigned distance, int width) {
  return moved(value, [=](unsigned word) { return __shfl_down_sync(mask, word, distance, width); });
}
template <class T>
LATHE_INLINE T fromLane(WarpMask mask, const T& value, int lane, int width) {
  return moved(value, [=](unsigned word) { return __shfl_sync(mask, word, lane, width); });
}

/// The lanes of the caller's part of a warp that a block of `threads` has at all.
LATHE_INLINE WarpMask lanesOf(int thread, int threads, int width) {
  const int first = thread / width * width;
  const int count = threads - first < width ? threads - first : width;
  const WarpMask lowest = count >= static_cast<int>(8 * sizeof(WarpMask)) ? ~WarpMask{} : (WarpMask{1} << count) - 1;
  return lowest << (first & (warpSize - 1));
}

/// The items' values in order, lane 0 with the result of the first `valid` of them.
template <class T, class Op>
LATHE_INLINE T reduceLanes(WarpMask mask, T value, int lane, int width, int valid, Op op) {
  for (int distance = 1; distance < width; distance *= 2) {
    const T other = fromAbove(mask, value, static_cast<unsigned>(distance), width);
    if (lane + distance < valid) value = op(value, other);
  }
  return value;
}
template <class T, class Op>
LATHE_INLINE T scanLanes(WarpMask mask, T value, int lane, int width, Op op) {
  for (int distance = 1; distance < width; distance *= 2) {
    const T other = fromBelow(mask, value, static_cast<unsigned>(distance), width);
    if (lane >= distance) value = op(other, value);
  }
  return value;
}

/// Room for values without running a constructor: shared memory has none.
template <class T, int Count>
struct Room {
  alignas(T) char bytes[sizeof(T) * Count];
  LATHE_INLINE T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};
struct Nothing {};

}  // namespace detail

template <class T>
struct Uninitialized : detail::Room<T, 1> {
  LATHE_INLINE T& Alias() { return (*this)[0]; }
};
template <class T>
struct NullType {};

// What all collectives have: storage given, or of their own.
#define LATHE_CUB_STORAGE(name)                                                                   \
 public:                                                                                          \
  struct TempStorage : Storage {};                                                                \
  LATHE_INLINE name() : storage_(own()), thread_(thread()) {}                                     \
  LATHE_INLINE name(TempStorage& storage) : storage_(storage), thread_(thread()) {}               \
                                                                                                  \
 private:                                                                                         \
  LATHE_INLINE static Storage& own() {                                                            \
    __shared__ Storage storage;                                                                   \
    return storage;                                                                               \
  }                                                                                               \
  LATHE_INLINE static int thread() {                                                              \
    return static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x); \
  }                                                                                               \
  Storage & storage_;                                                                             \
  int thread_;

template <class T, int Width = LATHE_CUB_WARP, int = 0>
class WarpReduce {
  struct Storage : detail::Nothing {};
  LATHE_CUB_STORAGE(WarpReduce)
  LATHE_INLINE int lane() const { return thread_ % Width; }
  LATHE_INLINE detail::WarpMask mask() const {
    return detail::lanesOf(thread_, static_cast<int>(blockDim.x * blockDim.y * blockDim.z), Width);
  }

 public:
  template <class Op>
  LATHE_INLINE T Reduce(T value, Op op, int valid) {
    return detail::reduceLanes(mask(), value, lane(), Width, valid, op);
  }
  template <class Op>
  LATHE_INLINE T Reduce(T value, Op op) {
    return Reduce(value, op, detail::countOf(mask()));
  }
  LATHE_INLINE T Sum(T value) { return Reduce(value, LATHE_CUB::Sum()); }
  LATHE_INLINE T Sum(T value, int valid) { return Reduce(value, LATHE_CUB::Sum(), valid); }
  LATHE_INLINE T Max(T value) { return Reduce(value, LATHE_CUB::Max()); }
  LATHE_INLINE T Min(T value) { return Reduce(value, LATHE_CUB::Min()); }
};

template <class T, int Width = LATHE_CUB_WARP, int = 0>
class WarpScan {
  struct Storage : detail::Nothing {};
  LATHE_CUB_STORAGE(WarpScan)
  LATHE_INLINE int lane() const { return thread_ % Width; }
  LATHE_INLINE detail::WarpMask mask() const {
    return detail::lanesOf(thread_, static_cast<int>(blockDim.x * blockDim.y * blockDim.z), Width);
  }

 public:
  template <class Op>
  LATHE_INLINE void InclusiveScan(T in, T& out, Op op) {
    out = detail::scanLanes(mask(), in, lane(), Width, op);
  }
  template <class Op>
  LATHE_INLINE void InclusiveScan(T in, T& out, Op op, T& aggregate) {
    InclusiveScan(in, out, op);
    aggregate = detail::fromLane(mask(), out, detail::countOf(mask()) - 1, Width);
  }
  template <class Op>
  LATHE_INLINE void ExclusiveScan(T in, T& out, T first, Op op) {
    const T inclusive = detail::scanLanes(mask(), in, lane(), Width, op);
    const T before = detail::fromBelow(mask(), inclusive, 1, Width);
    out = lane() == 0 ? first : op(first, before);
  }
  template <class Op>
  LATHE_INLINE void ExclusiveScan(T in, T& out, T first, Op op, T& aggregate) {
    T inclusive;
    InclusiveScan(in, inclusive, op, aggregate);
    const T before = detail::fromBelow(mask(), inclusive, 1, Width);
    out = lane() == 0 ? first : op(first, before);
  }
  template <class Op>
  LATHE_INLINE void ExclusiveScan(T in, T& out, Op op) {
    out = detail::fromBelow(mask(), detail::scanLanes(mask(), in, lane(), Width, op), 1, Width);
  }
  LATHE_INLINE void InclusiveSum(T in, T& out) { InclusiveScan(in, out, LATHE_CUB::Sum()); }
  LATHE_INLINE void InclusiveSum(T in, T& out, T& aggregate) { InclusiveScan(in, out, LATHE_CUB::Sum(), aggregate); }
  LATHE_INLINE void ExclusiveSum(T in, T& out) { ExclusiveScan(in, out, T(), LATHE_CUB::Sum()); }
  LATHE_INLINE void ExclusiveSum(T in, T& out, T& aggregate) {
    ExclusiveScan(in, out, T(), LATHE_CUB::Sum(), aggregate);
  }
  LATHE_INLINE T Broadcast(T in, unsigned lane) { return detail::fromLane(mask(), in, static_cast<int>(lane), Width); }
};

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
  static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;
  struct Storage {
    detail::Room<T, warps> ofWarp;
  };
  LATHE_CUB_STORAGE(BlockReduce)

 public:
  /// The result is thread 0's; only the first `valid` threads' values count.
  template <class Op>
  LATHE_INLINE T Reduce(T value, Op op, int valid) {
    const int lane = thread_ % 32, first = thread_ - lane;
    value = detail::reduceLanes(detail::lanesOf(thread_, threads, 32), value, lane, 32, valid - first, op);
    if constexpr (warps > 1) {
      if (lane == 0) storage_.ofWarp[thread_ / 32] = value;
      __syncthreads();
      if (thread_ == 0) {
        for (int warp = 1; warp < warps && warp * 32 < valid; ++warp) value = op(value, storage_.ofWarp[warp]);
      }
    }
    return value;
  }
  template <class Op>
  LATHE_INLINE T Reduce(T value, Op op) {
    return Reduce(value, op, threads);
  }
  template <int Items, class Op>
  LATHE_INLINE T Reduce(T (&values)[Items], Op op) {
    T own = values[0];
    for (int i = 1; i < Items; ++i) own = op(own, values[i]);
    return Reduce(own, op);
  }
  LATHE_INLINE T Sum(T value) { return Reduce(value, LATHE_CUB::Sum()); }
  LATHE_INLINE T Sum(T value, int valid) { return Reduce(value, LATHE_CUB::Sum(), valid); }
  template <int Items>
  LATHE_INLINE T Sum(T (&values)[Items]) {
    return Reduce(values, LATHE_CUB::Sum());
  }
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan {
  static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;
  struct Storage {
    detail::Room<T, warps> ofWarp;
    detail::Room<T, 1> prefix;
  };
  LATHE_CUB_STORAGE(BlockScan)

  /// Of the threads before, if there are any; `inclusive` with the caller, `aggregate` of all.
  template <class Op>
  LATHE_INLINE T before(T value, Op op, T& inclusive, T& aggregate) {
    const int lane = thread_ % 32, warp = thread_ / 32;
    const detail::WarpMask mask = detail::lanesOf(thread_, threads, 32);
    inclusive = detail::scanLanes(mask, value, lane, 32, op);
    T exclusive = detail::fromBelow(mask, inclusive, 1, 32);
    if (lane == detail::countOf(mask) - 1) storage_.ofWarp[warp] = inclusive;
    __syncthreads();
    aggregate = storage_.ofWarp[0];
    for (int i = 1; i < warps; ++i) {
      if (i == warp) {
        exclusive = lane == 0 ? aggregate : op(aggregate, exclusive);
        inclusive = op(aggregate, inclusive);
      }
      aggregate = op(aggregate, storage_.ofWarp[i]);
    }
    return exclusive;
  }
  /// What the callback, asked by the first warp, says comes before the block.
  template <class Callback>
  LATHE_INLINE T prefixFrom(Callback& callback, const T& aggregate) {
    if (thread_ < LATHE_CUB_WARP) {
      const T prefix = callback(aggregate);
      if (thread_ == 0) storage_.prefix[0] = prefix;
    }
    __syncthreads();
    return storage_.prefix[0];
  }
  template <int Items, class Op>
  LATHE_INLINE static T ofItems(const T (&in)[Items], Op op) {
    T own = in[0];
    for (int i = 1; i < Items; ++i) own = op(own, in[i]);
    return own;
  }
  /// From `running`, the result before the first item; without one (`some` false) that item starts it.
  template <int Items, class Op>
  LATHE_INLINE static void spread(const T (&in)[Items], T (&out)[Items], Op op, T running, bool some, bool inclusive) {
    for (int i = 0; i < Items; ++i) {
      const T with = some ? op(running, in[i]) : in[i];
      if (inclusive)
        out[i] = with;
      else if (some)
        out[i] = running;
      running = with;
      some = true;
    }
  }

 public:
  template <int Items, class Op>
  LATHE_INLINE void InclusiveScan(T (&in)[Items], T (&out)[Items], Op op, T& aggregate) {
    T inclusive;
    const T running = before(ofItems(in, op), op, inclusive, aggregate);
    spread(in, out, op, running, thread_ > 0, true);
  }
  template <int Items, class Op>
  LATHE_INLINE void InclusiveScan(T (&in)[Items], T (&out)[Items], Op op) {
    T aggregate;
    InclusiveScan(in, out, op, aggregate);
  }
  template <int Items, class Op, class Callback>
    requires requires(Callback& c, T t) { c(t); }
  LATHE_INLINE void InclusiveScan(T (&in)[Items], T (&out)[Items], Op op, Callback& callback) {
    T inclusive, aggregate;
    const T running = before(ofItems(in, op), op, inclusive, aggregate);
    const T prefix = prefixFrom(callback, aggregate);
    spread(in, out, op, thread_ > 0 ? op(prefix, running) : prefix, true, true);
  }
  template <int Items, class Op>
  LATHE_INLINE void ExclusiveScan(T (&in)[Items], T (&out)[Items], T first, Op op, T& aggregate) {
    T inclusive;
    const T running = before(ofItems(in, op), op, inclusive, aggregate);
    spread(in, out, op, thread_ > 0 ? op(first, running) : first, true, false);
  }
  template <int Items, class Op>
  LATHE_INLINE void ExclusiveScan(T (&in)[Items], T (&out)[Items], T first, Op op) {
    T aggregate;
    ExclusiveScan(in, out, first, op, aggregate);
  }
  template <int Items, class Op>
  LATHE_INLINE void ExclusiveScan(T (&in)[Items], T (&out)[Items], Op op) {
    T inclusive, aggregate;
    const T running = before(ofItems(in, op), op, inclusive, aggregate);
    spread(in, out, op, running, thread_ > 0, false);
  }
  template <int Items, class Op, class Callback>
    requires requires(Callback& c, T t) { c(t); }
  LATHE_INLINE void ExclusiveScan(T (&in)[Items], T (&out)[Items], Op op, Callback& callback) {
    T inclusive, aggregate;
    const T running = before(ofItems(in, op), op, inclusive, aggregate);
    const T prefix = prefixFrom(callback, aggregate);
    spread(in, out, op, thread_ > 0 ? op(prefix, running) : prefix, true, false);
  }
  // One item a thread is an array of one.
  template <class Op, class... More>
  LATHE_INLINE void InclusiveScan(T in, T& out, Op op, More&&... more) {
    T from[1] = {in}, to[1];
    InclusiveScan(from, to, op, more...);
    out = to[0];
  }
  template <class Op, class... More>
    requires(
        !requires(Op op, T t) { op + t; } && requires(Op op, T t) { op(t, t); })
  LATHE_INLINE void ExclusiveScan(T in, T& out, Op op, More&&... more) {
    T from[1] = {in}, to[1] = {out};
    ExclusiveScan(from, to, op, more...);
    out = to[0];
  }
  template <class Op, class... More>
    requires requires(Op op, T t) { op(t, t); }
  LATHE_INLINE void ExclusiveScan(T in, T& out, T first, Op op, More&&... more) {
    T from[1] = {in}, to[1];
    ExclusiveScan(from, to, first, op, more...);
    out = to[0];
  }
  template <class In, class Out, class... More>
  LATHE_INLINE void InclusiveSum(In&& in, Out&& out, More&&... more) {
    InclusiveScan(in, out, LATHE_CUB::Sum(), more...);
  }
  LATHE_INLINE void ExclusiveSum(T in, T& out) { ExclusiveScan(in, out, T(), LATHE_CUB::Sum()); }
  LATHE_INLINE void ExclusiveSum(T in, T& out, T& aggregate) {
    ExclusiveScan(in, out, T(), LATHE_CUB::Sum(), aggregate);
  }
  template <int Items>
  LATHE_INLINE void ExclusiveSum(T (&in)[Items], T (&out)[Items]) {
    ExclusiveScan(in, out, T(), LATHE_CUB::Sum());
  }
  template <int Items>
  LATHE_INLINE void ExclusiveSum(T (&in)[Items], T (&out)[Items], T& aggregate) {
    ExclusiveScan(in, out, T(), LATHE_CUB::Sum(), aggregate);
  }
  template <class In, class Out, class Callback>
    requires requires(Callback& c, T t) { c(t); }
  LATHE_INLINE void ExclusiveSum(In&& in, Out&& out, Callback& callback) {
    ExclusiveScan(in, out, LATHE_CUB::Sum(), callback);
  }
};

// Items of a thread side by side (blocked), or a block apart (striped).
template <class T, class In, int Items>
LATHE_INLINE void LoadDirectBlocked(int thread, In from, T (&items)[Items]) {
  for (int i = 0; i < Items; ++i) items[i] = from[thread * Items + i];
}
template <class T, class In, int Items>
LATHE_INLINE void LoadDirectBlocked(int thread, In from, T (&items)[Items], int valid) {
  for (int i = 0; i < Items; ++i)
    if (thread * Items + i < valid) items[i] = from[thread * Items + i];
}
template <int Threads, class T, class In, int Items>
LATHE_INLINE void LoadDirectStriped(int thread, In from, T (&items)[Items]) {
  for (int i = 0; i < Items; ++i) items[i] = from[thread + i * Threads];
}
template <int Threads, class T, class In, int Items>
LATHE_INLINE void LoadDirectStriped(int thread, In from, T (&items)[Items], int valid) {
  for (int i = 0; i < Items; ++i)
    if (thread + i * Threads < valid) items[i] = from[thread + i * Threads];
}
template <class T, class Out, int Items>
LATHE_INLINE void StoreDirectBlocked(int thread, Out to, T (&items)[Items]) {
  for (int i = 0; i < Items; ++i) to[thread * Items + i] = items[i];
}
template <class T, class Out, int Items>
LATHE_INLINE void StoreDirectBlocked(int thread, Out to, T (&items)[Items], int valid) {
  for (int i = 0; i < Items; ++i)
    if (thread * Items + i < valid) to[thread * Items + i] = items[i];
}
template <int Threads, class T, class Out, int Items>
LATHE_INLINE void StoreDirectStriped(int thread, Out to, T (&items)[Items]) {
  for (int i = 0; i < Items; ++i) to[thread + i * Threads] = items[i];
}
template <int Threads, class T, class Out, int Items>
LATHE_INLINE void StoreDirectStriped(int thread, Out to, T (&items)[Items], int valid) {
  for (int i = 0; i < Items; ++i)
    if (thread + i * Threads < valid) to[thread + i * Threads] = items[i];
}

template <class T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad {
  struct Storage : detail::Nothing {};
  LATHE_CUB_STORAGE(BlockLoad)

 public:
  template <class In>
  LATHE_INLINE void Load(In from, T (&items)[Items]) {
    if constexpr (Algorithm == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<X * Y * Z>(thread_, from, items);
    else
      LoadDirectBlocked(thread_, from, items);
  }
  template <class In>
  LATHE_INLINE void Load(In from, T (&items)[Items], int valid) {
    if constexpr (Algorithm == BLOCK_LOAD_STRIPED)
      LoadDirectStriped<X * Y * Z>(thread_, from, items, valid);
    else
      LoadDirectBlocked(thread_, from, items, valid);
  }
  template <class In, class Default>
  LATHE_INLINE void Load(In from, T (&items)[Items], int valid, Default otherwise) {
    for (T& item : items) item = otherwise;
    Load(from, items, valid);
  }
};

template <class T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore {
  struct Storage : detail::Nothing {};
  LATHE_CUB_STORAGE(BlockStore)

 public:
  template <class Out, class... Valid>
  LATHE_INLINE void Store(Out to, T (&items)[Items], Valid... valid) {
    if constexpr (Algorithm == BLOCK_STORE_STRIPED)
      StoreDirectStriped<X * Y * Z>(thread_, to, items, valid...);
    else
      StoreDirectBlocked(thread_, to, items, valid...);
  }
};

template <class T, int X, int Items, bool = false, int Y = 1, int Z = 1, int = 0>
class BlockExchange {
  static constexpr int threads = X * Y * Z;
  struct Storage {
    detail::Room<T, threads * Items> items;
  };
  LATHE_CUB_STORAGE(BlockExchange)
  template <class Place, class From, class Out>
  LATHE_INLINE void through(const T (&in)[Items], Out& out, Place place, From from) {
    for (int i = 0; i < Items; ++i) {
      const int at = place(i);
      if (at >= 0 && at < threads * Items) storage_.items[at] = in[i];
    }
    __syncthreads();
    for (int i = 0; i < Items; ++i) out[i] = storage_.items[from(i)];
  }
  LATHE_INLINE int blocked(int i) const { return thread_ * Items + i; }
  LATHE_INLINE int striped(int i) const { return thread_ + i * threads; }
  LATHE_INLINE int warpStriped(int i) const {
    constexpr int warp = LATHE_CUB_WARP;
    return thread_ / warp * warp * Items + thread_ % warp + i * warp;
  }

 public:
#define LATHE_CUB_EXCHANGE(name, place, from)                                          \
  template <class Out>                                                                 \
  LATHE_INLINE void name(const T(&in)[Items], Out(&out)[Items]) {                      \
    through(in, out, [&](int i) { return place(i); }, [&](int i) { return from(i); }); \
  }                                                                                    \
  LATHE_INLINE void name(T(&items)[Items]) { name(items, items); }
  LATHE_CUB_EXCHANGE(BlockedToStriped, blocked, striped)
  LATHE_CUB_EXCHANGE(StripedToBlocked, striped, blocked)
  LATHE_CUB_EXCHANGE(BlockedToWarpStriped, blocked, warpStriped)
  LATHE_CUB_EXCHANGE(WarpStripedToBlocked, warpStriped, blocked)
#undef LATHE_CUB_EXCHANGE
  template <class Out, class Rank>
  LATHE_INLINE void ScatterToBlocked(const T (&in)[Items], Out (&out)[Items], const Rank (&ranks)[Items]) {
    through(in, out, [&](int i) { return static_cast<int>(ranks[i]); }, [&](int i) { return blocked(i); });
  }
  template <class Out, class Rank>
  LATHE_INLINE void ScatterToStriped(const T (&in)[Items], Out (&out)[Items], const Rank (&ranks)[Items]) {
    through(in, out, [&](int i) { return static_cast<int>(ranks[i]); }, [&](int i) { return striped(i); });
  }
  template <class Rank>
  LATHE_INLINE void ScatterToBlocked(T (&items)[Items], const Rank (&ranks)[Items]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class Rank>
  LATHE_INLINE void ScatterToStriped(T (&items)[Items], const Rank (&ranks)[Items]) {
    ScatterToStriped(items, items, ranks);
  }
};

template <class T, int X, int Y = 1, int Z = 1>
class BlockAdjacentDifference {
  static constexpr int threads = X * Y * Z;
  struct Storage {
    detail::Room<T, threads> edge;
  };
  LATHE_CUB_STORAGE(BlockAdjacentDifference)

 public:
  template <int Items, class Out, class Op>
  LATHE_INLINE void SubtractLeft(T (&in)[Items], Out (&out)[Items], Op op) {
    storage_.edge[thread_] = in[Items - 1];
    __syncthreads();
    for (int i = Items - 1; i > 0; --i) out[i] = op(in[i], in[i - 1]);
    if (thread_ > 0)
      out[0] = op(in[0], storage_.edge[thread_ - 1]);
    else
      out[0] = in[0];
  }
  template <int Items, class Out, class Op>
  LATHE_INLINE void SubtractRight(T (&in)[Items], Out (&out)[Items], Op op) {
    storage_.edge[thread_] = in[0];
    __syncthreads();
    for (int i = 0; i < Items - 1; ++i) out[i] = op(in[i], in[i + 1]);
    if (thread_ + 1 < threads)
      out[Items - 1] = op(in[Items - 1], storage_.edge[thread_ + 1]);
    else
      out[Items - 1] = in[Items - 1];
  }
};

namespace detail {
/// Bits whose unsigned order is the keys' order.
template <class K>
LATHE_INLINE auto sortable(K key) {
  if constexpr (sizeof(K) == 8) {
    auto bits = __builtin_bit_cast(unsigned long long, key);
    if constexpr (__is_floating_point(K))
      return bits >> 63 ? ~bits : bits | 1ull << 63;
    else if constexpr (static_cast<K>(-1) < K{})
      return bits ^ 1ull << 63;
    else
      return bits;
  } else if constexpr (__is_floating_point(K)) {
    static_assert(sizeof(K) == 4, "keys are integers, float or double");
    const auto bits = __builtin_bit_cast(unsigned, key);
    return bits >> 31 ? ~bits : bits | 1u << 31;
  } else {
    constexpr unsigned flip = static_cast<K>(-1) < K{} ? 1u << (8 * sizeof(K) - 1) : 0;
    constexpr unsigned mask = sizeof(K) == 4 ? ~0u : (1u << (8 * sizeof(K) % 32)) - 1;
    return (static_cast<unsigned>(key) & mask) ^ flip;
  }
}
}  // namespace detail

/// Stable, one bit a round.
template <class K, int X, int Items, class V = detail::Nothing, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int Y = 1, int Z = 1, int = 0>
class BlockRadixSort {
  static constexpr int threads = X * Y * Z;
  using Scan = BlockScan<int, X, BLOCK_SCAN_WARP_SCANS, Y, Z>;
  struct Storage {
    typename Scan::TempStorage scan;
    detail::Room<K, threads * Items> keys;
    detail::Room<V, threads * Items> values;
  };
  LATHE_CUB_STORAGE(BlockRadixSort)
  template <bool Pairs>
  LATHE_INLINE void sort(K (&keys)[Items], V* values, bool descending, bool striped, int first, int last) {
    for (int bit = first; bit < last; ++bit) {
      int zero[Items], before[Items], zeros = 0;
      for (int i = 0; i < Items; ++i)
        zero[i] = static_cast<int>(detail::sortable(keys[i]) >> bit & 1) == (descending ? 1 : 0);
      Scan(storage_.scan).ExclusiveSum(zero, before, zeros);
      for (int i = 0; i < Items; ++i) {
        const int at = zero[i] ? before[i] : zeros + thread_ * Items + i - before[i];
        storage_.keys[at] = keys[i];
        if constexpr (Pairs) storage_.values[at] = values[i];
      }
      __syncthreads();
      for (int i = 0; i < Items; ++i) {
        const int from = striped && bit + 1 == last ? thread_ + i * threads : thread_ * Items + i;
        keys[i] = storage_.keys[from];
        if constexpr (Pairs) values[i] = storage_.values[from];
      }
      __syncthreads();
    }
  }

 public:
#define LATHE_CUB_SORT(name, descending, striped)                                                       \
  LATHE_INLINE void name(K(&keys)[Items], int first = 0, int last = 8 * sizeof(K)) {                    \
    sort<false>(keys, nullptr, descending, striped, first, last);                                       \
  }                                                                                                     \
  LATHE_INLINE void name(K(&keys)[Items], V(&values)[Items], int first = 0, int last = 8 * sizeof(K)) { \
    sort<true>(keys, values, descending, striped, first, last);                                         \
  }
  LATHE_CUB_SORT(Sort, false, false)
  LATHE_CUB_SORT(SortDescending, true, false)
  LATHE_CUB_SORT(SortBlockedToStriped, false, true)
  LATHE_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef LATHE_CUB_SORT
};
#undef LATHE_CUB_STORAGE

/// The unsigned integer of a number's size, and how a radix sort orders it.
template <class T>
struct Traits {
  using UnsignedBits = decltype(detail::sortable(T()));
  static LATHE_CUDA_BOTH UnsignedBits TwiddleIn(UnsignedBits bits) {
    return detail::sortable(__builtin_bit_cast(T, bits));
  }
  static LATHE_CUDA_BOTH UnsignedBits TwiddleOut(UnsignedBits bits) {
    constexpr UnsignedBits high = UnsignedBits(1) << (8 * sizeof(T) - 1);
    if constexpr (__is_floating_point(T))
      return bits & high ? bits ^ high : ~bits;
    else if constexpr (static_cast<T>(-1) < T{})
      return bits ^ high;
    else
      return bits;
  }
};

template <CacheLoadModifier, class T>
LATHE_INLINE T ThreadLoad(T* from) {
  return *from;
}
template <CacheStoreModifier, class T>
LATHE_INLINE void ThreadStore(T* to, T value) {
  *to = value;
}

// Host code's: one function takes what all of them take.
#define LATHE_CUB_HOST(name)    \
  template <class... Arguments> \
  __host__ static cudaError_t name(Arguments&&...);
struct DeviceReduce {
  LATHE_CUB_HOST(Sum)
  LATHE_CUB_HOST(Min)
  LATHE_CUB_HOST(Max)
  LATHE_CUB_HOST(ArgMin)
  LATHE_CUB_HOST(ArgMax)
  LATHE_CUB_HOST(Reduce)
  LATHE_CUB_HOST(ReduceByKey)
  LATHE_CUB_HOST(TransformReduce)
};
struct DeviceSegmentedReduce : DeviceReduce {};
struct DeviceScan {
  LATHE_CUB_HOST(ExclusiveSum)
  LATHE_CUB_HOST(InclusiveSum)
  LATHE_CUB_HOST(ExclusiveScan)
  LATHE_CUB_HOST(InclusiveScan)
  LATHE_CUB_HOST(ExclusiveSumByKey)
  LATHE_CUB_HOST(InclusiveSumByKey)
};
struct DeviceSelect {
  LATHE_CUB_HOST(Flagged)
  LATHE_CUB_HOST(If)
  LATHE_CUB_HOST(Unique)
  LATHE_CUB_HOST(UniqueByKey)
};
struct DevicePartition : DeviceSelect {};
struct DeviceRadixSort {
  LATHE_CUB_HOST(SortKeys)
  LATHE_CUB_HOST(SortPairs)
  LATHE_CUB_HOST(SortKeysDescending)
  LATHE_CUB_HOST(SortPairsDescending)
};
struct DeviceMergeSort : DeviceRadixSort {};
struct DeviceSegmentedRadixSort : DeviceRadixSort {};
struct DeviceSegmentedSort : DeviceRadixSort {};
struct DeviceHistogram {
  LATHE_CUB_HOST(HistogramEven)
  LATHE_CUB_HOST(HistogramRange)
  LATHE_CUB_HOST(MultiHistogramEven)
};
struct DeviceRunLengthEncode {
  LATHE_CUB_HOST(Encode)
  LATHE_CUB_HOST(NonTrivialRuns)
};
#undef LATHE_CUB_HOST
template <class... T>
struct CountingInputIterator {
  template <class... Arguments>
  __host__ CountingInputIterator(Arguments&&...);
};
template <class... T>
struct TransformInputIterator : CountingInputIterator<T...> {
  using CountingInputIterator<T...>::CountingInputIterator;
};
template <class... T>
struct ConstantInputIterator : CountingInputIterator<T...> {
  using CountingInputIterator<T...>::CountingInputIterator;
};
template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector;
  __host__ DoubleBuffer(T* current = nullptr, T* alternate = nullptr);
  __host__ T* Current();
  __host__ T* Alternate();
};

}  // namespace LATHE_CUB

#endif
