// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are entered and left at several places, and switches whose default assigns what is free to compute.
__global__ void secondEntry(const unsigned* in, unsigned* out) {
  const unsigned x = in[threadIdx.x];
  unsigned y = 7, left = x % 11;
  if (x & 1) goto middle;
  y = 1;
head:;
middle:;
  if (left-- == 0) goto end;
  y = y * 3 + left;
  if (in[y % 64] & 1) goto middle;
  goto head;
end:;
  out[threadIdx.x] = y;
}

__global__ void entriesInLoop(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x, odd = in[63 - t];
  unsigned x = in[t], y = 7;
  int left = 30;
  for (int turn = 0; turn < 7 && left-- > 0; ++turn) {
    if (x & 1) goto third;
  first:
    if (left-- <= 0) goto end;
  second:
    if (odd & 1) goto first;
  third:
    if (left-- <= 0) goto end;
    y = y * 31 + in[y & 3] + left;
    if (y & 4) goto second;
  end:;
    x = x * 5 + y + 3;
  }
  out[t] = y + x;
}

__global__ void freeDefault(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  const int n = static_cast<signed char>(in[t]);
  const unsigned a = in[20], first = in[22], m = in[23];
  unsigned char bytes[16];
  for (int i = 0; i < 16; ++i) bytes[i] = static_cast<unsigned char>(in[(t + i) & 63] >> 3);
  unsigned char c = bytes[0];
  unsigned long long sum = m * 0x100000001ull, low = sum & 0x3ffffff;
  switch (n) {
    case 7:
      bytes[m & 15] = static_cast<unsigned char>((26457 / (a & 126 | 1)) ^ m);
      break;
    case 8:
      sum = (sum & ~0xffff0000ull) |
            ((static_cast<unsigned long long>((bytes[3] ^ (n < static_cast<int>(first))) * t) << 16) & 0xffff0000u);
      break;
    default:
      sum = sum << 32 | first;
      low = ((low << 38) >> 38) | m;
      c = static_cast<unsigned char>(a);
  }
  unsigned hash = 1;
  for (int i = 0; i < 16; ++i) hash = hash * 31 + bytes[i];
  out[2 * t] = c;
  out[2 * t + 1] =
      hash + static_cast<unsigned>(sum) + static_cast<unsigned>(sum >> 32) * 3 + static_cast<unsigned>(low) * 5;
}

__global__ void earlyExit(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned c = in[t], a[4] = {1, 2, 3, t}, d = c;
  unsigned* place = &a[c & 3];
  int left = static_cast<int>(in[0] & 15) + 9;
  while (left-- > 0) {
    *place |= 5;
    place = &d;
    if (!(static_cast<unsigned long long>(d * (t & 3)) * in[1])) break;
  }
  out[t] = left + a[0] + a[1] + a[2] + a[3] + d;
}
