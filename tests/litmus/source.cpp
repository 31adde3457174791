// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/litmus/source.h"

#include <array>

#include <fmt/format.h>

extern "C" {
extern const char lathe_litmus_harness[];
extern const char lathe_litmus_harness_end[];
}

namespace lathe::litmus {
namespace {

std::string_view harness() {
  return {lathe_litmus_harness, static_cast<std::size_t>(lathe_litmus_harness_end - lathe_litmus_harness)};
}

std::string statementOf(const Access& access) {
  const std::string target = access.reg < 0 ? "" : fmt::format("r{} = ", access.reg);
  std::string text;
  switch (access.kind) {
    case Access::Kind::write:
      text = fmt::format("A::store(at({}), {});", access.place, access.value);
      break;
    case Access::Kind::read:
      text = fmt::format("{}A::load(at({}));", target, access.place);
      break;
    case Access::Kind::add:
      text = fmt::format("{}A::add(at({}), {});", target, access.place, access.value);
      break;
    case Access::Kind::plainWrite:
      text = fmt::format("*at({}) = {};", access.place, access.value);
      break;
    case Access::Kind::plainRead:
      text = fmt::format("{}*at({});", target, access.place);
      break;
  }
  return access.guard < 0 ? text : fmt::format("if (r{} == {}) {}", access.guard, access.guardValue, text);
}

std::string roleText(std::size_t number, const Role& role) {
  std::string out = fmt::format("      case {}: {{\n", number);
  for (const Access& access : role)
    if (access.reads()) out += fmt::format("        unsigned r{} = {};\n", access.reg, notRead);
  for (const Access& access : role) {
    if (&access != role.data()) out += "        A::between();\n";
    out += fmt::format("        {}\n", statementOf(access));
  }
  for (const Access& access : role)
    if (access.reads()) out += fmt::format("        results[{0}] = r{0};\n", access.reg);
  return out + "        break;\n      }\n";
}

/// As the harness names it.
std::string formName(Form form) {
  constexpr std::string_view names[] = {"relaxed",        "acq_rel_access", "acq_rel_fence", "acq_rel_update",
                                        "seq_cst_access", "seq_cst_fence",  "seq_cst_update"};
  return fmt::format("litmus::{}", names[static_cast<unsigned>(form)]);
}

std::string_view scopeName(Place place) {
  return place == Place::system ? "lathe::scope::system" : "lathe::scope::device";
}

bool inOneGroup(Place place) {
  return place == Place::group || place == Place::groupShared;
}

}  // namespace

std::string sourceOf(const Program& program) {
  std::string out(harness());
  out += fmt::format(
      "\nstruct litmus_test {{  // {}\n"
      "  static constexpr unsigned roles = {}, places = {}, registers = {};\n"
      "  template <class A, class At>\n"
      "  static LATHE_INLINE void play(unsigned role, const At& at, unsigned* results) {{\n    switch (role) {{\n",
      program.name, program.roles.size(), program.places, program.registers);
  for (std::size_t role = 0; role < program.roles.size(); ++role) out += roleText(role, program.roles[role]);
  return out + "    }\n  }\n};\n";
}

std::string lockSource() {
  return std::string(harness());
}

std::string testKernel(Form form, Place place, Style style) {
  if (inOneGroup(place))
    return fmt::format("litmus::{}<litmus_test, {}>", place == Place::group ? "in_group" : "in_shared", formName(form));
  return fmt::format("litmus::{}<litmus_test, {}, {}>", style == Style::spread ? "across_groups" : "side_by_side",
                     formName(form), scopeName(place));
}

std::string tallyKernel() {
  return "litmus::tally<litmus_test>";
}

std::string lockKernel(std::string_view lock, Form form, Place place) {
  if (inOneGroup(place))
    return fmt::format("litmus::locks_in_{}<litmus::{}, {}>", place == Place::group ? "group" : "shared", lock,
                       formName(form));
  return fmt::format("litmus::locks_across_groups<litmus::{}, {}, {}>", lock, formName(form), scopeName(place));
}

std::span<const std::string_view> locks() {
  static constexpr std::array<std::string_view, 3> names = {"exchange_lock", "compare_exchange_lock", "ticket_lock"};
  return names;
}

}  // namespace lathe::litmus
