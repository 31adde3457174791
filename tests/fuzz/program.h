// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random kernels that mean one thing: a small language of its own, of which there are three readers. text.cpp writes
// CUDA, interpret.cpp runs it item by item, shrink.cpp makes a failing one smaller.
//
// Every local variable exists from the beginning and belongs to one of four kinds by whose business it
// is: `u`, `l`, `f` and `d` (one a type) are the item's, `g` has one value in the whole group, `w` one in each warp.
// Conditions and bounds are of a kind too, so that who takes a branch is known where it is generated. `m` are masks:
// the lanes that are here, of those that have not returned. No statement races with another, overflows a signed number,
// or divides by zero. Not-a-number has many forms, so no bits of one are looked at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/conformance/suite/items.h"

namespace lathe::fuzz {

using conformance::Place;

enum class Kind { group, warp, item };  ///< who agrees on a value; each includes those before

enum class Type { number, wide, real, twice };  ///< unsigned of 32 and 64 bits, float, double

enum class Op {
  // without operands; `index` says which
  constant,
  variable,  ///< u, l, f or d
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
  argument,  ///< of the function: the first, and both halves of the second
  // of the item's memory, at the operand; `index` is the width's logarithm, 4 more where the sign is extended
  privateLoad,
  byteLoad,
  halfLoad,
  ownLoad,
  // of one type
  add,
  sub,
  mul,
  divide,
  select,
  squareRoot,
  multiplyAdd,
  bitAnd,
  bitOr,
  bitXor,
  shiftLeft,
  shiftRight,
  signedShift,
  modulo,
  least,
  greatest,
  signedLeast,
  signedDivide,
  highProduct,
  // from operands of any one type to a number
  less,
  equal,
  signedLess,
  ones,
  zerosBefore,
  // from any type to any
  convert,
  bitsOf,
};

struct Expression {
  Op op = Op::constant;
  std::uint32_t index = 0;
  Type type = Type::number;
  std::vector<Expression> operands = {};
};

enum class Do {
  assign,  ///< to the variable of the operand's type
  assignG,
  assignW,
  privateStore,  ///< operands: index, value
  byteStore,
  halfStore,
  ownStore,    ///< operands: index, value; of 1 << `index` bytes
  branch,      ///< operand: condition; both bodies. Masks, if `first` is not 0: of `body` and of `other`
  loop,        ///< operand: turns; `index` is the counter
  untilLoop,   ///< do while, operand: condition, at most four turns
  maskedLoop,  ///< as loop, left one by one; `first` is the mask of those who stay
  leaveIf,     ///< break
  repeatIf,    ///< continue
  returnIf,    ///< only where `mask` is 0
  comeBackIf,  ///< return from a function
  choose,      ///< switch of three by the operand; `first` is the mask of those who choose alike, 0 if all do.
               ///< `second`: the first choice falls through to the second
  call,        ///< function `index`; operands: the argument and the halves of the second; into u[first] and l[second]
  exchange,    ///< through shared array `index` of cells of kind `cell`: operands value, place; `body` after the store,
               ///< `other` after the load
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
  shuffleXor,     ///< within `mask`, operands value, place; into the variable of the value's type
  atomic,         ///< on a cell of the grid, by the cell's own function
  atomicByTrial,  ///< the same for a sum, by compare and exchange
  wideAtomic,
  sharedAtomic,
  sharedRead,  ///< into u[first], between barriers
};

struct Statement {
  Do what = Do::assign;
  std::uint32_t index = 0;
  std::uint32_t mask = 0;    ///< of those who are here
  std::uint32_t first = 0;   ///< a new mask
  std::uint32_t second = 0;  ///< a new mask
  std::uint32_t cell = 0;
  std::vector<Expression> operands = {};
  std::vector<Statement> body = {}, other = {}, third = {};
};
using Statements = std::vector<Statement>;

inline constexpr std::uint32_t us = 4, ls = 2, fs = 3, ds = 2, gs = 3, ws = 2, masks = 64, counters = 24, privates = 8;
inline constexpr std::uint32_t ownBytes = 16, cells = 6, wideCells = 2, cellKinds = 9;
inline constexpr std::uint32_t sharedArrays = 2, mostItems = 256, groups = 2, outputs = 2;
inline constexpr std::uint32_t parameterValue = 5;

struct Function {
  Kind here = Kind::item;  ///< for callers of which groups, warps or items come together
  bool masked = false;     ///< `mask` names those who came
  std::uint32_t mask = 0;
  bool outOfLine = false;
  Statements body = {};
  Expression x = {}, y = {};  ///< the result
};

struct Program {
  std::vector<Statements> entries;  ///< kernels that share the functions
  std::vector<Function> functions;  ///< each calls only later ones
  std::vector<Place> sizes;         ///< of groups; each is a launch of each kernel
  bool dynamic = false;             ///< the second shared array has its size from the launch
  bool tall = false;                ///< groups lie along y
};

[[nodiscard]] Program generate(std::uint64_t seed);
/// CUDA; the kernels are `fuzz0` and so on.
[[nodiscard]] std::string textOf(const Program& program);
[[nodiscard]] std::string textOf(const Expression& expression);

struct Memory {
  std::vector<std::uint32_t> in, out, cells;
  std::vector<std::uint64_t> wideCells;
  std::vector<std::uint8_t> own;  ///< `ownBytes` for each item
};
[[nodiscard]] Memory initialMemory();
/// Runs an entry of `program` for groups of `size`. What is wrong with it, or an empty string.
[[nodiscard]] std::string interpret(const Program& program, std::size_t entry, const Place& size, Memory& memory);
/// Whether items return from a kernel while others go on, as checked mode does not allow before a barrier.
[[nodiscard]] bool returnsEarly(const Program& program);

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
