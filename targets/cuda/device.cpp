// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI of NVIDIA GPUs where one entry is not one intrinsic: shuffles need the width turned into PTX's clamp
// and segment mask. PTX ISA 8.7, section 9.7.9.6 (shfl.sync). A bare kernel prints and asserts as the driver provides
// it.
#include <lathe/sdk/device_malloc.h>
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
