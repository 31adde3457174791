// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs programs on the host, every item a fiber that walks the tree.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "tests/conformance/suite/cuda_on_items.h"
#include "tests/fuzz/program.h"

namespace lathe::fuzz {
namespace {

using namespace conformance;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr std::array<u32, cells> initialCells = {0, 0, ~0U, 0, ~0U, 0};

/// What the items of a group share. Arrays hold what was put into their cells.
struct Shared {
  std::array<std::array<std::array<u32, mostItems>, sharedArrays>, cellKinds> arrays{};
  std::array<u32, mostItems> ofWarps{};
  std::array<u32, cells> sums{initialCells};
};

enum class Flow { on, leave, repeat, back, finished };

u32 mix(u32 a, u32 b) {
  return (a ^ b) * 2654435761U + b;
}
u32 bitsOf(float x) {
  return x == x ? std::bit_cast<u32>(x) : 0x7fc00000U;
}
u64 bitsOf(double x) {
  return x == x ? std::bit_cast<u64>(x) : 0x7ff8000000000000U;
}
u32 mixed(u64 x) {
  return mix(static_cast<u32>(x), static_cast<u32>(x >> 32));
}

/// What comes out of a shared cell of kind `cell` into which `v` was put (text.cpp has the types).
u32 through(u32 cell, u32 v) {
  switch (cell) {
    case 1:
      return v & 255;
    case 2:
      return static_cast<u32>(static_cast<std::int8_t>(v));
    case 3:
      return v & 0xffff;
    case 4:
      return static_cast<u32>(static_cast<std::int16_t>(v));
    case 5:
      return mixed(v * 0x9e3779b97f4a7c15U);
    case 6:
      return v >> 1;
    case 7:
      return mix(v, mix(v + 1, mix(v * 3, ~v)));
    case 8:
      return mix(v & 255, mix(static_cast<u32>(static_cast<std::int16_t>(v >> 8)),
                              mix(mixed(v * 0x9e3779b97f4a7c15U), mix(v >> 1, ~v))));
    default:
      return v;
  }
}

void change(u32& place, u32 how, u32 by) {
  switch (how) {
    case 0:
      place += by;
      break;
    case 1:
      place = std::max(place, by);
      break;
    case 2:
      place = std::min(place, by);
      break;
    case 3:
      place |= by;
      break;
    case 4:
      place &= by;
      break;
    default:
      place ^= by;
  }
}
u32 nth(u32 mask, u32 number) {
  for (number %= static_cast<u32>(std::popcount(mask)); number > 0; --number) mask &= mask - 1;
  return static_cast<u32>(std::countr_zero(mask));
}

class Item {
 public:
  Item(const Program& program, Memory& memory, Shared& shared) : program_(program), memory_(memory), shared_(shared) {
    const Place& size = position().size;
    items_ = size.x * size.y * size.z;
    item_ = position().linear;
    group_ = position().group.x + position().group.y;
    at_ = group_ * items_ + item_;
    const u32 left = items_ - warp() * warpItems;
    const u32 in = memory.in.at(at_);
    u_ = {in, in / 7, item_, in >> 20};
    l_ = {in * 0x100000001U, u64{in} << 20};
    g_ = {group_, 3, items_};
    w_ = {warp(), warp() * 3 + group_};
    f_ = {static_cast<float>(in % 1000), 0.5F, static_cast<float>(lane())};
    d_ = {static_cast<double>(in) / 3, 0.25};
    m_[0] = left >= warpItems ? ~0U : (1U << left) - 1;
  }

  void run(const Statements& statements) {
    for (auto& arrays : shared_.arrays) {
      for (auto& array : arrays) array[item_] = item_;
    }
    if (item_ == 0) shared_.sums = initialCells;
    meetGroup();
    (void)runAll(statements);
    const u32 numbers = mix(mix(u_[0], u_[1]), mix(u_[2], u_[3]));
    const u32 reals = mix(mix(bitsOf(f_[0]), bitsOf(f_[1])), bitsOf(f_[2]));
    memory_.out[2 * at_] =
        mix(mix(numbers, mix(mix(g_[0], g_[1]), mix(g_[2], mix(w_[0], w_[1])))), mix(mixed(l_[0]), mixed(l_[1])));
    memory_.out[2 * at_ + 1] = mix(mix(reals, mix(mixed(bitsOf(d_[0])), mixed(bitsOf(d_[1])))),
                                   mix(p_[item_ % privates], mix(b_[item_ % 8], h_[item_ % 8])));
  }

 private:
  u32 warp() const { return item_ / warpItems; }
  u32 lane() const { return item_ % warpItems; }

  Flow runAll(const Statements& statements) {
    for (const Statement& statement : statements) {
      if (const Flow flow = run(statement); flow != Flow::on) return flow;
    }
    return Flow::on;
  }

  Flow run(const Statement& s) {
    const auto value = [&](std::size_t i) { return number(s.operands.at(i)); };
    const u32 mask = m_.at(s.mask);
    switch (s.what) {
      case Do::assign:
        assign(s.operands.at(0), s.index);
        break;
      case Do::assignG:
        g_.at(s.index) = value(0);
        break;
      case Do::assignW:
        w_.at(s.index) = value(0);
        break;
      case Do::privateStore: {
        const u32 index = value(0) % privates;
        p_.at(index) = value(1);
        break;
      }
      case Do::byteStore: {
        const u32 index = value(0) % 8;
        b_.at(index) = static_cast<std::uint8_t>(value(1));
        break;
      }
      case Do::halfStore: {
        const u32 index = value(0) % 8;
        h_.at(index) = static_cast<std::uint16_t>(value(1));
        break;
      }
      case Do::ownStore: {
        std::uint8_t* const place = own(value(0), s.index);
        const u64 bits = s.index == 3 ? of<u64>(s.operands.at(1)) : value(1);
        std::memcpy(place, &bits, std::size_t{1} << s.index);
        break;
      }
      case Do::branch: {
        const bool taken = value(0) != 0;
        if (s.first) {
          m_.at(s.first) = __ballot_sync(mask, taken);
          m_.at(s.second) = mask & ~m_.at(s.first);
        }
        return runAll(taken ? s.body : s.other);
      }
      case Do::loop: {
        const u32 turns = value(0) % 4;
        for (c_.at(s.index) = 0; c_.at(s.index) < turns; ++c_.at(s.index)) {
          const Flow flow = runAll(s.body);
          if (flow == Flow::leave) break;
          if (flow >= Flow::back) return flow;
        }
        break;
      }
      case Do::untilLoop:
        c_.at(s.index) = 0;
        do {
          const Flow flow = runAll(s.body);
          if (flow == Flow::leave) break;
          if (flow >= Flow::back) return flow;
        } while (++c_.at(s.index) < 4 && value(0));
        break;
      case Do::maskedLoop: {
        const u32 turns = value(0) % 5;
        m_.at(s.first) = mask;
        for (c_.at(s.index) = 0;; ++c_.at(s.index)) {
          const u32 stay = __ballot_sync(m_.at(s.first), c_.at(s.index) < turns);
          if (!(c_.at(s.index) < turns)) break;
          m_.at(s.first) = stay;
          (void)runAll(s.body);
        }
        break;
      }
      case Do::leaveIf:
        return value(0) ? Flow::leave : Flow::on;
      case Do::repeatIf:
        return value(0) ? Flow::repeat : Flow::on;
      case Do::returnIf: {
        const bool taken = value(0) != 0;
        m_[0] = __ballot_sync(m_[0], !taken);
        return taken ? Flow::finished : Flow::on;
      }
      case Do::comeBackIf:
        return value(0) ? Flow::back : Flow::on;
      case Do::choose: {
        const u32 which = value(0) % 3;
        if (s.first) m_.at(s.first) = __match_any_sync(mask, which);
        if (which == 0) {
          if (const Flow flow = runAll(s.body); flow != Flow::on || !s.second) return flow;
        }
        return runAll(which == 2 ? s.third : s.other);
      }
      case Do::call: {
        const Function& callee = program_.functions.at(s.index);
        const auto before = a_;
        const u32 first = value(0), x = value(1);
        a_ = {first, x, of<u64>(s.operands.at(2))};
        if (callee.mask) m_.at(callee.mask) = mask;
        (void)runAll(callee.body);
        const u32 one = number(callee.x);
        const u64 two = of<u64>(callee.y);
        a_ = before;
        u_.at(s.first) = one;
        l_.at(s.second) = two;
        break;
      }
      case Do::exchange: {
        auto& array = shared_.arrays.at(s.cell).at(s.index);
        array[item_] = value(0);
        if (const Flow flow = runAll(s.body); flow != Flow::on) return flow;
        meetGroup();
        u_.at(s.mask) = through(s.cell, array[value(1) % items_]);
        if (const Flow flow = runAll(s.other); flow != Flow::on) return flow;
        meetGroup();
        break;
      }
      case Do::warpExchange:
        shared_.ofWarps[item_] = value(0);
        __syncwarp(mask);
        u_.at(s.index) = shared_.ofWarps[warp() * warpItems + nth(mask, value(1))];
        __syncwarp(mask);
        break;
      case Do::count:
        g_.at(s.index) = static_cast<u32>(__syncthreads_count(value(0) != 0));
        break;
      case Do::any:
        g_.at(s.index) = __syncthreads_or(value(0) != 0) != 0;
        break;
      case Do::all:
        g_.at(s.index) = __syncthreads_and(value(0) != 0) != 0;
        break;
      case Do::ballot:
        u_.at(s.index) = __ballot_sync(mask, value(0) % 2);
        break;
      case Do::warpAny:
        u_.at(s.index) = __any_sync(mask, value(0) % 16 == 1) != 0;
        break;
      case Do::warpAll:
        u_.at(s.index) = __all_sync(mask, value(0) % 16 != 1) != 0;
        break;
      case Do::match:
        u_.at(s.index) = __match_any_sync(mask, value(0) % 4);
        break;
      case Do::reduce:
        u_.at(s.index) = __reduce_add_sync(mask, value(0));
        break;
      case Do::shuffle:
      case Do::shuffleUp:
      case Do::shuffleDown:
      case Do::shuffleXor:
        switch (s.operands.at(0).type) {
          case Type::number:
            return move(s, u_);
          case Type::wide:
            return move(s, l_);
          case Type::real:
            return move(s, f_);
          case Type::twice:
            return move(s, d_);
        }
        break;
      case Do::atomic:
        change(memory_.cells.at(s.index), s.index, value(0));
        break;
      case Do::atomicByTrial:
        memory_.cells.at(s.index) += value(0);
        break;
      case Do::wideAtomic: {
        u64& place = memory_.wideCells.at(s.index);
        const u64 by = of<u64>(s.operands.at(0));
        place = s.index == 0 ? place + by : std::max(place, by);
        break;
      }
      case Do::sharedAtomic:
        change(shared_.sums.at(s.index), s.index, value(0));
        break;
      case Do::sharedRead:
        meetGroup();
        u_.at(s.first) = shared_.sums.at(s.index);
        meetGroup();
        break;
    }
    return Flow::on;
  }

  void assign(const Expression& e, u32 index) {
    switch (e.type) {
      case Type::number:
        u_.at(index) = number(e);
        break;
      case Type::wide:
        l_.at(index) = of<u64>(e);
        break;
      case Type::real:
        f_.at(index) = of<float>(e);
        break;
      case Type::twice:
        d_.at(index) = of<double>(e);
        break;
    }
  }

  /// A shuffle into one of `variables`.
  template <class T, std::size_t count>
  Flow move(const Statement& s, std::array<T, count>& variables) {
    using Bits = std::conditional_t<sizeof(T) == 8, u64, u32>;
    const u32 mask = m_.at(s.mask);
    const T own = of<T>(s.operands.at(0));
    const u32 by = number(s.operands.at(1)), distance = by % warpItems;
    u32 from = s.what == Do::shuffle ? nth(mask, by) : lane() ^ distance;
    if (s.what == Do::shuffleUp) from = lane() - distance;
    if (s.what == Do::shuffleDown) from = lane() + distance;
    const bool named = from < warpItems && (mask >> from & 1);
    Bits got = std::bit_cast<Bits>(own);
    const Meeting low = meetSubgroup(mask, static_cast<u32>(got), shuffle);
    const Meeting high = meetSubgroup(mask, static_cast<u32>(u64{got} >> 32), shuffle);
    if (named) got = static_cast<Bits>(low.values[from] | u64{high.values[from]} << 32);
    variables.at(s.index) = std::bit_cast<T>(got);
    return Flow::on;
  }

  /// The place of 1 << `width` bytes of the item's memory.
  std::uint8_t* own(u32 index, u32 width) {
    return &memory_.own.at(at_ * ownBytes + (index % (ownBytes >> width) << width));
  }

  u32 number(const Expression& e) { return of<u32>(e); }

  /// Of operands of type `e`'s first: `f` of all of that type.
  template <class F>
  auto withOperands(const Expression& e, F&& f) {
    switch (e.operands.at(0).type) {
      case Type::number:
        return f(u32{});
      case Type::wide:
        return f(u64{});
      case Type::real:
        return f(float{});
      default:
        return f(double{});
    }
  }

  template <class T>
  T of(const Expression& e) {
    constexpr bool whole = std::is_integral_v<T>;
    const auto x = [&](std::size_t i) { return of<T>(e.operands.at(i)); };
    const auto n = [&](std::size_t i) { return of<u32>(e.operands.at(i)); };
    switch (e.op) {
      case Op::constant:
        if constexpr (whole)
          return sizeof(T) == 8 ? static_cast<T>(e.index * 0x9e3779b97f4a7c15U) : static_cast<T>(e.index);
        return static_cast<T>(std::array{0.0, 1.0, -2.5, 0.125, 3.0e5, -0.0078125}.at(e.index));
      case Op::variable:
        if constexpr (std::is_same_v<T, u32>) return u_.at(e.index);
        if constexpr (std::is_same_v<T, u64>) return l_.at(e.index);
        if constexpr (std::is_same_v<T, float>) return f_.at(e.index);
        if constexpr (std::is_same_v<T, double>) return d_.at(e.index);
        break;
      case Op::add:
        return x(0) + x(1);
      case Op::sub:
        return x(0) - x(1);
      case Op::mul:
        return x(0) * x(1);
      case Op::divide:
        if constexpr (whole) return x(0) / (x(1) | 1);
        return x(0) / x(1);
      case Op::select:
        return n(0) ? x(1) : x(2);
      case Op::convert:
        return withOperands(e, [&](auto type) { return converted<T>(of<decltype(type)>(e.operands.at(0))); });
      case Op::squareRoot:
        return static_cast<T>(std::sqrt(x(0)));
      case Op::multiplyAdd:
        return static_cast<T>(std::fma(x(0), x(1), x(2)));
      default:
        if constexpr (whole) return ofWhole<T>(e);
    }
    return {};
  }

  template <class To, class From>
  static To converted(From value) {
    if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>)
      return value >= 0 && value < From(1e9) ? static_cast<To>(value) : To(77);
    else
      return static_cast<To>(value);
  }

  template <class T>
  T ofWhole(const Expression& e) {
    using Signed = std::make_signed_t<T>;
    constexpr u32 bits = sizeof(T) * 8;
    const auto x = [&](std::size_t i) { return of<T>(e.operands.at(i)); };
    const auto s = [&](std::size_t i) { return static_cast<Signed>(x(i)); };
    const auto n = [&](std::size_t i) { return of<u32>(e.operands.at(i)); };
    const auto compared = [&](auto compare) {
      return withOperands(e, [&](auto type) -> T {
        return compare(of<decltype(type)>(e.operands.at(0)), of<decltype(type)>(e.operands.at(1)));
      });
    };
    switch (e.op) {
      case Op::g:
        return g_.at(e.index);
      case Op::w:
        return w_.at(e.index);
      case Op::counter:
        return c_.at(e.index);
      case Op::itemId:
        return item_;
      case Op::laneId:
        return lane();
      case Op::warpId:
        return warp();
      case Op::groupId:
        return group_;
      case Op::itemCount:
        return items_;
      case Op::input:
        return memory_.in.at(at_);
      case Op::parameter:
        return parameterValue;
      case Op::argument:
        return static_cast<T>(a_.at(e.index));
      case Op::privateLoad:
        return p_.at(n(0) % privates);
      case Op::byteLoad: {
        const std::uint8_t byte = b_.at(n(0) % 8);
        return static_cast<T>(e.index ? static_cast<std::int8_t>(byte) : byte);
      }
      case Op::halfLoad: {
        const std::uint16_t half = h_.at(n(0) % 8);
        return static_cast<T>(e.index ? static_cast<std::int16_t>(half) : half);
      }
      case Op::ownLoad: {
        u64 value = 0;
        std::memcpy(&value, own(n(0), e.index % 4), std::size_t{1} << e.index % 4);
        if (e.index == 4) return static_cast<T>(static_cast<std::int8_t>(value));
        if (e.index == 5) return static_cast<T>(static_cast<std::int16_t>(value));
        return static_cast<T>(value);
      }
      case Op::bitAnd:
        return x(0) & x(1);
      case Op::bitOr:
        return x(0) | x(1);
      case Op::bitXor:
        return x(0) ^ x(1);
      case Op::shiftLeft:
        return x(0) << (n(1) % bits);
      case Op::shiftRight:
        return x(0) >> (n(1) % bits);
      case Op::signedShift:
        return static_cast<T>(s(0) >> (n(1) % bits));
      case Op::modulo:
        return x(0) % (x(1) | 1);
      case Op::least:
        return std::min(x(0), x(1));
      case Op::greatest:
        return std::max(x(0), x(1));
      case Op::signedLeast:
        return static_cast<T>(std::min(s(0), s(1)));
      case Op::signedDivide:
        return static_cast<T>(s(0) / static_cast<Signed>((x(1) & 255) | 1));
      case Op::highProduct:
        return static_cast<T>(static_cast<unsigned __int128>(x(0)) * x(1) >> bits);
      case Op::less:
        return compared([](auto a, auto b) { return a < b; });
      case Op::equal:
        return compared([](auto a, auto b) { return a == b; });
      case Op::signedLess:
        return withOperands(e, [&](auto type) -> T {
          if constexpr (std::is_integral_v<decltype(type)>) {
            using Compared = std::make_signed_t<decltype(type)>;
            return static_cast<Compared>(of<decltype(type)>(e.operands.at(0))) <
                   static_cast<Compared>(of<decltype(type)>(e.operands.at(1)));
          }
          return 0;
        });
      case Op::ones:
      case Op::zerosBefore:
        return withOperands(e, [&](auto type) -> T {
          if constexpr (std::is_integral_v<decltype(type)>) {
            const auto value = of<decltype(type)>(e.operands.at(0));
            return static_cast<T>(e.op == Op::ones ? std::popcount(value) : std::countl_zero(value));
          }
          return 0;
        });
      case Op::bitsOf:
        return withOperands(e, [&](auto type) -> T {
          if constexpr (!std::is_integral_v<decltype(type)>)
            return static_cast<T>(bitsOf(of<decltype(type)>(e.operands.at(0))));
          return 0;
        });
      default:
        return 0;
    }
  }

  const Program& program_;
  Memory& memory_;
  Shared& shared_;
  u32 items_ = 0, item_ = 0, group_ = 0, at_ = 0;
  std::array<u32, us> u_{};
  std::array<u64, ls> l_{};
  std::array<u32, gs> g_{};
  std::array<u32, ws> w_{};
  std::array<u32, counters> c_{};
  std::array<u32, privates> p_{};
  std::array<std::uint8_t, 8> b_{};
  std::array<std::uint16_t, 8> h_{};
  std::array<u32, masks> m_{};
  std::array<u64, 3> a_{};  ///< arguments of the running function
  std::array<float, fs> f_{};
  std::array<double, ds> d_{};
};

}  // namespace

Memory initialMemory() {
  Memory out;
  for (u32 i = 0; i < groups * mostItems; ++i) out.in.push_back(mix(i * 0x9e3779b9U, 77));
  out.out.assign(outputs * groups * mostItems, 0);
  out.cells.assign(initialCells.begin(), initialCells.end());
  out.wideCells.assign(wideCells, 0);
  out.own.assign(std::size_t{ownBytes} * groups * mostItems, 0);
  return out;
}

std::string interpret(const Program& program, std::size_t entry, const Place& size, Memory& memory) {
  Shared shared;
  const Place count = program.tall ? Place{1, groups, 1} : Place{groups, 1, 1};
  return runItems(count, size, [&] { Item(program, memory, shared).run(program.entries.at(entry)); });
}

}  // namespace lathe::fuzz
