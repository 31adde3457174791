// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a target's device.cpp: printing, assertions and traps of kernels that have a state. Include it in the device.cpp
// of a target whose descriptor says `state: true`, and define lathe_state::endItem() behind it.
//
// The function that runs only when something fails is kept out of line. Functions that read indices or the state are
// inlined, so that the former gets values only.
#ifndef LATHE_SDK_DEVICE_STATE_H
#define LATHE_SDK_DEVICE_STATE_H

#include <lathe/sdk/device_abi.h>
#include <lathe/sdk/kernel_state.h>

#define LATHE_STATE_INLINE inline __attribute__((always_inline))
#define LATHE_STATE_ENTRY extern "C" __attribute__((always_inline))

namespace lathe_state {

using namespace lathe::abi;

/// Ends this item, or more than it where the target cannot end one alone. The target's to define.
[[noreturn]] LATHE_STATE_INLINE void endItem();

/// A pointer of the state. Where atomics need to know their memory, a device.cpp names the address space of the
/// device's memory, LATHE_STATE_SPACE, before it includes this file; the pointer is then read as one of that space,
/// because LLVM drops a cast there and back.
template <class T>
LATHE_STATE_INLINE T* deviceMemory(T* const& field) {
#ifdef LATHE_STATE_SPACE
  __attribute__((address_space(LATHE_STATE_SPACE))) T* out;
  __builtin_memcpy(&out, &field, sizeof(out));
  return (T*)out;
#else
  return field;
#endif
}

LATHE_STATE_INLINE const KernelState& state() {
  return *static_cast<const KernelState*>(__lathe_state());
}

LATHE_STATE_INLINE ExceptionRecord* exception() {
  return deviceMemory(state().exception);
}

/// Copies at most textBytes - 1 characters and a zero. `from` may be null.
LATHE_STATE_INLINE void copyText(char* to, const char* from) {
  unsigned length = 0;
  for (; from && length < ExceptionRecord::textBytes - 1 && from[length]; ++length) to[length] = from[length];
  to[length] = 0;
}

/// Stores a value so that the host, when it sees it, sees all earlier stores too. It is a fence and a relaxed store,
/// because old GPUs know no release stores.
template <class T>
LATHE_STATE_INLINE void publish(T* to, T value) {
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_store_n(to, value, __ATOMIC_RELAXED);
}

/// Fills in the record if no item has done so.
__attribute__((noinline, cold)) inline void report(ExceptionRecord* record, unsigned long kernel, ExceptionKind kind,
                                                   const char* message, const char* file, unsigned line,
                                                   const char* function, unsigned groupX, unsigned groupY,
                                                   unsigned groupZ, unsigned itemX, unsigned itemY, unsigned itemZ) {
  unsigned nobody = 0;
  if (!__atomic_compare_exchange_n(&record->claimed, &nobody, 1U, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  record->kind = kind;
  record->line = line;
  record->kernel = kernel;
  record->group[0] = groupX;
  record->group[1] = groupY;
  record->group[2] = groupZ;
  record->item[0] = itemX;
  record->item[1] = itemY;
  record->item[2] = itemZ;
  copyText(record->message, message);
  copyText(record->file, file);
  copyText(record->function, function);
  publish(&record->complete, 1U);
}

/// Reports the failure with the item's position and ends the item.
[[noreturn]] LATHE_STATE_INLINE void fail(ExceptionRecord* record, unsigned long kernel, ExceptionKind kind,
                                          const void* message, const void* file, unsigned line, const void* function) {
  report(record, kernel, kind, static_cast<const char*>(message), static_cast<const char*>(file), line,
         static_cast<const char*>(function), __lathe_group_id_x(), __lathe_group_id_y(), __lathe_group_id_z(),
         __lathe_item_id_x(), __lathe_item_id_y(), __lathe_item_id_z());
  endItem();
}
/// As fail(), in functions where the item's position is not known.
[[noreturn]] LATHE_STATE_INLINE void failWithoutLocation(ExceptionRecord* record, unsigned long kernel,
                                                         ExceptionKind kind, const void* message, const void* file,
                                                         unsigned line, const void* function) {
  constexpr unsigned no = ExceptionRecord::noLocation;
  report(record, kernel, kind, static_cast<const char*>(message), static_cast<const char*>(file), line,
         static_cast<const char*>(function), no, no, no, no, no, no);
  endItem();
}

/// Characters of `text`, at most PrintBuffer::textBytes.
LATHE_STATE_INLINE unsigned lengthOf(const char* text) {
  unsigned length = 0;
  while (length < PrintBuffer::textBytes && text[length]) ++length;
  return length;
}
LATHE_STATE_INLINE unsigned long padded(unsigned long bytes) {
  return (bytes + 7) & ~7UL;
}
/// The offset in a packed block of an argument of `type` whose predecessor ends at `offset`.
LATHE_STATE_INLINE unsigned long placeOf(char type, unsigned long offset) {
  return type == printInt ? (offset + 3) & ~3UL : padded(offset);
}
LATHE_STATE_INLINE const char* stringAt(const char* place) {
  const char* const text = *reinterpret_cast<const char* const*>(place);
  return text ? text : "(null)";
}
/// True if `format` prints its argument number `index` as text.
LATHE_STATE_INLINE bool printsText(const char* format, unsigned index) {
  unsigned next = 0;
  for (unsigned at = 0; at < PrintBuffer::textBytes && format[at]; ++at) {
    if (format[at] != '%') continue;
    const auto isModifier = [](char c) {
      return (c >= '0' && c <= '9') || c == '.' || c == '*' || c == '-' || c == '+' || c == ' ' || c == '#' ||
             c == 'h' || c == 'l' || c == 'z' || c == 'j' || c == 't' || c == 'L' || c == 'q';
    };
    for (++at; isModifier(format[at]); ++at) next += format[at] == '*';
    if (!format[at]) return false;
    if (format[at] == '%') continue;
    if (next == index) return format[at] == 's';
    ++next;
  }
  return false;
}
LATHE_STATE_INLINE char resolved(char type, const char* format, unsigned index) {
  if (type != printUnknown) return type;
  return static_cast<char>(printsText(format, index) ? printString : printPointer);
}
LATHE_STATE_INLINE char* put(char* to, const char* from, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) to[i] = from[i];
  return to + bytes;
}

/// Appends a record to the buffer. Returns the number of arguments; -1 if the record was dropped.
__attribute__((noinline)) inline unsigned print(PrintBuffer* buffer, const char* format, const char* arguments,
                                                const char* types) {
  const unsigned formatBytes = lengthOf(format);
  unsigned count = 0;
  unsigned long offset = 0, valueBytes = 0;
  for (; types[count]; ++count) {
    const unsigned long place = placeOf(types[count], offset);
    valueBytes += 8;
    if (resolved(types[count], format, count) == printString)
      valueBytes += padded(lengthOf(stringAt(arguments + place)));
    offset = place + (types[count] == printInt ? 4 : 8);
  }
  const unsigned long textBytes = padded(count + 1 + formatBytes + 1);
  const unsigned long bytes = 8 + textBytes + valueBytes;
  const unsigned long at = __atomic_fetch_add(&buffer->used, bytes, __ATOMIC_RELAXED);
  if (at > buffer->capacity || bytes > buffer->capacity - at) {
    __atomic_fetch_add(&buffer->dropped, 1UL, __ATOMIC_RELAXED);
    return ~0U;
  }
  char* const record = reinterpret_cast<char*>(buffer + 1) + at;
  *reinterpret_cast<unsigned long*>(record) = ~0UL;
  char* to = record + 8;
  for (unsigned i = 0; i < count; ++i) *to++ = resolved(types[i], format, i);
  *to++ = 0;
  to = put(to, format, formatBytes);
  *to = 0;
  to = record + 8 + textBytes;
  offset = 0;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned long place = placeOf(types[i], offset);
    const char* const from = arguments + place;
    offset = place + (types[i] == printInt ? 4 : 8);
    auto* const value = reinterpret_cast<unsigned long*>(to);
    to += 8;
    if (types[i] == printInt) {
      *value = *reinterpret_cast<const unsigned*>(from);
    } else if (record[8 + i] != printString) {
      *value = *reinterpret_cast<const unsigned long*>(from);
    } else {
      const char* const text = stringAt(from);
      const unsigned length = lengthOf(text);
      *value = length;
      put(to, text, length);
      to += padded(length);
    }
  }
  publish(reinterpret_cast<unsigned long*>(record), bytes);
  return count;
}

}  // namespace lathe_state

LATHE_STATE_ENTRY unsigned __lathe_state_print(const void* format, const void* arguments, const void* types) {
  return lathe_state::print(lathe_state::deviceMemory(lathe_state::state().print), static_cast<const char*>(format),
                            static_cast<const char*>(arguments), static_cast<const char*>(types));
}
LATHE_STATE_ENTRY void __lathe_state_assert_fail(const void* expression, const void* file, unsigned line,
                                                 const void* function) {
  lathe_state::fail(lathe_state::exception(), lathe_state::state().kernel, lathe_state::ExceptionKind::assertion,
                    expression, file, line, function);
}
LATHE_STATE_ENTRY void __lathe_state_assert_fail_without_location(const void* expression, const void* file,
                                                                  unsigned line, const void* function) {
  lathe_state::failWithoutLocation(lathe_state::exception(), lathe_state::state().kernel,
                                   lathe_state::ExceptionKind::assertion, expression, file, line, function);
}
LATHE_STATE_ENTRY void __lathe_state_trap_without_location() {
  lathe_state::failWithoutLocation(lathe_state::exception(), lathe_state::state().kernel,
                                   lathe_state::ExceptionKind::trap, nullptr, nullptr, 0, nullptr);
}
LATHE_STATE_ENTRY void __lathe_state_trap() {
  lathe_state::fail(lathe_state::exception(), lathe_state::state().kernel, lathe_state::ExceptionKind::trap, nullptr,
                    nullptr, 0, nullptr);
}

#endif
