// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI of NVIDIA GPUs where one entry is not one intrinsic: shuffles need the width turned into PTX's clamp
// and segment mask. PTX ISA 8.7, section 9.7.9.6 (shfl.sync). A bare kernel prints and asserts as the driver provides
// it.
#include <lathe/sdk/device_malloc.h>
#include <lathe/sdk/device_matrix.h>
#include <lathe/sdk/device_state.h>

#define LATHE_ENTRY extern "C" __attribute__((always_inline))

namespace {

/// The c operand of shfl.sync: bits 8-12 are the segment mask of `width`, bits 0-4 the clamp.
inline unsigned segment(unsigned width, unsigned clamp) {
  return ((32 - width) << 8) | clamp;
}

}  // namespace

LATHE_ENTRY unsigned __lathe_shuffle_i32(unsigned long long mask, unsigned value, unsigned item, unsigned width) {
  return unsigned(__nvvm_shfl_sync_idx_i32(unsigned(mask), int(value), int(item), int(segment(width, 31))));
}
LATHE_ENTRY unsigned __lathe_shuffle_up_i32(unsigned long long mask, unsigned value, unsigned delta, unsigned width) {
  return unsigned(__nvvm_shfl_sync_up_i32(unsigned(mask), int(value), int(delta), int(segment(width, 0))));
}
LATHE_ENTRY unsigned __lathe_shuffle_down_i32(unsigned long long mask, unsigned value, unsigned delta, unsigned width) {
  return unsigned(__nvvm_shfl_sync_down_i32(unsigned(mask), int(value), int(delta), int(segment(width, 31))));
}
LATHE_ENTRY unsigned __lathe_shuffle_xor_i32(unsigned long long mask, unsigned value, unsigned lane_mask,
                                             unsigned width) {
  return unsigned(__nvvm_shfl_sync_bfly_i32(unsigned(mask), int(value), int(lane_mask), int(segment(width, 31))));
}

/// Threads go on by themselves from Volta on, and warps before.
LATHE_ENTRY void __lathe_item_yield() {}

/// For cooperative launches: the driver passes a counter in two special registers. Every group adds one, the first adds
/// what carries the sum into the highest bit, whose change ends the wait.
extern "C" __attribute__((always_inline, convergent)) void __lathe_grid_barrier() {
  unsigned low, high;
  asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
  asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
  auto* const arrived = reinterpret_cast<unsigned*>(static_cast<unsigned long>(high) << 32 | low) + 1;
  __lathe_group_barrier_apart();
  if ((__lathe_item_id_x() | __lathe_item_id_y() | __lathe_item_id_z()) == 0) {
    const unsigned groups = __lathe_group_count_x() * __lathe_group_count_y() * __lathe_group_count_z();
    const bool isFirst = (__lathe_group_id_x() | __lathe_group_id_y() | __lathe_group_id_z()) == 0;
    const unsigned mine = isFirst ? 0x80000000u - (groups - 1) : 1;
    __nvvm_membar_gl();
    const unsigned before = __nvvm_atom_add_gen_i(reinterpret_cast<int*>(arrived), static_cast<int>(mine));
    while (((before ^ *static_cast<volatile unsigned*>(arrived)) & 0x80000000u) == 0) {
    }
    __nvvm_membar_gl();
  }
  __lathe_group_barrier_apart();
}

extern "C" int vprintf(const char*, const void*);
LATHE_ENTRY unsigned __lathe_print(const void* format, const void* arguments, const void*) {
  return unsigned(vprintf(static_cast<const char*>(format), arguments));
}

extern "C" [[noreturn]] void __assertfail(const char*, const char*, unsigned, const char*, unsigned long);
LATHE_ENTRY void __lathe_assert_fail(const void* expression, const void* file, unsigned line, const void* function) {
  __assertfail(static_cast<const char*>(expression), static_cast<const char*>(file), line,
               static_cast<const char*>(function), 1);
}

// Launches by the device's runtime, libcudadevrt (CUDA Programming Guide, "CUDA Dynamic Parallelism"; the names are
// those of cuda_device_runtime_api.h, CUDA 12 and later). Its streams 3 and 4 are no streams but say when.
namespace {
struct Extent {
  unsigned x, y, z;
};
}  // namespace
extern "C" void* __cudaCDP2GetParameterBufferV2(const void*, Extent, Extent, unsigned);
extern "C" unsigned __cudaCDP2LaunchDeviceV2(void*, void*);
extern "C" unsigned __cudaCDP2GetLastError();
extern "C" unsigned __cudaCDP2StreamCreateWithFlags(void**, unsigned);
extern "C" unsigned __cudaCDP2StreamDestroy(void*);
LATHE_ENTRY unsigned __lathe_launch(const void* kernel, const void* arguments, unsigned gridX, unsigned gridY,
                                    unsigned gridZ, unsigned groupX, unsigned groupY, unsigned groupZ,
                                    unsigned sharedBytes, unsigned when, unsigned long long stream) {
  constexpr unsigned noMemory = 2;  // cudaErrorMemoryAllocation
  constexpr unsigned long long tail = 3, forget = 4;
  void* const buffer =
      __cudaCDP2GetParameterBufferV2(kernel, {gridX, gridY, gridZ}, {groupX, groupY, groupZ}, sharedBytes);
  if (!buffer) return noMemory;
  __builtin_memcpy(__builtin_assume_aligned(buffer, 16), arguments,
                   static_cast<const unsigned long long*>(arguments)[-1]);
  const unsigned long long place = when == 2 ? tail : when == 1 ? forget : stream;
  return __cudaCDP2LaunchDeviceV2(buffer, reinterpret_cast<void*>(place));
}
LATHE_ENTRY unsigned __lathe_launch_status() {
  return __cudaCDP2GetLastError();
}
LATHE_ENTRY unsigned long long __lathe_launch_stream() {
  constexpr unsigned nonBlocking = 1;
  void* stream = nullptr;
  return __cudaCDP2StreamCreateWithFlags(&stream, nonBlocking) == 0 ? reinterpret_cast<unsigned long long>(stream) : 0;
}
LATHE_ENTRY void __lathe_launch_stream_end(unsigned long long stream) {
  (void)__cudaCDP2StreamDestroy(reinterpret_cast<void*>(stream));
}

/// A trap would end the context, and with it everything that the program has on the device. Items that ended count as
/// arrived at barriers.
inline void lathe_state::endItem() {
  __nvvm_exit();
}

// Products of matrices by mma.sync, 16 × 8 sums at once (PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating
// point type" and its like, whose fragments of one element size differ in what a word holds and in nothing else).
namespace {
using lathe_matrix::Pair;

struct Fragments {
  static LATHE_MATRIX_INLINE unsigned row(unsigned matrix, unsigned place) {
    const unsigned group = __lathe_subgroup_item_id() / 4, item = __lathe_subgroup_item_id() % 4;
    if (matrix == lathe_matrix::factorA) return group + 8 * (place % 2);
    return matrix == lathe_matrix::factorB ? item + 4 * (place % 2) : group + 8 * (place % 4 / 2);
  }
  static LATHE_MATRIX_INLINE unsigned column(unsigned matrix, unsigned place) {
    const unsigned group = __lathe_subgroup_item_id() / 4, item = __lathe_subgroup_item_id() % 4;
    if (matrix == lathe_matrix::factorA) return item + 4 * (place / 2);
    return matrix == lathe_matrix::factorB ? group + 8 * (place / 2) : 2 * item + place % 2 + 8 * (place / 4);
  }
  static LATHE_MATRIX_INLINE unsigned placeOfA(unsigned sum, unsigned k) { return sum % 4 / 2 + 2 * (k / 4); }
  static LATHE_MATRIX_INLINE unsigned itemOfA(unsigned row, unsigned k) { return row * 4 + k % 4; }
  static LATHE_MATRIX_INLINE unsigned placeOfB(unsigned sum, unsigned k) { return k / 4 + 2 * (sum / 4); }
  static LATHE_MATRIX_INLINE unsigned itemOfB(unsigned column, unsigned k) { return column * 4 + k % 4; }
};

/// The part of the accumulator that a pair is of, 16 × 8 words.
struct Half {
  unsigned words[4];
};
LATHE_MATRIX_INLINE Pair pairIn(const Half& half, unsigned number) {
  return number % 2 == 0 ? lathe_matrix::pairOf(half.words[0], half.words[1])
                         : lathe_matrix::pairOf(half.words[2], half.words[3]);
}

}  // namespace

LATHE_ENTRY unsigned __lathe_matrix_row(unsigned matrix, unsigned place) {
  return Fragments::row(matrix, place);
}
LATHE_ENTRY unsigned __lathe_matrix_column(unsigned matrix, unsigned place) {
  return Fragments::column(matrix, place);
}

// `b` has the two words of the half's columns.
#define LATHE_MMA(name, letter, type, text)                                                                        \
  static __attribute__((always_inline, convergent)) Half name(Pair a0, Pair a1, Pair b, Pair c0, Pair c1) {        \
    type d0, d1, d2, d3;                                                                                           \
    asm("mma.sync.aligned." text " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"            \
        : "=" letter(d0), "=" letter(d1), "=" letter(d2), "=" letter(d3)                                           \
        : "r"(lathe_matrix::wordOf(a0, 0)), "r"(lathe_matrix::wordOf(a0, 1)), "r"(lathe_matrix::wordOf(a1, 0)),    \
          "r"(lathe_matrix::wordOf(a1, 1)), "r"(lathe_matrix::wordOf(b, 0)), "r"(lathe_matrix::wordOf(b, 1)),      \
          letter(__builtin_bit_cast(type, lathe_matrix::wordOf(c0, 0))),                                           \
          letter(__builtin_bit_cast(type, lathe_matrix::wordOf(c0, 1))),                                           \
          letter(__builtin_bit_cast(type, lathe_matrix::wordOf(c1, 0))),                                           \
          letter(__builtin_bit_cast(type, lathe_matrix::wordOf(c1, 1))));                                          \
    return {{__builtin_bit_cast(unsigned, d0), __builtin_bit_cast(unsigned, d1), __builtin_bit_cast(unsigned, d2), \
             __builtin_bit_cast(unsigned, d3)}};                                                                   \
  }
LATHE_MMA(multiplyF16OfAmpere, "f", float, "m16n8k16.row.col.f32.f16.f16.f32")
LATHE_MMA(multiplyBf16, "f", float, "m16n8k16.row.col.f32.bf16.bf16.f32")
LATHE_MMA(multiplyTf32, "f", float, "m16n8k8.row.col.f32.tf32.tf32.f32")
LATHE_MMA(multiplyS8, "r", unsigned, "m16n8k32.row.col.s32.s8.s8.s32")
LATHE_MMA(multiplyU8, "r", unsigned, "m16n8k32.row.col.s32.u8.u8.s32")

/// Turing's, of half the depth.
static __attribute__((always_inline, convergent)) Half multiplyF16OfTuring(Pair a, unsigned b, const Half& c) {
  float d0, d1, d2, d3;
  asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
      : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
      : "r"(lathe_matrix::wordOf(a, 0)), "r"(lathe_matrix::wordOf(a, 1)), "r"(b),
        "f"(__builtin_bit_cast(float, c.words[0])), "f"(__builtin_bit_cast(float, c.words[1])),
        "f"(__builtin_bit_cast(float, c.words[2])), "f"(__builtin_bit_cast(float, c.words[3])));
  return {{__builtin_bit_cast(unsigned, d0), __builtin_bit_cast(unsigned, d1), __builtin_bit_cast(unsigned, d2),
           __builtin_bit_cast(unsigned, d3)}};
}
static __attribute__((always_inline, convergent)) Half multiplyF16(Pair a0, Pair a1, Pair b, Pair c0, Pair c1) {
  if (__lathe_arch_at_least(80)) return multiplyF16OfAmpere(a0, a1, b, c0, c1);
  using lathe_matrix::wordOf;
  const Half sums = {{wordOf(c0, 0), wordOf(c0, 1), wordOf(c1, 0), wordOf(c1, 1)}};
  return multiplyF16OfTuring(a1, wordOf(b, 1), multiplyF16OfTuring(a0, wordOf(b, 0), sums));
}

// Before an architecture has instructions, products go by shuffles, at the same places.
#define LATHE_MULTIPLY(kind, since, instruction, ...)                                                              \
  LATHE_MATRIX_ENTRY(kind) {                                                                                       \
    if (__lathe_arch_at_least(since)) {                                                                            \
      const bool isFirst = number < 2;                                                                             \
      return pairIn(instruction(a0, a1, isFirst ? b0 : b1, isFirst ? c0 : c2, isFirst ? c1 : c3), number);         \
    }                                                                                                              \
    return lathe_matrix::multiplied<Fragments, lathe_matrix::__VA_ARGS__>(a0, a1, b0, b1, c0, c1, c2, c3, number); \
  }
LATHE_MULTIPLY(f16, 75, multiplyF16, AddHalves)
LATHE_MULTIPLY(bf16, 80, multiplyBf16, AddBfloats)
LATHE_MULTIPLY(tf32, 80, multiplyTf32, AddFloats)
LATHE_MULTIPLY(s8, 80, multiplyS8, AddBytes<signed char>)
LATHE_MULTIPLY(u8, 80, multiplyU8, AddBytes<unsigned char>)
