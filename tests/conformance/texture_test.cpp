// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays, textures and surfaces that the runtime makes, on every runtime that opens here. The reference is written in
// double precision from the definitions in the CUDA C++ Programming Guide ("Texture Fetching") and the OpenGL
// specification (levels, cube maps); where there is NVIDIA hardware, that is compared with the reference too.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <lathe/compiler.h>
#include <lathe/runtime.h>

extern "C" const char lathe_texture_source[], lathe_texture_source_end[];

namespace lathe::test {
namespace {

enum class Read : int {
  line,
  plane,
  space,
  lineLayer,
  planeLayer,
  cube,
  planeLevel,
  planeGradient,
  cubeLevel,
  index,
  gather
};
using Place = std::array<float, 4>;

/// An image of one level by its texels, all slices, faces or layers of it.
struct Level {
  int width = 1, height = 1, depth = 1;
  std::vector<float> texels;
};

/// The index that coordinate `i` reads of `n`, or -1 outside.
int addressed(int i, int n, TextureAddress mode, bool normalized) {
  if (i >= 0 && i < n) return i;
  if (mode == TextureAddress::border) return -1;
  if (mode == TextureAddress::wrap && normalized) return ((i % n) + n) % n;
  if (mode == TextureAddress::mirror && normalized) {
    const int period = ((i % (2 * n)) + 2 * n) % (2 * n);
    return period < n ? period : 2 * n - 1 - period;
  }
  return std::clamp(i, 0, n - 1);
}

double texel(const Level& level, const Sampling& how, int x, int y, int z, bool isSpace) {
  x = addressed(x, level.width, how.address[0], how.normalized);
  y = addressed(y, level.height, how.address[1], how.normalized);
  z = isSpace ? addressed(z, level.depth, how.address[2], how.normalized) : z;
  if (x < 0 || y < 0 || z < 0) return static_cast<double>(how.border[0]);
  return static_cast<double>(level.texels[static_cast<std::size_t>((z * level.height + y) * level.width + x)]);
}

/// A read of `dimensions` coordinates; `slice` is the layer of the others.
double sampled(const Level& level, const Sampling& how, int dimensions, double x, double y, double z, int slice) {
  if (how.normalized) x *= level.width, y *= level.height, z *= level.depth;
  const bool isSpace = dimensions == 3;
  const auto at = [](double value) { return static_cast<int>(std::floor(value)); };
  if (!how.linear) return texel(level, how, at(x), dimensions > 1 ? at(y) : 0, isSpace ? at(z) : slice, isSpace);
  double sum = 0;
  for (int corner = 0; corner < 1 << dimensions; ++corner) {
    const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
    const auto weight = [](double value, int side) {
      const double above = value - 0.5 - std::floor(value - 0.5);
      return side != 0 ? above : 1 - above;
    };
    double part = weight(x, dx);
    if (dimensions > 1) part *= weight(y, dy);
    if (isSpace) part *= weight(z, dz);
    sum += part * texel(level, how, at(x - 0.5) + dx, dimensions > 1 ? at(y - 0.5) + dy : 0,
                        isSpace ? at(z - 0.5) + dz : slice, isSpace);
  }
  return sum;
}

/// The face of a direction and the place on it from 0 to 1, after the table of OpenGL 4.6, section 8.13.
std::tuple<int, double, double> onCube(double x, double y, double z) {
  const double ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
  struct Row {
    int face;
    double s, t, m;
  };
  const Row row = ax >= ay && ax >= az ? (x >= 0 ? Row{0, -z, -y, ax} : Row{1, z, -y, ax})
                  : ay >= az           ? (y >= 0 ? Row{2, x, z, ay} : Row{3, x, -z, ay})
                  : z >= 0             ? Row{4, x, -y, az}
                                       : Row{5, -x, -y, az};
  return {row.face, (row.s / row.m + 1) / 2, (row.t / row.m + 1) / 2};
}

double expected(const std::vector<Level>& levels, const Sampling& how, Read read, const Place& at) {
  const double x = at[0], y = at[1], z = at[2], w = at[3];
  const auto atLevel = [&](double level, const auto& of) {
    level = std::clamp(level + static_cast<double>(how.levelBias), static_cast<double>(how.minLevel),
                       std::min(static_cast<double>(how.maxLevel), static_cast<double>(levels.size() - 1)));
    if (!how.linearLevels) return of(levels[static_cast<std::size_t>(std::floor(level + 0.5))]);
    const auto lower = static_cast<std::size_t>(std::floor(level));
    const double part = level - static_cast<double>(lower);
    return (1 - part) * of(levels[lower]) + (part > 0 ? part * of(levels[lower + 1]) : 0);
  };
  const auto plane = [&](const Level& level) { return sampled(level, how, 2, x, y, 0, 0); };
  const auto cube = [&](const Level& level) {
    const auto [face, s, t] = onCube(x, y, z);
    return sampled(level, how, 2, s, t, 0, face);
  };
  switch (read) {
    case Read::line:
      return sampled(levels[0], how, 1, x, 0, 0, 0);
    case Read::plane:
      return plane(levels[0]);
    case Read::space:
      return sampled(levels[0], how, 3, x, y, z, 0);
    case Read::lineLayer:
      return sampled(levels[0], how, 1, x, 0, 0, static_cast<int>(w));
    case Read::planeLayer:
      return sampled(levels[0], how, 2, x, y, 0, static_cast<int>(w));
    case Read::cube:
      return cube(levels[0]);
    case Read::planeLevel:
      return atLevel(w, plane);
    case Read::planeGradient:
      return atLevel(std::log2(std::max(z * levels[0].width, w * levels[0].height)), plane);
    case Read::cubeLevel:
      return atLevel(w, cube);
    default:
      ADD_FAILURE() << "no reference";
      return 0;
  }
}

class Textures : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto device = Device::open(GetParam());
    if (!device) GTEST_SKIP() << device.error().message;
    device_.emplace(*std::move(device));
    if (device_->info().arch.starts_with("cl")) GTEST_SKIP() << "its kernels are text, which has no textures yet";
    static const std::map<std::string, std::string> targets = {
        {"cpu", "cpu"}, {"cuda", "cuda"}, {"hip", "amdgpu"}, {"opencl", "spirv"}};
    static std::map<std::string, Image> images;
    auto found = images.find(GetParam());
    if (found == images.end()) {
      Job job;
      job.source = {.name = "textures.cu", .text = {lathe_texture_source, lathe_texture_source_end}, .dialect = {}};
      job.arch = device_->info().arch;
      job.target = targets.at(GetParam());
      const auto compiler = Compiler::create();
      auto compiled = compiler->compile(job);
      ASSERT_TRUE(compiled) << compiled.error().render();
      found = images.emplace(GetParam(), compiled->image).first;
    }
    auto module = device_->load(found->second);
    ASSERT_TRUE(module) << module.error().render();
    module_.emplace(*std::move(module));
  }

  /// Reads at `places` with a kernel that gives T of each.
  template <class T>
  std::vector<T> read(const TextureObject& texture, Read how, const std::vector<Place>& places, const char* kernel) {
    auto bound = module_->kernel<unsigned long long, int, const Place*, T*, unsigned>(kernel);
    auto at = device_->allocate<Place>(places.size());
    auto out = device_->allocate<T>(places.size());
    if (!bound || !at || !out || !at->upload(places)) {
      ADD_FAILURE() << "could not begin" << (bound ? "" : bound.error().render());
      return {};
    }
    const auto queued = (*bound)(ForItems{places.size()}, texture, static_cast<int>(how), *at, *out,
                                 static_cast<unsigned>(places.size()));
    EXPECT_TRUE(queued) << queued.error().render();
    auto values = out->read();
    EXPECT_TRUE(values) << values.error().render();
    return values ? *values : std::vector<T>(places.size());
  }

  /// Makes the levels of `shape` with random texels, and compares reads with the reference.
  void compare(const ArrayShape& shape, const Sampling& how, Read read, double tolerance, bool isCube = false) {
    auto array = device_->createArray(shape);
    ASSERT_TRUE(array) << array.error().render();
    std::uniform_real_distribution<float> number(-1, 1);
    std::vector<Level> levels;
    for (std::uint32_t i = 0; i < shape.levels; ++i) {
      Level level;
      level.width = std::max(static_cast<int>(shape.width >> i), 1);
      level.height = std::max(static_cast<int>(shape.height >> i), 1);
      level.depth = shape.depth != 0 ? std::max(static_cast<int>(shape.depth >> i), 1)
                                     : static_cast<int>(std::max(shape.layers, 1u) * (shape.cube ? 6 : 1));
      level.texels.resize(array->levelBytes(i) / sizeof(float));
      ASSERT_EQ(level.texels.size(), static_cast<std::size_t>(level.width * level.height * level.depth));
      std::ranges::generate(level.texels, [&] { return number(random_); });
      auto copied = array->upload(std::span<const float>(level.texels), i);
      ASSERT_TRUE(copied) << copied.error().render();
      std::vector<float> back(level.texels.size());
      ASSERT_TRUE(array->download(std::span(back), i));
      EXPECT_EQ(back, level.texels) << "level " << i;
      levels.push_back(std::move(level));
    }
    auto texture = device_->createTexture(*array, how);
    ASSERT_TRUE(texture) << texture.error().render();
    const std::vector<Place> places = placesIn(shape, how, read, isCube);
    const auto got = this->read<float>(*texture, read, places, "sampleOne");
    double worst = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double difference = std::abs(static_cast<double>(got[i]) - expected(levels, how, read, places[i]));
      worst = std::max(worst, difference);
      ASSERT_LE(difference, tolerance) << GetParam() << ": read " << static_cast<int>(read) << " at " << places[i][0]
                                       << ", " << places[i][1] << ", " << places[i][2] << ", " << places[i][3]
                                       << (how.linear ? " linear" : "") << (how.normalized ? " normalized" : "")
                                       << " address " << static_cast<int>(how.address[0]);
    }
    RecordProperty("worst", std::to_string(worst));
  }

  std::optional<Device> device_;
  std::optional<Module> module_;

 private:
  /// Places within and around the image, none on the border of two texels.
  std::vector<Place> placesIn(const ArrayShape& shape, const Sampling& how, Read read, bool isCube) {
    std::vector<Place> out(500);
    const auto within = [&](std::uint32_t texels) {
      // A 64th of a texel and a half of that: no number that rounds over a border.
      const int steps = static_cast<int>(texels) * 64;
      const int at = std::uniform_int_distribution<int>(-steps, 2 * steps)(random_);
      const float place = (static_cast<float>(at) + 0.5f) / 64;
      return how.normalized ? place / static_cast<float>(texels) : place;
    };
    std::uniform_real_distribution<float> direction(-1, 1), level(-1, static_cast<float>(shape.levels));
    for (Place& place : out) {
      place = {within(shape.width), within(std::max(shape.height, 1u)), within(std::max(shape.depth, 1u)), 0};
      if (isCube) place = awayFromBorders(shape.width, direction);
      if (shape.layers != 0)
        place[3] = static_cast<float>(std::uniform_int_distribution<unsigned>(0, shape.layers - 1)(random_));
      if (read == Read::planeLevel || read == Read::cubeLevel) {
        do place[3] = level(random_);
        while (isBetween(place[3]));
      }
      if (read == Read::planeGradient) {
        do {
          place[2] = std::exp2(level(random_)) / static_cast<float>(shape.width);
          place[3] = std::exp2(level(random_)) / static_cast<float>(shape.height);
        } while (isBetween(std::log2(
            std::max(place[2] * static_cast<float>(shape.width), place[3] * static_cast<float>(shape.height)))));
      }
    }
    return out;
  }
  /// Near the middle of two levels, where hardware may choose either.
  static bool isBetween(float level) { return std::abs(level - std::floor(level) - 0.5f) < 0.05f; }
  /// A direction that meets a face away from the borders of texels, and of faces.
  Place awayFromBorders(std::uint32_t width, std::uniform_real_distribution<float>& direction) {
    for (;;) {
      const Place place = {direction(random_), direction(random_), direction(random_), 0};
      const auto [face, s, t] = onCube(place[0], place[1], place[2]);
      const auto isInside = [&](double at) {
        const double texels = at * width;
        const double part = texels - std::floor(texels);
        return part > 0.05 && part < 0.95 && texels > 0.6 && texels < width - 0.6;
      };
      if (isInside(s) && isInside(t)) return place;
    }
  }

  std::mt19937 random_{20};
};
INSTANTIATE_TEST_SUITE_P(Runtimes, Textures, testing::Values("cpu", "cuda", "hip", "opencl"),
                         [](const auto& instance) { return std::string(instance.param); });

constexpr double exact = 0, filtered = 3.0 / 256 * 2;  // weights have 8 bits; texels lie between -1 and 1

TEST_P(Textures, ReadEveryShape) {
  const TexelFormat format = TexelFormat::of<float>();
  for (const bool linear : {false, true}) {
    const double tolerance = linear ? filtered : exact;
    const Sampling how{.linear = linear};
    compare({.format = format, .width = 16}, how, Read::line, tolerance);
    compare({.format = format, .width = 16, .height = 8}, how, Read::plane, tolerance);
    compare({.format = format, .width = 8, .height = 8, .depth = 4}, how, Read::space, 1.5 * tolerance);
    compare({.format = format, .width = 16, .layers = 3}, how, Read::lineLayer, tolerance);
    compare({.format = format, .width = 8, .height = 4, .layers = 5}, how, Read::planeLayer, tolerance);
    compare({.format = format, .width = 8, .height = 8, .cube = true}, {.linear = linear, .normalized = true},
            Read::cube, tolerance, true);
  }
}

TEST_P(Textures, AddressOutsideInEveryWay) {
  const ArrayShape plane{.format = TexelFormat::of<float>(), .width = 16, .height = 8};
  const ArrayShape space{.format = TexelFormat::of<float>(), .width = 8, .height = 4, .depth = 4};
  for (const auto mode :
       {TextureAddress::wrap, TextureAddress::clamp, TextureAddress::mirror, TextureAddress::border}) {
    for (const bool linear : {false, true}) {
      const Sampling how{
          .linear = linear, .normalized = true, .address = {mode, mode, mode}, .border = {0.25f, 0, 0, 0}};
      compare(plane, how, Read::plane, linear ? filtered : exact);
      compare(space, how, Read::space, linear ? 1.5 * filtered : exact);
    }
  }
  compare(plane, {.address = {TextureAddress::border, TextureAddress::clamp, TextureAddress::clamp}, .border = {-0.5f}},
          Read::plane, exact);
}

TEST_P(Textures, ReadLevelsOfDetail) {
  const ArrayShape plane{.format = TexelFormat::of<float>(), .width = 32, .height = 16, .levels = 5};
  const ArrayShape cube{.format = TexelFormat::of<float>(), .width = 16, .height = 16, .cube = true, .levels = 3};
  for (const bool mixed : {false, true}) {
    const double tolerance = mixed ? filtered : exact;
    Sampling how{.normalized = true, .linearLevels = mixed};
    how.address.fill(TextureAddress::wrap);
    compare(plane, how, Read::planeLevel, tolerance);
    compare(plane, how, Read::planeGradient, mixed ? 2 * filtered : exact);
    compare(cube, how, Read::cubeLevel, tolerance, true);
    how.minLevel = 1;
    how.maxLevel = 2;
    compare(plane, how, Read::planeLevel, tolerance);
    how.linear = true;
    compare(plane, how, Read::planeLevel, 2 * filtered);
  }
}

TEST_P(Textures, ReadIntegersAsFractionsAndAsTheyAre) {
  const std::vector<std::uint8_t> bytes = {0, 51, 102, 255, 1, 2, 3, 4, 255, 0, 255, 0, 10, 20, 30, 40};
  auto array = device_->createArray({.format = TexelFormat::of<std::uint8_t>(4), .width = 4});
  ASSERT_TRUE(array) << array.error().render();
  ASSERT_TRUE(array->upload(std::span(bytes)));
  auto texture = device_->createTexture(*array, {.fractions = true});
  ASSERT_TRUE(texture) << texture.error().render();
  const auto four = read<std::array<float, 4>>(*texture, Read::line, {{0.5f}, {1.5f}, {2.5f}, {3.5f}}, "sampleFour");
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(four[i / 4][i % 4], static_cast<float>(bytes[i]) / 255, 1e-6) << i;

  const std::vector<std::int16_t> shorts = {-7, 32767, -32768, 12};
  auto whole = device_->createArray({.format = TexelFormat::of<std::int16_t>(), .width = 4});
  ASSERT_TRUE(whole && whole->upload(std::span(shorts)));
  auto plain = device_->createTexture(*whole);
  ASSERT_TRUE(plain) << plain.error().render();
  EXPECT_EQ(read<int>(*plain, Read::line, {{0.5f}, {1.5f}, {2.5f}, {9.0f}}, "sampleInteger"),
            (std::vector<int>{-7, 32767, -32768, 12}));
}

TEST_P(Textures, ReadPlainMemory) {
  std::vector<float> values(64 * 4);
  std::iota(values.begin(), values.end(), 0.0f);
  auto memory = device_->allocate<float>(values.size());
  ASSERT_TRUE(memory && memory->upload(values));
  auto line = device_->createTexture(memory->memory(), {.format = TexelFormat::of<float>(), .width = 256});
  ASSERT_TRUE(line) << line.error().render();
  EXPECT_EQ(read<float>(*line, Read::index, {{0}, {255}, {77}}, "sampleOne"), (std::vector<float>{0, 255, 77}));
  auto plane = device_->createTexture(
      memory->memory(), {.format = TexelFormat::of<float>(), .width = 50, .height = 4, .pitch = 256}, {.linear = true});
  ASSERT_TRUE(plane) << plane.error().render();
  const auto got = read<float>(*plane, Read::plane, {{2.5f, 3.5f}, {10.0f, 1.0f}, {99.0f, 0.5f}}, "sampleOne");
  EXPECT_EQ(got[0], 3 * 64 + 2);
  EXPECT_NEAR(got[1], 41.5f, 0.5f);
  EXPECT_EQ(got[2], 49);
}

/// CUDA has the border's colour as four floats: of integers they have the bits.
TEST_P(Textures, ReadIntegersOfTheBorder) {
  auto array = device_->createArray({.format = TexelFormat::of<int>(), .width = 4});
  ASSERT_TRUE(array && array->upload(std::span<const int>(std::vector<int>{5, 6, 7, 8})));
  const auto texture = device_->createTexture(
      *array, {.address = {TextureAddress::border}, .border = {std::bit_cast<float>(1000000001)}});
  ASSERT_TRUE(texture) << texture.error().render();
  EXPECT_EQ(read<int>(*texture, Read::plane, {{-1.5f}, {1.5f}, {9}}, "sampleInteger"),
            (std::vector<int>{1000000001, 6, 1000000001}));
}

TEST_P(Textures, GatherFourTexels) {
  std::vector<float> values(16 * 16);
  std::iota(values.begin(), values.end(), 0.0f);
  auto array = device_->createArray({.format = TexelFormat::of<float>(), .width = 16, .height = 16});
  ASSERT_TRUE(array && array->upload(std::span<const float>(values)));
  auto texture = device_->createTexture(*array);
  ASSERT_TRUE(texture) << texture.error().render();
  const auto got = read<std::array<float, 4>>(*texture, Read::gather, {{3.1f, 5.2f}}, "sampleFour");
  EXPECT_EQ(got[0], (std::array<float, 4>{5 * 16 + 2, 5 * 16 + 3, 4 * 16 + 3, 4 * 16 + 2}));
}

TEST_P(Textures, WriteSurfacesOfALevel) {
  auto array = device_->createArray(
      {.format = TexelFormat::of<float>(), .width = 40, .height = 20, .levels = 2, .surface = true});
  ASSERT_TRUE(array) << array.error().render();
  std::vector<float> values(20 * 10, 0.5f);
  ASSERT_TRUE(array->upload(std::span<const float>(values), 1));
  auto surface = device_->createSurface(*array, 1);
  ASSERT_TRUE(surface) << surface.error().render();
  auto kernel = module_->kernel<unsigned long long, int, int>("addPlace");
  ASSERT_TRUE(kernel) << kernel.error().render();
  auto queued = (*kernel)({.grid = {1, 10}, .group = {32}}, *surface, 20, 10);
  ASSERT_TRUE(queued) << queued.error().render();
  const auto copied = array->download(std::span(values), 1);
  ASSERT_TRUE(copied) << copied.error().render();
  for (int i = 0; i < 200; ++i)
    ASSERT_EQ(values[static_cast<std::size_t>(i)], 0.5f + static_cast<float>(100 * (i / 20) + i % 20)) << i;
  if (std::string(GetParam()) == "cuda") return;  // there a trap ends the process's use of the device
  queued = (*kernel)({.grid = {1, 11}, .group = {32}}, *surface, 20, 11);
  const auto done = queued ? device_->synchronize() : queued;
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::DeviceFault);
  EXPECT_NE(done.error().message.find("kernel 'addPlace': it trapped"), std::string::npos) << done.error().message;
}

TEST_P(Textures, KeepTheirArray) {
  std::optional<TextureObject> texture;
  {
    auto array = device_->createArray({.format = TexelFormat::of<float>(), .width = 4});
    ASSERT_TRUE(array && array->upload(std::span<const float>(std::vector<float>{1, 2, 3, 4})));
    texture.emplace(*device_->createTexture(*array));
  }
  EXPECT_EQ(read<float>(*texture, Read::line, {{2.5f}}, "sampleOne"), std::vector<float>{3});
}

TEST_P(Textures, RefuseWhatMakesNoSense) {
  const auto refused = [&](const ArrayShape& shape, const char* words) {
    const auto array = device_->createArray(shape);
    ASSERT_FALSE(array) << words;
    EXPECT_EQ(array.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(array.error().message.find(words), std::string::npos) << array.error().message;
  };
  const TexelFormat format = TexelFormat::of<float>();
  refused({.format = {TexelKind::real, 8, 1}}, "channels");
  refused({.format = {TexelKind::signedInteger, 16, 3}}, "channels");
  refused({.format = format, .width = 0}, "width is 0");
  refused({.format = format, .width = 4, .depth = 4}, "no height");
  refused({.format = format, .width = 4, .height = 4, .depth = 4, .layers = 2}, "no layers");
  refused({.format = format, .width = 4, .height = 8, .cube = true}, "squares");
  refused({.format = format, .width = 8, .height = 8, .levels = 5}, "levels");
  refused({.format = format, .width = 1u << 30}, "more than any device");

  auto array = device_->createArray({.format = format, .width = 8, .height = 8, .levels = 2});
  ASSERT_TRUE(array) << array.error().render();
  EXPECT_EQ(array->levelBytes(2), 0u);
  EXPECT_EQ(array->upload(std::span<const float>(std::vector<float>(63))).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(array->upload(std::span<const float>(std::vector<float>(64)), 2).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(device_->createTexture(*array).error().code, ErrorCode::InvalidArgument);  // levels need normalised ones
  EXPECT_EQ(device_->createTexture(*array, {.normalized = true, .fractions = true}).error().code,
            ErrorCode::InvalidArgument);
  EXPECT_EQ(device_->createSurface(*array).error().code, ErrorCode::InvalidArgument);
  auto integers = device_->createArray({.format = TexelFormat::of<int>(), .width = 8});
  ASSERT_TRUE(integers) << integers.error().render();
  EXPECT_EQ(device_->createTexture(*integers, {.linear = true}).error().code, ErrorCode::InvalidArgument);
  const auto null = *Device::open("null");
  EXPECT_EQ(null.createTexture(*array, {.normalized = true}).error().code, ErrorCode::InvalidArgument);
  auto memory = *device_->allocate<float>(100);
  EXPECT_EQ(device_->createTexture(memory.memory(), {.format = format, .width = 101}).error().code,
            ErrorCode::InvalidArgument);
  EXPECT_EQ(
      device_->createTexture(memory.memory(), {.format = format, .width = 10, .height = 10, .pitch = 8}).error().code,
      ErrorCode::InvalidArgument);
}

/// The host reads and writes the variable where the device has it.
TEST_P(Textures, ManagedVariablesAreTheHostsToo) {
  if (device_->info().runtime != "cpu" && device_->info().runtime != "cuda")
    GTEST_SKIP() << "a device variable here (docs/cuda.md)";
  const auto place = module_->global("shared_count");
  ASSERT_TRUE(place) << place.error().render();
  auto& count = *static_cast<volatile int*>(place->first);
  count = 5;
  auto kernel = module_->kernel<int>("countUp");
  ASSERT_TRUE((*kernel)({.grid = {2}, .group = {64}}, 3));
  ASSERT_TRUE(device_->synchronize());
  EXPECT_EQ(count, 8);
  count = 100;
  ASSERT_TRUE((*kernel)({.grid = {2}, .group = {64}}, 11));
  ASSERT_TRUE(device_->synchronize());
  EXPECT_EQ(count, 111);
}

}  // namespace
}  // namespace lathe::test
