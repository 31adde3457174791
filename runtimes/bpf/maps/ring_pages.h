// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's pages of a ring buffer (kernel.org/doc/html/latest/bpf/ringbuf.html): the reader's position, the
// writers', and the data twice, one behind the other, so that each record lies in one piece.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include <lathe/bpf_map.h>

namespace lathe::bpf {

class RingPages {
 public:
  explicit RingPages(const RawMap& of) : map(of) {}
  RingPages(const RingPages&) = delete;
  RingPages& operator=(const RingPages&) = delete;
  ~RingPages() {
    if (reader != MAP_FAILED) ::munmap(reader, page);
    if (writer != MAP_FAILED) ::munmap(writer, page + 2 * bytes);
  }
  /// The side that this process is may be written, the other only read. False, with errno, if the kernel refuses.
  bool open(bool reads) {
    const int descriptor = map.descriptor(), both = PROT_READ | PROT_WRITE;
    reader = ::mmap(nullptr, page, reads ? both : PROT_READ, MAP_SHARED, descriptor, 0);
    writer =
        ::mmap(nullptr, page + 2 * bytes, reads ? PROT_READ : both, MAP_SHARED, descriptor, static_cast<off_t>(page));
    return reader != MAP_FAILED && writer != MAP_FAILED;
  }
  /// The bytes that a record of so many takes, with its header.
  static constexpr std::size_t headerBytes = 8;
  static constexpr std::uint64_t roomOf(std::uint64_t recordBytes) { return (recordBytes + headerBytes + 7) / 8 * 8; }

  RawMap map;
  std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::size_t bytes = map.maxEntries();
  void* reader = MAP_FAILED;
  void* writer = MAP_FAILED;
};

}  // namespace lathe::bpf
