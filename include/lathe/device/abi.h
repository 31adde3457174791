// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI's declarations for device code, made from the table that the compiler itself is built with
// (core/abi/device_abi.def), and the attribute macros that differ between Lathe's dialects.
#ifndef LATHE_DEVICE_ABI_H
#define LATHE_DEVICE_ABI_H

#if defined(__CUDA__)
#define LATHE_DEVICE __attribute__((device))
#define LATHE_KERNEL __attribute__((global))
#define LATHE_SHARED __attribute__((shared))
#define LATHE_CONSTANT __attribute__((constant))
#define LATHE_GLOBAL __attribute__((device))
/// Marks a function or variable that a CUDA source's host functions may use as well.
#define LATHE_ANYWHERE __attribute__((host, device))
#else
/// Marks a function that is only called on the device. Empty: in Lathe's own dialect every function may be.
#define LATHE_DEVICE
#define LATHE_ANYWHERE
/// Marks a kernel: `LATHE_KERNEL void saxpy(int n, float a, const float* x, float* y)`.
#define LATHE_KERNEL __attribute__((annotate("lathe.kernel"), used))
/// One variable for each group, uninitialised: `LATHE_SHARED float tile[16][16];` in a function or outside.
#define LATHE_SHARED static __attribute__((annotate("lathe.shared")))
/// A constant the host may set before a launch: `LATHE_CONSTANT float weights[9] = {…};` at namespace scope.
#define LATHE_CONSTANT __attribute__((annotate("lathe.constant"), used))
/// A variable in device memory that the host may reach by name.
#define LATHE_GLOBAL __attribute__((annotate("lathe.global"), used))
#endif

/// LATHE_BOUNDS(max_items, min_groups, max_registers): every launch of the kernel has at most `max_items` items a
/// group. The code should let at least `min_groups` groups be resident on a multiprocessor, with at most
/// `max_registers` registers an item. Later numbers may be left out.
#define LATHE_BOUNDS(...) __attribute__((annotate("lathe.bounds", __VA_ARGS__)))
/// The exact group size of every launch, x, y, z; an extent that is not given is 1.
#define LATHE_GROUP_SIZE(...) __attribute__((annotate("lathe.group-size", __VA_ARGS__)))
/// Groups in a cluster of every launch, x, y, z, where hardware has clusters; a warning elsewhere.
#define LATHE_CLUSTER(...) __attribute__((annotate("lathe.cluster-size", __VA_ARGS__)))
/// The most registers that an item may use, where the target has such a limit.
#define LATHE_MAX_REGISTERS(count) __attribute__((annotate("lathe.max-registers", count)))

/// Marks an ordinary function that C code may call by its name, on targets that make libraries: `LATHE_EXPORT float
/// norm3(const float* v)`. Other targets drop it unless a kernel calls it.
#if defined(__CUDA__)
#define LATHE_EXPORT extern "C" __attribute__((device, annotate("lathe.export"), used))
#else
#define LATHE_EXPORT extern "C" __attribute__((annotate("lathe.export"), used))
#endif

/// Marks a function or variable that the program has which links or loads the code, on targets that run in programs:
/// `LATHE_IMPORT float table(unsigned)`, `LATHE_IMPORT float weights[16]`. Its name is as it stands, as in C.
#if defined(__CUDA__)
#define LATHE_IMPORT extern "C" __attribute__((device, annotate("lathe.import")))
#else
#define LATHE_IMPORT extern "C" __attribute__((annotate("lathe.import")))
#endif

#define LATHE_INLINE __attribute__((always_inline)) inline LATHE_DEVICE

extern "C" {
#define LATHE_ABI_CONVERGENT __attribute__((convergent))
#ifndef LATHE_ABI_NOEXCEPT
#define LATHE_ABI_NOEXCEPT noexcept
#endif
#include <lathe/device/abi_declarations.inc>
}

#endif
