// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of addresses: of the kernel by /proc/kallsyms, of processes by the symbol tables of the files that they map.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// A file's functions by address: as its symbol table has them, that of its debugging file if it was stripped
/// (/usr/lib/debug), or what it exports.
class FileSymbols {
 public:
  explicit FileSymbols(const std::string& path);
  /// The function that holds the place in the file; empty if the table knows none.
  [[nodiscard]] std::string at(std::uint64_t fileOffset) const;

 private:
  struct Function {
    std::uint64_t size;
    std::string name;
  };
  struct Segment {
    std::uint64_t offset, address, bytes;
  };
  /// Adds the functions in the tables of one kind (SHT_SYMTAB, SHT_DYNSYM).
  void readFunctions(const std::string& bytes, std::uint32_t kind);
  std::map<std::uint64_t, Function> functions_;
  std::vector<Segment> segments_;
};

class Symbols {
 public:
  Symbols();
  [[nodiscard]] std::string ofKernel(std::uint64_t address) const;
  /// The function, or "file+0x12" where the file names none. Processes that are gone have "[unknown]".
  [[nodiscard]] std::string ofProcess(std::uint32_t process, std::uint64_t address);

 private:
  struct Region {
    std::uint64_t end, offset;
    std::string path;
  };
  using Regions = std::map<std::uint64_t, Region>;
  const Regions& regionsOf(std::uint32_t process);

  std::map<std::uint64_t, std::string> kernel_;
  std::map<std::uint32_t, Regions> processes_;
  std::map<std::string, FileSymbols> files_;
};
