// Every function of subgroups, by a group whose last subgroup is half full.
#include <lathe/device.h>

LATHE_KERNEL void subgroups(unsigned* out) {
  const unsigned i = lathe::item_id().x;
  unsigned* const row = out + 11 * lathe::global_id().x;
  const unsigned long mask = __lathe_active_mask();
  const unsigned value = 3 * i + 1;
  row[0] = __lathe_subgroup_item_id();
  row[1] = __lathe_subgroup_size();
  row[2] = __lathe_shuffle_i32(mask, value, 5, 8);
  row[3] = __lathe_shuffle_up_i32(mask, value, 1, 16);
  row[4] = __lathe_shuffle_down_i32(mask, value, 2, 16);
  row[5] = __lathe_shuffle_xor_i32(mask, value, 3, 16);
  row[6] = static_cast<unsigned>(__lathe_ballot(mask, i % 3 == 0));
  row[7] = __lathe_vote_any(mask, i == 40);
  row[8] = __lathe_vote_all(mask, i != 70);
  row[9] = static_cast<unsigned>(mask);
  unsigned sum = value;
  for (unsigned other = 8; other > 0; other /= 2) {
    __lathe_subgroup_barrier(mask);
    sum += __lathe_shuffle_xor_i32(mask, sum, other, 16);
  }
  row[10] = sum;
}
