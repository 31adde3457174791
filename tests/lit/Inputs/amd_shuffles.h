// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP's shuffles for a bare clang: each finds the lane to read and asks for it by ds_bpermute, as AMD's header does.
#define AMD_SHUFFLES
#define __global__ __attribute__((global))
#define AMD_DEVICE static inline __attribute__((device, always_inline))

struct Item {
  struct {
    __attribute__((device)) operator unsigned() const { return __builtin_amdgcn_workitem_id_x(); }
  } x;
};
#define threadIdx Item{}

AMD_DEVICE int lane() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
AMD_DEVICE int read(int from, int value) { return __builtin_amdgcn_ds_bpermute(from << 2, value); }
AMD_DEVICE int __shfl(int value, int item, int width = 64) { return read((item & (width - 1)) + (lane() & ~(width - 1)), value); }
AMD_DEVICE int __shfl_up(int value, unsigned delta, int width = 64) {
  const int own = lane(), from = own - int(delta);
  return read(from < (own & ~(width - 1)) ? own : from, value);
}
AMD_DEVICE int __shfl_down(int value, unsigned delta, int width = 64) {
  const int own = lane();
  return read(int((own & (width - 1)) + delta) >= width ? own : own + int(delta), value);
}
AMD_DEVICE int __shfl_xor(int value, int mask, int width = 64) {
  const int own = lane(), from = own ^ mask;
  return read(from >= ((own + width) & ~(width - 1)) ? own : from, value);
}
