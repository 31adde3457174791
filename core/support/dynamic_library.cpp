// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared libraries by dlopen.
#include "core/support/dynamic_library.h"

#include <dlfcn.h>

namespace lathe::detail {

Result<DynamicLibrary> DynamicLibrary::open(std::span<const char* const> names) {
  Error error{.code = ErrorCode::DriverMissing, .message = std::string(names.front()) + ": cannot be opened"};
  for (const char* name : names) {
    // Everything at once: a library that lacks something must fail here, not in the middle of a launch. Local, so that
    // it serves nobody else's symbols.
    if (void* const handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return DynamicLibrary(handle);
    const char* const reason = ::dlerror();
    error.notes.push_back({.message = reason ? reason : name});
  }
  return error;
}

DynamicLibrary::~DynamicLibrary() {
  if (handle_) ::dlclose(handle_);
}

void* DynamicLibrary::symbol(const char* name) const noexcept {
  return ::dlsym(handle_, name);
}

}  // namespace lathe::detail
