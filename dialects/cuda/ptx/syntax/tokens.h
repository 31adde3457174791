// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words and signs of PTX, one after the other, without blanks and comments.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace lathe::dialects::ptx {

class Tokens {
 public:
  explicit Tokens(llvm::StringRef text) : rest_(text) { advance(); }

  /// The token at hand: a name with its dots (`add.cc.u32`, `.reg`, `%tid.x`, `WAIT_${:uid}`), a number, an operand of
  /// the statement (`$0`), or one sign. Empty at the end.
  [[nodiscard]] llvm::StringRef now() const { return now_; }
  [[nodiscard]] bool atEnd() const { return now_.empty(); }
  void advance();
  /// Goes on if `sign` is at hand.
  bool take(llvm::StringRef sign);

 private:
  void skipBlanks();

  llvm::StringRef rest_;
  llvm::StringRef now_;
};

}  // namespace lathe::dialects::ptx
