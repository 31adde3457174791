// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a target over files and folders without libFuzzer: each once as it is, then a number of times changed by the
// target's own mutator. Always the same changes, so a failure can be repeated.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "hostile.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t*, std::size_t, std::size_t, unsigned) __attribute__((weak));

namespace {

constexpr int changesOfEach = 200;
constexpr std::size_t mostGrowth = 4096;
std::mt19937 numbers(1);

std::size_t below(std::size_t end) {
  return end == 0 ? 0 : numbers() % end;
}

std::vector<std::filesystem::path> filesOf(int count, char** names) {
  std::vector<std::filesystem::path> out;
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::is_directory(names[i])) {
      out.emplace_back(names[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(names[i])) out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

/// One to four bytes set, a bit flipped, a few bytes left out or put in.
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize) {
  static constexpr std::uint8_t telling[] = {0, 1, 0x7f, 0x80, 0xff, '"', '[', '\n'};
  const std::size_t at = below(size);
  switch (numbers() % 4) {
    case 0:
      for (std::size_t i = at; i < std::min(size, at + 1 + below(4)); ++i) data[i] = telling[below(sizeof(telling))];
      return size;
    case 1:
      if (size != 0) data[at] = static_cast<std::uint8_t>(data[at] ^ (1U << below(8)));
      return size;
    case 2: {
      const std::size_t count = std::min(below(16), size - at);
      std::memmove(data + at, data + at + count, size - at - count);
      return size - count;
    }
    default: {
      const std::size_t count = std::min(below(16), maxSize - std::min(size, maxSize));
      std::memmove(data + at + count, data + at, size - at);
      for (std::size_t i = 0; i < count; ++i) data[at + i] = static_cast<std::uint8_t>(numbers());
      return size + count;
    }
  }
}

int main(int argc, char** argv) {
  const auto files = filesOf(argc, argv);
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> read((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const auto* const first = reinterpret_cast<const std::uint8_t*>(read.data());
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);  // whoever crashes on it is then known
    // Blocks of exactly the input's size, so that a read beyond it is noticed.
    (void)LLVMFuzzerTestOneInput(std::vector<std::uint8_t>(first, first + read.size()).data(), read.size());
    for (int i = 0; i < changesOfEach; ++i) {
      std::vector<std::uint8_t> bytes(first, first + read.size());
      bytes.resize(read.size() + mostGrowth);
      const std::size_t size =
          LLVMFuzzerCustomMutator
              ? LLVMFuzzerCustomMutator(bytes.data(), read.size(), bytes.size(), static_cast<unsigned>(numbers()))
              : LLVMFuzzerMutate(bytes.data(), read.size(), bytes.size());
      bytes.resize(size);
      bytes.shrink_to_fit();
      (void)LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
  }
  std::printf("%zu files\n", files.size());
  return files.empty() ? 1 : 0;
}
