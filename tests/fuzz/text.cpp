// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program as CUDA.
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tests/fuzz/program.h"

namespace lathe::fuzz {
namespace {

constexpr std::string_view preamble = R"(typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
__device__ u32 items() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ u32 item() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__device__ u32 lane() { return item() % 32; }
__device__ u32 warp() { return item() / 32; }
__device__ u32 lanes() { const u32 left = items() - warp() * 32; return left >= 32 ? ~0u : (1u << left) - 1; }
__device__ u32 mix(u32 a, u32 b) { return (a ^ b) * 2654435761u + b; }
__device__ u32 mixed(u64 x) { return mix(u32(x), u32(x >> 32)); }
__device__ u32 bits(float x) { return x == x ? __float_as_uint(x) : 0x7fc00000u; }
__device__ u64 bits(double x) { return x == x ? u64(__double_as_longlong(x)) : 0x7ff8000000000000ull; }
__device__ u32 whole(float x) { return x >= 0 && x < 1e9f ? u32(x) : 77; }
__device__ u32 whole(double x) { return x >= 0 && x < 1e9 ? u32(x) : 77; }
__device__ u32 group() { return blockIdx.x + blockIdx.y; }
// A place of the item's bytes; what a place holds is read by any type.
#define PLACE(T) \
  typedef T __attribute__((may_alias)) T##_any; \
  __device__ T##_any* at_##T(u8* own, u32 index) { return reinterpret_cast<T##_any*>(own) + index % (16 / sizeof(T)); }
PLACE(u8) PLACE(u16) PLACE(u32) PLACE(u64) PLACE(i8) PLACE(i16)
// Kinds of cells of shared arrays: what is put in is partly what comes out.
struct Record { u8 a; i16 b; u64 c; double d; u32 e; };
__device__ void put(u32& to, u32 v) { to = v; }
__device__ void put(u8& to, u32 v) { to = u8(v); }
__device__ void put(i8& to, u32 v) { to = i8(v); }
__device__ void put(u16& to, u32 v) { to = u16(v); }
__device__ void put(i16& to, u32 v) { to = i16(v); }
__device__ void put(u64& to, u32 v) { to = v * 0x9e3779b97f4a7c15ull; }
__device__ void put(double& to, u32 v) { to = v * 0.5; }
__device__ void put(uint4& to, u32 v) { to = make_uint4(v, v + 1, v * 3, ~v); }
__device__ void put(Record& to, u32 v) {
  const Record all = {u8(v), i16(v >> 8), v * 0x9e3779b97f4a7c15ull, v * 0.5, ~v};
  to = all;
}
template <class T> __device__ u32 got(const T& from) { return u32(from); }
template <> __device__ u32 got(const u64& from) { return mixed(from); }
template <> __device__ u32 got(const uint4& from) { return mix(from.x, mix(from.y, mix(from.z, from.w))); }
template <> __device__ u32 got(const Record& from) {
  const Record all = from;
  return mix(all.a, mix(u32(all.b), mix(mixed(all.c), mix(u32(all.d), all.e))));
}
// The place of a lane of `mask`, by number, all around.
__device__ u32 nth(u32 mask, u32 number) {
  for (number %= static_cast<u32>(__popc(mask)); number > 0; --number) mask &= mask - 1;
  return static_cast<u32>(__ffs(mask) - 1);
}
__device__ bool named(u32 mask, u32 lane) { return lane < 32 && mask >> lane & 1; }
)";

class Writer {
 public:
  explicit Writer(const Program& program) : program_(program) {}

  std::string run() {
    out_ = preamble;
    for (const Statements& entry : program_.entries) look(entry);
    // What functions and kernels share is outside of them.
    if (!called_.empty()) {
      out_ += shared("");
      out_ += "struct Pair { u32 x; u64 y; };\n";
      out_ += fmt::format("struct Locals {{\n  {};\n}};\n", members);
      for (std::size_t i = program_.functions.size(); i-- > 0;) {
        if (called_.contains(i)) function(i);
      }
    }
    for (std::size_t i = 0; i < program_.entries.size(); ++i) kernel(i);
    return out_;
  }

 private:
  /// Notes what `statements` need.
  void look(const Statements& statements) {
    for (const Statement& s : statements) {
      if (s.what == Do::call && called_.insert(s.index).second) look(program_.functions.at(s.index).body);
      if (s.what == Do::exchange) arrays_.insert({s.cell, s.index});
      for (const Statements* inner : {&s.body, &s.other, &s.third}) look(*inner);
    }
  }

  std::string array(std::uint32_t cell, std::uint32_t index) const {
    return isDynamic(cell, index) ? "dynamic" : fmt::format("s{}_{}", cell, index);
  }
  bool isDynamic(std::uint32_t cell, std::uint32_t index) const { return program_.dynamic && cell == 0 && index == 1; }

  std::string shared(std::string_view indent) const {
    constexpr std::array types = {"u32", "u8", "i8", "u16", "i16", "u64", "double", "uint4", "Record"};
    std::string out = fmt::format("{}__shared__ u32 ws[{}], sc[{}];\n", indent, mostItems, cells);
    for (const auto& [cell, index] : arrays_) {
      const bool dynamic = isDynamic(cell, index);
      out += fmt::format("{}{}__shared__ {} {}[{}];\n", indent, dynamic ? "extern " : "", types.at(cell),
                         array(cell, index), dynamic ? "" : std::to_string(mostItems));
    }
    return out;
  }

  void kernel(std::size_t i) {
    out_ +=
        fmt::format("__global__ void fuzz{}(const u32* in, u32* out, u32* cells, u64* wide, u8* bytes, u32 n) {{\n", i);
    if (called_.empty()) out_ += shared("  ");
    out_ += "  const u32 at = group() * items() + item();\n";
    out_ += fmt::format("  u8* const own = bytes + at * {};\n", ownBytes);
    if (called_.empty()) {
      out_ += fmt::format("  {};\n", locals);
    } else {
      out_ += "  Locals all = {};\n";
      aliases();
      out_ += "  all.in = in, all.cells = cells, all.wide = wide, all.own = own, all.n = n, all.at = at;\n";
    }
    out_ += R"(  u[0] = in[at], u[1] = in[at] / 7, u[2] = item(), u[3] = in[at] >> 20;
  l[0] = in[at] * 0x100000001ull, l[1] = u64(in[at]) << 20;
  g[0] = group(), g[1] = 3, g[2] = items(), w[0] = warp(), w[1] = warp() * 3 + group();
  f[0] = float(in[at] % 1000), f[1] = 0.5f, f[2] = float(lane());
  d[0] = double(in[at]) / 3, d[1] = 0.25, m[0] = lanes();
  if (item() == 0) sc[0] = 0, sc[1] = 0, sc[2] = ~0u, sc[3] = 0, sc[4] = ~0u, sc[5] = 0;
)";
    for (const auto& [cell, index] : arrays_) out_ += fmt::format("  put({}[item()], item());\n", array(cell, index));
    out_ += "  __syncthreads();\n";
    write(program_.entries[i]);
    finish();
    out_ += "}\n";
  }

  void function(std::size_t i) {
    const Function& function = program_.functions[i];
    out_ += fmt::format("__device__ {} Pair call{}(Locals& all, u32 a0, Pair a1) {{\n",
                        function.outOfLine ? "__noinline__" : "__forceinline__", i);
    aliases();
    out_ += "  const u32 *const in = all.in, n = all.n, at = all.at;\n  u32* const cells = all.cells;\n";
    out_ += "  u64* const wide = all.wide;\n  u8* const own = all.own;\n";
    result_ = fmt::format("return {{{}, {}}};", textOf(function.x), textOf(function.y));
    write(function.body);
    out_ += "  " + result_ + "\n}\n";
  }

  void aliases() {
    for (const char name : std::string_view("ulgwfdcpbhm")) out_ += fmt::format("  auto& {} = all.{};\n", name, name);
  }

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
    out_ += R"(  out[2 * at] = mix(mix(mix(mix(u[0], u[1]), mix(u[2], u[3])),
                         mix(mix(g[0], g[1]), mix(g[2], mix(w[0], w[1])))), mix(mixed(l[0]), mixed(l[1])));
  out[2 * at + 1] = mix(mix(mix(mix(bits(f[0]), bits(f[1])), bits(f[2])), mix(mixed(bits(d[0])), mixed(bits(d[1])))),
                        mix(p[item() % 8], mix(b[item() % 8], h[item() % 8])));
)";
  }

  void write(const Statement& s) {
    const auto operand = [&](std::size_t i) { return textOf(s.operands.at(i)); };
    const std::string mask = fmt::format("m[{}]", s.mask);
    switch (s.what) {
      case Do::assign:
        return line("{} = {};", variable(s), operand(0));
      case Do::assignG:
        return line("g[{}] = {};", s.index, operand(0));
      case Do::assignW:
        return line("w[{}] = {};", s.index, operand(0));
      case Do::privateStore:
        return line("p[({}) % 8] = {};", operand(0), operand(1));
      case Do::byteStore:
        return line("b[({}) % 8] = u8({});", operand(0), operand(1));
      case Do::halfStore:
        return line("h[({}) % 8] = u16({});", operand(0), operand(1));
      case Do::ownStore: {
        constexpr std::array stored = {"u8", "u16", "u32", "u64"};
        return line("*at_{0}(own, {1}) = {0}({2});", stored.at(s.index), operand(0), operand(1));
      }
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
      case Do::untilLoop:
        line("c[{}] = 0;", s.index);
        block("do", s.body);
        return line("while (++c[{}] < 4 && {});", s.index, operand(0));
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
      case Do::comeBackIf:
        return line("if ({}) {}", operand(0), result_);
      case Do::choose:
        line("{{");
        line("const u32 which = ({}) % 3;", operand(0));
        if (s.first) line("m[{}] = __match_any_sync({}, which);", s.first, mask);
        line("switch (which) {{");
        block("case 0:", s.body);
        if (!s.second) line("break;");
        block("case 1:", s.other);
        line("break;");
        block("default:", s.third);
        line("}}");
        return line("}}");
      case Do::call: {
        const std::uint32_t slot = program_.functions.at(s.index).mask;
        line("{{");
        if (slot) line("m[{}] = {};", slot, mask);
        line("const Pair argument = {{{}, {}}};", operand(1), operand(2));
        line("const Pair r = call{}(all, {}, argument);", s.index, operand(0));
        line("u[{}] = r.x;", s.first);
        line("l[{}] = r.y;", s.second);
        return line("}}");
      }
      case Do::exchange:
        line("put({}[item()], {});", array(s.cell, s.index), operand(0));
        write(s.body);
        line("__syncthreads();");
        line("u[{}] = got({}[({}) % items()]);", s.mask, array(s.cell, s.index), operand(1));
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
        return line("{} = __shfl_sync({}, {}, nth({}, {}));", variable(s), mask, operand(0), mask, operand(1));
      case Do::shuffleUp:
        return neighbour(s, "__shfl_up_sync", "lane() - k");
      case Do::shuffleDown:
        return neighbour(s, "__shfl_down_sync", "lane() + k");
      case Do::shuffleXor:
        return neighbour(s, "__shfl_xor_sync", "lane() ^ k");
      case Do::atomic:
        return line("{}(&cells[{}], u32({}));", functions.at(s.index), s.index, operand(0));
      case Do::atomicByTrial:
        line("{{");
        line("const u32 by = {};", operand(0));
        line("u32 old = 0, seen;");
        line("do {{");
        line("  seen = old;");
        line("  old = atomicCAS(&cells[{}], seen, seen + by);", s.index);
        line("}} while (old != seen);");
        return line("}}");
      case Do::wideAtomic:
        return line("{}(&wide[{}], u64({}));", functions.at(s.index), s.index, operand(0));
      case Do::sharedAtomic:
        return line("{}(&sc[{}], u32({}));", functions.at(s.index), s.index, operand(0));
      case Do::sharedRead:
        line("__syncthreads();");
        line("u[{}] = sc[{}];", s.first, s.index);
        return line("__syncthreads();");
    }
  }

  /// A value that may be that of a lane which is not here is not used.
  void neighbour(const Statement& s, std::string_view function, std::string_view from) {
    line("{{");
    line("const auto mine = {};", textOf(s.operands.at(0)));
    line("const u32 k = ({}) % 32;", textOf(s.operands.at(1)));
    line("const auto other = {}(m[{}], mine, k);", function, s.mask);
    line("{} = named(m[{}], {}) ? other : mine;", variable(s), s.mask, from);
    line("}}");
  }

  /// That a statement's first operand is for.
  static std::string variable(const Statement& s) {
    return textOf({.op = Op::variable, .index = s.index, .type = s.operands.at(0).type});
  }

  /// Declares every variable; as members, without values.
  static constexpr std::string_view members =
      "u32 u[4], g[3], w[2], c[24], p[8], m[64];\n  u64 l[2];\n  float f[3];\n  double d[2];\n  u8 b[8];\n  u16 h[8];\n"
      "  const u32* in;\n  u32* cells;\n  u64* wide;\n  u8* own;\n  u32 n, at";
  static constexpr std::string_view locals =
      "u32 u[4], g[3], w[2], c[24] = {}, p[8] = {}, m[64] = {};\n  u64 l[2];\n  float f[3];\n  double d[2];\n"
      "  u8 b[8] = {};\n  u16 h[8] = {}";
  /// What the atomics do to the cell of that number.
  static constexpr std::array functions = {"atomicAdd", "atomicMax", "atomicMin", "atomicOr", "atomicAnd", "atomicXor"};

  const Program& program_;
  std::set<std::size_t> called_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> arrays_;  ///< by kind of cell and number
  std::string out_, result_;
  std::size_t indent_ = 0;
};

}  // namespace

std::string textOf(const Program& program) {
  return Writer(program).run();
}

}  // namespace lathe::fuzz
