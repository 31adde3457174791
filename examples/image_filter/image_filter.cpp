// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blurs a picture: image_filter [IN.ppm [OUT.ppm]]. Without an input it draws one. A Gaussian is separable, so one
// kernel runs twice, along the rows and then along the columns. The result is compared with plain loops on the host.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <lathe/compiler.h>
#include <lathe/runtime.h>

namespace {

constexpr const char* source = R"(
#include <lathe/device.h>

/// One pass along (dx, dy) over interleaved RGB; weights[0] is the middle, weights[1..radius] serve both sides.
LATHE_KERNEL void blur(unsigned width, unsigned height, int dx, int dy, int radius, const float* weights,
                       const unsigned char* in, unsigned char* out) {
  const int x = static_cast<int>(lathe::global_id().x);
  const int y = static_cast<int>(lathe::global_id().y);
  const int right = static_cast<int>(width) - 1;
  const int bottom = static_cast<int>(height) - 1;
  if (x > right || y > bottom) return;
  float red = 0.0f, green = 0.0f, blue = 0.0f;
  for (int step = -radius; step <= radius; ++step) {
    int column = x + step * dx, row = y + step * dy;
    column = column < 0 ? 0 : column > right ? right : column;
    row = row < 0 ? 0 : row > bottom ? bottom : row;
    const float weight = weights[step < 0 ? -step : step];
    const unsigned char* from = in + 3 * (row * (right + 1) + column);
    red += weight * from[0];
    green += weight * from[1];
    blue += weight * from[2];
  }
  unsigned char* to = out + 3 * (y * (right + 1) + x);
  to[0] = static_cast<unsigned char>(red + 0.5f);
  to[1] = static_cast<unsigned char>(green + 0.5f);
  to[2] = static_cast<unsigned char>(blue + 0.5f);
})";

struct Picture {
  unsigned width = 0;
  unsigned height = 0;
  std::vector<std::uint8_t> rgb;
};

/// Binary PPM ("P6", 8 bits) without comments.
std::optional<Picture> readPpm(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string magic;
  Picture picture;
  unsigned most = 0;
  constexpr unsigned largest = 1u << 15;
  if (!(file >> magic >> picture.width >> picture.height >> most) || magic != "P6" || most != 255) return std::nullopt;
  if (picture.width == 0 || picture.height == 0 || picture.width > largest || picture.height > largest)
    return std::nullopt;
  file.get();
  picture.rgb.resize(std::size_t{3} * picture.width * picture.height);
  file.read(reinterpret_cast<char*>(picture.rgb.data()), static_cast<std::streamsize>(picture.rgb.size()));
  return file ? std::optional(std::move(picture)) : std::nullopt;
}

bool writePpm(const char* path, const Picture& picture) {
  std::ofstream file(path, std::ios::binary);
  file << "P6\n" << picture.width << ' ' << picture.height << "\n255\n";
  file.write(reinterpret_cast<const char*>(picture.rgb.data()), static_cast<std::streamsize>(picture.rgb.size()));
  return static_cast<bool>(file.flush());
}

/// A chequered pattern: its hard edges show what a blur does.
Picture drawPicture() {
  Picture picture{640, 400, {}};
  for (unsigned y = 0; y < picture.height; ++y)
    for (unsigned x = 0; x < picture.width; ++x) {
      const bool dark = (x / 40 + y / 40) % 2 == 0;
      for (const unsigned value : {x * 255 / picture.width, y * 255 / picture.height, 160u})
        picture.rgb.push_back(static_cast<std::uint8_t>(dark ? value / 4 : value));
    }
  return picture;
}

/// Half of a normalised Gaussian, the middle first.
std::vector<float> gaussian(int radius) {
  std::vector<float> weights;
  float sum = 0;
  const float sigma = static_cast<float>(radius) / 2.5f;
  for (int i = 0; i <= radius; ++i) {
    weights.push_back(std::exp(-static_cast<float>(i * i) / (2 * sigma * sigma)));
    sum += i == 0 ? weights.back() : 2 * weights.back();
  }
  for (float& weight : weights) weight /= sum;
  return weights;
}

/// Both passes on `device`.
lathe::Result<Picture> blurOn(const lathe::Device& device, const lathe::Image& image, const Picture& in,
                              const std::vector<float>& weights) {
  auto module = device.load(image);
  if (!module) return std::move(module).error();
  auto kernel =
      module->kernel<unsigned, unsigned, int, int, int, const float*, const std::uint8_t*, std::uint8_t*>("blur");
  if (!kernel) return std::move(kernel).error();
  auto first = device.allocate<std::uint8_t>(in.rgb.size());
  if (!first) return std::move(first).error();
  auto second = device.allocate<std::uint8_t>(in.rgb.size());
  if (!second) return std::move(second).error();
  auto factors = device.allocate<float>(weights.size());
  if (!factors) return std::move(factors).error();
  if (auto done = first->upload(in.rgb); !done) return std::move(done).error();
  if (auto done = factors->upload(weights); !done) return std::move(done).error();

  const int radius = static_cast<int>(weights.size()) - 1;
  const lathe::LaunchOptions launch{.grid = {(in.width + 31) / 32, (in.height + 7) / 8}, .group = {32, 8}};
  const auto pass = [&](int dx, int dy, lathe::Buffer<std::uint8_t>& from, lathe::Buffer<std::uint8_t>& to) {
    return (*kernel)(launch, in.width, in.height, dx, dy, radius, factors->data(), from.data(), to.data());
  };
  if (auto done = pass(1, 0, *first, *second); !done) return std::move(done).error();
  if (auto done = pass(0, 1, *second, *first); !done) return std::move(done).error();
  auto rgb = first->read();
  if (!rgb) return std::move(rgb).error();
  return Picture{in.width, in.height, *std::move(rgb)};
}

/// One pass as the kernel does it, in plain loops.
Picture passOnHost(const Picture& in, const std::vector<float>& weights, int dx, int dy) {
  Picture out{in.width, in.height, std::vector<std::uint8_t>(in.rgb.size())};
  const int width = static_cast<int>(in.width), height = static_cast<int>(in.height);
  const int radius = static_cast<int>(weights.size()) - 1;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int channel = 0; channel < 3; ++channel) {
        float sum = 0;
        for (int step = -radius; step <= radius; ++step) {
          const int column = std::clamp(x + step * dx, 0, width - 1), row = std::clamp(y + step * dy, 0, height - 1);
          sum += weights[static_cast<std::size_t>(std::abs(step))] *
                 static_cast<float>(in.rgb[static_cast<std::size_t>(3 * (row * width + column) + channel)]);
        }
        out.rgb[static_cast<std::size_t>(3 * (y * width + x) + channel)] = static_cast<std::uint8_t>(sum + 0.5f);
      }
  return out;
}

int largestDifference(const Picture& a, const Picture& b) {
  int largest = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) largest = std::max(largest, std::abs(a.rgb[i] - b.rgb[i]));
  return largest;
}

int fail(const lathe::Error& error) {
  std::fputs(error.render().c_str(), stderr);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Picture> input = argc > 1 ? readPpm(argv[1]) : drawPicture();
  if (!input) return std::fprintf(stderr, "%s: not a binary PPM picture\n", argv[1]), 1;
  const char* const path = argc > 2 ? argv[2] : "blurred.ppm";

  auto compiler = lathe::Compiler::create();
  if (!compiler) return fail(compiler.error());
  lathe::Job job;
  job.source.name = "blur.cpp";
  job.source.text = source;
  auto compiled = compiler->compile(job);
  if (!compiled) return fail(compiled.error());
  auto device = lathe::Device::open("cpu");
  if (!device) return fail(device.error());
  const std::vector<float> weights = gaussian(10);
  auto blurred = blurOn(*device, compiled->image, *input, weights);
  if (!blurred) return fail(blurred.error());
  if (!writePpm(path, *blurred)) return std::fprintf(stderr, "%s: cannot be written\n", path), 1;

  const Picture expected = passOnHost(passOnHost(*input, weights, 1, 0), weights, 0, 1);
  const int difference = largestDifference(*blurred, expected);
  std::printf("%s: %u x %u, at most %d of 255 from the host's result\n", path, input->width, input->height, difference);
  return difference <= 1 ? 0 : 1;  // a rounding of the first pass may differ by one step
}
