// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hostile bytes: each format that Lathe reads has a fuzz target here, one file, that gives bytes to its reader and uses
// what comes out as the library would. libFuzzer drives them in the preset `fuzz` (./dev fuzz); in all others
// replay.cpp does, over the committed corpus and a few changes of each file of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

extern "C" {
/// A target: 0, or -1 for an input that is not worth keeping. Whatever it finds wrong ends the process.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
/// Changes bytes in place, at most `maxSize` of them afterwards; defined by libFuzzer or by replay.cpp.
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);
/// The target's own way to change an input, for formats that guard their contents.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed);
}

namespace lathe::hostile {

inline std::span<const std::byte> bytesOf(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}
inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process where a property does not hold.
inline void require(bool holds) {
  if (!holds) std::abort();
}

/// Uses every byte of a text, so that a view into nowhere is noticed.
inline std::size_t touch(std::string_view text) {
  std::size_t sum = 0;
  for (const char byte : text) sum = sum * 31 + static_cast<unsigned char>(byte);
  return sum;
}

/// `text` changed, grown by at most 64 bytes.
inline std::string mutated(std::string text) {
  constexpr std::size_t growth = 64;
  const std::size_t before = text.size();
  text.resize(before + growth);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), before, text.size()));
  return text;
}

/// Changes the bytes from `offset` on, of which there are `size`, and nothing else.
inline void mutateSlice(std::uint8_t* data, std::size_t offset, std::size_t size) {
  if (size != 0) (void)LLVMFuzzerMutate(data + offset, size, size);
}

/// Puts `text` in place of the input; what is too long is left as it was.
inline std::size_t give(const std::string& text, std::uint8_t* data, std::size_t size, std::size_t maxSize) {
  if (text.size() > maxSize) return size;
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace lathe::hostile
