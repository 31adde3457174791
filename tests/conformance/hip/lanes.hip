// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD's builtins that other machines can do as well, and HIP's bit fields.
#include <hip/hip_runtime.h>

__global__ void lanes(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int* row = out + i * 7;
  row[0] = static_cast<int>(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)));
  row[1] = __builtin_amdgcn_readfirstlane(in[i]);
  row[2] = __builtin_amdgcn_readlane(in[i], 5);
  row[3] = __builtin_amdgcn_ds_bpermute(4 * (row[0] ^ 3), in[i]);
  row[4] = static_cast<int>(__builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
                            __builtin_amdgcn_workitem_id_x());
  row[5] = static_cast<int>(__builtin_amdgcn_grid_size_x());
  row[6] = __popcll(__builtin_amdgcn_ballot_w64(in[i] > 0)) - __popcll(__ballot64(in[i] > 0));
}

__global__ void fields(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = in[2 * i], y = in[2 * i + 1], offset = i % 24, width = i % 8;
  unsigned* row = out + i * 9;
  row[0] = __bitextract_u32(x, offset, width);
  row[1] = __bitinsert_u32(x, y, offset, width);
  row[2] = static_cast<unsigned>(__bitextract_u64(static_cast<unsigned long long>(y) << 32 | x, offset + 20, width));
  row[3] = __builtin_amdgcn_ubfe(x, offset, width);
  row[4] = static_cast<unsigned>(__builtin_amdgcn_sbfe(static_cast<int>(x), offset, width));
  row[5] = __builtin_amdgcn_alignbit(y, x, offset);
  row[6] = __builtin_amdgcn_udot4(x, y, 7, false);
  row[7] = static_cast<unsigned>(__builtin_amdgcn_sdot4(static_cast<int>(x), static_cast<int>(y), 0x7ffffff0, true));
  row[8] = static_cast<unsigned>(__builtin_amdgcn_sudot4(true, static_cast<int>(x), false, static_cast<int>(y), 9, false));
}
