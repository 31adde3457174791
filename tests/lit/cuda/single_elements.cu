// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local array whose first dimension is 1 has one row, whatever variable is its index, also in a function that is
// inlined: it is in registers. nvcc 13.0's PTX has no local memory in the first three kernels, and some in `later`, where
// the dimension of 1 is another one, in `member`, and in `ends` and `back`, where the address behind the row is compared,
// or led back from.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | FileCheck %s
// RUN: %lathe run %s -t cpu -k rows --grid 1 --group 1 --arg 'iota:i32[8]' --arg 2 --arg 'zeros:i32[1]' --print 2:1 | FileCheck %s --check-prefix=RAN
// RUN: %lathe run %s -t cpu -k back --grid 1 --group 1 --arg 'iota:i32[8]' --arg 1 --arg 'zeros:i32[1]' --print 2:1 | FileCheck %s --check-prefix=BACK
// RUN: %lathe run %s -t cpu -k ends --grid 1 --group 1 --arg 'iota:i32[8]' --arg 1 --arg 'zeros:i32[1]' --print 2:1 | FileCheck %s --check-prefix=ENDS
// CHECK: .entry rows(
// CHECK-NOT: .local
// CHECK: .entry single(
// CHECK-NOT: .local
// CHECK: .entry passed(
// CHECK-NOT: .local
// CHECK: .entry later(
// CHECK: .local .align 16 .b8 __local_depot{{.*}}[32]
// CHECK: .entry member(
// CHECK: .local
// CHECK: .entry ends(
// CHECK: .local
extern "C" __global__ void rows(const int* in, int count, int* out) {
  int row[1][4];
  int sum = 0, place = 0;
  for (int i = 0; i < count - 1; ++i, ++place)
    for (int j = 0; j < 4; ++j) row[place][j] = in[i * 4 + j];
  place = 0;
  for (int i = 0; i < count - 1; ++i, ++place)
    for (int j = 0; j < 4; ++j) sum = sum * 10 + row[place][j];
  *out = sum;
}
extern "C" __global__ void single(const int* in, int count, int* out) {
  int sums[1];
  for (int i = 0; i < count; ++i) sums[i] = in[i];
  *out = sums[count - 1];
}
__device__ __forceinline__ int sumOf(int (*rows)[4], int place) {
  int sum = 0;
  for (int j = 0; j < 4; ++j) sum += rows[place][j];
  return sum;
}
extern "C" __global__ void passed(const int* in, int first, int second, int* out) {
  int row[1][4];
  for (int j = 0; j < 4; ++j) row[first][j] = in[j];
  *out = sumOf(row, second);
}
extern "C" __global__ void later(const int* in, int first, int second, int* out) {
  int rows[2][1][4];
  int sum = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) rows[i][first][j] = in[i * 4 + j];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) sum += rows[i][second][j];
  *out = sum;
}
struct Pair {
  int first[1], second;
};
extern "C" __global__ void member(const int* in, int first, int second, int* out) {
  Pair pair;
  pair.second = in[3];
  pair.first[first] = in[0];
  *out = pair.first[second] + pair.second;
}
extern "C" __global__ void ends(const int* in, int count, int* out) {
  int values[1] = {in[5]};
  int sum = 1;
  for (int* place = values; place != &values[count]; ++place) sum += *place;
  *out = sum;
}
extern "C" __global__ void back(const int* in, int count, int* out) {
  Pair pairs[1];
  pairs[0].first[0] = in[6];
  pairs[0].second = in[7];
  const Pair* behind = pairs + count;
  *out = behind[-1].first[0] * 10 + behind[-1].second;
}
// RAN: 123
// BACK: 67
// ENDS: 6
