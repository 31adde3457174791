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

/// The same of a whole program.
void forAllLists(Program& program, const std::function<void(Statements&)>& visit) {
  for (Statements& entry : program.entries) forLists(entry, visit);
  for (Function& function : program.functions) forLists(function.body, visit);
}

void forExpressions(Expression& expression, const std::function<void(Expression&)>& visit) {
  visit(expression);
  for (Expression& operand : expression.operands) forExpressions(operand, visit);
}

/// Calls `visit` with every expression.
void forAll(Program& program, const std::function<void(Expression&)>& visit) {
  const auto ofList = [&](Statements& list) {
    for (Statement& statement : list) {
      for (Expression& operand : statement.operands) forExpressions(operand, visit);
    }
  };
  forAllLists(program, ofList);
  for (Function& function : program.functions) {
    forExpressions(function.x, visit);
    forExpressions(function.y, visit);
  }
}

}  // namespace

std::vector<Program> simplerThan(const Program& program) {
  std::vector<Program> out;
  for (std::size_t i = 0; program.sizes.size() > 1 && i < program.sizes.size(); ++i) {
    out.push_back(program);
    out.back().sizes.erase(out.back().sizes.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::size_t i = 0; program.entries.size() > 1 && i < program.entries.size(); ++i) {
    out.push_back(program);
    out.back().entries.erase(out.back().entries.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::vector<std::size_t> lengths;
  Program copy = program;
  forAllLists(copy, [&](Statements& list) { lengths.push_back(list.size()); });
  for (std::size_t which = 0; which < lengths.size(); ++which) {
    for (std::size_t i = 0; i < lengths[which]; ++i) {
      out.push_back(program);
      std::size_t at = 0;
      Statements* found = nullptr;
      forAllLists(out.back(), [&](Statements& list) {
        if (at++ == which) found = &list;
      });
      found->erase(found->begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  std::vector<std::size_t> choices;
  forAll(copy, [&](Expression& e) { choices.push_back(e.op == Op::constant ? 0 : e.operands.size() + 1); });
  for (std::size_t which = 0; which < choices.size(); ++which) {
    for (std::size_t choice = 0; choice < choices[which]; ++choice) {
      Program candidate = program;
      std::size_t at = 0;
      Expression* found = nullptr;
      forAll(candidate, [&](Expression& e) {
        if (at++ == which) found = &e;
      });
      Expression replacement{.type = found->type};
      if (choice > 0) replacement = found->operands[choice - 1];
      if (replacement.type != found->type) continue;
      *found = std::move(replacement);
      out.push_back(std::move(candidate));
    }
  }
  return out;
}

bool returnsEarly(const Program& program) {
  Program copy = program;
  bool out = false;
  forAllLists(copy, [&](Statements& list) {
    for (const Statement& statement : list) out |= statement.what == Do::returnIf;
  });
  return out;
}

}  // namespace lathe::fuzz
