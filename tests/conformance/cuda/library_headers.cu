// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcu++'s smaller headers: whole numbers, bits, iterators, pointers, function objects, mdspan and expected.
#include <cuda/annotated_ptr>
#include <cuda/bit>
#include <cuda/cmath>
#include <cuda/discard_memory>
#include <cuda/functional>
#include <cuda/iterator>
#include <cuda/mdspan>
#include <cuda/memory>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/bitset>
#include <cuda/std/chrono>
#include <cuda/std/expected>
#include <cuda/std/mdspan>

__global__ void wholeNumbers(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, x = in[i], small = x % 1000 + 1;
  unsigned* const row = out + 20 * i;
  row[0] = cuda::ceil_div(x, small);
  row[1] = cuda::round_up(x / 2, small);
  row[2] = cuda::round_down(x, small);
  row[3] = cuda::ilog2(small);
  row[4] = cuda::ceil_ilog2(small);
  row[5] = cuda::ilog10(x | 1);
  row[6] = cuda::ceil_ilog10(small);
  row[7] = cuda::isqrt(x);
  row[8] = cuda::is_power_of_two(small);
  row[9] = cuda::next_power_of_two(small);
  row[10] = cuda::prev_power_of_two(small);
  row[11] = cuda::ipow(small, 5);
  row[12] = cuda::mul_hi(x, ~x);
  row[13] = static_cast<unsigned>(cuda::mul_hi(static_cast<long long>(x) << 31, -7ll * small));
  row[14] = cuda::uabs(static_cast<int>(x));
  row[15] = static_cast<unsigned>(cuda::neg(static_cast<int>(x)));
  const cuda::fast_mod_div<unsigned> divisor(small);
  row[16] = x / divisor;
  row[17] = x % divisor;
  row[18] = static_cast<unsigned>(cuda::sincos(0.0f).cos) + static_cast<unsigned>(cuda::ceil_div(7, 2));
  row[19] = cuda::ipow(3, -1) + cuda::ipow(-1, -3) + 1;
}

__global__ void bits(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, x = in[i];
  const int start = i % 20, width = i % 13;
  unsigned* const row = out + 6 * i;
  row[0] = cuda::bit_reverse(x);
  row[1] = cuda::bitmask<unsigned>(start, width) ^ cuda::bitmask(0, 32);
  row[2] = cuda::bitfield_extract(x, start, width);
  row[3] = cuda::bitfield_insert(x, ~x, start, width);
  row[4] = static_cast<unsigned>(cuda::std::bitset<32>(x).count());
  row[5] = cuda::bit_reverse(static_cast<unsigned char>(x));
}

__global__ void objects(const unsigned* in, unsigned* out) {
  const int i = threadIdx.x;
  unsigned* const row = out + 12 * i;
  const cuda::counting_iterator<int> count(5);
  const auto square = cuda::make_transform_iterator(count, [](int x) { return x * x; });
  row[0] = static_cast<unsigned>(count[i]);
  row[1] = static_cast<unsigned>(*(square + i));
  row[2] = static_cast<unsigned>((square + i) - square);
  row[3] = static_cast<unsigned>(*cuda::constant_iterator<int>(4));
  row[4] = cuda::make_strided_iterator(in, 3)[i % 8];
  row[5] = cuda::make_permutation_iterator(in, cuda::make_strided_iterator(count, 2))[i % 8];
  *cuda::discard_iterator() = 3;
  const auto plusOne = cuda::proclaim_return_type<int>([](int x) { return x + 1; });
  row[6] = static_cast<unsigned>(plusOne(i));
  const cuda::annotated_ptr<const unsigned, cuda::access_property::streaming> pointer(in);
  row[7] = pointer[i];
  row[8] = cuda::is_aligned(in + i, 4) + 2 * (cuda::align_down(in + i, 8) <= in + i) +
           4 * (cuda::align_up(in + i, 8) >= in + i);
  using Extents = cuda::std::extents<int, 2, cuda::std::dynamic_extent>;
  const cuda::std::mdspan<const unsigned, Extents, cuda::std::layout_left> columns(in, 8);
  const cuda::std::mdspan<const unsigned, cuda::std::dextents<int, 2>> rows(in, 4, 8);
  row[9] = columns(i % 2, i % 8) + 3 * rows(i % 4, i % 8);
  row[10] = static_cast<unsigned>(columns.extent(1) + rows.extent(0));
  const cuda::std::expected<int, float> some(i), none = cuda::std::unexpected<float>(2.0f);
  row[11] = static_cast<unsigned>(some.value_or(0) + none.value_or(100) +
                                  cuda::std::chrono::milliseconds(cuda::std::chrono::seconds(1)).count());
}
