// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several sequences at once in kernels: sorted, shuffled, copied and looked at through zip iterators.
// RUN: %compile %s -t cuda:sm_90 -o %t.limg && %compile %s -x hip -t amdgpu:gfx942 -o %t.limg
// RUN: %lathe run %s -t cpu -k zips --grid 1 --group 1 --arg 'json:[5,3,9,1]' --arg 'json:[50,30,90,10]' --arg zeros:i32[6] --print 0 --print 1 --print 2 | FileCheck %s
// CHECK: i32[4]: 9 5 3 1
// CHECK: i32[4]: 90 50 30 10
// CHECK: i32[6]: 108 4 2 180 18 1
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/tuple.h>

struct Greater {
  __device__ bool operator()(const thrust::tuple<int, int>& a, const thrust::tuple<int, int>& b) const {
    return thrust::get<0>(a) > thrust::get<0>(b);
  }
};
extern "C" __global__ void zips(int* keys, int* values, int* out) {
  auto first = thrust::make_zip_iterator(thrust::make_tuple(keys, values));
  auto last = thrust::make_zip_iterator(thrust::make_tuple(keys + 4, values + 4));
  thrust::default_random_engine random(7);
  thrust::shuffle(thrust::seq, first, last, random);
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += keys[i] * 10 == values[i] ? 27 : 0;
  out[0] = sum;
  thrust::sort(thrust::seq, first, last, Greater());
  out[1] = last - first;
  // The first for which the key is below 5.
  out[2] = thrust::find_if(thrust::seq, first, last,
                           [](const thrust::tuple<int, int>& pair) { return thrust::get<0>(pair) < 5; }) - first;
  for (auto it = first; it != last; ++it) out[3] += thrust::get<1>(*it);
  out[4] = thrust::get<0>(first[0]) * 2;
  out[5] = first < last;
}
int main() {
  thrust::zip_iterator<thrust::tuple<int*, int*>> none;
  zips<<<1, 1>>>(nullptr, nullptr, nullptr);
}
