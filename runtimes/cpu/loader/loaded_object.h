// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A relocatable object as running code: placed in memory, linked, protected (nothing writable is executable) and made
// known to unwinders and debuggers; all of it undone with the object.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <lathe/result.h>
#include <lathe/runtime/host_symbols.h>

#include "runtimes/cpu/code/code_place.h"
#include "runtimes/cpu/loader/debugger.h"
#include "runtimes/cpu/loader/externals.h"
#include "runtimes/cpu/loader/shared_object.h"

namespace lathe::detail {

/// Pages of this process.
class Mapping {
 public:
  Mapping() = default;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping();
  /// Readable and writable zeros. False without memory.
  [[nodiscard]] bool allocate(std::size_t bytes);
  /// `protection` as for mprotect, of whole pages.
  [[nodiscard]] bool protect(std::size_t offset, std::size_t bytes, int protection);
  [[nodiscard]] std::byte* data() const noexcept { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

class LoadedObject {
 public:
  /// What `object` leaves undefined is looked for in `symbols` first. Errors: ImageCorrupt, UndefinedFunction
  /// (externals that are not allowed or not there, all of them), ArgumentMismatch (a variable is given for a function
  /// that is called), IncompatibleDevice (another machine's code), OutOfHostMemory. `object` is not needed afterwards.
  [[nodiscard]] static Result<std::unique_ptr<const LoadedObject>> load(std::span<const std::byte> object,
                                                                        const HostSymbols& symbols = {});

  /// A shared object, by the system's loader; see SharedObject::open().
  [[nodiscard]] static Result<std::unique_ptr<const LoadedObject>> loadShared(std::span<const std::byte> object);

  /// The address of a function, or null.
  [[nodiscard]] void* function(std::string_view name) const;
  /// Address and size of a variable, or null and 0.
  [[nodiscard]] std::pair<void*, std::size_t> variable(std::string_view name) const;

 private:
  friend class ObjectLinker;
  struct Symbol {
    std::byte* address;
    std::size_t size;
    bool isFunction;
  };
  LoadedObject() = default;

  Externals externals_;
  Mapping mapping_;
  std::map<std::string, Symbol, std::less<>> symbols_;
  // After the mapping, so that they end before it does.
  std::optional<UnwindRegistration> unwind_;
  std::optional<DebuggerRegistration> debugger_;
  std::optional<CodeRegistration> code_;  ///< of what the debugger was shown
  std::optional<SharedObject> shared_;    ///< then there is nothing of the above
};

}  // namespace lathe::detail
