// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In place of libc++'s: the compiler declares the usual ones itself, when a new-expression asks for them.
#ifndef LATHE_STD___NEW_GLOBAL_NEW_DELETE_H
#define LATHE_STD___NEW_GLOBAL_NEW_DELETE_H
#include <__config>
#include <__new/align_val_t.h>
#include <__new/nothrow_t.h>
void* operator new(std::size_t, std::align_val_t, const std::nothrow_t&) noexcept;
void* operator new[](std::size_t, std::align_val_t, const std::nothrow_t&) noexcept;
void operator delete(void*, std::align_val_t, const std::nothrow_t&) noexcept;
void operator delete[](void*, std::align_val_t, const std::nothrow_t&) noexcept;
void* operator new(std::size_t, const std::nothrow_t&) noexcept;
void* operator new[](std::size_t, const std::nothrow_t&) noexcept;
void operator delete(void*, const std::nothrow_t&) noexcept;
void operator delete[](void*, const std::nothrow_t&) noexcept;
#endif
