// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs programs on the host, every item a fiber that walks the tree.
#include <algorithm>
#include <array>
#include <bit>

#include "tests/conformance/suite/cuda_on_items.h"
#include "tests/fuzz/program.h"

namespace lathe::fuzz {
namespace {

using namespace conformance;
using u32 = std::uint32_t;

/// What the items of a group share.
struct Shared {
  std::array<std::array<u32, mostItems>, sharedArrays> arrays{};
  std::array<u32, mostItems> ofWarps{};
};

enum class Flow { on, leave, repeat, finished };

u32 mix(u32 a, u32 b) {
  return (a ^ b) * 2654435761U + b;
}
u32 bitsOf(float x) {
  return x == x ? std::bit_cast<u32>(x) : 0x7fc00000U;
}
u32 nth(u32 mask, u32 number) {
  for (number %= static_cast<u32>(std::popcount(mask)); number > 0; --number) mask &= mask - 1;
  return static_cast<u32>(std::countr_zero(mask));
}

class Item {
 public:
  Item(Memory& memory, Shared& shared) : memory_(memory), shared_(shared) {
    const Place& size = position().size;
    items_ = size.x * size.y * size.z;
    item_ = position().linear;
    at_ = position().group.x * items_ + item_;
    const u32 left = items_ - warp() * warpItems;
    const u32 in = memory.in.at(at_), group = position().group.x;
    u_ = {in, in / 7, item_, in >> 20};
    g_ = {group, 3, items_};
    w_ = {warp(), warp() * 3 + group};
    f_ = {static_cast<float>(in % 1000), 0.5F, static_cast<float>(lane())};
    m_[0] = left >= warpItems ? ~0U : (1U << left) - 1;
  }

  void run(const Statements& statements) {
    for (auto& array : shared_.arrays) array[item_] = item_;
    meetGroup();
    (void)runAll(statements);
    const u32 numbers = mix(mix(u_[0], u_[1]), mix(u_[2], u_[3]));
    memory_.out[2 * at_] = mix(numbers, mix(mix(g_[0], g_[1]), mix(g_[2], mix(w_[0], w_[1]))));
    memory_.out[2 * at_ + 1] = mix(mix(bitsOf(f_[0]), bitsOf(f_[1])), mix(bitsOf(f_[2]), p_[item_ % privates]));
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
      case Do::assignU:
        u_.at(s.index) = value(0);
        break;
      case Do::assignG:
        g_.at(s.index) = value(0);
        break;
      case Do::assignW:
        w_.at(s.index) = value(0);
        break;
      case Do::assignF:
        f_.at(s.index) = real(s.operands.at(0));
        break;
      case Do::privateStore: {
        const u32 index = value(0) % privates;
        p_.at(index) = value(1);
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
          if (flow == Flow::finished) return flow;
        }
        break;
      }
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
      case Do::choose: {
        const u32 which = value(0) % 3;
        if (s.first) m_.at(s.first) = __match_any_sync(mask, which);
        return runAll(which == 0 ? s.body : which == 1 ? s.other : s.third);
      }
      case Do::exchange: {
        shared_.arrays.at(s.index)[item_] = value(0);
        if (const Flow flow = runAll(s.body); flow != Flow::on) return flow;
        meetGroup();
        u_.at(s.mask) = shared_.arrays.at(s.index)[value(1) % items_];
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
      case Do::shuffle: {
        const u32 own = value(0);
        u_.at(s.index) = __shfl_sync(mask, own, nth(mask, value(1)));
        break;
      }
      case Do::shuffleUp:
        neighbour(s, -1);
        break;
      case Do::shuffleDown:
        neighbour(s, 1);
        break;
      case Do::shuffleXor:
        neighbour(s, 0);
        break;
      case Do::atomicAdd:
        memory_.cells.at(s.index) += value(0);
        break;
    }
    return Flow::on;
  }

  void neighbour(const Statement& s, int direction) {
    const u32 mask = m_.at(s.mask), own = number(s.operands.at(0)), distance = number(s.operands.at(1)) % warpItems;
    const u32 from = direction < 0 ? lane() - distance : direction > 0 ? lane() + distance : lane() ^ distance;
    const Meeting met = meetSubgroup(mask, own, shuffle);
    u_.at(s.index) = from < warpItems && (mask >> from & 1) ? met.values[from] : own;
  }

  u32 number(const Expression& e) {
    const auto x = [&](std::size_t i) { return number(e.operands.at(i)); };
    const auto signedOf = [](u32 a) { return static_cast<std::int32_t>(a); };
    switch (e.op) {
      case Op::constant:
        return e.index;
      case Op::u:
        return u_.at(e.index);
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
        return position().group.x;
      case Op::itemCount:
        return items_;
      case Op::input:
        return memory_.in.at(at_);
      case Op::parameter:
        return parameterValue;
      case Op::privateLoad:
        return p_.at(x(0) % privates);
      case Op::add:
        return x(0) + x(1);
      case Op::sub:
        return x(0) - x(1);
      case Op::mul:
        return x(0) * x(1);
      case Op::bitAnd:
        return x(0) & x(1);
      case Op::bitOr:
        return x(0) | x(1);
      case Op::bitXor:
        return x(0) ^ x(1);
      case Op::shiftLeft:
        return x(0) << (x(1) & 31);
      case Op::shiftRight:
        return x(0) >> (x(1) & 31);
      case Op::divide:
        return x(0) / (x(1) | 1);
      case Op::modulo:
        return x(0) % (x(1) | 1);
      case Op::least:
        return std::min(x(0), x(1));
      case Op::greatest:
        return std::max(x(0), x(1));
      case Op::less:
        return x(0) < x(1);
      case Op::equal:
        return x(0) == x(1);
      case Op::signedLess:
        return signedOf(x(0)) < signedOf(x(1));
      case Op::signedShift:
        return static_cast<u32>(signedOf(x(0)) >> (x(1) & 31));
      case Op::signedDivide:
        return static_cast<u32>(signedOf(x(0)) / signedOf((x(1) & 255) | 1));
      case Op::select:
        return x(0) ? x(1) : x(2);
      case Op::bitsOf:
        return bitsOf(real(e.operands.at(0)));
      case Op::floatLess:
        return real(e.operands.at(0)) < real(e.operands.at(1));
      default:
        return 0;
    }
  }

  float real(const Expression& e) {
    constexpr std::array floats = {0.0F, 1.0F, -2.5F, 0.1F, 3.0e5F, -7.0e-3F};
    const auto x = [&](std::size_t i) { return real(e.operands.at(i)); };
    switch (e.op) {
      case Op::floatConstant:
        return floats.at(e.index);
      case Op::f:
        return f_.at(e.index);
      case Op::floatAdd:
        return x(0) + x(1);
      case Op::floatSub:
        return x(0) - x(1);
      case Op::floatMul:
        return x(0) * x(1);
      case Op::fromUnsigned:
        return static_cast<float>(number(e.operands.at(0)));
      case Op::floatSelect:
        return number(e.operands.at(0)) ? x(1) : x(2);
      default:
        return 0;
    }
  }

  Memory& memory_;
  Shared& shared_;
  u32 items_ = 0, item_ = 0, at_ = 0;
  std::array<u32, us> u_{};
  std::array<u32, gs> g_{};
  std::array<u32, ws> w_{};
  std::array<u32, counters> c_{};
  std::array<u32, privates> p_{};
  std::array<u32, masks> m_{};
  std::array<float, fs> f_{};
};

}  // namespace

Memory initialMemory() {
  Memory out;
  for (u32 i = 0; i < groups * mostItems; ++i) out.in.push_back(mix(i * 0x9e3779b9U, 77));
  out.out.assign(outputs * groups * mostItems, 0);
  out.cells.assign(cells, 0);
  return out;
}

std::string interpret(const Program& program, const Place& size, Memory& memory) {
  Shared shared;
  return runItems({groups, 1, 1}, size, [&] { Item(memory, shared).run(program.statements); });
}

}  // namespace lathe::fuzz
