// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spreads the groups of a launch over the host's cores. Two implementations: oneTBB's scheduler, which a program's
// other parallel work shares, and a small pool for static builds. The build takes one of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace lathe::detail {

class GroupScheduler {
 public:
  GroupScheduler();
  ~GroupScheduler();
  /// Calls body(first, last) for ranges that cover [0, count) exactly once, on the calling thread and on others, and
  /// returns when all calls have. May be called from any number of threads at once. `body` must not throw or wait.
  template <class Body>
  void run(std::uint64_t count, const Body& body) const {
    runErased(
        count,
        [](const void* erased, std::uint64_t first, std::uint64_t last) {
          (*static_cast<const Body*>(erased))(first, last);
        },
        &body);
  }
  /// "oneTBB 2021.8"
  [[nodiscard]] std::string description() const;

 private:
  using ErasedBody = void (*)(const void* body, std::uint64_t first, std::uint64_t last);
  void runErased(std::uint64_t count, ErasedBody call, const void* body) const;

  struct Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace lathe::detail
