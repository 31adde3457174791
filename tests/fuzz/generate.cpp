// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generator. A context says who is here and what may therefore be written.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>

#include "tests/fuzz/program.h"

namespace lathe::fuzz {
namespace {

/// splitmix64 (Steele et al., OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(next() % bound); }
  std::uint32_t bits() { return static_cast<std::uint32_t>(next()); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <class T>
  T of(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<std::uint32_t>(choices.size()))];
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  std::uint64_t state_;
};

struct Context {
  Kind here = Kind::group;  ///< who takes this way together
  bool masked = true;       ///< `mask` names the lanes that are here
  std::uint32_t mask = 0;
  bool inLoop = false;                              ///< whose turns may be left by conditions of `here`
  std::uint32_t arrays = (1U << sharedArrays) - 1;  ///< that nobody is using
  unsigned depth = 0;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Program run() {
    Program out;
    left_ = 14 + static_cast<int>(random_.below(22));
    out.statements = statements({}, 4 + random_.below(5));
    const Place sizes[] = {{1, 1, 1},   {31, 1, 1},  {32, 1, 1}, {33, 1, 1}, {64, 1, 1}, {96, 1, 1},
                           {100, 1, 1}, {256, 1, 1}, {12, 8, 1}, {33, 3, 1}, {8, 4, 3},  {5, 7, 2}};
    out.sizes = {{256, 1, 1}, sizes[random_.below(12)], sizes[random_.below(12)]};
    return out;
  }

 private:
  Statements statements(const Context& context, std::uint32_t most) {
    Statements out;
    for (std::uint32_t i = 0; i < most && left_ > 0; ++i) {
      --left_;
      out.push_back(statement(context));
    }
    return out;
  }

  Context inside(const Context& context) const {
    Context out = context;
    ++out.depth;
    return out;
  }

  std::uint32_t newMask() { return nextMask_ < masks ? nextMask_++ : 0; }

  Statement statement(const Context& context) {
    const bool deep = context.depth > 4;
    for (;;) {
      switch (random_.below(deep ? 12 : 22)) {
        case 0:
        case 1:
          return assignment(context);
        case 2:
          return {.what = Do::privateStore, .operands = {number(Kind::item, 2), number(Kind::item, 3)}};
        case 3:
          if (context.masked) return subgroup(context);
          break;
        case 4:
          if (context.masked) return subgroup(context);
          break;
        case 5:
          if (context.masked) return exchangeOfWarp(context);
          break;
        case 6:
          if (context.here == Kind::group) return voteOfGroup();
          break;
        case 7:
          if (context.inLoop) {
            // Those whom a mask names leave together.
            const Kind kind = context.masked ? std::min(context.here, Kind::warp) : context.here;
            return {.what = random_.of({Do::leaveIf, Do::repeatIf}), .operands = {condition(kind)}};
          }
          break;
        case 8:
          return {.what = Do::atomicAdd, .index = random_.below(cells), .operands = {number(Kind::item, 2)}};
        case 9:
          if (context.masked && context.mask == 0 && random_.chance(40))
            return {.what = Do::returnIf, .operands = {rareCondition()}};
          break;
        case 10:
        case 11:
          if (context.here == Kind::group && context.arrays) return exchangeOfGroup(context);
          break;
        case 12:
        case 13:
        case 14:
          return branch(context);
        case 15:
        case 16:
        case 17:
          return loop(context);
        case 18:
          if (nextCounter_ < counters) return maskedLoop(context);
          break;
        case 19:
          return choice(context);
        default:
          if (context.here == Kind::group && context.arrays) return exchangeOfGroup(context);
          return branch(context);
      }
    }
  }

  Statement assignment(const Context& context) {
    const auto kind = random_.below(10);
    if (kind < 2) return {.what = Do::assignF, .index = random_.below(fs), .operands = {real(3)}};
    if (kind < 4 && context.here == Kind::group)
      return {.what = Do::assignG, .index = random_.below(gs), .operands = {number(Kind::group, 3)}};
    if (kind < 5 && context.masked && context.mask == 0)
      return {.what = Do::assignW, .index = random_.below(ws), .operands = {number(Kind::warp, 3)}};
    return {.what = Do::assignU, .index = random_.below(us), .operands = {number(Kind::item, 4)}};
  }

  Statement voteOfGroup() {
    return {.what = random_.of({Do::count, Do::any, Do::all}),
            .index = random_.below(gs),
            .operands = {condition(Kind::item)}};
  }

  Statement subgroup(const Context& context) {
    Statement out{.what = random_.of({Do::ballot, Do::warpAny, Do::warpAll, Do::match, Do::reduce, Do::shuffle,
                                      Do::shuffle, Do::shuffleUp, Do::shuffleDown, Do::shuffleXor}),
                  .index = random_.below(us),
                  .mask = context.mask};
    out.operands = {number(Kind::item, 2), number(Kind::item, 1)};
    return out;
  }

  Statement exchangeOfWarp(const Context& context) {
    return {.what = Do::warpExchange,
            .index = random_.below(us),
            .mask = context.mask,
            .operands = {number(Kind::item, 2), number(Kind::item, 2)}};
  }

  Statement exchangeOfGroup(const Context& context) {
    Context between = inside(context);
    between.inLoop = false;  // nobody leaves between a store and the barrier behind the loads
    Statement out{.what = Do::exchange, .mask = random_.below(us)};
    out.index = context.arrays & 1 ? 0 : 1;
    between.arrays &= ~(1U << out.index);
    out.operands = {number(Kind::item, 3), number(Kind::item, 2)};
    out.body = statements(between, random_.below(3));
    out.other = statements(between, random_.below(3));
    return out;
  }

  /// Of those who are here, who may part: as `here` says, or more.
  Kind kindOfChoice(const Context& context) {
    const auto kind = random_.below(10);
    if (kind < 3) return context.here;
    if (kind < 5) return std::max(context.here, Kind::warp);
    return Kind::item;
  }

  /// The context of one side of a choice of `kind`; `mask`: of that side, if items part.
  Context side(const Context& context, Kind kind, std::uint32_t mask) const {
    Context out = inside(context);
    out.here = std::max(context.here, kind);
    if (kind > context.here || (kind == Kind::item && context.masked)) out.inLoop = false;
    if (kind == Kind::item) {
      out.masked = context.masked && mask != 0;
      out.mask = mask;
    }
    return out;
  }

  Statement branch(const Context& context) {
    const Kind kind = kindOfChoice(context);
    Statement out{.what = Do::branch, .mask = context.mask, .operands = {condition(kind)}};
    if (kind == Kind::item && context.masked && random_.chance(80)) {
      out.first = newMask();
      out.second = out.first ? newMask() : 0;
      if (!out.second) out.first = 0;
    }
    out.body = statements(side(context, kind, out.first), 1 + random_.below(4));
    if (random_.chance(60)) out.other = statements(side(context, kind, out.second), 1 + random_.below(3));
    return out;
  }

  Statement loop(const Context& context) {
    if (nextCounter_ >= counters) return assignment(context);
    const Kind kind = kindOfChoice(context);
    Statement out{.what = Do::loop, .index = nextCounter_++, .operands = {number(kind, 2)}};
    Context turn = side(context, kind, 0);
    turn.inLoop = true;
    live_.push_back({out.index, turn.here});
    out.body = statements(turn, 1 + random_.below(4));
    live_.pop_back();
    return out;
  }

  Statement maskedLoop(const Context& context) {
    const std::uint32_t mask = context.masked ? newMask() : 0;
    if (!mask) return loop(context);
    Statement out{.what = Do::maskedLoop,
                  .index = nextCounter_++,
                  .mask = context.mask,
                  .first = mask,
                  .operands = {number(Kind::item, 3)}};
    Context turn = side(context, Kind::item, mask);
    live_.push_back({out.index, Kind::item});
    out.body = statements(turn, 1 + random_.below(4));
    live_.pop_back();
    return out;
  }

  Statement choice(const Context& context) {
    const Kind kind = kindOfChoice(context);
    Statement out{.what = Do::choose, .mask = context.mask, .operands = {number(kind, 2)}};
    if (kind == Kind::item && context.masked) out.first = newMask();
    Context chosen = side(context, kind, out.first);
    chosen.inLoop = false;  // break would be the choice's
    out.body = statements(chosen, 1 + random_.below(2));
    out.other = statements(chosen, 1 + random_.below(2));
    out.third = statements(chosen, random_.below(2));
    return out;
  }

  Expression constant() {
    const std::uint32_t values[] = {random_.below(8), random_.below(300), random_.bits(), 0xffffffffU};
    return {.op = Op::constant, .index = values[random_.below(4)]};
  }

  Expression leaf(Kind kind) {
    const auto choice = random_.below(kind == Kind::group ? 5 : kind == Kind::warp ? 7 : 13);
    switch (choice) {
      case 0:
        return constant();
      case 1:
        return {.op = random_.of({Op::groupId, Op::itemCount, Op::parameter})};
      case 2:
      case 3:
        return {.op = Op::g, .index = random_.below(gs)};
      case 4: {
        std::vector<std::uint32_t> known;
        for (const Counter& counter : live_)
          if (counter.kind <= kind) known.push_back(counter.index);
        if (known.empty()) return constant();
        return {.op = Op::counter, .index = known[random_.below(static_cast<std::uint32_t>(known.size()))]};
      }
      case 5:
        return {.op = Op::warpId};
      case 6:
        return {.op = Op::w, .index = random_.below(ws)};
      case 7:
        return {.op = random_.of({Op::itemId, Op::laneId})};
      case 8:
        return {.op = Op::input};
      default:
        return {.op = Op::u, .index = random_.below(us)};
    }
  }

  Expression number(Kind kind, unsigned depth) {
    if (depth == 0 || random_.chance(20)) return leaf(kind);
    if (kind == Kind::item && random_.chance(12)) {
      if (random_.chance(50)) return {.op = Op::bitsOf, .operands = {real(depth - 1)}};
      return {.op = Op::privateLoad, .operands = {number(kind, depth - 1)}};
    }
    if (random_.chance(10))
      return {.op = Op::select,
              .operands = {number(kind, depth - 1), number(kind, depth - 1), number(kind, depth - 1)}};
    const Op op = random_.of({Op::add, Op::add, Op::sub, Op::mul, Op::mul, Op::bitAnd, Op::bitOr, Op::bitXor,
                              Op::shiftLeft, Op::shiftRight, Op::divide, Op::modulo, Op::least, Op::greatest, Op::less,
                              Op::equal, Op::signedLess, Op::signedShift, Op::signedDivide});
    return {.op = op, .operands = {number(kind, depth - 1), number(kind, depth - 1)}};
  }

  Expression condition(Kind kind) {
    if (kind == Kind::item && random_.chance(10)) return {.op = Op::floatLess, .operands = {real(2), real(2)}};
    if (random_.chance(50)) {
      // True for one of a few values.
      const Expression few{.op = Op::constant, .index = 2 + random_.below(4)};
      const Expression one{.op = Op::constant, .index = random_.below(few.index)};
      return {.op = Op::equal, .operands = {{.op = Op::modulo, .operands = {number(kind, 2), few}}, one}};
    }
    return {.op = random_.of({Op::less, Op::signedLess, Op::equal, Op::bitAnd}),
            .operands = {number(kind, 2), number(kind, 2)}};
  }

  Expression rareCondition() {
    const Expression many{.op = Op::constant, .index = 3 + random_.below(9)};
    return {
        .op = Op::equal,
        .operands = {{.op = Op::modulo, .operands = {number(Kind::item, 2), many}}, {.op = Op::constant, .index = 1}}};
  }

  Expression real(unsigned depth) {
    if (depth == 0 || random_.chance(25)) {
      if (random_.chance(40)) return {.op = Op::floatConstant, .index = random_.below(6)};
      return {.op = Op::f, .index = random_.below(fs)};
    }
    switch (random_.below(6)) {
      case 0:
        return {.op = Op::fromUnsigned, .operands = {number(Kind::item, depth - 1)}};
      case 1:
        return {.op = Op::floatSelect, .operands = {number(Kind::item, 1), real(depth - 1), real(depth - 1)}};
      default:
        return {.op = random_.of({Op::floatAdd, Op::floatSub, Op::floatMul, Op::floatMul}),
                .operands = {real(depth - 1), real(depth - 1)}};
    }
  }

  struct Counter {
    std::uint32_t index;
    Kind kind;
  };

  Random random_;
  int left_ = 0;
  std::uint32_t nextMask_ = 1, nextCounter_ = 0;
  std::vector<Counter> live_;
};

}  // namespace

Program generate(std::uint64_t seed) {
  return Generator(seed * 2 + 1).run();
}

}  // namespace lathe::fuzz
