// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/bpf/types/check.h"

#include <cstring>

#include <fmt/format.h>

namespace lathe::bpf::detail {
namespace {

constexpr std::size_t headWords = BtfRecord::headWords;

class TypeCheck {
 public:
  explicit TypeCheck(const Btf& types) : types_(types), states_(types.count() + 1, State::open) {}

  Result<void> run() {
    if (types_.count() > 0 && !types_.namesEnd()) return damaged(1, "the names have no end");
    for (std::uint32_t number = 1; number <= types_.count(); ++number) {
      if (auto done = checkReferences(number); !done) return done;
    }
    for (std::uint32_t number = 1; number <= types_.count(); ++number) {
      if (containsItself(number)) return damaged(number, "it contains itself");
    }
    return {};
  }

 private:
  enum class State : std::uint8_t { open, entered, done };

  static Error damaged(std::uint32_t number, std::string_view what) {
    return {.code = ErrorCode::ImageCorrupt, .message = fmt::format("BTF: type {}: {}", number, what), .target = "bpf"};
  }

  static std::uint32_t word(std::span<const std::byte> record, std::size_t index) {
    std::uint32_t out = 0;
    if ((index + 1) * sizeof(out) <= record.size()) std::memcpy(&out, record.data() + index * sizeof(out), sizeof(out));
    return out;
  }

  [[nodiscard]] bool isType(std::uint32_t number) const { return number <= types_.count(); }
  [[nodiscard]] BtfKind kindOf(std::uint32_t number) const { return types_.type(number).kind; }

  Result<void> checkReferences(std::uint32_t number) const {
    const std::span<const std::byte> record = types_.record(number);
    const BtfType type = types_.type(number);
    const auto name = [&](std::uint32_t offset) { return types_.isName(offset); };
    if (!name(word(record, 0))) return damaged(number, "its name is not among the names");
    const BtfRecord layout = recordOf(type.kind);
    if (layout.refers && !isType(word(record, 2))) return damaged(number, "it refers to a type that is not there");
    if (type.kind == BtfKind::function && kindOf(word(record, 2)) != BtfKind::prototype)
      return damaged(number, "a function's type is no prototype");
    for (std::size_t i = 0; i < layout.fixedTypes; ++i)
      if (!isType(word(record, headWords + i)))
        return damaged(number, "an array's element or index is a type that is not there");
    const std::uint32_t count = layout.each == 0 ? 0 : word(record, 1) & 0xffff;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t at = headWords + layout.fixed + std::size_t{i} * layout.each;
      if (layout.name >= 0 && !name(word(record, at + static_cast<std::size_t>(layout.name))))
        return damaged(number, fmt::format("the name of element {} is not among the names", i));
      if (layout.type < 0) continue;
      const std::uint32_t to = word(record, at + static_cast<std::size_t>(layout.type));
      if (!isType(to)) return damaged(number, fmt::format("element {} is of a type that is not there", i));
      if (type.kind != BtfKind::section) continue;
      if (kindOf(to) != BtfKind::variable && kindOf(to) != BtfKind::function)
        return damaged(number, fmt::format("element {} of a section is no variable", i));
    }
    return {};
  }

  /// The types whose bytes are part of this one's, or whose meaning it is.
  [[nodiscard]] std::vector<std::uint32_t> partsOf(std::uint32_t number) const {
    const BtfType type = types_.type(number);
    std::vector<std::uint32_t> out;
    switch (type.kind) {
      case BtfKind::array:
      case BtfKind::typedef_:
      case BtfKind::volatile_:
      case BtfKind::const_:
      case BtfKind::restrict_:
      case BtfKind::typeTag:
      case BtfKind::variable:
        out.push_back(type.to);
        break;
      case BtfKind::structure:
      case BtfKind::union_:
        for (const BtfMember& member : types_.members(number)) out.push_back(member.type);
        break;
      default:
        break;
    }
    return out;
  }

  bool containsItself(std::uint32_t from) {
    struct Step {
      std::uint32_t number;
      std::vector<std::uint32_t> parts;
    };
    if (states_[from] == State::done) return false;
    std::vector<Step> path;
    path.push_back({from, partsOf(from)});
    states_[from] = State::entered;
    while (!path.empty()) {
      Step& step = path.back();
      if (step.parts.empty()) {
        states_[step.number] = State::done;
        path.pop_back();
        continue;
      }
      const std::uint32_t part = step.parts.back();
      step.parts.pop_back();
      if (states_[part] == State::entered) return true;
      if (part == 0 || states_[part] == State::done) continue;
      states_[part] = State::entered;
      path.push_back({part, partsOf(part)});
    }
    return false;
  }

  const Btf& types_;
  std::vector<State> states_;
};

}  // namespace

Result<void> checkTypes(const Btf& types) {
  return TypeCheck(types).run();
}

}  // namespace lathe::bpf::detail
