// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function of accuracy.def and small.def, optimised (on the CPU by vectors), on each target that this machine can
// execute, against MPFR: no worse than its bound. docs/accuracy.md has the tables; LATHE_BLESS=1 writes those of the
// targets that were measured. Where there is no source tree, LATHE_ACCURACY_RECORD=FILE keeps the results, and
// LATHE_ACCURACY_RECORDED=FILE reads them in the place of a measurement.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
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

#include "tests/accuracy/page.h"
#include "tests/accuracy/references.h"

namespace lathe::accuracy {
namespace {

constexpr std::size_t groupItems = 256, smallNumbers = 65536;

struct Target {
  const char* name;
  const char* runtime;
  Library library;      ///< that its table is about
  std::size_t samples;  ///< of a function; an emulated device takes its time
};
constexpr Target targets[] = {
    {"cpu", "cpu", Library::libm, 4096},           {"cuda", "cuda", Library::libdevice, 16384},
    {"amdgpu", "hip", Library::libclc, 512},       {"spirv", "opencl", Library::opencl, 4096},
    {"opencl-c", "opencl", Library::opencl, 4096},
};

/// For messages and gtest's list of parameters.
void PrintTo(const Target& target, std::ostream* out) {
  *out << target.name;
}

const char* setting(const char* name) {
  const char* const value = std::getenv(name);
  return value && *value ? value : nullptr;
}

std::string kernelName(std::size_t row, unsigned format) {
  return fmt::format("row_{}_{}", row, format);
}

std::string kernelOf(std::size_t index, unsigned format) {
  const Row& row = rows()[index];
  constexpr const char* operands[] = {"", "x[i]", "x[i], y[i]", "x[i], y[i], z[i]", "x[i], y[i], z[i], x[i]"};
  return fmt::format(
      "extern \"C\" __global__ void {0}(const {1}* x, const {1}* y, const {1}* z, {1}* out) {{\n"
      "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  out[i] = {2}({3});\n}}\n",
      kernelName(index, format), row.formats[format]->type, row.calls[format], operands[row.operands]);
}

/// Operands of every kind: the bits of some, of others such as lie near the first, so that they cancel and round.
std::vector<double> anyNumbers(const Format& format, std::size_t count, unsigned seed,
                               const std::vector<double>* first) {
  std::mt19937_64 engine(seed);
  std::vector<double> out;
  while (out.size() < count) {
    double x = format.decode(engine() & (~std::uint64_t{0} >> (64 - format.bytes * 8)));
    if (first && out.size() % 2) {
      const double spread =
          std::ldexp(1 + static_cast<double>(engine() >> 40) * 0x1p-24, static_cast<int>(engine() % 80) - 60);
      x = format.decode(format.encode(-(*first)[out.size()] * (engine() & 1 ? spread : 1 + spread * 0x1p-20)));
    }
    if (std::isfinite(x)) out.push_back(x);
  }
  return out;
}

/// Half of them even over the range, half even over its orders of magnitude.
std::vector<double> numbersOf(const Row& row, const Format& format, std::size_t count, unsigned seed) {
  std::mt19937_64 engine(seed);
  const auto unit = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  const double largest = std::max(std::fabs(row.low), std::fabs(row.high));
  const double low = format.decode(format.encode(row.low)), high = format.decode(format.encode(row.high));
  std::vector<double> out;
  while (out.size() < count) {
    double x = row.low + (row.high - row.low) * unit();
    if (out.size() % 2) {
      x = largest * std::exp2(-40 * unit());
      if (row.low < 0 && (engine() & 1)) x = -x;
    }
    const double near = format.decode(format.encode(x));
    if (near > low && near < high) out.push_back(near);
  }
  return out;
}

/// All numbers of a small format, those that are not finite or not in the range replaced by one that is.
std::vector<double> allNumbers(const Row& row, const Format& format) {
  std::vector<double> out;
  for (std::size_t bits = 0; bits < smallNumbers; ++bits) {
    const double x = format.decode(bits);
    const bool inside = row.low == row.high || (x >= row.low && x <= row.high);
    out.push_back(std::isfinite(x) && inside ? x : 1);
  }
  return out;
}

class Accuracy : public testing::TestWithParam<Target> {
 protected:
  /// Opens the device and compiles all kernels. False: the test ends here.
  void prepare() {
    auto opened = Device::open(GetParam().runtime);
    if (!opened) GTEST_SKIP() << opened.error().render();
    device_.emplace(*std::move(opened));
    const auto compiler = Compiler::create();
    ASSERT_TRUE(compiler) << compiler.error().render();
    Job job;
    job.source.name = "accuracy.cu";
    job.source.text = deviceHelpers;
    for (std::size_t row = 0; row < rows().size(); ++row) {
      for (const unsigned format : {0U, 1U})
        if (!rows()[row].calls[format].empty()) job.source.text += kernelOf(row, format);
    }
    job.target = GetParam().name;
    job.arch = device_->info().arch;
    job.options.optLevel = OptLevel::O3;
    CompileRecord record;
    CompileRequest request;
    request.record = &record;
    const auto compiled = compiler->compile(job, request);
    ASSERT_TRUE(compiled) << compiled.error().render();
    auto module = device_->load(compiled->image);
    ASSERT_TRUE(module) << module.error().render();
    module_.emplace(*std::move(module));
    run_.target = GetParam().name;
    run_.device = device_->info().name;
    run_.library = GetParam().library == Library::libm     ? "libm"
                   : GetParam().library == Library::opencl ? "opencl"
                                                           : "libclc";
    for (const Setting& one : record.settings)
      if (one.name == "library" && one.value.find("libdevice") != std::string::npos) run_.library = "libdevice";
  }

  std::vector<std::vector<double>> operandsOf(const Row& row, const Format& format) const {
    std::vector<std::vector<double>> out;
    const std::size_t count = row.isSmall() ? 16384 : GetParam().samples;
    for (unsigned operand = 0; operand < 3; ++operand) {
      if (row.isSmall() && row.operands == 1 && GetParam().library != Library::libclc)
        out.push_back(allNumbers(row, format));
      else if (row.low == row.high)
        out.push_back(
            anyNumbers(format, std::min(count, 8 * GetParam().samples), 17 + operand, operand ? out.data() : nullptr));
      else
        out.push_back(numbersOf(row, format, std::min(count, 8 * GetParam().samples), 17 + operand));
    }
    // The emulator's instructions for division are wrong beside the ends of the range.
    if (isEmulated() && divides(row)) {
      for (std::vector<double>& numbers : out) {
        for (double& x : numbers) {
          int power = 0;
          const double half = std::frexp(x, &power);
          if (x == 0 || std::abs(power) > format.exponent / 4) x = x == 0 ? 1 : half;
        }
      }
    }
    return out;
  }

  bool isEmulated() const { return run_.device.starts_with("Emulated"); }
  static bool divides(const Row& row) { return row.reference == "div" || row.reference == "rcp"; }

  /// What the device makes of the operands.
  std::vector<double> resultsOf(std::size_t row, unsigned which, const std::vector<std::vector<double>>& operands) {
    const Format& format = *rows()[row].formats[which];
    const std::size_t count = operands[0].size();
    std::vector<std::uint8_t> bytes(count * format.bytes);
    std::vector<Memory> memory;
    std::vector<void*> addresses;
    for (unsigned i = 0; i < 4; ++i) {
      for (std::size_t at = 0; i < 3 && at < count; ++at) {
        const std::uint64_t bits = format.encode(operands[i][at]);
        std::memcpy(&bytes[at * format.bytes], &bits, format.bytes);
      }
      auto buffer = device_->allocateBytes(bytes.size());
      EXPECT_TRUE(buffer && buffer->upload(bytes.data(), bytes.size()));
      addresses.push_back(buffer->address());
      memory.push_back(*std::move(buffer));
    }
    std::vector<const void*> arguments;
    for (void*& address : addresses) arguments.push_back(&address);
    const auto kernel = module_->rawKernel(kernelName(row, which));
    EXPECT_TRUE(kernel && kernel->launch({.grid = {static_cast<unsigned>(count / groupItems)}, .group = {groupItems}},
                                         arguments));
    EXPECT_TRUE(device_->synchronize() && memory[3].download(bytes.data(), bytes.size()));
    std::vector<double> out;
    for (std::size_t at = 0; at < count; ++at) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &bytes[at * format.bytes], format.bytes);
      out.push_back(format.decode(bits));
    }
    return out;
  }

  static double errorOf(const Row& row, const Format& format, double got, mpfr_ptr exact) {
    if (row.measure == Measure::places) return placesBetween(format, got, exact);
    const double expected = rounded(format, exact, row.rounding);
    if (got == expected || (std::isnan(got) && std::isnan(expected))) return 0;
    if (!std::isfinite(got) || !std::isfinite(expected)) return std::numeric_limits<double>::infinity();
    if (row.measure == Measure::exact) return std::max(1.0, placesBetween(format, got, exact));
    Number difference(got);
    mpfr_sub(difference, difference, exact, MPFR_RNDN);
    return std::fabs(mpfr_get_d(difference, MPFR_RNDN));
  }

  /// The largest error of a function.
  double measure(std::size_t index, unsigned which) {
    const Row& row = rows()[index];
    const Format& format = *row.formats[which];
    const std::vector<std::vector<double>> operands = operandsOf(row, format);
    const std::vector<double> results = resultsOf(index, which, operands);
    const Reference reference = referenceOf(row.reference);
    EXPECT_TRUE(reference) << row.name << " has no reference";
    double worst = 0;
    for (std::size_t i = 0; reference && i < results.size(); ++i) {
      Number x(operands[0][i]), y(operands[1][i]), z(operands[2][i]), exact;
      if (row.isSmall()) mpfr_set_prec(exact, 96);
      reference(exact, x, y, z);
      const double wrong = errorOf(row, format, results[i], exact);
      if (wrong > worst && setting("LATHE_ACCURACY_VERBOSE")) {
        fmt::print("{}({:a}, {:a}, {:a}): {:a} is wrong by {}\n", row.calls[which], operands[0][i], operands[1][i],
                   operands[2][i], results[i], wrong);
      }
      worst = std::max(worst, wrong);
    }
    return worst;
  }

  std::optional<Device> device_;
  std::optional<Module> module_;
  Measured run_;
};

const std::string page = LATHE_SOURCE_DIR "/docs/accuracy.md";

std::optional<std::string> pageText() {
  std::ifstream in(page);
  if (!in) return std::nullopt;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST_P(Accuracy, KeepsItsBounds) {
  const char* const recorded = setting("LATHE_ACCURACY_RECORDED");
  if (auto run = recorded ? readRecord(recorded, GetParam().name) : std::nullopt)
    run_ = *std::move(run);
  else
    prepare();
  if (HasFatalFailure() || IsSkipped()) return;
  const Library library = run_.library == "libm"        ? Library::libm
                          : run_.library == "libdevice" ? Library::libdevice
                          : run_.library == "opencl"    ? Library::opencl
                                                        : Library::libclc;
  const char* const only = setting("LATHE_ACCURACY_ONLY");
  for (std::size_t index = 0; index < rows().size(); ++index) {
    const Row& row = rows()[index];
    for (const unsigned format : {0U, 1U}) {
      if (row.calls[format].empty() || (only && row.name.find(only) == std::string::npos)) continue;
      const std::string key = Measured::key(row, format);
      // The emulator lacks the instruction that divides halves, and follows to the letter the manual's formula for the
      // one that rounds them, which large ones do not fit.
      const bool can = !(isEmulated() && row.formats[format] == &float16 && (divides(row) || row.reference == "rint"));
      if (device_ && can) run_.errors[key] = measure(index, format);
      const auto error = run_.errors.find(key);
      if (error == run_.errors.end()) continue;  // of an older record
      const double bound = row.bounds[static_cast<unsigned>(library)][format];
      EXPECT_LE(error->second, bound) << key;
    }
  }
  if (const char* const path = setting("LATHE_ACCURACY_RECORD")) {
    EXPECT_TRUE(writeRecord(run_, path)) << path << " cannot be written";
  }
  if (!setting("LATHE_BLESS") || only) return;
  const auto text = pageText();
  if (!text) return;
  ASSERT_EQ(library, GetParam().library) << run_.target << ": the page is about another library than " << run_.library;
  const auto part = partOf(*text, run_.target);
  ASSERT_TRUE(part) << page << " has lost its marks of " << run_.target;
  std::ofstream(page) << withPart(*text, run_.target, tableOf(library, &run_, *part));
}

INSTANTIATE_TEST_SUITE_P(Targets, Accuracy, testing::ValuesIn(targets), [](const auto& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

/// The page lists these functions with these bounds, whoever measured them.
TEST(AccuracyPage, IsCurrent) {
  auto text = pageText();
  if (!text) GTEST_SKIP() << "no source tree: there is no " << page;
  for (const Target& target : targets) {
    const auto part = partOf(*text, target.name);
    ASSERT_TRUE(part) << page << " has lost its marks of " << target.name;
    const std::string table = tableOf(target.library, nullptr, *part);
    if (setting("LATHE_BLESS")) {
      text = withPart(*text, target.name, table);
    } else {
      EXPECT_EQ(withoutResults(*part), withoutResults(table))
          << page << " is out of date; run this test with LATHE_BLESS=1";
    }
  }
  if (setting("LATHE_BLESS")) std::ofstream(page) << *text;
}

}  // namespace
}  // namespace lathe::accuracy
