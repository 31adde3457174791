// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that a kernel with the `state` entry ABI shares with its runtime: the hidden argument and the memory it
// points to. Device code (<lathe/sdk/device_state.h>) and runtimes both include this file, so it includes nothing. All
// targets with a state are little-endian with 64-bit pointers; `unsigned` has 32 bits and `unsigned long` 64.
//
// The hidden argument is described in the image, field by field. A runtime fills in each field by its name, so fields
// can be added; one that it does not know makes it refuse the kernel.
#ifndef LATHE_SDK_KERNEL_STATE_H
#define LATHE_SDK_KERNEL_STATE_H

namespace lathe::abi {

/// The kind of a failure in a kernel.
enum class ExceptionKind : unsigned { none, assertion, trap };

/// The first failure of a queue of launches. The item that turns `claimed` from 0 to 1 writes the rest and then sets
/// `complete`; the runtime clears both when it has reported it.
struct ExceptionRecord {
  static constexpr unsigned textBytes = 256;   ///< with the zero at the end; longer texts are cut
  static constexpr unsigned noLocation = ~0U;  ///< a group or item that is not known
  unsigned claimed;
  unsigned complete;
  ExceptionKind kind;
  unsigned line;
  unsigned long kernel;  ///< KernelState::kernel
  unsigned group[3];
  unsigned item[3];
  char message[textBytes];
  char file[textBytes];
  char function[textBytes];
};

/// Followed by `capacity` bytes of records, zero where none is. A record is
///
///     u64 bytes of it, this field included, a multiple of 8; all ones while it is being written
///     the types and the format, each ended by a zero byte, then zeros up to a multiple of 8
///     for each type 8 bytes of value; for an 's' instead its length and its characters, with zeros up to a multiple of
///     8
///
/// Room is taken by one atomic addition to `used`, which may pass `capacity`: a record that does not fit is dropped,
/// and so are those after it.
struct PrintBuffer {
  static constexpr unsigned textBytes = 4096;  ///< most characters of a format or a string; longer ones are cut
  unsigned long capacity;
  unsigned long used;
  unsigned long dropped;  ///< records
};

/// Memory that kernels take and give back, for targets that have none of their own (<lathe/sdk/device_heap.h>). One for
/// a device; what kernels took outlives them. Followed by `capacity` bytes, aligned to 16; the rest begins as zeros.
struct Heap {
  static constexpr unsigned sizeClasses = 28;
  unsigned long capacity;
  unsigned long used;               ///< bytes from the front that were ever part of a block
  unsigned long free[sizeClasses];  ///< the stacks of free blocks of 32 << class bytes
};

/// The barrier of a queue's grids, for targets that have none of their own (<lathe/sdk/device_grid.h>); in device
/// memory, zero at first and when no cooperative launch is under way.
struct GridBarrier {
  unsigned arrived;  ///< groups, in this round
  unsigned round;
};

/// The hidden argument.
struct KernelState {
  ExceptionRecord* exception;
  PrintBuffer* print;
  unsigned long kernel;  ///< a number by which the runtime finds the kernel again
  Heap* heap;            ///< described, and not null, only where a kernel of the image allocates
  GridBarrier* grid;     ///< the same where one waits for its grid; the argument ends before it elsewhere
};

static_assert(sizeof(KernelState) == 40 && sizeof(GridBarrier) == 8 && sizeof(Heap) == 240 &&
              sizeof(PrintBuffer) == 24 && sizeof(ExceptionRecord) == 48 + 3 * 256);

/// The types of a print's arguments, one letter each: a 32-bit or 64-bit integer, a double, a pointer, a string, and a
/// pointer of which only the format knows whether it is a string. The last is never in a record.
enum PrintType : char {
  printInt = 'i',
  printLong = 'l',
  printDouble = 'd',
  printPointer = 'p',
  printString = 's',
  printUnknown = 'u'
};

}  // namespace lathe::abi

#endif
