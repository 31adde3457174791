// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of the library come precompiled, all at once. The code is that of headers read as text (any macro with a reserved
// name asks for that), and a source that has one of the names it did not include for itself compiles without them.
// REQUIRES: libcxx
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: %compile %s -t cuda:sm_80 --emit ptx -D__as_text -o %t.text.ptx
// RUN: cmp %t.ptx %t.text.ptx
// RUN: %compile %s -t cuda:sm_80 --explain -o %t.limg | FileCheck %s --check-prefix=CHOICE
// CHOICE: prelude {{ *}}precompiled {{ *}}of dialect 'cuda' with its library, for <algorithm>
// RUN: %compile %s -t cuda:sm_80 -DOWN_NAMES --emit ptx -o %t.own.ptx
// RUN: not %compile %s -t cuda:sm_80 -DWRONG -o %t.limg 2>&1 | FileCheck %s --check-prefix=WRONG --implicit-check-not=error
// WRONG: library_prelude.cu:[[@LINE+17]]:{{.*}}error: {{.*}}'nothing'
#include <algorithm>
#include <cooperative_groups.h>
#ifdef OWN_NAMES
using namespace std;
template <class T>
struct span {
  T* first;
};
struct half {
  int value;
};
__device__ int own(span<int> all, half part) { return *all.first + part.value; }
#endif

__global__ void least(const int* in, int* out) {
#ifdef WRONG
  nothing();
#endif
  int pair[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]};
  std::sort(pair, pair + 2);
  cooperative_groups::this_thread_block().sync();
  out[threadIdx.x] = pair[0];
}
