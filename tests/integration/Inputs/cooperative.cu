// A sum over a grid that meets once; a block that fails before keeps no other waiting, nor does one that is done.
#include <cooperative_groups.h>

__global__ void sum(const unsigned* in, unsigned* parts, unsigned* out, int failing, int leaving) {
  if (blockIdx.x == failing) __trap();
  if (blockIdx.x == leaving) return;
  if (threadIdx.x == 0) parts[blockIdx.x] = in[blockIdx.x];
  cooperative_groups::this_grid().sync();
  if (cooperative_groups::this_grid().thread_rank() != 0) return;
  unsigned all = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) all += parts[i];
  *out = all;
}
