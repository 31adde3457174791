// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Litmus tests on a device.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <lathe/compiler.h>
#include <lathe/runtime.h>

#include "tests/litmus/plan.h"
#include "tests/litmus/program.h"
#include "tests/litmus/source.h"

namespace lathe::litmus {

/// A fault planted in the kernels: what a compiler does that loses the orders of accesses and fences, or makes each of
/// them one of group scope.
enum class Mutation : std::uint8_t { none, order, scope };

struct Settings {
  std::string target = "cpu";
  std::uint64_t runs = 1'000'000;  ///< of each test, place and form
  std::uint32_t seed = 1;
  Mutation mutation = Mutation::none;
  std::vector<std::string> tests = {};   ///< names; empty: all
  std::vector<std::string> places = {};  ///< names; empty: all
  std::vector<std::string> forms = {};   ///< names; empty: all
};

/// What came of one test, place and form.
struct Cell {
  std::string test;
  Place place = Place::device;
  Form form = Form::relaxed;
  std::uint64_t runs = 0;
  std::uint64_t weak = 0;       ///< outcomes that no interleaving explains; of locks, lost or torn updates
  std::uint64_t forbidden = 0;  ///< of these, what the memory model forbids in this form
  bool mayBeWeak = false;       ///< the model allows a weak outcome
  bool hasMeaning = true;       ///< false: plain accesses race, so it was not run
  std::map<Outcome, std::uint64_t> histogram = {};
};

/// One target's device.
class Bench {
 public:
  /// Errors: what Device::open() gives, UnknownTarget.
  [[nodiscard]] static Result<Bench> open(const Compiler& compiler, const Settings& settings);
  [[nodiscard]] const DeviceInfo& device() const noexcept { return device_.info(); }
  /// Every place and form of a program. Errors: of compiling and launching.
  [[nodiscard]] Result<std::vector<Cell>> run(const Program& program);
  /// Every place and form of a lock but the relaxed one, whose critical sections race.
  [[nodiscard]] Result<std::vector<Cell>> runLock(std::string_view lock);

 private:
  struct Memories;
  Bench(const Compiler& compiler, const Settings& settings, Device device)
      : compiler_(&compiler), settings_(settings), device_(std::move(device)), random_(settings.seed) {}
  [[nodiscard]] bool wants(const std::vector<std::string>& list, std::string_view name) const;
  [[nodiscard]] Style style() const { return device().runtime == "cpu" ? Style::sideBySide : Style::spread; }
  [[nodiscard]] Result<Module> compile(std::string text, std::vector<std::string> entries) const;
  [[nodiscard]] ::litmus::plan arrange(const Program& program, Place place);
  [[nodiscard]] unsigned word() { return static_cast<unsigned>(random_()); }
  [[nodiscard]] unsigned upTo(unsigned last) { return std::uniform_int_distribution<unsigned>(0, last)(random_); }
  [[nodiscard]] Result<void> fill(Cell& cell, const Program& program, const Module& module, Memories& memory);
  [[nodiscard]] Result<void> fillLock(Cell& cell, const Module& module, std::string_view lock);

  const Compiler* compiler_;
  Settings settings_;
  Device device_;
  std::mt19937 random_;
};

}  // namespace lathe::litmus
