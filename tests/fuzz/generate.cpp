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
  bool inChoice = false;                            ///< within that turn, where break is not the loop's
  bool inFunction = false;                          ///< from which one may come back by conditions of `here`
  bool inKernel = true;                             ///< from which items may return
  std::uint32_t arrays = (1U << sharedArrays) - 1;  ///< that nobody is using
  unsigned depth = 0;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  Program run() {
    Program out;
    if (random_.chance(50)) functions_.resize(1 + random_.below(3));
    for (firstKnown_ = functions_.size(); firstKnown_ > 0; --firstKnown_) functions_[firstKnown_ - 1] = function();
    for (std::uint32_t entries = random_.chance(15) ? 2 : 1; entries > 0; --entries) {
      left_ = 10 + static_cast<int>(random_.below(18));
      out.entries.push_back(statements({}, 4 + random_.below(5)));
    }
    out.functions = std::move(functions_);
    out.dynamic = random_.chance(30);
    out.tall = random_.chance(30);
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
      switch (random_.below(deep ? 15 : 26)) {
        case 0:
        case 1:
          return assignment(context);
        case 2:
          return store();
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
            return {.what = context.inChoice ? Do::repeatIf : random_.of({Do::leaveIf, Do::repeatIf}),
                    .operands = {condition(kind)}};
          }
          break;
        case 8:
          return atomic();
        case 9:
          if (context.inKernel && context.masked && context.mask == 0 && random_.chance(40))
            return {.what = Do::returnIf, .operands = {rareCondition()}};
          break;
        case 10:
        case 11:
          if (context.here == Kind::group && context.arrays) return exchangeOfGroup(context);
          break;
        case 12:
          if (context.here == Kind::group)
            return {.what = Do::sharedRead, .index = random_.below(cells), .first = random_.below(us)};
          break;
        case 13:
          if (context.inFunction && random_.chance(50)) {
            const Kind kind = context.masked ? std::min(context.here, Kind::warp) : context.here;
            return {.what = Do::comeBackIf, .operands = {condition(kind)}};
          }
          break;
        case 14:
        case 15:
          if (Statement out = call(context); out.what == Do::call) return out;
          break;
        case 16:
        case 17:
        case 18:
          return branch(context);
        case 19:
        case 20:
        case 21:
          return loop(context);
        case 22:
          if (nextCounter_ < counters) return maskedLoop(context);
          break;
        case 23:
          return choice(context);
        default:
          if (context.here == Kind::group && context.arrays) return exchangeOfGroup(context);
          return branch(context);
      }
    }
  }

  Statement assignment(const Context& context) {
    const auto kind = random_.below(10);
    if (kind < 4) {
      const Type type = random_.of({Type::real, Type::real, Type::twice, Type::wide, Type::wide});
      return {.what = Do::assign, .index = random_.below(variablesOf(type)), .operands = {any(type, 3)}};
    }
    if (kind < 6 && context.here == Kind::group)
      return {.what = Do::assignG, .index = random_.below(gs), .operands = {number(Kind::group, 3)}};
    if (kind < 7 && context.masked && context.mask == 0)
      return {.what = Do::assignW, .index = random_.below(ws), .operands = {number(Kind::warp, 3)}};
    return {.what = Do::assign, .index = random_.below(us), .operands = {number(Kind::item, 4)}};
  }

  static std::uint32_t variablesOf(Type type) {
    return type == Type::number ? us : type == Type::wide ? ls : type == Type::real ? fs : ds;
  }

  Statement store() {
    Statement out{.what = random_.of({Do::privateStore, Do::privateStore, Do::byteStore, Do::halfStore, Do::ownStore}),
                  .index = random_.below(4)};
    const bool wide = out.what == Do::ownStore && out.index == 3;
    out.operands = {number(Kind::item, 2), any(wide ? Type::wide : Type::number, 3)};
    return out;
  }

  Statement atomic() {
    const Do what = random_.of({Do::atomic, Do::atomic, Do::atomicByTrial, Do::wideAtomic, Do::sharedAtomic});
    const Type type = what == Do::wideAtomic ? Type::wide : Type::number;
    return {.what = what,
            .index = what == Do::atomicByTrial ? 0 : random_.below(what == Do::wideAtomic ? wideCells : cells),
            .operands = {any(type, 2)}};
  }

  /// One that its callers come to together, or a plain one.
  Function function() {
    Function out{.here = random_.of({Kind::group, Kind::item, Kind::item}), .outOfLine = random_.chance(60)};
    out.masked = out.here == Kind::group || random_.chance(60);
    if (out.here == Kind::item && out.masked) out.mask = newMask();
    if (out.mask == 0 && out.here == Kind::item) out.masked = false;
    left_ = 5 + static_cast<int>(random_.below(7));
    insideFunction_ = true;
    out.body =
        statements({.here = out.here, .masked = out.masked, .mask = out.mask, .inFunction = true, .inKernel = false},
                   2 + random_.below(4));
    out.x = number(Kind::item, 2);
    out.y = any(Type::wide, 2);
    insideFunction_ = false;
    return out;
  }

  /// Of a function for those who are here, if one is known; else of nothing.
  Statement call(const Context& context) {
    if (firstKnown_ >= functions_.size()) return {};
    const auto index = firstKnown_ + random_.below(static_cast<std::uint32_t>(functions_.size() - firstKnown_));
    const Function& callee = functions_[index];
    const bool all = context.here == Kind::group && context.masked && context.mask == 0;
    if (callee.here == Kind::group && !(all && context.arrays == Context{}.arrays)) return {};
    if (callee.masked && !context.masked) return {};
    return {.what = Do::call,
            .index = static_cast<std::uint32_t>(index),
            .mask = context.mask,
            .first = random_.below(us),
            .second = random_.below(ls),
            .operands = {number(Kind::item, 2), number(Kind::item, 1), any(Type::wide, 2)}};
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
    const bool moves = out.what >= Do::shuffle && out.what <= Do::shuffleXor;
    const Type type =
        moves ? random_.of({Type::number, Type::number, Type::wide, Type::real, Type::twice}) : Type::number;
    out.index = random_.below(variablesOf(type));
    out.operands = {any(type, 2), number(Kind::item, 1)};
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
    between.inFunction = false;
    Statement out{.what = Do::exchange, .mask = random_.below(us)};
    if (random_.chance(60)) out.cell = random_.below(cellKinds);
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
    if (kind > context.here || (kind == Kind::item && context.masked)) out.inLoop = out.inFunction = false;
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
    const bool until = random_.chance(30);
    Statement out{.what = until ? Do::untilLoop : Do::loop,
                  .index = nextCounter_++,
                  .operands = {until ? condition(kind) : number(kind, 2)}};
    Context turn = side(context, kind, 0);
    turn.inLoop = true;
    turn.inChoice = false;
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
    chosen.inChoice = true;
    out.second = out.first == 0 && random_.chance(30);
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
      case 9:
        if (insideFunction_) return {.op = Op::argument, .index = random_.below(2)};
        [[fallthrough]];
      default:
        return {.op = Op::variable, .index = random_.below(us)};
    }
  }

  Expression number(Kind kind, unsigned depth) {
    if (depth == 0 || random_.chance(20)) return leaf(kind);
    if (kind == Kind::item && random_.chance(22)) {
      switch (random_.below(6)) {
        case 0:
          return {.op = Op::bitsOf, .operands = {any(Type::real, depth - 1)}};
        case 1:
          return {.op = Op::privateLoad, .operands = {number(kind, depth - 1)}};
        case 2:
          return {.op = random_.of({Op::byteLoad, Op::halfLoad}),
                  .index = random_.of({0U, 4U}),
                  .operands = {number(kind, depth - 1)}};
        case 3:
          return {.op = Op::ownLoad, .index = random_.of({0U, 4U, 1U, 5U, 2U}), .operands = {number(kind, depth - 1)}};
        case 4:
          return {.op = Op::convert,
                  .operands = {any(random_.of({Type::wide, Type::wide, Type::real, Type::twice}), depth - 1)}};
        default: {
          const Type type = random_.of({Type::wide, Type::wide, Type::real, Type::twice});
          const bool whole = type == Type::wide;
          return {.op = whole ? random_.of({Op::less, Op::equal, Op::signedLess}) : random_.of({Op::less, Op::equal}),
                  .operands = {any(type, depth - 1), any(type, depth - 1)}};
        }
      }
    }
    return whole(Type::number, kind, depth);
  }

  /// An operation of whole numbers.
  Expression whole(Type type, Kind kind, unsigned depth) {
    const auto part = [&](Type of) { return of == Type::number ? number(kind, depth - 1) : any(of, depth - 1); };
    if (random_.chance(10))
      return {.op = Op::select, .type = type, .operands = {part(Type::number), part(type), part(type)}};
    if (type == Type::number && random_.chance(5)) {
      const Type counted = kind == Kind::item ? random_.of({Type::number, Type::wide}) : Type::number;
      return {.op = random_.of({Op::ones, Op::zerosBefore}), .operands = {part(counted)}};
    }
    const Op op = random_.of(
        {Op::add,         Op::add,         Op::sub,          Op::mul,         Op::mul,    Op::bitAnd, Op::bitOr,
         Op::bitXor,      Op::shiftLeft,   Op::shiftRight,   Op::divide,      Op::modulo, Op::least,  Op::greatest,
         Op::signedLeast, Op::signedShift, Op::signedDivide, Op::highProduct, Op::less,   Op::equal,  Op::signedLess});
    if (op >= Op::less && type == Type::wide)
      return {.op = Op::convert, .type = type, .operands = {part(Type::number)}};
    const bool shift = op == Op::shiftLeft || op == Op::shiftRight || op == Op::signedShift;
    return {.op = op, .type = type, .operands = {part(type), part(shift ? Type::number : type)}};
  }

  /// Of the item.
  Expression any(Type type, unsigned depth) {
    if (type == Type::number) return number(Kind::item, depth);
    const bool isWhole = type == Type::wide;
    if (depth == 0 || random_.chance(25)) {
      if (isWhole && insideFunction_ && random_.chance(30)) return {.op = Op::argument, .index = 2, .type = type};
      if (random_.chance(40))
        return {.op = Op::constant, .index = isWhole ? constant().index : random_.below(6), .type = type};
      return {.op = Op::variable, .index = random_.below(variablesOf(type)), .type = type};
    }
    const auto part = [&](Type of) { return any(of, depth - 1); };
    if (random_.chance(20)) {
      const Type from = random_.of({Type::number, Type::number, Type::wide, Type::real, Type::twice});
      // Whole numbers of 64 bits get no fractions.
      if (from != type && !(isWhole && from != Type::number))
        return {.op = Op::convert, .type = type, .operands = {part(from)}};
    }
    if (isWhole) {
      if (random_.chance(10)) return {.op = Op::bitsOf, .type = type, .operands = {part(Type::twice)}};
      if (random_.chance(10)) return {.op = Op::ownLoad, .index = 3, .type = type, .operands = {part(Type::number)}};
      return whole(type, Kind::item, depth);
    }
    switch (random_.below(9)) {
      case 0:
        return {.op = Op::select, .type = type, .operands = {number(Kind::item, 1), part(type), part(type)}};
      case 1:
        return {.op = Op::squareRoot, .type = type, .operands = {part(type)}};
      case 2:
        return {.op = Op::multiplyAdd, .type = type, .operands = {part(type), part(type), part(type)}};
      default:
        return {.op = random_.of({Op::add, Op::sub, Op::mul, Op::mul, Op::divide}),
                .type = type,
                .operands = {part(type), part(type)}};
    }
  }

  Expression condition(Kind kind) {
    if (kind == Kind::item && random_.chance(10))
      return {.op = Op::less, .operands = {any(Type::real, 2), any(Type::real, 2)}};
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

  struct Counter {
    std::uint32_t index;
    Kind kind;
  };

  Random random_;
  int left_ = 0;
  std::uint32_t nextMask_ = 1, nextCounter_ = 0;
  std::vector<Counter> live_;
  std::vector<Function> functions_;
  std::size_t firstKnown_ = 0;  ///< of the functions, which are made from the last
  bool insideFunction_ = false;
};

}  // namespace

Program generate(std::uint64_t seed) {
  return Generator(seed * 2 + 1).run();
}

}  // namespace lathe::fuzz
