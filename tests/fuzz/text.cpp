// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program as CUDA.
#include <array>

#include <fmt/format.h>

#include "tests/fuzz/program.h"

namespace lathe::fuzz {
namespace {

constexpr std::string_view preamble = R"(typedef unsigned u32;
__device__ u32 items() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ u32 item() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__device__ u32 lane() { return item() % 32; }
__device__ u32 warp() { return item() / 32; }
__device__ u32 lanes() { const u32 left = items() - warp() * 32; return left >= 32 ? ~0u : (1u << left) - 1; }
__device__ u32 mix(u32 a, u32 b) { return (a ^ b) * 2654435761u + b; }
__device__ u32 bits(float x) { return x == x ? __float_as_uint(x) : 0x7fc00000u; }
// The place of a lane of `mask`, by number, all around.
__device__ u32 nth(u32 mask, u32 number) {
  for (number %= static_cast<u32>(__popc(mask)); number > 0; --number) mask &= mask - 1;
  return static_cast<u32>(__ffs(mask) - 1);
}
__device__ u32 ifNamed(u32 mask, u32 other, u32 value, u32 own) { return other < 32 && mask >> other & 1 ? value : own; }
)";

class Writer {
 public:
  std::string run(const Program& program) {
    out_ = preamble;
    out_ += "__global__ void fuzz(const u32* in, u32* out, u32* cells, u32 n) {\n";
    out_ += fmt::format("  __shared__ u32 s[{}][{}], ws[{}];\n", sharedArrays, mostItems, mostItems);
    out_ += "  const u32 at = blockIdx.x * items() + item();\n";
    out_ += fmt::format("  u32 u[{}] = {{in[at], in[at] / 7, item(), in[at] >> 20}};\n", us);
    out_ +=
        fmt::format("  u32 g[{}] = {{blockIdx.x, 3, items()}}, w[{}] = {{warp(), warp() * 3 + blockIdx.x}};\n", gs, ws);
    out_ += fmt::format("  float f[{}] = {{float(in[at] % 1000), 0.5f, float(lane())}};\n", fs);
    out_ += fmt::format("  u32 c[{}] = {{}}, p[{}] = {{}}, m[{}] = {{lanes()}};\n", counters, privates, masks);
    for (std::uint32_t i = 0; i < sharedArrays; ++i) out_ += fmt::format("  s[{}][item()] = item();\n", i);
    out_ += "  __syncthreads();\n";
    write(program.statements);
    finish();
    return out_ + "}\n";
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_.append(indent_, ' ');
    out_ += fmt::format(format, std::forward<Arguments>(arguments)...) + '\n';
  }

  void write(const Statements& statements) {
    indent_ += 2;
    for (const Statement& statement : statements) write(statement);
    indent_ -= 2;
  }

  void block(const std::string& head, const Statements& statements) {
    line("{} {{", head);
    write(statements);
    line("}}");
  }

  void finish() {
    out_ +=
        "  out[2 * at] = mix(mix(mix(u[0], u[1]), mix(u[2], u[3])), mix(mix(g[0], g[1]), mix(g[2], mix(w[0], "
        "w[1]))));\n";
    out_ += "  out[2 * at + 1] = mix(mix(bits(f[0]), bits(f[1])), mix(bits(f[2]), p[item() % 8]));\n";
  }

  void write(const Statement& s) {
    const auto operand = [&](std::size_t i) { return text(s.operands.at(i)); };
    const std::string mask = fmt::format("m[{}]", s.mask);
    switch (s.what) {
      case Do::assignU:
        return line("u[{}] = {};", s.index, operand(0));
      case Do::assignG:
        return line("g[{}] = {};", s.index, operand(0));
      case Do::assignW:
        return line("w[{}] = {};", s.index, operand(0));
      case Do::assignF:
        return line("f[{}] = {};", s.index, operand(0));
      case Do::privateStore:
        return line("p[({}) % 8] = {};", operand(0), operand(1));
      case Do::branch:
        line("{{");
        line("const bool t = {};", operand(0));
        if (s.first) {
          line("m[{}] = __ballot_sync({}, t);", s.first, mask);
          line("m[{}] = {} & ~m[{}];", s.second, mask, s.first);
        }
        block("if (t)", s.body);
        if (!s.other.empty()) block("else", s.other);
        return line("}}");
      case Do::loop:
        line("{{");
        line("const u32 turns = ({}) % 4;", operand(0));
        block(fmt::format("for (c[{0}] = 0; c[{0}] < turns; ++c[{0}])", s.index), s.body);
        return line("}}");
      case Do::maskedLoop:
        line("{{");
        line("const u32 turns = ({}) % 5;", operand(0));
        line("m[{}] = {};", s.first, mask);
        line("for (c[{0}] = 0;; ++c[{0}]) {{", s.index);
        line("  const u32 stay = __ballot_sync(m[{}], c[{}] < turns);", s.first, s.index);
        line("  if (!(c[{}] < turns)) break;", s.index);
        line("  m[{}] = stay;", s.first);
        write(s.body);
        line("}}");
        return line("}}");
      case Do::leaveIf:
        return line("if ({}) break;", operand(0));
      case Do::repeatIf:
        return line("if ({}) continue;", operand(0));
      case Do::returnIf:
        line("{{");
        line("const bool t = {};", operand(0));
        line("m[0] = __ballot_sync(m[0], !t);");
        line("if (t) {{");
        finish();
        line("return;");
        line("}}");
        return line("}}");
      case Do::choose:
        line("{{");
        line("const u32 which = ({}) % 3;", operand(0));
        if (s.first) line("m[{}] = __match_any_sync({}, which);", s.first, mask);
        line("switch (which) {{");
        block("case 0:", s.body);
        line("break;");
        block("case 1:", s.other);
        line("break;");
        block("default:", s.third);
        line("}}");
        return line("}}");
      case Do::exchange:
        line("s[{}][item()] = {};", s.index, operand(0));
        write(s.body);
        line("__syncthreads();");
        line("u[{}] = s[{}][({}) % items()];", s.mask, s.index, operand(1));
        write(s.other);
        return line("__syncthreads();");
      case Do::warpExchange:
        line("ws[item()] = {};", operand(0));
        line("__syncwarp({});", mask);
        line("u[{}] = ws[warp() * 32 + nth({}, {})];", s.index, mask, operand(1));
        return line("__syncwarp({});", mask);
      case Do::count:
        return line("g[{}] = static_cast<u32>(__syncthreads_count(({}) != 0));", s.index, operand(0));
      case Do::any:
        return line("g[{}] = __syncthreads_or(({}) != 0) != 0;", s.index, operand(0));
      case Do::all:
        return line("g[{}] = __syncthreads_and(({}) != 0) != 0;", s.index, operand(0));
      case Do::ballot:
        return line("u[{}] = __ballot_sync({}, ({}) % 2);", s.index, mask, operand(0));
      case Do::warpAny:
        return line("u[{}] = __any_sync({}, ({}) % 16 == 1) != 0;", s.index, mask, operand(0));
      case Do::warpAll:
        return line("u[{}] = __all_sync({}, ({}) % 16 != 1) != 0;", s.index, mask, operand(0));
      case Do::match:
        return line("u[{}] = __match_any_sync({}, ({}) % 4);", s.index, mask, operand(0));
      case Do::reduce:
        return line("u[{}] = __reduce_add_sync({}, static_cast<u32>({}));", s.index, mask, operand(0));
      case Do::shuffle:
        return line("u[{}] = __shfl_sync({}, static_cast<u32>({}), nth({}, {}));", s.index, mask, operand(0), mask,
                    operand(1));
      case Do::shuffleUp:
        return neighbour(s, "__shfl_up_sync", "lane() - d");
      case Do::shuffleDown:
        return neighbour(s, "__shfl_down_sync", "lane() + d");
      case Do::shuffleXor:
        return neighbour(s, "__shfl_xor_sync", "lane() ^ d");
      case Do::atomicAdd:
        return line("atomicAdd(&cells[{}], static_cast<u32>({}));", s.index, operand(0));
    }
  }

  /// A value that may be that of a lane which is not here is not used.
  void neighbour(const Statement& s, std::string_view function, std::string_view from) {
    line("{{");
    line("const u32 own = {}, d = ({}) % 32, other = {}(m[{}], own, d);", text(s.operands.at(0)),
         text(s.operands.at(1)), function, s.mask);
    line("u[{}] = ifNamed(m[{}], {}, other, own);", s.index, s.mask, from);
    line("}}");
  }

  static std::string text(const Expression& e) {
    const auto x = [&](std::size_t i) { return text(e.operands.at(i)); };
    const auto infix = [&](std::string_view op) { return fmt::format("({} {} {})", x(0), op, x(1)); };
    constexpr std::array floats = {"0.0f", "1.0f", "-2.5f", "0.1f", "3.0e5f", "-7.0e-3f"};
    switch (e.op) {
      case Op::constant:
        return fmt::format("{}u", e.index);
      case Op::u:
        return fmt::format("u[{}]", e.index);
      case Op::g:
        return fmt::format("g[{}]", e.index);
      case Op::w:
        return fmt::format("w[{}]", e.index);
      case Op::counter:
        return fmt::format("c[{}]", e.index);
      case Op::itemId:
        return "item()";
      case Op::laneId:
        return "lane()";
      case Op::warpId:
        return "warp()";
      case Op::groupId:
        return "blockIdx.x";
      case Op::itemCount:
        return "items()";
      case Op::input:
        return "in[at]";
      case Op::parameter:
        return "n";
      case Op::privateLoad:
        return fmt::format("p[{} % 8]", x(0));
      case Op::add:
        return infix("+");
      case Op::sub:
        return infix("-");
      case Op::mul:
        return infix("*");
      case Op::bitAnd:
        return infix("&");
      case Op::bitOr:
        return infix("|");
      case Op::bitXor:
        return infix("^");
      case Op::shiftLeft:
        return fmt::format("({} << ({} & 31))", x(0), x(1));
      case Op::shiftRight:
        return fmt::format("({} >> ({} & 31))", x(0), x(1));
      case Op::divide:
        return fmt::format("({} / ({} | 1))", x(0), x(1));
      case Op::modulo:
        return fmt::format("({} % ({} | 1))", x(0), x(1));
      case Op::least:
        return fmt::format("min({}, {})", x(0), x(1));
      case Op::greatest:
        return fmt::format("max({}, {})", x(0), x(1));
      case Op::less:
        return fmt::format("u32({} < {})", x(0), x(1));
      case Op::equal:
        return fmt::format("u32({} == {})", x(0), x(1));
      case Op::signedLess:
        return fmt::format("u32(int({}) < int({}))", x(0), x(1));
      case Op::signedShift:
        return fmt::format("u32(int({}) >> ({} & 31))", x(0), x(1));
      case Op::signedDivide:
        return fmt::format("u32(int({}) / int(({} & 255) | 1))", x(0), x(1));
      case Op::select:
        return fmt::format("({} ? {} : {})", x(0), x(1), x(2));
      case Op::bitsOf:
        return fmt::format("bits({})", x(0));
      case Op::floatLess:
        return fmt::format("u32({} < {})", x(0), x(1));
      case Op::floatConstant:
        return floats.at(e.index);
      case Op::f:
        return fmt::format("f[{}]", e.index);
      case Op::floatAdd:
        return infix("+");
      case Op::floatSub:
        return infix("-");
      case Op::floatMul:
        return infix("*");
      case Op::fromUnsigned:
        return fmt::format("float({})", x(0));
      case Op::floatSelect:
        return fmt::format("({} ? {} : {})", x(0), x(1), x(2));
    }
    return {};
  }

  std::string out_;
  std::size_t indent_ = 0;
};

}  // namespace

std::string textOf(const Program& program) {
  return Writer().run(program);
}

}  // namespace lathe::fuzz
