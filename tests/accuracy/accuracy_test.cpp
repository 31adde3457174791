// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function of accuracy.def on the cpu target, optimised and so by vectors, against MPFR: no worse than its bound.
// docs/accuracy.md has the table; LATHE_BLESS=1 measures again and writes it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <lathe/compiler.h>
#include <lathe/runtime.h>

#include "tests/accuracy/references.h"

namespace lathe::accuracy {
namespace {

struct Row {
  const char* name;
  int operands;
  double low, high;
  double bound[2];  ///< of float and double
  double cuda[2];
};
constexpr Row rows[] = {
#define LATHE_ACCURACY(name, operands, low, high, f32, f64, cuda32, cuda64) \
  {#name, operands, low, high, {f32, f64}, {cuda32, cuda64}},
#include "tests/accuracy/accuracy.def"
};

/// One result of each function that has two.
constexpr const char* halves = R"(
#define BOTH(name, type, suffix)                                                                            \
  __device__ type name##_sin##suffix(type x) { type s, c; name##suffix(x, &s, &c); return s; }              \
  __device__ type name##_cos##suffix(type x) { type s, c; name##suffix(x, &s, &c); return c; }
BOTH(sincos, float, f)
BOTH(sincos, double, )
BOTH(sincospi, float, f)
BOTH(sincospi, double, )
)";

constexpr std::size_t samples = 4096, groupItems = 256;

template <class T>
std::string kernelOf(const Row& row) {
  const bool isFloat = sizeof(T) == 4;
  const std::string type = isFloat ? "float" : "double";
  constexpr const char* operands[] = {"", "x[i]", "x[i], y[i]", "x[i], y[i], z[i]", "x[i], y[i], z[i], x[i]"};
  return fmt::format(
      "extern \"C\" __global__ void {0}_{1}(const {1}* x, const {1}* y, const {1}* z, {1}* out) {{\n"
      "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  out[i] = {0}{2}({3});\n}}\n",
      row.name, type, isFloat ? "f" : "", operands[row.operands]);
}

/// Half of them even over the range, half even over its orders of magnitude.
template <class T>
std::vector<T> argumentsOf(const Row& row, unsigned seed) {
  std::mt19937_64 engine(seed);
  const auto unit = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  const double largest = std::max(std::fabs(row.low), std::fabs(row.high));
  std::vector<T> out;
  while (out.size() < samples) {
    double x = row.low + (row.high - row.low) * unit();
    if (out.size() % 2) {
      x = largest * std::exp2(-40 * unit());
      if (row.low < 0 && (engine() & 1)) x = -x;
    }
    const T rounded = static_cast<T>(x);
    if (rounded > static_cast<T>(row.low) && rounded < static_cast<T>(row.high)) out.push_back(rounded);
  }
  return out;
}

/// |got - exact| in units of the last place that a T of exact's size has.
template <class T>
double error(T got, mpfr_ptr exact) {
  const T rounded = static_cast<T>(mpfr_get_d(exact, MPFR_RNDN));
  if (std::isinf(rounded) || std::fabs(rounded) < std::numeric_limits<T>::min()) return 0;  // out of the normal range
  if (!std::isfinite(got)) return std::numeric_limits<double>::infinity();
  Number difference(static_cast<double>(got));
  mpfr_sub(difference, difference, exact, MPFR_RNDN);
  mpfr_mul_2si(difference, difference, std::numeric_limits<T>::digits - mpfr_get_exp(exact), MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference, MPFR_RNDN));
}

class Accuracy : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = Device::open("cpu");
    ASSERT_TRUE(opened) << opened.error().render();
    device_.emplace(*std::move(opened));
    const auto compiler = Compiler::create();
    ASSERT_TRUE(compiler) << compiler.error().render();
    Job job;
    job.source.name = "accuracy.cu";
    job.source.text = halves;
    for (const Row& row : rows) job.source.text += kernelOf<float>(row) + kernelOf<double>(row);
    job.target = "cpu";
    job.options.optLevel = OptLevel::O3;
    const auto compiled = compiler->compile(job);
    ASSERT_TRUE(compiled) << compiled.error().render();
    auto module = device_->load(compiled->image);
    ASSERT_TRUE(module) << module.error().render();
    module_.emplace(*std::move(module));
  }

  /// The largest error of a function.
  template <class T>
  double measure(const Row& row) {
    std::vector<std::vector<T>> values;
    for (unsigned operand = 0; operand < 3; ++operand) values.push_back(argumentsOf<T>(row, 17 + operand));
    values.emplace_back(samples);
    std::vector<Memory> memory;
    std::vector<void*> addresses;
    for (const std::vector<T>& one : values) {
      auto buffer = device_->allocateBytes(samples * sizeof(T));
      EXPECT_TRUE(buffer && buffer->upload(one.data(), samples * sizeof(T)));
      addresses.push_back(buffer->address());
      memory.push_back(*std::move(buffer));
    }
    std::vector<const void*> arguments;
    for (void*& address : addresses) arguments.push_back(&address);
    const auto kernel = module_->rawKernel(fmt::format("{}_{}", row.name, sizeof(T) == 4 ? "float" : "double"));
    EXPECT_TRUE(kernel && kernel->launch({.grid = {samples / groupItems}, .group = {groupItems}}, arguments));
    EXPECT_TRUE(device_->synchronize() && memory[3].download(values[3].data(), samples * sizeof(T)));
    const Reference reference = referenceOf(row.name);
    EXPECT_TRUE(reference) << row.name << " has no reference";
    double worst = 0;
    for (std::size_t i = 0; reference && i < samples; ++i) {
      Number x(static_cast<double>(values[0][i])), y(static_cast<double>(values[1][i]));
      Number z(static_cast<double>(values[2][i])), exact;
      reference(exact, x, y, z);
      const double wrong = error(values[3][i], exact);
      if (wrong > worst && std::getenv("LATHE_ACCURACY_VERBOSE"))
        fmt::print("{}({}): {} is wrong by {}\n", row.name, values[0][i], values[3][i], wrong);
      worst = std::max(worst, wrong);
    }
    return worst;
  }

  std::optional<Device> device_;
  std::optional<Module> module_;
};

/// Bold where it is worse than CUDA's; correctly rounded is half a unit.
std::string found(double worst, double cuda) {
  const std::string number = fmt::format("{:.2f}", worst);
  return cuda >= 0 && worst > std::max(cuda, 0.5) ? "**" + number + "**" : number;
}

std::string text(double bound) {
  return bound < 0 ? "–" : fmt::format("{:g}", bound);
}

constexpr std::string_view beginMark = "<!-- generated: begin -->\n", endMark = "<!-- generated: end -->\n";

/// The table with the results, or without them as it must always be.
std::string tableOf(const std::vector<std::array<double, 2>>& results) {
  std::string out =
      "| function | arguments | float: largest error | bound | CUDA's | double: largest error | bound | CUDA's |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const Row& row = rows[i];
    out += fmt::format("| `{}` | {:g} … {:g} | {} | {} | {} | {} | {} | {} |\n", row.name, row.low, row.high,
                       found(results[i][0], row.cuda[0]), text(row.bound[0]), text(row.cuda[0]),
                       found(results[i][1], row.cuda[1]), text(row.bound[1]), text(row.cuda[1]));
  }
  return out;
}

/// Without the columns of what was measured, which differs from one machine to another.
std::string withoutResults(const std::string& table) {
  std::istringstream in(table);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    int column = 0;
    for (std::string cell; std::getline(cells, cell, '|'); ++column)
      if (column != 3 && column != 6) out += cell + '|';
    out += '\n';
  }
  return out;
}

TEST_F(Accuracy, KeepsItsBounds) {
  std::vector<std::array<double, 2>> results;
  for (const Row& row : rows) {
    const std::array<double, 2> found = {measure<float>(row), measure<double>(row)};
    EXPECT_LE(found[0], row.bound[0]) << row.name << "f";
    EXPECT_LE(found[1], row.bound[1]) << row.name;
    results.push_back(found);
  }
  const std::string path = LATHE_SOURCE_DIR "/docs/accuracy.md";
  std::stringstream stream;
  stream << std::ifstream(path).rdbuf();
  const std::string page = stream.str();
  const auto begin = page.find(beginMark), end = page.find(endMark);
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos) << path << " has lost its marks";
  const auto from = begin + beginMark.size();
  const std::string table = tableOf(results);
  if (std::getenv("LATHE_BLESS")) {
    std::ofstream(path) << page.substr(0, from) << table << page.substr(end);
  } else {
    EXPECT_EQ(withoutResults(page.substr(from, end - from)), withoutResults(table))
        << path << " is out of date; run this test with LATHE_BLESS=1";
  }
}

}  // namespace
}  // namespace lathe::accuracy
