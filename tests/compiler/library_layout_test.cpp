// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes of the C++ library by value: each is made by this program, which is compiled against the host's library,
// handed to a kernel, and read there by the same text. Where the kernel reads something else the compile must have
// warned, and where both read the same it must have been silent.
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <compare>
#include <complex>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <ranges>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <lathe/runtime.h>

#include "jobs.h"

namespace lathe::test {
namespace {

using Seen = std::array<double, 8>;

struct Probe {
  std::string name;
  std::string text;              ///< defines `Value` and `look`
  std::vector<std::byte> bytes;  ///< of the host's value
  std::size_t align;
  Seen seen;  ///< by the host's `look`
};
void PrintTo(const Probe& probe, std::ostream* out) {
  *out << probe.name;
}

#define BOTH [[maybe_unused]] inline
#define BOTH_CONSTRUCTOR

/// `MAKE`: arguments of the value's constructor. Behind them the text, compiled here and in the kernel.
#define PROBE(NAME, MAKE, ...)                                                                                  \
  namespace NAME {                                                                                              \
  __VA_ARGS__                                                                                                   \
  Probe probe() {                                                                                               \
    Probe out{#NAME, #__VA_ARGS__, std::vector<std::byte>(sizeof(Value), std::byte{0x33}), alignof(Value), {}}; \
    alignas(64) std::array<std::byte, sizeof(Value)> place;                                                     \
    place.fill(std::byte{0x33});                                                                                \
    const auto* const value = new (place.data()) Value MAKE;                                                    \
    look(*value, out.seen.data());                                                                              \
    std::ranges::copy(place, out.bytes.begin());                                                                \
    return out;                                                                                                 \
  }                                                                                                             \
  }

/// What the probes may name, in both.
#define SHARED(...) \
  __VA_ARGS__       \
  constexpr const char* sharedText = #__VA_ARGS__;
SHARED(
    struct Empty{}; struct Words { int a, b; }; struct Deleter {
      int x;
      BOTH void operator()(int*) const {}
    };)
int numbers[4] = {1, 2, 3, 4};

// clang-format off
PROBE(tuple_3, (3, 2, 1), using Value = std::tuple<int, int, int>;
  BOTH void look(const Value& v, double* o) { o[0] = std::get<0>(v); o[1] = std::get<1>(v); o[2] = std::get<2>(v); })
PROBE(tuple_2_sizes, (3, 2.5), using Value = std::tuple<int, double>;
  BOTH void look(const Value& v, double* o) { o[0] = std::get<0>(v); o[1] = std::get<1>(v); })
PROBE(tuple_1, (3), using Value = std::tuple<int>; BOTH void look(const Value& v, double* o) { o[0] = std::get<0>(v); })
PROBE(tuple_of_pair, (std::pair<int, int>(3, 4)), using Value = std::tuple<std::pair<int, int>>;
  BOTH void look(const Value& v, double* o) { o[0] = std::get<0>(v).first; o[1] = std::get<0>(v).second; })
PROBE(tuple_with_empty, (Empty{}, 3), using Value = std::tuple<Empty, int>;
  BOTH void look(const Value& v, double* o) { o[0] = std::get<1>(v); })
PROBE(tuple_empty, (), using Value = std::tuple<>; BOTH void look(const Value&, double* o) { o[0] = 1; })
PROBE(pair, (3, 'x'), using Value = std::pair<int, char>;
  BOTH void look(const Value& v, double* o) { o[0] = v.first; o[1] = v.second; })
PROBE(pair_of_tuple, (3, std::tuple<int, int>(4, 5)), using Value = std::pair<int, std::tuple<int, int>>;
  BOTH void look(const Value& v, double* o) { o[0] = v.first; o[1] = std::get<0>(v.second); })
PROBE(array, (std::array<int, 3>{4, 5, 6}), using Value = std::array<int, 3>;
  BOTH void look(const Value& v, double* o) { o[0] = v[0]; o[1] = v[2]; })
PROBE(array_of_tuple, (), struct Value { std::array<std::tuple<int, int>, 2> a{std::tuple<int, int>{1, 2}, {3, 4}}; };
  BOTH void look(const Value& v, double* o) { o[0] = std::get<0>(v.a[0]); o[1] = std::get<1>(v.a[1]); })
PROBE(array_0, (), struct Value { char c = 1; std::array<double, 0> a; char d = 2; };
  BOTH void look(const Value& v, double* o) { o[0] = v.c; o[1] = v.d; })
PROBE(complex_float, (3.f, 4.f), using Value = std::complex<float>;
  BOTH void look(const Value& v, double* o) { o[0] = v.real(); o[1] = v.imag(); })
PROBE(complex_in_struct, (), struct Value { int n = 5; std::complex<float> c{3, 4}; };
  BOTH void look(const Value& v, double* o) { o[0] = v.n; o[1] = v.c.real(); o[2] = v.c.imag(); })
PROBE(optional, (7), using Value = std::optional<int>; BOTH void look(const Value& v, double* o) { o[0] = v ? *v : -1; })
PROBE(optional_none, (), using Value = std::optional<double>; BOTH void look(const Value& v, double* o) { o[0] = bool(v); })
PROBE(optional_pair, (std::pair<int, char>(3, 'x')), using Value = std::optional<std::pair<int, char>>;
  BOTH void look(const Value& v, double* o) { o[0] = v ? v->second : -1; })
PROBE(optional_optional, (std::optional<char>('x')), using Value = std::optional<std::optional<char>>;
  BOTH void look(const Value& v, double* o) { o[0] = v && *v ? **v : -1; })
PROBE(optional_optional_int, (std::optional<int>(5)), using Value = std::optional<std::optional<int>>;
  BOTH void look(const Value& v, double* o) { o[0] = v && *v ? **v : -1; })
PROBE(optional_of_tuple, (std::tuple<int, int>(5, 6)), using Value = std::optional<std::tuple<int, int>>;
  BOTH void look(const Value& v, double* o) { o[0] = v ? std::get<0>(*v) : -1; })
PROBE(optional_as_base, (), struct Value : std::optional<int> { char c = 'x'; BOTH_CONSTRUCTOR Value() : std::optional<int>(5) {} };
  BOTH void look(const Value& v, double* o) { o[0] = v ? *v : -1; o[1] = v.c; })
PROBE(pair_as_base, (), struct Value : std::pair<int, char> { char c = 'x'; BOTH_CONSTRUCTOR Value() : std::pair<int, char>(5, 'y') {} };
  BOTH void look(const Value& v, double* o) { o[0] = v.first; o[1] = v.second; o[2] = v.c; })
PROBE(variant, (2.5f), using Value = std::variant<int, float>;
  BOTH void look(const Value& v, double* o) { o[0] = double(v.index()); })
PROBE(variant_small, ('x'), using Value = std::variant<char, bool>;
  BOTH void look(const Value& v, double* o) { o[0] = double(v.index()); })
PROBE(span, (numbers, std::size_t{3}), using Value = std::span<int>;
  BOTH void look(const Value& v, double* o) { o[0] = double(v.size()); o[1] = v[2]; })
PROBE(span_fixed, (numbers), using Value = std::span<int, 4>; BOTH void look(const Value& v, double* o) { o[0] = v[2]; })
PROBE(string_view, ("seven77"), using Value = std::string_view;
  BOTH void look(const Value& v, double* o) { o[0] = double(v.size()); })
PROBE(bitset_5, (21u), using Value = std::bitset<5>; BOTH void look(const Value& v, double* o) { o[0] = double(v.to_ulong()); })
PROBE(bitset_100, (21u), using Value = std::bitset<100>; BOTH void look(const Value& v, double* o) { o[0] = v[4]; o[1] = v[3]; })
PROBE(duration, (3.5f), using Value = std::chrono::duration<float>; BOTH void look(const Value& v, double* o) { o[0] = v.count(); })
PROBE(time_point, (std::chrono::nanoseconds(5)), using Value = std::chrono::time_point<std::chrono::steady_clock, std::chrono::nanoseconds>;
  BOTH void look(const Value& v, double* o) { o[0] = double(v.time_since_epoch().count()); })
PROBE(ratio, (), using Value = std::ratio<1, 2>; BOTH void look(const Value&, double* o) { o[0] = 1; })
PROBE(byte, {3}, using Value = std::byte; BOTH void look(const Value& v, double* o) { o[0] = int(v); })
PROBE(initializer_list, (), struct Value { std::initializer_list<int> list; };
  BOTH void look(const Value& v, double* o) { o[0] = double(v.list.size()); })
PROBE(reference_wrapper, (numbers[2]), using Value = std::reference_wrapper<int>; BOTH void look(const Value& v, double* o) { o[0] = v.get(); })
PROBE(unique_ptr_stateful, (numbers, Deleter{5}), using Value = std::unique_ptr<int, Deleter>;
  BOTH void look(const Value& v, double* o) { o[0] = v.get_deleter().x; })
PROBE(reverse_iterator, (), struct Value { std::reverse_iterator<int*> i; };
  BOTH void look(const Value&, double* o) { o[0] = 1; })
PROBE(strong_ordering, (std::strong_ordering::less), using Value = std::strong_ordering; BOTH void look(const Value& v, double* o) { o[0] = v < 0; })
PROBE(partial_ordering, (std::partial_ordering::unordered), using Value = std::partial_ordering;
  BOTH void look(const Value& v, double* o) { o[0] = v == std::partial_ordering::unordered; })
PROBE(mersenne, (5u), using Value = std::mt19937; BOTH void look(const Value& v, double* o) { Value copy = v; o[0] = double(copy()); o[1] = double(copy()); })
PROBE(minstd, (5u), using Value = std::minstd_rand; BOTH void look(const Value& v, double* o) { Value copy = v; o[0] = double(copy()); })
PROBE(uniform_int, (3, 9), using Value = std::uniform_int_distribution<int>; BOTH void look(const Value& v, double* o) { o[0] = v.a(); o[1] = v.b(); })
PROBE(iota_view, (3, 9), using Value = std::ranges::iota_view<int, int>; BOTH void look(const Value& v, double* o) { o[0] = v[0]; o[1] = double(v.size()); })
PROBE(subrange, (numbers, numbers + 3), using Value = std::ranges::subrange<int*>; BOTH void look(const Value& v, double* o) { o[0] = v[1]; o[1] = double(v.size()); })
PROBE(year_month_day, (std::chrono::year(2024), std::chrono::month(2), std::chrono::day(3)), using Value = std::chrono::year_month_day;
  BOTH void look(const Value& v, double* o) { o[0] = int(v.year()); o[1] = unsigned(v.month()); o[2] = unsigned(v.day()); })
PROBE(struct_of_shared, (), struct Value { std::pair<int, int> p{1, 2}; Words w{3, 4}; std::array<std::complex<double>, 2> c{}; std::plus<> f{}; int z = 7; };
  BOTH void look(const Value& v, double* o) { o[0] = v.p.second; o[1] = v.w.b; o[2] = v.z; })
PROBE(struct_with_tuple, (), struct Value { int n = 1; struct { std::tuple<int, int> t{2, 3}; } inner; };
  BOTH void look(const Value& v, double* o) { o[0] = v.n; o[1] = std::get<0>(v.inner.t); })
// clang-format on

Job jobOf(const Probe& probe) {
  Job out;
  out.source.name = probe.name + ".cu";
  for (const char* header :
       {"array", "atomic", "bitset", "chrono", "compare", "complex", "functional", "iterator", "memory", "optional",
        "random", "ranges", "ratio", "span", "string_view", "tuple", "utility", "variant", "vector"})
    out.source.text += "#include <" + std::string(header) + ">\n";
  out.source.text += "#define BOTH __device__ inline\n#define BOTH_CONSTRUCTOR __device__\n";
  out.source.text += std::string(sharedText) + "\n" + probe.text;
  out.source.text += "\n__global__ void probe(Value v, double* out) { look(v, out); }\n";
  out.target = "cpu";
  return out;
}

/// What a kernel reads of the host's bytes; nothing if not even the size is the same.
Result<std::optional<Seen>> seenByKernel(const Probe& probe, const Image& image) {
  auto device = Device::open("cpu");
  if (!device) return device.error();
  auto module = device->load(image);
  if (!module) return module.error();
  auto kernel = module->rawKernel("probe");
  if (!kernel) return kernel.error();
  const TypeLayout& type = kernel->entry().parameters.front().type;
  if (type.size != probe.bytes.size() || type.align != probe.align) return std::optional<Seen>();
  Seen out{};
  double* address = out.data();
  const std::array<const void*, 2> arguments = {probe.bytes.data(), &address};
  if (auto done = kernel->launch({}, arguments); !done) return done.error();
  return std::optional(out);
}

class LibraryLayout : public testing::TestWithParam<Probe> {};

TEST_P(LibraryLayout, WarnsWhereBytesDiffer) {
#ifndef __GLIBCXX__
  GTEST_SKIP() << "this program is compiled against another library than libstdc++";
#endif
  const auto compiled = makeCompiler().compile(jobOf(GetParam()));
  ASSERT_TRUE(compiled) << compiled.error().render();
  const auto seen = seenByKernel(GetParam(), compiled->image);
  ASSERT_TRUE(seen) << seen.error().render();
  std::string said;
  for (const Diagnostic& diagnostic : compiled->warnings) said += render(diagnostic);
  if (*seen == GetParam().seen)
    EXPECT_EQ(said, "");
  else
    EXPECT_NE(said.find("warning: kernel 'probe': parameter 'v' "), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(
    Probes, LibraryLayout,
    testing::Values(tuple_3::probe(), tuple_2_sizes::probe(), tuple_1::probe(), tuple_of_pair::probe(),
                    tuple_with_empty::probe(), tuple_empty::probe(), pair::probe(), pair_of_tuple::probe(),
                    array::probe(), array_of_tuple::probe(), array_0::probe(), complex_float::probe(),
                    complex_in_struct::probe(), optional::probe(), optional_none::probe(), optional_pair::probe(),
                    optional_optional::probe(), optional_optional_int::probe(), optional_of_tuple::probe(),
                    optional_as_base::probe(), pair_as_base::probe(), variant::probe(), variant_small::probe(),
                    span::probe(), span_fixed::probe(), string_view::probe(), bitset_5::probe(), bitset_100::probe(),
                    duration::probe(), time_point::probe(), ratio::probe(), byte::probe(), initializer_list::probe(),
                    reference_wrapper::probe(), unique_ptr_stateful::probe(), reverse_iterator::probe(),
                    strong_ordering::probe(), partial_ordering::probe(), mersenne::probe(), minstd::probe(),
                    uniform_int::probe(), iota_view::probe(), subrange::probe(), year_month_day::probe(),
                    struct_of_shared::probe(), struct_with_tuple::probe()),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace lathe::test
