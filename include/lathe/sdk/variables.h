// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment's variables as a compile sees them.
#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <utility>

namespace lathe::sdk {

/// Variables that a program gives (CompilerConfig::variables), and behind them the process's own. Immutable.
class Variables {
 public:
  Variables() = default;
  explicit Variables(std::map<std::string, std::string> given) : given_(std::move(given)) {}
  /// The value; empty: it is not set, or to nothing.
  [[nodiscard]] std::string get(const std::string& name) const {
    if (const auto found = given_.find(name); found != given_.end()) return found->second;
    const char* const value = std::getenv(name.c_str());
    return value ? value : std::string();
  }

 private:
  std::map<std::string, std::string> given_;
};

}  // namespace lathe::sdk
