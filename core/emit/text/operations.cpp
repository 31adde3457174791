// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions as expressions. Numbers are unsigned, so that they wrap as LLVM's do; signed operations cast. Shifts are
// masked, and what the languages leave undefined where LLVM has only poison does not occur. Results narrower than the
// languages compute are cast back.
//
//   %q = sdiv i32 %a, %b     (uint)((int)v1 / (int)v2)
//   %s = add nsw i8 %a, %b   (uchar)(v1 + v2)
#include "llvm/IR/Operator.h"

#include "core/emit/text/function_text.h"

namespace lathe::detail {

const llvm::BinaryOperator* FunctionText::fusedProduct(const llvm::Instruction& sum) const {
  const unsigned opcode = sum.getOpcode();
  if (opcode != llvm::Instruction::FAdd && opcode != llvm::Instruction::FSub) return nullptr;
  if (!sum.hasAllowContract() || !spelling_.function("fma." + typeKey(*sum.getType()))) return nullptr;
  for (const llvm::Use& operand : sum.operands()) {
    const auto* const product = llvm::dyn_cast<llvm::BinaryOperator>(operand.get());
    if (product && product->getOpcode() == llvm::Instruction::FMul && product->hasAllowContract() &&
        product->hasOneUse() && product->getParent() == sum.getParent())
      return product;
  }
  return nullptr;
}

bool FunctionText::isFused(const llvm::Instruction& product) const {
  if (product.getOpcode() != llvm::Instruction::FMul || !product.hasOneUse()) return false;
  return fusedProduct(*llvm::cast<llvm::Instruction>(product.user_back())) == &product;
}

/// A sum with one of its products, where the kernel lets both be one operation; empty for others.
std::string FunctionText::contracted(const llvm::BinaryOperator& sum) {
  const llvm::BinaryOperator* const product = fusedProduct(sum);
  if (!product) return {};
  const bool first = sum.getOperand(0) == product;
  const bool difference = sum.getOpcode() == llvm::Instruction::FSub;
  const std::string factor = use(*product->getOperand(0));
  const std::string rest = use(*sum.getOperand(first ? 1 : 0));
  return filled(spelling_.function("fma." + typeKey(*sum.getType()))->first,
                {{"0", difference && !first ? "-" + factor : factor},
                 {"1", use(*product->getOperand(1))},
                 {"2", difference && first ? "-" + rest : rest}});
}

std::string FunctionText::use(const llvm::Value& value) {
  if (const auto named = names_.find(&value); named != names_.end()) return named->second;
  if (const auto* const expressionOf = llvm::dyn_cast<llvm::ConstantExpr>(&value)) {
    llvm::Instruction* const instruction = expressionOf->getAsInstruction();
    std::string out = "(" + expression(*instruction) + ")";
    instruction->deleteValue();
    return out;
  }
  if (const auto* const constant = llvm::dyn_cast<llvm::Constant>(&value)) return constantText(spelling_, *constant);
  spelling_.report("a value of this form", "compute it in the kernel");
  return "0";
}

std::string FunctionText::useSigned(const llvm::Value& value) {
  return "(" + spelling_.signedType(*value.getType()) + ")" + use(value);
}

std::string FunctionText::widened(const llvm::Value& value) {
  if (!spelling_.isStoredOnly(*value.getType())) return use(value);
  return filled(spelling_.rules().half.at("widen"), {{"0", use(value)}});
}

std::string FunctionText::narrowed(const llvm::Type& type, std::string value) {
  if (!spelling_.isStoredOnly(type)) return value;
  return filled(spelling_.rules().half.at("narrow"), {{"0", std::move(value)}});
}

std::optional<std::string> FunctionText::templated(std::string_view name, llvm::Type& type,
                                                   llvm::ArrayRef<const llvm::Value*> operands, Holes more) {
  const auto found = spelling_.function(name);
  if (!found) return std::nullopt;
  // A rule for this very type takes and gives what is stored.
  const bool exact = spelling_.rules().functions.contains(std::string(name));
  Holes holes = std::move(more);
  holes.emplace("*", found->second);
  if (!type.isVoidTy() && !type.isAggregateType()) {
    holes.emplace("type", spelling_.type(type));
    holes.emplace("stype", spelling_.signedType(type));
  }
  std::string all;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::string text = exact ? use(*operands[i]) : widened(*operands[i]);
    holes.emplace(std::to_string(i), text);
    if (operands[i]->getType()->isIntegerTy()) holes.emplace("s" + std::to_string(i), useSigned(*operands[i]));
    all += (i == 0 ? "" : ", ") + text;
  }
  holes.emplace("args", all);
  std::string out = filled(found->first, holes);
  return exact ? out : narrowed(type, std::move(out));
}

std::string FunctionText::binary(const llvm::BinaryOperator& operation) {
  llvm::Type& type = *operation.getType();
  const llvm::Value& left = *operation.getOperand(0);
  const llvm::Value& right = *operation.getOperand(1);
  if (std::string one = contracted(operation); !one.empty()) return one;
  if (const auto own = templated(std::string(operation.getOpcodeName()) + "." + typeKey(type), type, {&left, &right}))
    return *own;
  const std::string result = "(" + spelling_.type(type) + ")";
  const unsigned width = type.isIntegerTy() ? type.getIntegerBitWidth() : 0;
  const auto plain = [&](const char* sign) {
    const std::string value = use(left) + " " + sign + " " + use(right);
    return width == 32 || width == 64 ? value : result + "(" + value + ")";
  };
  // Numbers below an int are multiplied as int, which may overflow: as unsigned they may not.
  const auto product = [&] {
    const std::string wide = "(" + spelling_.rules().types.at("i32") + ")";
    return width < 32 ? result + "(" + wide + use(left) + " * " + wide + use(right) + ")" : plain("*");
  };
  const auto asSigned = [&](const char* sign) {
    return result + "(" + useSigned(left) + " " + sign + " " + useSigned(right) + ")";
  };
  const auto amount = [&]() -> std::string {
    const auto* const fixed = llvm::dyn_cast<llvm::ConstantInt>(&right);
    if (fixed && fixed->getValue().ult(width)) return std::to_string(fixed->getZExtValue());
    return "(" + use(right) + " & " + std::to_string(width - 1) + ")";
  };
  const auto decimal = [&](const char* sign) {
    return narrowed(type, widened(left) + " " + sign + " " + widened(right));
  };
  switch (operation.getOpcode()) {
    case llvm::Instruction::Add:
      return width == 1 ? use(left) + " != " + use(right) : plain("+");
    case llvm::Instruction::Sub:
      return width == 1 ? use(left) + " != " + use(right) : plain("-");
    case llvm::Instruction::Mul:
      return width == 1 ? use(left) + " && " + use(right) : product();
    case llvm::Instruction::UDiv:
      return plain("/");
    case llvm::Instruction::URem:
      return plain("%");
    case llvm::Instruction::SDiv:
      return asSigned("/");
    case llvm::Instruction::SRem:
      return asSigned("%");
    case llvm::Instruction::And:
      return width == 1 ? use(left) + " && " + use(right) : plain("&");
    case llvm::Instruction::Or:
      return width == 1 ? use(left) + " || " + use(right) : plain("|");
    case llvm::Instruction::Xor:
      return width == 1 ? use(left) + " != " + use(right) : plain("^");
    case llvm::Instruction::Shl:
      return result + "(" + (width < 32 ? "(" + spelling_.rules().types.at("i32") + ")" : "") + use(left) + " << " +
             amount() + ")";
    case llvm::Instruction::LShr:
      return result + "(" + use(left) + " >> " + amount() + ")";
    case llvm::Instruction::AShr:
      return result + "(" + useSigned(left) + " >> " + amount() + ")";
    case llvm::Instruction::FAdd:
      return decimal("+");
    case llvm::Instruction::FSub:
      return decimal("-");
    case llvm::Instruction::FMul:
      return decimal("*");
    case llvm::Instruction::FDiv:
      return decimal("/");
    default:
      spelling_.report("the operation '" + std::string(operation.getOpcodeName()) + "'", "compute it from others");
      return "0";
  }
}

std::string FunctionText::cast(const llvm::CastInst& cast) {
  const llvm::Value& value = *cast.getOperand(0);
  llvm::Type& from = *value.getType();
  llvm::Type& to = *cast.getType();
  if (const auto own =
          templated(std::string(cast.getOpcodeName()) + "." + typeKey(from) + "." + typeKey(to), to, {&value}))
    return *own;
  const std::string type = "(" + spelling_.type(to) + ")";
  const auto toFloat = [&](const std::string& number) {
    if (!spelling_.isStoredOnly(to)) return type + number;
    return narrowed(to, "(" + spelling_.rules().types.at("f32") + ")" + number);
  };
  switch (cast.getOpcode()) {
    case llvm::Instruction::Trunc:
      return to.isIntegerTy(1) ? "(" + use(value) + " & 1) != 0" : type + use(value);
    case llvm::Instruction::SExt:
      if (from.isIntegerTy(1)) return use(value) + " ? ~" + type + "0 : " + type + "0";
      return type + "(" + spelling_.signedType(to) + ")" + useSigned(value);
    case llvm::Instruction::ZExt:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::PtrToAddr:
      return type + use(value);
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::AddrSpaceCast:
      return type + use(value);
    case llvm::Instruction::UIToFP:
      return toFloat(use(value));
    case llvm::Instruction::SIToFP:
      if (from.isIntegerTy(1)) return use(value) + " ? " + toFloat("-1.0f") + " : " + toFloat("0.0f");
      return toFloat("(" + useSigned(value) + ")");
    case llvm::Instruction::FPToUI:
      return to.isIntegerTy(1) ? widened(value) + " != 0" : type + widened(value);
    case llvm::Instruction::FPToSI:
      return to.isIntegerTy(1) ? widened(value) + " != 0"
                               : type + "(" + spelling_.signedType(to) + ")" + widened(value);
    case llvm::Instruction::FPTrunc:
      return toFloat(use(value));
    case llvm::Instruction::FPExt:
      return type + widened(value);
    case llvm::Instruction::BitCast: {
      if (&from == &to) return use(value);
      const auto found = spelling_.rules().bits.find(typeKey(to));
      const bool same = spelling_.isStoredOnly(from) || spelling_.isStoredOnly(to);
      if (same && to.getPrimitiveSizeInBits() == 16) return type + use(value);
      if (found == spelling_.rules().bits.end()) break;
      return filled(found->second, {{"0", use(value)}});
    }
    default:
      break;
  }
  spelling_.report("this conversion", "convert by way of another type");
  return "0";
}

std::string FunctionText::comparison(const llvm::CmpInst& comparison) {
  using Predicate = llvm::CmpInst::Predicate;
  const llvm::Value& left = *comparison.getOperand(0);
  const llvm::Value& right = *comparison.getOperand(1);
  const llvm::Type& type = *left.getType();
  if (const auto* const whole = llvm::dyn_cast<llvm::ICmpInst>(&comparison)) {
    constexpr const char* signs[] = {"==", "!=", ">", ">=", "<", "<=", ">", ">=", "<", "<="};
    static_assert(Predicate::ICMP_SLE - Predicate::ICMP_EQ == 9 && Predicate::ICMP_SGT - Predicate::ICMP_EQ == 6);
    const std::string sign = " " + std::string(signs[whole->getPredicate() - Predicate::ICMP_EQ]) + " ";
    if (type.isPointerTy()) {
      const std::string number = "(" + spelling_.rules().types.at("i64") + ")";
      return number + use(left) + sign + number + use(right);
    }
    if (!whole->isSigned()) return use(left) + sign + use(right);
    // The set of one bit is 0 and -1.
    if (type.isIntegerTy(1)) return use(right) + sign + use(left);
    return useSigned(left) + sign + useSigned(right);
  }
  const std::string a = widened(left), b = widened(right);
  const auto both = [&](const char* sign) { return a + " " + sign + " " + b; };
  switch (comparison.getPredicate()) {
    case Predicate::FCMP_FALSE:
      return "false";
    case Predicate::FCMP_TRUE:
      return "true";
    case Predicate::FCMP_OEQ:
      return both("==");
    case Predicate::FCMP_UNE:
      return both("!=");
    case Predicate::FCMP_OGT:
      return both(">");
    case Predicate::FCMP_OGE:
      return both(">=");
    case Predicate::FCMP_OLT:
      return both("<");
    case Predicate::FCMP_OLE:
      return both("<=");
    case Predicate::FCMP_ULE:
      return "!(" + both(">") + ")";
    case Predicate::FCMP_ULT:
      return "!(" + both(">=") + ")";
    case Predicate::FCMP_UGE:
      return "!(" + both("<") + ")";
    case Predicate::FCMP_UGT:
      return "!(" + both("<=") + ")";
    case Predicate::FCMP_ONE:
      return both("<") + " || " + both(">");
    case Predicate::FCMP_UEQ:
      return "!(" + both("<") + " || " + both(">") + ")";
    case Predicate::FCMP_ORD:
      return a + " == " + a + " && " + b + " == " + b;
    case Predicate::FCMP_UNO:
      return a + " != " + a + " || " + b + " != " + b;
    default:
      spelling_.report("this comparison", "compare otherwise");
      return "false";
  }
}

std::string FunctionText::address(const llvm::GEPOperator& address) {
  const llvm::DataLayout& layout = spelling_.lowering().module->getDataLayout();
  llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> scales;
  llvm::APInt offset(64, 0);
  if (!address.collectOffset(layout, 64, scales, offset)) {
    spelling_.report("this computation of an address", "index an array");
    return "0";
  }
  const std::string base = use(*address.getPointerOperand());
  std::string sum;
  const std::string wide = "(" + spelling_.rules().types.at("s64") + ")";
  const std::string number = "(" + spelling_.rules().types.at("i64") + ")";
  for (const auto& [index, scale] : scales) {
    const bool whole = index->getType()->getIntegerBitWidth() == 64;
    const std::string value = whole ? use(*index) : number + wide + useSigned(*index);
    sum += (sum.empty() ? "" : " + ") +
           (scale.isOne() ? value : value + " * " + std::to_string(scale.getZExtValue()) + "ul");
  }
  if (!offset.isZero() || sum.empty()) sum += (sum.empty() ? "" : " + ") + std::to_string(offset.getZExtValue()) + "ul";
  return base + " + " + wide + "(" + sum + ")";
}

std::string FunctionText::simpleIntrinsic(const llvm::CallInst& call) {
  const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  if (!intrinsic) return {};
  const auto chosen = [&](bool isSigned, const char* sign) {
    const llvm::Value& a = *call.getArgOperand(0);
    const llvm::Value& b = *call.getArgOperand(1);
    const auto text = [&](const llvm::Value& value) { return isSigned ? useSigned(value) : use(value); };
    return text(a) + sign + text(b) + " ? " + use(a) + " : " + use(b);
  };
  switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::smin:
      return chosen(true, " < ");
    case llvm::Intrinsic::smax:
      return chosen(true, " > ");
    case llvm::Intrinsic::umin:
      return chosen(false, " < ");
    case llvm::Intrinsic::umax:
      return chosen(false, " > ");
    case llvm::Intrinsic::scmp:
    case llvm::Intrinsic::ucmp: {
      const bool isSigned = intrinsic->getIntrinsicID() == llvm::Intrinsic::scmp;
      const llvm::Value& a = *call.getArgOperand(0);
      const llvm::Value& b = *call.getArgOperand(1);
      const std::string left = isSigned ? useSigned(a) : use(a), right = isSigned ? useSigned(b) : use(b);
      const std::string type = "(" + spelling_.type(*call.getType()) + ")";
      return left + " < " + right + " ? " + type + "~0 : " + left + " > " + right + " ? " + type + "1 : " + type + "0";
    }
    case llvm::Intrinsic::abs: {
      const llvm::Value& value = *call.getArgOperand(0);
      const std::string type = "(" + spelling_.type(*value.getType()) + ")";
      return useSigned(value) + " < 0 ? " + type + "(0 - " + use(value) + ") : " + use(value);
    }
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
    case llvm::Intrinsic::ssa_copy:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::strip_invariant_group:
      return use(*call.getArgOperand(0));
    default:
      return {};
  }
}

std::string FunctionText::expression(const llvm::Instruction& instruction) {
  if (const auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return binary(*operation);
  if (const auto* const conversion = llvm::dyn_cast<llvm::CastInst>(&instruction)) return cast(*conversion);
  if (const auto* const compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) return comparison(*compare);
  if (const auto* const gep = llvm::dyn_cast<llvm::GEPOperator>(&instruction); gep && gep->getType()->isPointerTy())
    return address(*gep);
  if (const auto* const select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
      select && !select->getType()->isAggregateType())
    return use(*select->getCondition()) + " ? " + use(*select->getTrueValue()) + " : " + use(*select->getFalseValue());
  if (instruction.getOpcode() == llvm::Instruction::FNeg) {
    const llvm::Value& value = *instruction.getOperand(0);
    if (!spelling_.isStoredOnly(*value.getType())) return "-" + use(value);
    return "(" + spelling_.type(*value.getType()) + ")(" + use(value) + " ^ 0x8000)";
  }
  if (llvm::isa<llvm::FreezeInst>(instruction) && !instruction.getType()->isAggregateType())
    return use(*instruction.getOperand(0));
  spelling_.report("the instruction '" + std::string(instruction.getOpcodeName()) + "'", "write it otherwise");
  return "0";
}

}  // namespace lathe::detail
