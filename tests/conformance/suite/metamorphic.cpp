// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/conformance/suite/metamorphic.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/conformance/suite/suite.h"

namespace lathe::conformance {
namespace {

/// Parameter types, as C++ finds them.
constexpr std::string_view tools = R"(
namespace lathe_meta {
template <unsigned N, class First, class... Rest>
struct nth : nth<N - 1, Rest...> {};
template <class First, class... Rest>
struct nth<0, First, Rest...> {
  using type = First;
};
template <class F>
struct parameters;
template <class... A>
struct parameters<void(A...)> {
  template <unsigned N>
  using at = typename nth<N, A...>::type;
};
}  // namespace lathe_meta
)";

/// A kernel that has what makes trouble to share: memory of the group, a barrier, a loop.
constexpr std::string_view unusedKernel = R"(
LATHE_KERNEL void lathe_meta_unused(int* data, int n) {
  LATHE_SHARED int lathe_meta_tile[64];
  for (int i = 0; i < n; ++i) {
    lathe_meta_tile[(n + i) % 64] = data[i];
    __lathe_group_barrier();
    data[i] = lathe_meta_tile[i % 64];
    __lathe_group_barrier();
  }
}
)";

std::vector<std::string> typesOf(std::string_view kernel, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(fmt::format("lathe_meta::parameters<decltype({})>::at<{}>", kernel, i));
  return out;
}

}  // namespace

std::string_view nameOf(Form form) noexcept {
  constexpr std::string_view names[] = {"call", "function", "twice", "loop", "template", "structure", "beside"};
  return names[static_cast<unsigned>(form)];
}

std::string wrapperTools() {
  return std::string(tools);
}

std::string wrapped(std::string_view kernel, std::size_t count, Form form, std::string_view name) {
  std::vector<std::string> types = typesOf(kernel, count), parameters, arguments, members, fields;
  for (std::size_t i = 0; i < count; ++i) {
    parameters.push_back(fmt::format("{} a{}", types[i], i));
    arguments.push_back(fmt::format("a{}", i));
    members.push_back(fmt::format("s.a{}", i));
    fields.push_back(fmt::format("  {} a{};\n", types[i], i));
  }
  const std::string takes = fmt::format("{}", fmt::join(parameters, ", "));
  const std::string passes = fmt::format("{}", fmt::join(arguments, ", "));
  const std::string comma = count ? ", " : "";
  switch (form) {
    case Form::call:
      return fmt::format("LATHE_KERNEL void {}({}) {{ {}({}); }}\n", name, takes, kernel, passes);
    case Form::function:
      return fmt::format(
          "__attribute__((noinline)) LATHE_DEVICE void {0}_function({1}) {{ {2}({3}); }}\n"
          "LATHE_KERNEL void {0}({1}) {{ {0}_function({3}); }}\n",
          name, takes, kernel, passes);
    case Form::twice:
      return fmt::format(
          "LATHE_KERNEL void {0}({1}{4}int lathe_meta_flag) {{\n  if (lathe_meta_flag) {2}({3});\n  else "
          "{2}({3});\n}}\n",
          name, takes, kernel, passes, comma);
    case Form::loop:
      return fmt::format(
          "LATHE_KERNEL void {0}({1}{4}int lathe_meta_flag) {{\n"
          "  for (int lathe_meta_i = 0; lathe_meta_i < lathe_meta_flag; ++lathe_meta_i) {2}({3});\n}}\n",
          name, takes, kernel, passes, comma);
    case Form::pattern:
      return fmt::format("template <class... A>\nLATHE_KERNEL void {}(A... a) {{ {}(a...); }}\n", name, kernel);
    case Form::structure:
      return fmt::format("struct {0}_parameters {{\n{1}}};\nLATHE_KERNEL void {0}({0}_parameters s) {{ {2}({3}); }}\n",
                         name, fmt::join(fields, ""), kernel, fmt::join(members, ", "));
    case Form::beside:
      break;
  }
  return {};
}

std::string wrapperEntry(std::string_view kernel, std::size_t count, Form form, std::string_view name) {
  if (form != Form::pattern) return std::string(name);
  return fmt::format("{}<{}>", name, fmt::join(typesOf(kernel, count), ", "));
}

std::string textBefore(std::string_view file) {
  return file.ends_with(".cu") || file.ends_with(".hip") ? "#undef __global__\n#define __global__ __device__\n#undef "
                                                           "__grid_constant__\n#define __grid_constant__\n#line 1\n"
                                                         : "";
}

bool canBeCalled(std::string_view file) {
  return sourceOf(file).find("<<<") == std::string_view::npos;
}

std::optional<Case> inForm(const Case& entry, Form form) {
  const std::size_t count = entry.arguments.size();
  if (form != Form::beside && !canBeCalled(entry.file)) return std::nullopt;
  if (form == Form::structure && count == 0) return std::nullopt;
  Case out = entry;
  if (form == Form::beside) {
    out.behind = unusedKernel;
    out.beside = {"lathe_meta_unused"};
    return out;
  }
  out.before = textBefore(entry.file);
  out.behind = std::string(tools) + wrapped(entry.kernel, count, form, "lathe_meta_kernel");
  out.kernel = wrapperEntry(entry.kernel, count, form, "lathe_meta_kernel");
  out.packed = form == Form::structure;
  if (form != Form::twice && form != Form::loop) return out;
  out.arguments.push_back(value(1));
  // References may look for their results from the end.
  const auto without = [](Arguments& arguments, const auto& action) {
    Argument flag = std::move(arguments.back());
    arguments.pop_back();
    action(arguments);
    arguments.push_back(std::move(flag));
  };
  out.reference = [=, reference = entry.reference](Arguments& arguments, const Environment& where) {
    without(arguments, [&](Arguments& theirs) { reference(theirs, where); });
  };
  if (entry.normalise)
    out.normalise = [=, normalise = entry.normalise](Arguments& arguments) { without(arguments, normalise); };
  return out;
}

}  // namespace lathe::conformance
