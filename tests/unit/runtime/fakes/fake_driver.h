// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the stand-ins for vendors' libraries have in common: a state that the test shares with them, and functions that
// fail once if they are told to.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace lathe::test {

struct FakeDriver {
  char failing[64] = {};  ///< the function that fails next, once
  int failure = 0;        ///< with this status
  int lost = 0;           ///< what each of them returns from now on; 0: not lost
  int calls = 0;          ///< of functions that can fail

  void failNext(const char* function, int status) {
    std::strcpy(failing, function);
    failure = status;
  }
  /// What `function` was told to return, once; else success.
  int statusOf(const char* function) {
    ++calls;
    if (lost != 0) return lost;
    if (std::strcmp(failing, function) != 0) return 0;
    failing[0] = '\0';
    return failure;
  }
};

/// The state of the stand-in at `path`, which its function `symbol` gives. Opened before the runtime looks for a
/// library of that name, the stand-in is the one it finds.
template <class Fake>
Fake& openFake(const char* path, const char* symbol) {
  void* const library = ::dlopen(path, RTLD_NOW);
  auto* const get = library ? reinterpret_cast<Fake* (*)()>(::dlsym(library, symbol)) : nullptr;
  if (!get) std::abort();  // a broken build: no test means anything
  return *get();
}

}  // namespace lathe::test

/// Begins the definition of a function of a stand-in's.
#define LATHE_FAKE(result, name, parameters) extern "C" __attribute__((visibility("default"))) result name parameters
