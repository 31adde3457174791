// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random kernels that mean one thing: a small language of its own, of which there are three readers. text.cpp writes
// CUDA, interpret.cpp runs it item by item, shrink.cpp makes a failing one smaller.
//
// Every local variable exists from the beginning and belongs to one of four kinds by whose business it
// is: `u` and `f` are the item's, `g` has one value in the whole group, `w` one in each warp. Conditions and bounds are
// of a kind too, so that who takes a branch is known where it is generated. `m` are masks: the lanes that are here, of
// those that have not returned. No statement races with another, overflows a signed number, or divides by zero.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/conformance/suite/items.h"

namespace lathe::fuzz {

using conformance::Place;

enum class Kind { group, warp, item };  ///< who agrees on a value; each includes those before

enum class Op {
  // without operands; `index` says which
  constant,
  u,
  g,
  w,
  counter,
  itemId,
  laneId,
  warpId,
  groupId,
  itemCount,
  input,
  parameter,
  // unsigned
  privateLoad,
  add,
  sub,
  mul,
  bitAnd,
  bitOr,
  bitXor,
  shiftLeft,
  shiftRight,
  divide,
  modulo,
  least,
  greatest,
  less,
  equal,
  signedLess,
  signedShift,
  signedDivide,
  select,
  bitsOf,
  floatLess,
  // float
  floatConstant,
  f,
  floatAdd,
  floatSub,
  floatMul,
  fromUnsigned,
  floatSelect,
};

struct Expression {
  Op op = Op::constant;
  std::uint32_t index = 0;
  std::vector<Expression> operands = {};
};

enum class Do {
  assignU,
  assignG,
  assignW,
  assignF,
  privateStore,  ///< operands: index, value
  branch,        ///< operand: condition; both bodies. Masks, if `first` is not 0: of `body` and of `other`
  loop,          ///< operand: turns; `index` is the counter
  maskedLoop,    ///< the same, left one by one; `first` is the mask of those who stay
  leaveIf,       ///< break
  repeatIf,      ///< continue
  returnIf,      ///< only where `mask` is 0
  choose,        ///< switch of three by the operand; `first` is the mask of those who choose alike, 0 if all do
  exchange,  ///< through shared array `index`: operands value, place; `body` after the store, `other` after the load
  warpExchange,  ///< through shared memory within `mask`: operands value, place
  count,
  any,
  all,  ///< of the group, on the operand, into g
  ballot,
  warpAny,
  warpAll,
  match,
  reduce,  ///< within `mask`, into u
  shuffle,
  shuffleUp,
  shuffleDown,
  shuffleXor,  ///< within `mask`, operands value, place; into u
  atomicAdd,   ///< to a counter of the grid
};

struct Statement {
  Do what = Do::assignU;
  std::uint32_t index = 0;
  std::uint32_t mask = 0;    ///< of those who are here
  std::uint32_t first = 0;   ///< a new mask
  std::uint32_t second = 0;  ///< a new mask
  std::vector<Expression> operands = {};
  std::vector<Statement> body = {}, other = {}, third = {};
};
using Statements = std::vector<Statement>;

inline constexpr std::uint32_t us = 4, fs = 3, gs = 3, ws = 2, masks = 48, counters = 24, privates = 8, cells = 4;
inline constexpr std::uint32_t sharedArrays = 2, mostItems = 256, groups = 2, outputs = 2;
inline constexpr std::uint32_t parameterValue = 5;

struct Program {
  Statements statements;
  std::vector<Place> sizes;  ///< of groups; each is a launch
};

[[nodiscard]] Program generate(std::uint64_t seed);
/// CUDA; the kernel is `fuzz`.
[[nodiscard]] std::string textOf(const Program& program);

struct Memory {
  std::vector<std::uint32_t> in, out, cells;
};
[[nodiscard]] Memory initialMemory();
/// Runs `program` for groups of `size`. What is wrong with it, or an empty string.
[[nodiscard]] std::string interpret(const Program& program, const Place& size, Memory& memory);

/// Smaller programs of which `fails` is still true, as small as steps one by one lead to.
template <class Fails>
[[nodiscard]] Program shrink(Program program, const Fails& fails);

/// Programs with one thing less, the boldest first.
[[nodiscard]] std::vector<Program> simplerThan(const Program& program);

template <class Fails>
Program shrink(Program program, const Fails& fails) {
  for (bool again = true; again;) {
    again = false;
    for (Program& candidate : simplerThan(program)) {
      if (!fails(candidate)) continue;
      program = std::move(candidate);
      again = true;
      break;
    }
  }
  return program;
}

}  // namespace lathe::fuzz
