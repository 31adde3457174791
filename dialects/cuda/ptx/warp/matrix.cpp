// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions by which a warp moves and multiplies matrices. Each thread holds a part of a matrix, as the PTX ISA's
// chapters "Warp-level matrix load", "store" and "multiply-and-accumulate" lay down: with g the number of its group of
// four and t its number therein, rows and columns follow from g and t alone. Off NVIDIA's GPUs threads fetch what they
// lack by shuffles and multiply it themselves.
#include <array>

#include "dialects/cuda/ptx/address.h"
#include "dialects/cuda/ptx/instructions.h"
#include "dialects/cuda/ptx/special_registers.h"

namespace lathe::dialects::ptx {
namespace {

constexpr unsigned warpSize = 32;

llvm::Value* shuffled(Emitter& e, llvm::Value* value, llvm::Value* lane) {
  llvm::Value* const all = itemsOf(e, e.number(32, ~std::uint64_t{0}));
  return e.callAbi("shuffle_i32", e.integer(32), {all, value, lane, e.number(32, warpSize)}, /*isConvergent=*/true);
}

/// The place of the thread among its four, and that of the four.
struct Place {
  llvm::Value* group;
  llvm::Value* thread;
};
Place placeOf(Emitter& e) {
  llvm::Value* const lane = laneOf(e);
  return {e.ir().CreateLShr(lane, 2), e.ir().CreateAnd(lane, 3)};
}

llvm::ArrayRef<Operand> partsOf(const Operand& operand) {
  return operand.kind == Operand::Kind::vector ? llvm::ArrayRef(operand.parts) : llvm::ArrayRef(operand);
}

/// What the two instructions for 8 × 8 matrices of 16 bits say: how many there are, and whether they are transposed.
struct Tiles {
  unsigned count = 0;  ///< 0: the form has no translation
  bool transposed = false;
};
Tiles tilesOf(Emitter& e, Words& words, const Operand& registers) {
  Tiles out;
  (void)words.take("sync");
  (void)words.take("aligned");
  const bool isSquare = words.take("m8n8");
  const llvm::StringRef count = words.takeOneOf({"x1", "x2", "x4"});
  out.transposed = words.take("trans");
  const bool isShared = !words.takeOneOf({"shared", "shared::cta"}).empty();
  (void)count.drop_front().getAsInteger(10, out.count);
  if (!isSquare || count.empty() || !isShared || !words.take("b16") || partsOf(registers).size() != out.count) {
    e.refuseThis("this form has no translation", "move matrices m8n8 of b16 in shared memory");
    out.count = 0;
  }
  return out;
}

/// Calls access(pointer, part) for each piece of tile `tile` that the thread holds: its two elements at once, or, of a
/// transposed tile, one after the other. `rows`: the number that is this thread's address.
template <class Access>
void forEachPiece(Emitter& e, llvm::Value* rows, unsigned tile, bool transposed, const Access& access) {
  llvm::IRBuilder<>& ir = e.ir();
  const Place place = placeOf(e);
  const auto addressAt = [&](llvm::Value* row, llvm::Value* offset) {
    llvm::Value* const start = shuffled(e, rows, ir.CreateAdd(row, e.number(32, std::uint64_t{8} * tile)));
    return sharedPointer(e, ir.CreateAdd(start, offset));
  };
  if (!transposed) return access(addressAt(place.group, ir.CreateShl(place.thread, 2)), 0U);
  for (const unsigned part : {0U, 1U}) {
    llvm::Value* const row = ir.CreateOr(ir.CreateShl(place.thread, 1), part);
    access(addressAt(row, ir.CreateShl(place.group, 1)), part);
  }
}

/// A shape of products and its types. Registers hold `each` elements that follow each other along k.
struct Product {
  unsigned rows = 0, inner = 0;
  unsigned elementBits = 0, each = 0;
  std::string left, right, sum;
  [[nodiscard]] bool isInteger() const { return sum == "s32"; }
  [[nodiscard]] bool isDouble() const { return sum == "f64"; }
  /// Registers of the operands; of results and sums, which have two columns in each of one or two rows.
  [[nodiscard]] unsigned steps() const { return inner / (4 * each); }
  [[nodiscard]] unsigned leftRegisters() const { return steps() * rows / 8; }
  [[nodiscard]] unsigned sumRegisters() const { return rows / 8 * (sum == "f16" ? 1 : 2); }
};

bool isNarrowFloat(llvm::StringRef type) {
  return type == "e4m3" || type == "e5m2";
}

std::optional<Product> productOf(Words& words) {
  Product out;
  (void)words.take("sync");
  (void)words.take("aligned");
  static constexpr std::array<std::pair<llvm::StringLiteral, std::pair<unsigned, unsigned>>, 6> shapes = {
      {{"m16n8k4", {16, 4}},
       {"m16n8k8", {16, 8}},
       {"m16n8k16", {16, 16}},
       {"m16n8k32", {16, 32}},
       {"m8n8k16", {8, 16}},
       {"m8n8k4", {8, 4}}}};
  for (const auto& [name, size] : shapes)
    if (words.take(name)) std::tie(out.rows, out.inner) = size;
  if (out.rows == 0 || !words.take("row") || !words.take("col") || words.left().size() != 4) return std::nullopt;
  const std::vector<std::string> types = words.left();
  words.takeAll("");
  out.left = types[1], out.right = types[2], out.sum = types[0];
  const bool isByte = out.left == "s8" || out.left == "u8", isNarrow = isNarrowFloat(out.left);
  const bool isHalf = out.left == "f16" || out.left == "bf16";
  out.elementBits = isByte || isNarrow ? 8 : isHalf ? 16 : out.left == "tf32" ? 32 : out.left == "f64" ? 64 : 0;
  if (out.elementBits == 0 || types[3] != out.sum) return std::nullopt;
  out.each = out.elementBits < 32 ? 32 / out.elementBits : 1;
  const bool known = isByte              ? out.sum == "s32" && (out.right == "s8" || out.right == "u8")
                     : isNarrow          ? out.sum == "f32" && isNarrowFloat(out.right)
                     : out.left == "f64" ? out.sum == "f64" && out.right == "f64"
                     : out.left == "f16" ? (out.sum == "f32" || out.sum == "f16") && out.right == "f16"
                                         : out.sum == "f32" && out.right == out.left;
  // Of each element there are shapes with one or two steps along k, and one with 8 rows.
  const bool hasRows = out.rows == 16 ? !out.isDouble() : (isByte && out.inner == 16) || out.isDouble();
  return known && hasRows && (out.steps() == 1 || out.steps() == 2) ? std::optional(out) : std::nullopt;
}

/// A narrow float in the low 8 bits of `bits`, whose upper bits may be any. E5M2 is the upper half of a half; E4M3 has
/// its digits two places lower, an exponent that is 8 more, and no infinity.
llvm::Value* narrowFloat(Emitter& e, llvm::Value* bits, llvm::StringRef type) {
  llvm::IRBuilder<>& ir = e.ir();
  const auto asFloat = [&](llvm::Value* half) {
    return ir.CreateFPExt(ir.CreateBitCast(ir.CreateTrunc(half, e.integer(16)), ir.getHalfTy()), ir.getFloatTy());
  };
  if (type == "e5m2") return asFloat(ir.CreateShl(bits, 8));
  llvm::Value* const digits = ir.CreateAnd(bits, 0x7f);
  llvm::Value* const sign = ir.CreateShl(ir.CreateAnd(bits, 0x80), 8);
  llvm::Value* const scaled = asFloat(ir.CreateOr(sign, ir.CreateShl(digits, 7)));
  llvm::Value* const value = ir.CreateFMul(scaled, llvm::ConstantFP::get(ir.getFloatTy(), 256));
  return ir.CreateSelect(ir.CreateICmpEQ(digits, e.number(32, 0x7f)), llvm::ConstantFP::getNaN(ir.getFloatTy()), value);
}

/// Element `at` of a register, in the type in which it is multiplied.
llvm::Value* elementOf(Emitter& e, llvm::Value* bits, unsigned at, const Product& product, llvm::StringRef type) {
  llvm::IRBuilder<>& ir = e.ir();
  if (product.isDouble()) return bits;
  if (isNarrowFloat(type)) return narrowFloat(e, ir.CreateLShr(bits, 8 * at), type);
  if (product.isInteger()) {
    llvm::Value* const high = ir.CreateShl(bits, 24 - 8 * at);
    return type == "s8" ? ir.CreateAShr(high, 24) : ir.CreateLShr(high, 24);
  }
  if (type == "tf32") return ir.CreateBitCast(ir.CreateAnd(bits, 0xffffe000), ir.getFloatTy());
  llvm::Value* const high = at == 1 ? ir.CreateAnd(bits, 0xffff0000) : ir.CreateShl(bits, 16);
  if (type == "bf16") return ir.CreateBitCast(high, ir.getFloatTy());
  llvm::Value* const half = ir.CreateBitCast(ir.CreateTrunc(ir.CreateLShr(high, 16), e.integer(16)), ir.getHalfTy());
  return ir.CreateFPExt(half, ir.getFloatTy());
}

/// A register of another thread, which has 64 bits where products are of doubles.
llvm::Value* fetched(Emitter& e, llvm::Value* value, llvm::Value* lane, const Product& product) {
  llvm::IRBuilder<>& ir = e.ir();
  if (!product.isDouble()) return shuffled(e, value, lane);
  llvm::Value* const bits = ir.CreateBitCast(value, e.integer(64));
  llvm::Value* const low = shuffled(e, ir.CreateTrunc(bits, e.integer(32)), lane);
  llvm::Value* const high = shuffled(e, ir.CreateTrunc(ir.CreateLShr(bits, 32), e.integer(32)), lane);
  llvm::Value* const whole =
      ir.CreateOr(ir.CreateZExt(low, e.integer(64)), ir.CreateShl(ir.CreateZExt(high, e.integer(64)), 32));
  return ir.CreateBitCast(whole, ir.getDoubleTy());
}

/// The thread's sums, two columns of each row: of floats where the result is of halves.
std::vector<llvm::Value*> readSums(Emitter& e, llvm::ArrayRef<Operand> parts, const Product& product) {
  llvm::IRBuilder<>& ir = e.ir();
  std::vector<llvm::Value*> out;
  for (const Operand& part : parts) {
    if (product.sum == "f16") {
      llvm::Value* const pair = e.read(part, {Kind::real, 32, true});
      for (const unsigned i : {0U, 1U})
        out.push_back(ir.CreateFPExt(ir.CreateExtractElement(pair, i), ir.getFloatTy()));
    } else if (product.isInteger()) {
      out.push_back(e.read(part, {Kind::signedInteger, 32}));
    } else {
      out.push_back(e.read(part, {Kind::real, product.isDouble() ? 64U : 32U}));
    }
  }
  return out;
}

void writeSums(Emitter& e, llvm::ArrayRef<Operand> parts, llvm::ArrayRef<llvm::Value*> sums, const Product& product) {
  llvm::IRBuilder<>& ir = e.ir();
  for (unsigned i = 0; i < parts.size(); ++i) {
    if (product.sum == "f16") {
      llvm::Value* pair = llvm::PoisonValue::get(llvm::FixedVectorType::get(ir.getHalfTy(), 2));
      for (const unsigned k : {0U, 1U})
        pair = ir.CreateInsertElement(pair, ir.CreateFPTrunc(sums[2 * i + k], ir.getHalfTy()), k);
      e.write(parts[i], pair, {Kind::real, 32, true});
    } else if (product.isInteger()) {
      e.write(parts[i], sums[i], {Kind::signedInteger, 32});
    } else {
      e.write(parts[i], sums[i], {Kind::real, product.isDouble() ? 64U : 32U});
    }
  }
}

}  // namespace

void loadMatrix(Emitter& e, Words& words, const Instruction& in) {
  const Tiles tiles = tilesOf(e, words, in.operands[0]);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const rows = sharedAddress(e, memoryOperand(e, in.operands[1], Space::shared), 32);
  std::vector<llvm::Value*> loaded;
  for (unsigned tile = 0; tile < tiles.count; ++tile) {
    llvm::Value* value = nullptr;
    forEachPiece(e, rows, tile, tiles.transposed, [&](llvm::Value* pointer, unsigned part) {
      if (!tiles.transposed) {
        value = ir.CreateAlignedLoad(e.integer(32), pointer, llvm::Align(4), e.isVolatile());
        return;
      }
      llvm::Value* const element = ir.CreateAlignedLoad(e.integer(16), pointer, llvm::Align(2), e.isVolatile());
      llvm::Value* const wide = ir.CreateZExt(element, e.integer(32));
      value = part == 0 ? wide : ir.CreateOr(value, ir.CreateShl(wide, 16));
    });
    loaded.push_back(value);
  }
  // A result may share its register with the address.
  for (unsigned tile = 0; tile < tiles.count; ++tile)
    e.write(partsOf(in.operands[0])[tile], loaded[tile], {Kind::bits, 32});
}

void storeMatrix(Emitter& e, Words& words, const Instruction& in) {
  const Tiles tiles = tilesOf(e, words, in.operands[1]);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const rows = sharedAddress(e, memoryOperand(e, in.operands[0], Space::shared), 32);
  for (unsigned tile = 0; tile < tiles.count; ++tile) {
    llvm::Value* const value = e.read(partsOf(in.operands[1])[tile], {Kind::bits, 32});
    forEachPiece(e, rows, tile, tiles.transposed, [&](llvm::Value* pointer, unsigned part) {
      if (!tiles.transposed) {
        ir.CreateAlignedStore(value, pointer, llvm::Align(4), e.isVolatile());
      } else {
        llvm::Value* const element = ir.CreateTrunc(ir.CreateLShr(value, 16 * part), e.integer(16));
        ir.CreateAlignedStore(element, pointer, llvm::Align(2), e.isVolatile());
      }
    });
  }
}

/// d = a b + c, where thread t of group g has, of a, elements (g, k) and (g + 8, k), of b (k, g), with k from t times
/// the elements of a register on, and of c and d (g, 2t), (g, 2t + 1) and the same 8 rows below.
void multiplyMatrices(Emitter& e, Words& words, const Instruction& in) {
  const std::optional<Product> found = productOf(words);
  if (!found)
    return e.refuseThis("this form has no translation", "multiply by nvcuda::wmma, or keep it from this target");
  const Product& product = *found;
  const auto left = partsOf(in.operands[1]), right = partsOf(in.operands[2]);
  const bool counts = partsOf(in.operands[0]).size() == product.sumRegisters() &&
                      partsOf(in.operands[3]).size() == product.sumRegisters() &&
                      left.size() == product.leftRegisters() && right.size() == product.steps();
  if (!counts) return e.refuseThis("a matrix has another number of registers", "compare it with NVIDIA's PTX ISA");
  llvm::IRBuilder<>& ir = e.ir();
  const Type held = product.isDouble() ? Type{Kind::real, 64} : Type{Kind::bits, 32};
  const Place place = placeOf(e);
  llvm::Value* const rowThreads = ir.CreateShl(place.group, 2);      // the four that have the rows
  llvm::Value* const columnThreads = ir.CreateShl(place.thread, 3);  // the four that have the first column
  std::vector<llvm::Value*> sums = readSums(e, partsOf(in.operands[3]), product);
  const unsigned halves = product.rows / 8;
  for (unsigned step = 0; step < product.steps(); ++step) {
    llvm::Value* const rightOwn = e.read(right[step], held);
    for (unsigned thread = 0; thread < 4; ++thread) {
      std::vector<llvm::Value*> columns;  // elements of the first, then of the second
      for (const unsigned column : {0U, 1U}) {
        llvm::Value* const lane = ir.CreateAdd(columnThreads, e.number(32, 4 * column + thread));
        llvm::Value* const bits = fetched(e, rightOwn, lane, product);
        for (unsigned at = 0; at < product.each; ++at)
          columns.push_back(elementOf(e, bits, at, product, product.right));
      }
      for (unsigned half = 0; half < halves; ++half) {
        llvm::Value* const lane = ir.CreateAdd(rowThreads, e.number(32, thread));
        llvm::Value* const row = fetched(e, e.read(left[step * halves + half], held), lane, product);
        for (unsigned at = 0; at < product.each; ++at) {
          llvm::Value* const a = elementOf(e, row, at, product, product.left);
          for (const unsigned column : {0U, 1U}) {
            llvm::Value* const b = columns[column * product.each + at];
            llvm::Value*& sum = sums[2 * half + column];
            sum = product.isInteger() ? ir.CreateAdd(sum, ir.CreateMul(a, b))
                                      : e.intrinsic(llvm::Intrinsic::fma, {a, b, sum});
          }
        }
      }
    }
  }
  writeSums(e, partsOf(in.operands[0]), sums, product);
}

}  // namespace lathe::dialects::ptx
