// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// oneTBB's library, opened by the first launch that is spread over threads: to load it takes a program that launches
// little as long as its launches.
#pragma once

namespace lathe::detail {

#ifdef LATHE_TBB_IS_LINKED
// Headers of a later version may call other functions than those that are known here.
inline bool tbbIsOpen() {
  return true;
}
inline bool openTbb() {
  return true;
}
#else
/// Whether the program has the library already, or another launch has opened it.
[[nodiscard]] bool tbbIsOpen();

/// Opens it; false if it is not there. Only then may functions of oneTBB be called.
[[nodiscard]] bool openTbb();
#endif

}  // namespace lathe::detail
