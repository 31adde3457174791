// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host side of count.bpf.cpp in C, by libbpf: prints 41 × 1 + STEP, or "not permitted" where the kernel loads nothing.
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>

#include "count.skel.h"

int main(void) {
  struct count_bpf* const skeleton = count_bpf__open();
  if (!skeleton) return 1;
  const int status = count_bpf__load(skeleton);
  if (status) {
    puts(status == -EPERM ? "not permitted" : "failed");
    count_bpf__destroy(skeleton);
    return 0;
  }
  struct {
    unsigned a, sum;
  } sum = {41, 0};
  LIBBPF_OPTS(bpf_test_run_opts, options, .ctx_in = &sum, .ctx_size_in = sizeof(sum));
  const unsigned key = 7;
  const unsigned long long value = 1;
  if (bpf_map__update_elem(skeleton->maps.counts, &key, sizeof(key), &value, sizeof(value), 0)) return 2;
  if (bpf_prog_test_run_opts(bpf_program__fd(skeleton->progs.add), &options)) return 3;
  printf("%u\n", sum.sum);
  count_bpf__destroy(skeleton);
}
