// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What oneTBB's headers call is defined here, and passes each call on to the library. Nothing else sees these
// definitions: the map of exported symbols has none of them.
#include "runtimes/cpu/tbb_library.h"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <mutex>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace d1 = tbb::detail::d1;

namespace lathe::detail {
namespace {

struct TbbFunctions {
#define LATHE_TBB(member, name, symbol, result, parameters, arguments) result(*member) parameters;
#include "runtimes/cpu/tbb_functions.def"
#undef LATHE_TBB
};

TbbFunctions functions;
std::atomic<bool> isOpen = false;

/// False: a function is not there.
bool take(void* library) {
#define LATHE_TBB(member, name, symbol, result, parameters, arguments)                       \
  functions.member = reinterpret_cast<decltype(functions.member)>(::dlsym(library, symbol)); \
  if (!functions.member) return false;
#include "runtimes/cpu/tbb_functions.def"
#undef LATHE_TBB
  return true;
}

/// The library is never closed: its threads may run to the end of the process.
bool open(int further) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  if (isOpen.load(std::memory_order_relaxed)) return true;
  void* const library = ::dlopen("libtbb.so.12", RTLD_NOW | RTLD_LOCAL | further);
  if (!library || !take(library)) return false;
  isOpen.store(true, std::memory_order_release);
  return true;
}

}  // namespace

bool tbbIsOpen() {
  static const bool isThereAtFirst = open(RTLD_NOLOAD);
  return isThereAtFirst || isOpen.load(std::memory_order_acquire);
}

bool openTbb() {
  if (isOpen.load(std::memory_order_acquire)) return true;
  static const bool isThere = open(0);
  return isThere;
}

}  // namespace lathe::detail

namespace tbb::detail::r1 {

#define LATHE_TBB(member, name, symbol, result, parameters, arguments) \
  result name parameters {                                             \
    return lathe::detail::functions.member arguments;                  \
  }
#include "runtimes/cpu/tbb_functions.def"
#undef LATHE_TBB

}  // namespace tbb::detail::r1
