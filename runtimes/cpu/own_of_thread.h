// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a thread that outlives its destructors: programs launch from destructors of static and thread-local
// objects, some of which run after those of the runtime.
#pragma once

#include <new>
#include <utility>

namespace lathe::detail {

/// The calling thread's T, made on the first call; null without memory. It ends with the thread; who asks after that
/// gets another one, which is left behind.
template <class T>
[[nodiscard]] T* ownOfThread() noexcept {
  static thread_local constinit T* own = nullptr;  // neither needs a destructor
  static thread_local constinit bool isOver = false;
  struct End {
    ~End() {
      isOver = true;
      delete std::exchange(own, nullptr);
    }
  };
  if (!own) {
    own = new (std::nothrow) T;
    if (!isOver) {
      static thread_local const End end;
      (void)&end;
    }
  }
  return own;
}

}  // namespace lathe::detail
