// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that make a program simpler: a launch less, a statement less, an expression replaced by one of its operands or
// by 0. They keep what makes a program well defined: masks lose nobody who is still named, and constants are the same
// for everybody.
#include <functional>

#include "tests/fuzz/program.h"

namespace lathe::fuzz {
namespace {

/// Calls `visit` with every list of statements.
void forLists(Statements& list, const std::function<void(Statements&)>& visit) {
  visit(list);
  for (Statement& statement : list) {
    for (Statements* inner : {&statement.body, &statement.other, &statement.third}) forLists(*inner, visit);
  }
}

void forExpressions(Expression& expression, const std::function<void(Expression&)>& visit) {
  visit(expression);
  for (Expression& operand : expression.operands) forExpressions(operand, visit);
}

bool isReal(const Expression& e) {
  return e.op >= Op::floatConstant;
}

}  // namespace

std::vector<Program> simplerThan(const Program& program) {
  std::vector<Program> out;
  for (std::size_t i = 0; program.sizes.size() > 1 && i < program.sizes.size(); ++i) {
    out.push_back(program);
    out.back().sizes.erase(out.back().sizes.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::vector<std::size_t> lengths;
  Program copy = program;
  forLists(copy.statements, [&](Statements& list) { lengths.push_back(list.size()); });
  for (std::size_t which = 0; which < lengths.size(); ++which) {
    for (std::size_t i = 0; i < lengths[which]; ++i) {
      out.push_back(program);
      std::size_t at = 0;
      Statements* found = nullptr;
      forLists(out.back().statements, [&](Statements& list) {
        if (at++ == which) found = &list;
      });
      found->erase(found->begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  const auto forAll = [](Program& one, const std::function<void(Expression&)>& visit) {
    forLists(one.statements, [&](Statements& list) {
      for (Statement& statement : list) {
        for (Expression& operand : statement.operands) forExpressions(operand, visit);
      }
    });
  };
  std::vector<std::size_t> choices;
  forAll(copy, [&](Expression& e) {
    choices.push_back(e.op == Op::constant || e.op == Op::floatConstant ? 0 : e.operands.size() + 1);
  });
  for (std::size_t which = 0; which < choices.size(); ++which) {
    for (std::size_t choice = 0; choice < choices[which]; ++choice) {
      Program candidate = program;
      std::size_t at = 0;
      Expression* found = nullptr;
      forAll(candidate, [&](Expression& e) {
        if (at++ == which) found = &e;
      });
      Expression replacement{.op = isReal(*found) ? Op::floatConstant : Op::constant};
      if (choice > 0) replacement = found->operands[choice - 1];
      if (isReal(replacement) != isReal(*found)) continue;
      *found = std::move(replacement);
      out.push_back(std::move(candidate));
    }
  }
  return out;
}

}  // namespace lathe::fuzz
