// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kernel, lowered at each effort, against the reference, bit for bit.
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "tests/unit/work_group/kernels.h"
#include "tests/unit/work_group/lowered.h"

namespace lathe::test {
namespace {

/// The arguments' bytes at the places C gives the members of a struct.
class Block {
 public:
  template <class T>
  void add(const T& value) {
    const std::size_t at = (bytes_.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  [[nodiscard]] const void* data() const { return bytes_.data(); }

 private:
  std::vector<std::byte> bytes_;
};

struct Launch {
  Extent count;
  Extent size;
  std::size_t dynamicBytes = 0;
};

std::string describe(const Launch& launch, Effort effort) {
  const auto text = [](Extent e) {
    return std::to_string(e.x) + "x" + std::to_string(e.y) + "x" + std::to_string(e.z);
  };
  return text(launch.count) + " groups of " + text(launch.size) + ", effort " +
         std::to_string(static_cast<int>(effort));
}

/// An array that reference and lowered kernel each get a copy of.
template <class T>
struct Array {
  std::vector<T> initial;
};

template <class T>
Array<T> random(std::size_t count, unsigned seed = 1) {
  std::mt19937 engine(seed);
  Array<T> out;
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_integral_v<T>) {
      out.initial.push_back(static_cast<T>(engine() % 1000));
    } else {
      out.initial.push_back(static_cast<T>(engine() % 2000) / static_cast<T>(500) - static_cast<T>(2));
    }
  }
  return out;
}

template <class T>
Array<T> zeros(std::size_t count) {
  return {std::vector<T>(count)};
}

/// One side's copy of an argument: what is passed, and what is left to compare.
template <class T>
class Copy {
 public:
  explicit Copy(const T& value) : value_(value) {}
  [[nodiscard]] T pass() { return value_; }
  void compare(const Copy&) const {}

 private:
  T value_;
};

template <class T>
class Copy<Array<T>> {
 public:
  explicit Copy(const Array<T>& array) : values_(array.initial) {}
  [[nodiscard]] T* pass() { return values_.data(); }
  void compare(const Copy& expected) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      ASSERT_EQ(0, std::memcmp(&values_[i], &expected.values_[i], sizeof(T)))
          << "element " << i << ": " << values_[i] << ", expected " << expected.values_[i];
    }
  }

 private:
  std::vector<T> values_;
};

template <class... P, class... A>
void check(const char* name, void (*kernel)(P...), const Launch& launch, const A&... arguments) {
  std::tuple<Copy<A>...> expected{Copy<A>(arguments)...};
  std::apply(
      [&](auto&... copies) {
        runReference(launch.count, launch.size, launch.dynamicBytes, [&] { kernel(static_cast<P>(copies.pass())...); });
      },
      expected);
  for (const Effort effort : {Effort::none, Effort::early, Effort::full}) {
    SCOPED_TRACE(std::string(name) + ": " + describe(launch, effort));
    std::tuple<Copy<A>...> actual{Copy<A>(arguments)...};
    Block block;
    std::apply([&](auto&... copies) { (block.add(static_cast<P>(copies.pass())), ...); }, actual);
    LoweredKernel::of(name, effort).run(launch.count, launch.size, launch.dynamicBytes, block.data());
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (std::get<I>(actual).compare(std::get<I>(expected)), ...);
    }(std::index_sequence_for<A...>{});
    if (testing::Test::HasFatalFailure()) return;
  }
}

#define CHECK_KERNEL(name, ...) check(#name, name, __VA_ARGS__)

constexpr int widths[] = {1, 2, 7, 16, 33, 64, 100, 256};

std::size_t itemsOf(const Launch& launch) {
  return static_cast<std::size_t>(launch.count.items() * launch.size.items());
}

TEST(WorkGroup, Saxpy) {
  for (const int width : widths) {
    const Launch launch{{3}, {width}};
    const int n = 3 * width - width / 2;
    CHECK_KERNEL(saxpy, launch, n, 2.5f, random<float>(itemsOf(launch)), random<float>(itemsOf(launch), 2));
    CHECK_KERNEL(saxpyAliased, launch, n, 2.5f, random<float>(itemsOf(launch)), random<float>(itemsOf(launch), 2));
  }
}

TEST(WorkGroup, IdsInThreeDimensions) {
  for (const Extent size : {Extent{1, 1, 1}, Extent{5, 3, 2}, Extent{1, 4, 3}, Extent{17, 1, 2}}) {
    const Launch launch{{2, 3, 2}, size};
    CHECK_KERNEL(writeIds, launch, zeros<int>(12 * itemsOf(launch)));
  }
}

TEST(WorkGroup, Stencil) {
  for (const Extent size : {Extent{16, 16}, Extent{32, 4}, Extent{7, 5}, Extent{1, 1}}) {
    const int width = 45, height = 38;
    const Launch launch{{(width + size.x - 1) / size.x, (height + size.y - 1) / size.y}, size};
    CHECK_KERNEL(stencil, launch, width, height, random<float>(width * height), zeros<float>(width * height));
  }
}

TEST(WorkGroup, Volume) {
  const Launch launch{{3, 2, 2}, {8, 4, 3}};
  CHECK_KERNEL(volume, launch, 21, 7, 5, random<float>(21 * 7 * 5), zeros<float>(21 * 7 * 5));
}

TEST(WorkGroup, MatmulNaive) {
  for (const int depth : {0, 1, 3, 37}) {
    const Launch launch{{3, 3}, {16, 16}};
    const int n = 41;
    CHECK_KERNEL(matmulNaive, launch, n, depth, random<float>(static_cast<std::size_t>(n * depth + 1)),
                 random<float>(static_cast<std::size_t>(n * depth + 1), 2), zeros<float>(n * n));
  }
}

TEST(WorkGroup, Mandelbrot) {
  const Launch launch{{3, 5}, {16, 8}};
  CHECK_KERNEL(mandelbrot, launch, 40, 37, 60, zeros<int>(40 * 37));
}

TEST(WorkGroup, RowSums) {
  const Launch launch{{3}, {32}};
  CHECK_KERNEL(rowSums, launch, 19, random<float>(19 * 96), zeros<float>(96));
}

TEST(WorkGroup, NBody) {
  const Launch launch{{3}, {32}};
  CHECK_KERNEL(nBody, launch, 96, random<float>(96), zeros<float>(96));
}

TEST(WorkGroup, NBodyTiled) {
  const Launch launch{{3}, {32}};
  CHECK_KERNEL(nBodyTiled, launch, 96, random<float>(192), zeros<float>(192));
}

TEST(WorkGroup, Histogram) {
  const Launch launch{{4}, {50}};
  CHECK_KERNEL(histogram, launch, 190, random<int>(200), zeros<int>(16));
}

TEST(WorkGroup, AtomicsOfTheGroup) {
  for (const int width : widths) {
    CHECK_KERNEL(groupHistogram, (Launch{{2}, {width}}), 190, random<int>(200), zeros<int>(16));
  }
}

TEST(WorkGroup, PrivateArray) {
  const Launch launch{{2}, {50}};
  CHECK_KERNEL(privateArray, launch, 40, random<int>(100), zeros<int>(100));
}

TEST(WorkGroup, AggregatesByValue) {
  const Mixed first{3, 1.5, {1, 2, 3}, {7, 0.5f}};
  const Mixed second{4, -2.0, {10, 20, 30}, {200, 8.25f}};
  const Launch launch{{2}, {37}};
  for (const bool negate : {false, true}) {
    CHECK_KERNEL(aggregates, launch, first, negate, second, random<float>(74), zeros<float>(74), static_cast<char>(-9));
  }
}

TEST(WorkGroup, BarrierInStraightLine) {
  for (const int width : widths) {
    CHECK_KERNEL(reverse, (Launch{{2}, {width}}), random<int>(static_cast<std::size_t>(2 * width)));
  }
  CHECK_KERNEL(reverse, (Launch{{2, 2}, {7, 5, 3}}), random<int>(4 * 105));
}

TEST(WorkGroup, SharedScalarFlag) {
  for (const int width : widths) {
    CHECK_KERNEL(sharedFlag, (Launch{{2}, {width}}), zeros<int>(static_cast<std::size_t>(2 * width)));
  }
}

TEST(WorkGroup, Reduction) {
  for (const int width : {1, 2, 8, 64, 256}) {
    CHECK_KERNEL(reduce, (Launch{{4}, {width}}), 4 * width - 1, random<float>(static_cast<std::size_t>(4 * width)),
                 zeros<float>(4));
  }
}

TEST(WorkGroup, Scan) {
  for (const int width : widths) {
    CHECK_KERNEL(scan, (Launch{{2}, {width}}), random<int>(static_cast<std::size_t>(2 * width)),
                 zeros<int>(static_cast<std::size_t>(2 * width)));
  }
}

TEST(WorkGroup, Transpose) {
  CHECK_KERNEL(transpose, (Launch{{3, 3}, {16, 16}}), 42, random<float>(42 * 42), zeros<float>(42 * 42));
}

TEST(WorkGroup, MatmulTiled) {
  CHECK_KERNEL(matmulTiled, (Launch{{3, 3}, {16, 16}}), 48, random<float>(48 * 48), random<float>(48 * 48, 2),
               zeros<float>(48 * 48));
}

TEST(WorkGroup, BarriersInNestedLoops) {
  for (const int rounds : {0, 1, 2, 5}) {
    CHECK_KERNEL(nestedLoops, (Launch{{2}, {37}}), rounds, random<int>(74));
  }
}

TEST(WorkGroup, BarriersInLoopWithConditionalExit) {
  for (const int bound : {0, 5000, 100000, 2000000000}) {
    CHECK_KERNEL(conditionalExit, (Launch{{3}, {19}}), random<int>(57), bound);
  }
}

TEST(WorkGroup, BarriersInBranchesTakenAlike) {
  for (int mode = 0; mode < 8; ++mode) CHECK_KERNEL(uniformBranches, (Launch{{2}, {21}}), mode, random<int>(42));
}

TEST(WorkGroup, AdjacentBarriers) {
  CHECK_KERNEL(adjacentBarriers, (Launch{{2}, {21}}), random<int>(42));
}

TEST(WorkGroup, BarrierInCallee) {
  CHECK_KERNEL(barrierInCallee, (Launch{{2}, {21}}), random<int>(42));
}

TEST(WorkGroup, EarlyReturnBeforeTail) {
  for (const int n : {0, 13, 42}) CHECK_KERNEL(earlyReturnBeforeTail, (Launch{{2}, {21}}), n, random<int>(42));
}

TEST(WorkGroup, DivergentReturnBeforeBarrier) {
  for (const int n : {0, 1, 13, 21, 30, 42}) CHECK_KERNEL(divergentReturn, (Launch{{2}, {21}}), n, random<int>(42));
}

TEST(WorkGroup, ReturnBeforeBarriersInLoop) {
  for (const int n : {0, 1, 13, 21}) {
    for (const int rounds : {0, 1, 6}) CHECK_KERNEL(guardedLoop, (Launch{{2}, {21}}), n, rounds, random<int>(42));
  }
}

TEST(WorkGroup, PrivateArrayAcrossBarrier) {
  for (const int width : {1, 5, 64}) CHECK_KERNEL(privateAcrossBarrier, (Launch{{2}, {width}}), random<int>(128));
}

TEST(WorkGroup, ValuesOfManyTypesAcrossBarrier) {
  for (const int width : {8, 21, 64}) {
    CHECK_KERNEL(manyTypes, (Launch{{2}, {width}}), random<double>(128), zeros<double>(128));
  }
}

TEST(WorkGroup, DynamicShared) {
  for (const int width : widths) {
    const Launch launch{{2}, {width}, sizeof(int) * static_cast<std::size_t>(width)};
    CHECK_KERNEL(dynamicReverse, launch, random<int>(itemsOf(launch)));
  }
}

TEST(WorkGroup, ValuesCarriedRoundLoop) {
  for (const int steps : {0, 1, 9}) CHECK_KERNEL(stencilShared, (Launch{{2}, {50}}), 93, steps, random<float>(100));
}

TEST(WorkGroup, InnerLoopOfUnknownLength) {
  for (const int depth : {0, 1, 9, 64}) {
    CHECK_KERNEL(runtimeTile, (Launch{{3}, {64}}), depth, random<float>(256), zeros<float>(192));
  }
}

TEST(WorkGroup, LoopThatItemsLeaveOneByOne) {
  CHECK_KERNEL(divergentLoop, (Launch{{2}, {37}}), random<int>(74), zeros<int>(74));
}

TEST(WorkGroup, ItemsInLockstep) {
  for (const int width : {1, 7, 8, 16, 17, 64, 100}) {
    const auto items = static_cast<std::size_t>(3 * width);
    for (const int limit : {0, 1, 30, 400})
      CHECK_KERNEL(collatz, (Launch{{3}, {width}}), limit, random<int>(items), zeros<int>(items));
    CHECK_KERNEL(newton, (Launch{{3}, {width}}), random<double>(items), zeros<double>(items));
    CHECK_KERNEL(walks, (Launch{{3}, {width, 3, 2}}), 3 * width, 3 * width, random<int>(6 * items),
                 zeros<int>(6 * items));
    CHECK_KERNEL(wanders, (Launch{{3}, {width}}), 50, random<int>(items), zeros<int>(items));
  }
}

TEST(WorkGroup, BitonicSort) {
  for (const int width : {1, 2, 16, 128}) CHECK_KERNEL(bitonicSort, (Launch{{2}, {width}}), random<int>(256));
}

TEST(WorkGroup, UniformLoopsUnderDivergentControl) {
  for (const int depth : {0, 1, 7}) {
    CHECK_KERNEL(loopAround, (Launch{{2}, {64}}), 4, depth, random<float>(64 * 8), zeros<float>(128));
  }
}

TEST(WorkGroup, GridStrideLoops) {
  for (const int width : widths) {
    const Launch launch{{5}, {width}};
    const auto items = itemsOf(launch);
    for (const int n : {0, 1, width - 1, 5 * width, 5 * width + 1, 23 * width + width / 2, 40 * width}) {
      const auto length = static_cast<std::size_t>(n + 1);
      CHECK_KERNEL(gridStrideSum, launch, n, random<float>(length), zeros<float>(items));
      CHECK_KERNEL(gridStrideWide, launch, static_cast<long>(n), 2.5f, random<float>(length), random<float>(length, 2));
      CHECK_KERNEL(gridStrideInt, launch, n, 2.5f, random<float>(length), random<float>(length, 2));
      CHECK_KERNEL(gridStrideTotal, launch, n, random<float>(length), zeros<float>(items));
      CHECK_KERNEL(gridStrideShared, launch, n, random<float>(length), random<float>(length, 2), zeros<float>(items));
      CHECK_KERNEL(gridStrideBranch, launch, static_cast<unsigned>(n), random<int>(length), zeros<int>(items));
      CHECK_KERNEL(groupStride, launch, n, random<int>(5 * length), zeros<int>(items));
    }
  }
  CHECK_KERNEL(gridStrideSum, (Launch{{3, 2}, {16, 3, 2}}), 401, random<float>(401), zeros<float>(48));
}

TEST(WorkGroup, StridesAtTheEdgesOfTheirType) {
  const Launch launch{{2}, {100}};
  constexpr unsigned top = 0xffffffffU;
  struct Range {
    unsigned first, n, step;
  };
  for (const Range& range : {Range{0, 1000, 100}, Range{0, 0, 7}, Range{5, 3, 7}, Range{top - 15, 0x1000, 0x900},
                             Range{1000, 2000, top - 255}, Range{0, 99, top}, Range{top - 1000, top - 100, 50},
                             Range{0x7fffff00U, 0x80001000U, 300}}) {
    CHECK_KERNEL(wrappingStride, launch, range.first, range.n, range.step, zeros<unsigned>(200));
  }
  constexpr int most = std::numeric_limits<int>::max(), least = std::numeric_limits<int>::min();
  struct SignedRange {
    int first, n, step;
  };
  for (const SignedRange& range :
       {SignedRange{-5, 1000, 100}, SignedRange{least, least + 50, 10}, SignedRange{least, least + 1000, 100},
        SignedRange{most - 1000, most - 200, 64}, SignedRange{-300, -20, 50}, SignedRange{7, -7, 1}}) {
    CHECK_KERNEL(signedStride, launch, range.first, range.n, range.step, zeros<int>(200));
    const auto first = static_cast<unsigned>(range.first);
    CHECK_KERNEL(widenedStride, launch, first, range.n, range.step, zeros<long>(200));
  }
  for (const int n : {least, -7, 0, 1000, most - (1 << 24)}) {
    for (const unsigned first : {0x7fffffffU - 98, 0x7fffffffU - 99, 0x7fffffffU - 50, 0U - 50, 0U})
      CHECK_KERNEL(widenedStride, launch, first, n, 1 << 24, zeros<long>(200));
  }
}

TEST(WorkGroup, AccessesOfBytesUnderConditions) {
  for (const int n : {1, 70, 6400}) {
    const auto items = static_cast<std::size_t>(n);
    const Launch launch{{(n + 63) / 64}, {64}};
    CHECK_KERNEL(guardedBytes, launch, n, random<unsigned char>(64), random<int>(items, 3),
                 random<unsigned char>(3 * items));
  }
}

/// Dividends and divisors whose quotients lie at integers and next to them, and those of the greatest and least
/// numbers.
std::pair<Array<int>, Array<int>> divisions() {
  const std::vector<std::int64_t> edges = {0,     1,     2,          3,          7,          46340,      46341,
                                           65535, 65536, 0x40000000, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001,
                                           -1,    -2,    -3,         0xfffffffe, 0xfffffffd, 0xaaaaaaab, 0x55555555};
  std::pair<Array<int>, Array<int>> out;
  const auto add = [&](std::int64_t a, std::int64_t b) {
    out.first.initial.push_back(static_cast<int>(a)), out.second.initial.push_back(static_cast<int>(b));
  };
  for (const std::int64_t a : edges)
    for (const std::int64_t b : edges) add(a, b);
  std::mt19937 engine(5);
  while (out.first.initial.size() < 60000) {
    const std::int64_t b = static_cast<std::int64_t>(engine() >> engine() % 32);
    const std::int64_t q = static_cast<std::int64_t>(engine() >> engine() % 32);
    for (const std::int64_t near : {-1, 0, 1}) add(q * b + near, b), add(near - q * b, b), add(q * b + near, -b);
  }
  return out;
}

TEST(WorkGroup, DividesIntegers) {
  const auto [a, b] = divisions();
  const auto n = static_cast<int>(a.initial.size());
  const auto unsignedOf = [](const Array<int>& values) {
    return Array<unsigned>{std::vector<unsigned>(values.initial.begin(), values.initial.end())};
  };
  const auto count = static_cast<std::size_t>(n);
  const Launch launch{{(n + 99) / 100}, {100}};
  CHECK_KERNEL(divides, launch, n, a, b, zeros<int>(count), zeros<int>(count));
  CHECK_KERNEL(dividesUnsigned, launch, n, unsignedOf(a), unsignedOf(b), zeros<unsigned>(count),
               zeros<unsigned>(count));
  for (const unsigned y : {1U, 2U, 3U, 7U, 49U, 98U, 103U, 107U, 641U, 65537U, 0x7fffffffU, 0x80000000U, 0xaaaaaaabU,
                           0xfffffff5U, 0xfffffffeU, 0xffffffffU}) {
    Array<int> multiples;
    for (unsigned q = 0; q < 1200; ++q)
      for (const unsigned near : {0xffffffffU, 0U, 1U})
        multiples.initial.push_back(static_cast<int>((q - 600) * (q % 2 == 0 ? 1 : 7919) * y + near));
    const auto m = static_cast<int>(multiples.initial.size());
    const std::size_t all = multiples.initial.size();
    CHECK_KERNEL(dividesByOne, launch, m, static_cast<int>(y), multiples, zeros<int>(all), zeros<int>(all));
    CHECK_KERNEL(dividesByOneUnsigned, launch, m, y, unsignedOf(multiples), zeros<unsigned>(all), zeros<unsigned>(all));
  }
}

TEST(WorkGroup, DividesNumbersOfItems) {
  for (const int columns : {1, 7, 49, 1000, 0x7fffffff, -1}) {
    CHECK_KERNEL(rowsAndColumns, (Launch{{9}, {100}}), 890UL, columns, random<float>(900), zeros<float>(900));
  }
  std::mt19937 engine(6);
  constexpr unsigned long scale = 262143;
  for (const unsigned long y :
       {1UL, 2UL, 3UL, 49UL, 98UL, 103UL, 107UL, scale, 49 * scale, 0xffffffUL * scale, 0x3ffffffffffffUL,
        0x20000000000001UL, 0x7fffffffffffffffUL, 0x8000000000000401UL, 0xffffffffffffffffUL}) {
    Array<unsigned> a;
    for (unsigned q = 0; q < 300; ++q)
      for (const unsigned long near : {0UL, 1UL, 0xffffffffUL})
        a.initial.push_back(static_cast<unsigned>((q % 2 == 0 ? q : engine()) * std::max(1UL, y / scale) + near));
    const std::size_t all = a.initial.size();
    const auto n = static_cast<int>(all);
    CHECK_KERNEL(dividesWide, (Launch{{(n + 99) / 100}, {100}}), n, y, static_cast<long>(y), a,
                 zeros<unsigned long>(all), zeros<long>(all));
  }
}

TEST(WorkGroup, WrittenForOneGroupSize) {
  for (const int width : {64, 100, 128}) {  // smaller groups would read what no item wrote
    for (const unsigned n : {0U, 64U, 1000U})
      CHECK_KERNEL(treeOf64, (Launch{{3}, {width}}), n, random<float>(1000), zeros<float>(3));
  }
  for (const Extent size : {Extent{8, 4}, Extent{8, 8}, Extent{5, 4}, Extent{8, 4, 2}})
    CHECK_KERNEL(tilesOf8, (Launch{{3, 5}, size}), 19, random<int>(361), zeros<int>(361));
  for (const int width : {64, 16, 2}) CHECK_KERNEL(arrayOf64, (Launch{{3}, {width}}), random<int>(192));
}

TEST(WorkGroup, BarriersMetAtDifferentCalls) {
  for (const int width : {1, 2, 64, 100}) {
    for (const int iterations : {0, 1, 5})
      CHECK_KERNEL(makersAndTakers, (Launch{{2}, {width}}), iterations, random<int>(200));
  }
}

TEST(WorkGroup, BarriersThatOnlySomeItemsMeet) {
  for (const int width : {1, 3, 21}) {
    CHECK_KERNEL(barrierForSome, (Launch{{2}, {width}}), random<int>(42));
    CHECK_KERNEL(differentBarriers, (Launch{{2}, {width}}), random<int>(42));
  }
}

TEST(WorkGroup, Resources) {
  const auto resources = [](const char* kernel) { return LoweredKernel::of(kernel, Effort::full).resources(); };
  EXPECT_EQ(resources("saxpy").sharedBytes, 0U);
  EXPECT_EQ(resources("saxpy").contextBytes, 0U);
  EXPECT_EQ(resources("matmulTiled").sharedBytes, 2048U);
  EXPECT_EQ(resources("matmulTiled").contextBytes, 4U) << "the sum, in one place at every barrier";
  EXPECT_EQ(resources("reduce").contextBytes, 0U) << "the stride is the same for all items";
  EXPECT_EQ(resources("dynamicReverse").sharedBytes, 3U);
  EXPECT_TRUE(resources("dynamicReverse").dynamicShared);
  EXPECT_FALSE(resources("reduce").dynamicShared);
}

}  // namespace
}  // namespace lathe::test
