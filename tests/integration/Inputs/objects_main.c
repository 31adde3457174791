/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A C program that knows nothing of Lathe but the generated header. It ends with 0 if every result is what the
   program computes itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"
#include "objects.h" /* twice does no harm */

static int failures;
static void expect(int good, const char *what) {
  if (good) return;
  fprintf(stderr, "wrong: %s\n", what);
  ++failures;
}

static void run_saxpy(void) {
  enum { n = 1000 };
  float x[n], y[n];
  for (int i = 0; i < n; ++i) x[i] = (float)i, y[i] = 1;
  struct lathe_launch launch = {.grid = {4}, .group = {256}};
  expect(saxpy_scratch(&launch) == 0, "saxpy needs no scratch");
  expect(saxpy(&launch, n, 2.0f, x, y) == LATHE_LAUNCH_DONE, "saxpy runs");
  for (int i = 0; i < n; ++i) expect(y[i] == 1 + 2 * (float)i, "saxpy");

  /* By ranges, as threads would: every group once. */
  for (int i = 0; i < n; ++i) y[i] = 1;
  for (uint64_t g = 0; g < lathe_group_count(&launch); ++g) {
    launch.first_group = g;
    launch.end_group = g + 1;
    expect(saxpy(&launch, n, 2.0f, x, y) == LATHE_LAUNCH_DONE, "saxpy runs a range");
  }
  for (int i = 0; i < n; ++i) expect(y[i] == 1 + 2 * (float)i, "saxpy by ranges");
  launch.end_group = 5;
  expect(saxpy(&launch, n, 2.0f, x, y) == LATHE_LAUNCH_INVALID, "a range beyond the grid");
  const struct lathe_launch none = {.grid = {0}, .group = {256}};
  expect(saxpy(&none, n, 2.0f, x, y) == LATHE_LAUNCH_DONE && y[1] == 3, "an empty grid");
  const struct lathe_launch bad[] = {{.grid = {1}, .group = {0}},
                                     {.grid = {1}, .group = {65536, 2}},
                                     {.grid = {1, 70000}, .group = {1}},
                                     {.grid = {0x7fffffff}, .group = {64}}};
  for (int i = 0; i < 4; ++i) expect(saxpy(&bad[i], n, 2.0f, x, y) == LATHE_LAUNCH_INVALID, "a bad launch");
}

static void run_apply(void) {
  float table[8];
  double out[8];
  for (int i = 0; i < 8; ++i) table[i] = (float)i;
  struct objects_Params p;
  memset(&p, 0, sizeof p);
  p.tag = -3;
  p.scale = 0.5;
  p.at[1].y = 10;
  p.table = table;
  p.last = 1000;
  struct objects_Wide wide = {{1, 2, 3, 4}};
  struct objects_Either either;
  either.whole = 0;
  either.bytes[0] = 7;
  struct objects_Flags flags;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  const unsigned char bits[8] = {(unsigned char)((5 << 5) | 9)}; /* low 5, high 9; the rest is `plain`, 0 */
#else
  const unsigned char bits[8] = {(unsigned char)(5 | (9 << 3))};
#endif
  memcpy(&flags, bits, sizeof flags);
  const struct lathe_launch launch = {.grid = {2}, .group = {4}};
  expect(apply(&launch, &p, &wide, &either, &flags, true, -20, out) == LATHE_LAUNCH_DONE, "apply runs");
  for (int i = 0; i < 8; ++i) expect(out[i] == -(0.5 * i + 10 - 3 + 1000 + 4 + 7 + 5 + 9 - 20), "apply");
}

static void run_group_sums(void) {
  enum { groups = 3, items = 8 };
  int in[groups * items], out[groups * items];
  for (int i = 0; i < groups * items; ++i) in[i] = i;
  struct lathe_launch launch = {.grid = {groups}, .group = {items}, .dynamic_shared_bytes = items * sizeof(int)};
  const size_t bytes = group_sums_scratch(&launch);
  expect(bytes > 0 && bytes < 65536, "group_sums needs scratch");
  char *const scratch = malloc(bytes + 2);
  memset(scratch, 0x5a, bytes + 2);
  launch.scratch = scratch + 1; /* any alignment */
  launch.scratch_bytes = bytes - 1;
  expect(group_sums(&launch, in, out) == LATHE_LAUNCH_INVALID, "too little scratch");
  launch.scratch_bytes = bytes;
  for (int own = 0; own < 2; ++own) {
    memset(out, 0, sizeof out);
    const int status = group_sums(&launch, in, out);
#ifdef NO_MALLOC
    expect(status == (own == 0 ? LATHE_LAUNCH_DONE : LATHE_LAUNCH_NO_MEMORY), "group_sums without malloc");
    if (own) break;
#else
    expect(status == LATHE_LAUNCH_DONE, "group_sums runs");
#endif
    for (int g = 0; g < groups; ++g) {
      int sum = 0;
      for (int i = 0; i < items; ++i) sum += in[g * items + i];
      for (int i = 0; i < items; ++i) expect(out[g * items + i] == sum * 100 + in[g * items + i], "group_sums");
    }
    launch.scratch = NULL;
  }
  expect(scratch[0] == 0x5a && scratch[bytes + 1] == 0x5a, "group_sums stays in its scratch");
  free(scratch);
}

static void run_others(void) {
  float f[4] = {1, 2, 3, 4};
  int k[4] = {1, 2, 3, 4};
  const struct lathe_launch four = {.grid = {1}, .group = {4}};
  expect(image_scale_float(&four, 3.0f, f) == 0 && f[3] == 12, "image::scale<float>");
  expect(image_scale_int(&four, -2, k) == 0 && k[3] == -8, "image::scale<int>");
  expect(reverse(&four, k) == 0 && k[0] == -8 && k[3] == -2, "reverse");
  unsigned out[2 * 3 * 4];
  struct lathe_launch box = {.grid = {2, 3, 4}, .group = {1, 5, 1}, .first_group = 7};
  memset(out, 0, sizeof out);
  expect(where(&box, out) == 0, "where runs");
  for (unsigned g = 0; g < 24; ++g)
    expect(out[g] == (g < 7 ? 0 : g % 2 + 100 * (g / 2 % 3) + 10000 * (g / 6) + 5000000), "where");
  box.group[0] = 65;
  expect(where(&box, out) == LATHE_LAUNCH_INVALID, "more items than the kernel's bounds allow");
  expect(dot(f, f, 4) == 9 + 36 + 81 + 144, "dot");
  expect(flip(0xf0, true) == 0x0f && flip(0xf0, false) == 0xf0, "flip");
  const struct objects_Point a = {1, 1}, b = {2, 2};
  expect(further(&a, &b) == &b, "further");
}

int main(void) {
  run_saxpy();
  run_apply();
  run_group_sums();
  run_others();
  printf("%s\n", failures ? "failed" : "all correct");
  return failures != 0;
}
