// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and streams of the runtimes, each where its library and a device are found.
#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <random>

#include <lathe/runtime.h>

namespace lathe {
namespace {

class GpuRuntime : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto device = Device::open(GetParam());
    if (!device) GTEST_SKIP() << device.error().message;
    device_.emplace(*std::move(device));
  }
  std::optional<Device> device_;
};
INSTANTIATE_TEST_SUITE_P(Gpu, GpuRuntime, ::testing::Values("cpu", "cuda", "hip", "opencl"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST_P(GpuRuntime, CopiesAndFills) {
  auto buffer = device_->allocate<int>(1000);
  ASSERT_TRUE(buffer) << buffer.error().render();
  std::vector<int> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 7);
  ASSERT_TRUE(buffer->upload(numbers));
  EXPECT_EQ(*buffer->read(), numbers);
  ASSERT_TRUE(buffer->zero());
  EXPECT_EQ(*buffer->read(), std::vector<int>(1000));
}

TEST_P(GpuRuntime, RefusesWhatItCannotHold) {
  const auto buffer = device_->allocateBytes(std::size_t{1} << 60);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().code, ErrorCode::OutOfDeviceMemory) << buffer.error().render();
}

TEST_P(GpuRuntime, TimesAStream) {
  auto stream = device_->createStream();
  ASSERT_TRUE(stream) << stream.error().render();
  ASSERT_TRUE(stream->recordStart());
  const auto elapsed = stream->elapsedSinceStart();
  ASSERT_TRUE(elapsed) << elapsed.error().render();
  EXPECT_GE(*elapsed, 0.0);
  EXPECT_TRUE(stream->synchronize());
}

using Bytes = std::vector<unsigned char>;

/// A block and its places in two memories of `bytes` bytes.
struct BlockCase {
  static constexpr std::size_t bytes = 40000;
  BlockSize size;
  BlockPlace to, from;
};

/// What `to` holds when the block of `from` is there: each byte finds for itself what it should be.
Bytes expected(const BlockCase& block, Bytes to, const Bytes& from) {
  const auto [rowBytes, rows, slices] = block.size;
  if (rowBytes == 0 || rows == 0 || slices == 0) return to;
  const auto pitches = [&](const BlockPlace& place) {
    const std::size_t row = place.rowPitch != 0 ? place.rowPitch : rowBytes;
    return std::pair(row, place.slicePitch != 0 ? place.slicePitch : row * rows);
  };
  const auto [toRow, toSlice] = pitches(block.to);
  const auto [fromRow, fromSlice] = pitches(block.from);
  for (std::size_t i = block.to.offset; i < to.size(); ++i) {
    const std::size_t place = i - block.to.offset;
    const std::size_t z = place / toSlice, y = place % toSlice / toRow, x = place % toSlice % toRow;
    if (z < slices && y < rows && x < rowBytes) to[i] = from[block.from.offset + z * fromSlice + y * fromRow + x];
  }
  return to;
}

std::vector<BlockCase> blockCases() {
  std::vector<BlockCase> out = {
      {{.rowBytes = 1000}, {.offset = 3}, {.offset = 5}},                              // one row
      {{.rowBytes = 64, .rows = 50}, {.offset = 1}, {.offset = 7}},                    // no gaps
      {{.rowBytes = 60, .rows = 50}, {.offset = 100, .rowPitch = 64}, {.offset = 1}},  // gaps on one side
      {{.rowBytes = 8, .rows = 7, .slices = 6}, {.offset = 9}, {.rowPitch = 16, .slicePitch = 112}},    // slices follow
      {{.rowBytes = 8, .rows = 1, .slices = 6}, {.offset = 9}, {.slicePitch = 24}},                     // a row a slice
      {{.rowBytes = 8, .rows = 7, .slices = 6}, {.rowPitch = 10, .slicePitch = 77}, {.rowPitch = 11}},  // no multiple
      {{.rowBytes = 0, .rows = 7}, {}, {}},
      {{.rowBytes = 7, .rows = 0}, {}, {}},
  };
  std::mt19937 random(1);
  const auto below = [&](std::size_t end) { return random() % end; };
  for (int i = 0; i < 60; ++i) {
    BlockCase block;
    block.size = {1 + below(40), 1 + below(9), 1 + below(9)};
    for (BlockPlace* const place : {&block.to, &block.from}) {
      place->rowPitch = block.size.rowBytes + below(3) * below(20);
      place->slicePitch = place->rowPitch * block.size.rows + below(3) * below(50);
      place->offset = below(3000);
    }
    out.push_back(block);
  }
  return out;
}

TEST_P(GpuRuntime, CopiesBlocks) {
  Bytes before(BlockCase::bytes), source(BlockCase::bytes);
  std::iota(before.begin(), before.end(), static_cast<unsigned char>(0));
  std::mt19937 random(2);
  for (auto& byte : source) byte = static_cast<unsigned char>(random());
  auto to = device_->allocate<unsigned char>(BlockCase::bytes),
       from = device_->allocate<unsigned char>(BlockCase::bytes);
  ASSERT_TRUE(to && from && from->upload(source));
  auto stream = device_->createStream();
  ASSERT_TRUE(stream) << stream.error().render();
  for (const BlockCase& block : blockCases()) {
    SCOPED_TRACE(::testing::Message() << block.size.rowBytes << " x " << block.size.rows << " x " << block.size.slices);
    const Bytes after = expected(block, before, source);
    Bytes host = before;
    ASSERT_TRUE(to->upload(before));
    ASSERT_TRUE(to->memory().uploadBlock(block.to, source.data(), block.from, block.size));
    ASSERT_EQ(*to->read(), after) << "upload";
    ASSERT_TRUE(from->memory().downloadBlock(block.from, host.data(), block.to, block.size));
    ASSERT_EQ(host, after) << "download";

    host = before;
    ASSERT_TRUE(to->upload(before));
    ASSERT_TRUE(stream->uploadBlock(to->memory(), block.to, source.data(), block.from, block.size));
    ASSERT_TRUE(stream->synchronize());
    ASSERT_EQ(*to->read(), after) << "queued upload";
    ASSERT_TRUE(stream->downloadBlock(from->memory(), block.from, host.data(), block.to, block.size));
    ASSERT_TRUE(stream->synchronize());
    ASSERT_EQ(host, after) << "queued download";
    ASSERT_TRUE(to->upload(before));
    ASSERT_TRUE(stream->copyBlock(to->memory(), block.to, from->memory(), block.from, block.size));
    ASSERT_TRUE(stream->synchronize());
    ASSERT_EQ(*to->read(), after) << "queued copy";
  }
}

TEST_P(GpuRuntime, CopiesBlocksWithinOneMemory) {
  constexpr std::size_t row = 64;
  std::vector<int> numbers(row * 40);
  std::iota(numbers.begin(), numbers.end(), 0);
  auto buffer = device_->allocate<int>(numbers.size());
  auto stream = device_->createStream();
  ASSERT_TRUE(buffer && stream && buffer->upload(numbers));
  // Columns 0 to 15 of rows 0 to 9 go to columns 32 to 47 of rows 20 to 29.
  const BlockPlace from{.rowPitch = row * sizeof(int)};
  const BlockPlace to{.offset = (20 * row + 32) * sizeof(int), .rowPitch = row * sizeof(int)};
  ASSERT_TRUE(stream->copyBlock(buffer->memory(), to, buffer->memory(), from, {.rowBytes = 64, .rows = 10}));
  ASSERT_TRUE(stream->synchronize());
  for (std::size_t y = 0; y < 10; ++y)
    for (std::size_t x = 0; x < 16; ++x) numbers[(20 + y) * row + 32 + x] = numbers[y * row + x];
  EXPECT_EQ(*buffer->read(), numbers);
}

TEST_P(GpuRuntime, CapturesCopiesOfBlocks) {
  auto buffer = device_->allocate<unsigned char>(256);
  auto stream = device_->createStream();
  ASSERT_TRUE(buffer && stream && buffer->zero());
  Bytes source(64, 1);
  ASSERT_TRUE(stream->beginCapture());
  const BlockSize size{.rowBytes = 16, .rows = 4};
  ASSERT_TRUE(stream->uploadBlock(buffer->memory(), {.offset = 8, .rowPitch = 32}, source.data(), {}, size));
  auto graph = stream->endCapture();
  ASSERT_TRUE(graph) << graph.error().render();
  EXPECT_EQ(*buffer->read(), Bytes(256));
  auto run = graph->instantiate();
  ASSERT_TRUE(run && run->launch(*stream) && stream->synchronize());
  Bytes after(256);
  for (std::size_t i = 0; i < 64; ++i) after[8 + i / 16 * 32 + i % 16] = 1;
  EXPECT_EQ(*buffer->read(), after);
}

TEST_P(GpuRuntime, RefusesBlocksThatDoNotFit) {
  auto buffer = device_->allocate<unsigned char>(1000);
  ASSERT_TRUE(buffer);
  Bytes host(4096);
  const auto refusal = [&](const BlockPlace& place, const BlockSize& size) {
    const auto done = buffer->memory().uploadBlock(place, host.data(), {}, size);
    if (done) return std::string("done");
    EXPECT_EQ(done.error().code, ErrorCode::InvalidArgument);
    return done.error().message;
  };
  EXPECT_EQ(refusal({.rowPitch = 9}, {.rowBytes = 10, .rows = 2}),
            "memory: a pitch of 9 bytes is less than the 10 of a row");
  EXPECT_EQ(refusal({.rowPitch = 10, .slicePitch = 19}, {.rowBytes = 10, .rows = 2, .slices = 2}),
            "memory: a pitch of 19 bytes is less than the 2 rows of 10 bytes of a slice");
  EXPECT_EQ(
      refusal({.offset = 1, .rowPitch = 111}, {.rowBytes = 112 - 1, .rows = 10}),
      "memory: a block of 111 × 10 × 1 bytes with pitches of 111 and 1110 at offset 1 does not lie within its 1000 "
      "bytes");
  // The last row may end where the memory does.
  EXPECT_EQ(refusal({.offset = 1, .rowPitch = 110}, {.rowBytes = 9, .rows = 10}), "done");
  EXPECT_NE(refusal({.offset = 1, .rowPitch = 110}, {.rowBytes = 10, .rows = 10}), "done");
  // Sizes whose product is 0 in 64 bits.
  constexpr std::size_t huge = std::size_t{1} << 32;
  EXPECT_NE(refusal({}, {.rowBytes = huge, .rows = huge}), "done");
  EXPECT_NE(refusal({.rowPitch = huge, .slicePitch = huge}, {.rowBytes = 1, .rows = 1, .slices = huge + 1}), "done");
  EXPECT_NE(refusal({.offset = SIZE_MAX}, {.rowBytes = 2}), "done");
  EXPECT_NE(refusal({.rowPitch = SIZE_MAX}, {.rowBytes = 2, .rows = 2, .slices = 2}), "done");
  // Nothing is nowhere wrong.
  EXPECT_EQ(refusal({.offset = 5000}, {}), "done");
}

TEST_P(GpuRuntime, HasPartsOfMemory) {
  auto buffer = device_->allocate<int>(1000);
  ASSERT_TRUE(buffer && buffer->zero());
  auto part = buffer->part(100, 50);
  ASSERT_TRUE(part) << part.error().render();
  EXPECT_EQ(part->size(), 50u);
  EXPECT_EQ(part->data(), buffer->data() + 100);
  ASSERT_TRUE(part->upload(std::vector<int>(50, 7)));
  std::vector<int> numbers(1000);
  std::fill_n(numbers.begin() + 100, 50, 7);
  EXPECT_EQ(*buffer->read(), numbers);
  EXPECT_FALSE(part->upload(std::vector<int>(2), 49));
  ASSERT_TRUE(part->memory().fill(0));
  EXPECT_EQ(*buffer->read(), std::vector<int>(1000));
  // A part of a part, of nothing, and of what is not there.
  EXPECT_EQ(part->part(10, 40)->data(), buffer->data() + 110);
  EXPECT_EQ(buffer->part(1000, 0)->size(), 0u);
  for (const auto& [first, count] :
       {std::pair<std::size_t, std::size_t>{1001, 0}, {0, 1001}, {999, 2}, {1, SIZE_MAX}}) {
    auto none = buffer->part(first, count);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::InvalidArgument);
  }
}

}  // namespace
}  // namespace lathe
