// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without headers, so that clang and Lathe read the same: numbers of several widths, a constant of 64 bits, a map, a branch.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

struct {
  int (*type)[2];
  u32 *key;
  u64 *value;
  int (*max_entries)[16];
} counts __attribute__((section(".maps"), used));

static void *(*look_up)(void *map, const void *key) = (void *)1;

struct packet {
  u8 addresses[12];
  u16 type;
};

__attribute__((section("socket"), used)) int protocol(const struct packet *context) {
  u32 key = context->type;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  if (key != 0x0800) return 0;
#else
  if (key != 0x0008) return 0;
#endif
  u64 *count = look_up(&counts, &key);
  if (!count) return -1;
  *count = *count * 0x123456789abcdef1ull + key;
  return 1;
}

char licence[] __attribute__((section("license"), used)) = "GPL";
