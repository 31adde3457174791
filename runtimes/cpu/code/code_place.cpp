// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The line table is read as the DWARF standard, version 4, section 6.2, defines it; versions 2 to 4 of it are known,
// which is what Lathe's objects have. An object is not linked as a file, so the addresses in its table are those that
// its relocations say.
#include "runtimes/cpu/code/code_place.h"

#include <elf.h>

#include <atomic>
#include <optional>

#include "core/support/bytes.h"

namespace lathe::detail {
namespace {

using Bytes = std::span<const std::byte>;

/// The headers of an object, looked up each time they are asked for.
class Sections {
 public:
  explicit Sections(Bytes object) : object_(object), header_(loadAt<Elf64_Ehdr>(object, 0).value_or(Elf64_Ehdr{})) {}

  [[nodiscard]] std::size_t count() const { return header_.e_shnum; }
  [[nodiscard]] std::optional<Elf64_Shdr> operator[](std::size_t index) const {
    if (index >= count()) return std::nullopt;
    const auto table = sliceOf(object_, header_.e_shoff, count() * sizeof(Elf64_Shdr));
    return table ? loadAt<Elf64_Shdr>(*table, index * sizeof(Elf64_Shdr)) : std::nullopt;
  }
  [[nodiscard]] Bytes bytesOf(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS) return {};
    return sliceOf(object_, section.sh_offset, section.sh_size).value_or(Bytes());
  }
  [[nodiscard]] std::optional<std::size_t> named(std::string_view name) const {
    const auto names = (*this)[header_.e_shstrndx];
    if (!names) return std::nullopt;
    for (std::size_t i = 0; i < count(); ++i) {
      const auto section = (*this)[i];
      if (section && textAt(bytesOf(*names), section->sh_name) == name) return i;
    }
    return std::nullopt;
  }
  /// The text that ends with a zero byte; empty if none does.
  [[nodiscard]] static std::string_view textAt(Bytes bytes, std::uint64_t offset) {
    if (offset >= bytes.size()) return {};
    const std::string_view rest(reinterpret_cast<const char*>(bytes.data()) + offset, bytes.size() - offset);
    const std::size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
  }
  /// Where a symbol of a loaded section is.
  [[nodiscard]] std::optional<std::uint64_t> addressOf(const Elf64_Sym& symbol) const {
    const auto section = symbol.st_shndx == SHN_UNDEF ? std::nullopt : (*this)[symbol.st_shndx];
    if (!section || section->sh_addr == 0) return std::nullopt;
    return section->sh_addr + symbol.st_value;
  }

 private:
  Bytes object_;
  Elf64_Ehdr header_;
};

void findFunction(const Sections& sections, std::uint64_t address, CodePlace& out) {
  for (std::size_t i = 0; i < sections.count(); ++i) {
    const auto table = sections[i];
    if (!table || table->sh_type != SHT_SYMTAB) continue;
    const auto names = sections[table->sh_link];
    const Bytes symbols = sections.bytesOf(*table);
    for (std::uint64_t at = 0; const auto symbol = loadAt<Elf64_Sym>(symbols, at); at += sizeof(Elf64_Sym)) {
      if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC) continue;
      const auto start = sections.addressOf(*symbol);
      if (!start || address < *start || address - *start >= symbol->st_size) continue;
      out.function = names ? Sections::textAt(sections.bytesOf(*names), symbol->st_name) : std::string_view();
      out.offset = address - *start;
      return;
    }
  }
}

/// Reads forward; once something was cut off, everything is 0 and atEnd() holds.
class Cursor {
 public:
  Cursor(Bytes bytes, std::uint64_t at, std::uint64_t end)
      : bytes_(bytes.first(std::min<std::uint64_t>(end, bytes.size()))), at_(at) {}

  [[nodiscard]] bool atEnd() const { return at_ >= bytes_.size(); }
  [[nodiscard]] std::uint64_t at() const { return at_; }
  void skip(std::uint64_t count) {
    at_ = count > bytes_.size() - std::min<std::uint64_t>(at_, bytes_.size()) ? bytes_.size() : at_ + count;
  }
  template <class T>
  T number() {
    const auto value = loadAt<T>(bytes_, at_);
    skip(sizeof(T));
    return value.value_or(T{});
  }
  std::uint64_t unsignedLeb() {
    std::uint64_t out = 0;
    for (unsigned shift = 0; !atEnd(); shift += 7) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) out |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80U) == 0) break;
    }
    return out;
  }
  std::int64_t signedLeb() {
    std::uint64_t out = 0;
    for (unsigned shift = 0; !atEnd();) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) out |= std::uint64_t{byte & 0x7fU} << shift;
      shift += 7;
      if ((byte & 0x80U) != 0) continue;
      if (shift < 64 && (byte & 0x40U) != 0) out |= ~std::uint64_t{0} << shift;
      break;
    }
    return static_cast<std::int64_t>(out);
  }
  std::string_view text() {
    const std::string_view out = Sections::textAt(bytes_, at_);
    skip(out.size() + 1);
    return out;
  }

 private:
  Bytes bytes_;
  std::uint64_t at_;
};

/// The program of one unit.
class LineProgram {
 public:
  /// `unit`: behind its length. `end`: of the unit within the section.
  LineProgram(const Sections& sections, std::size_t section, Bytes table, Cursor unit, std::uint64_t end)
      : sections_(sections), section_(section), table_(table), unit_(unit), end_(end) {}

  /// Finds the line of `address`. False if the unit has no code there.
  bool find(std::uint64_t address, CodePlace& out) {
    if (!readHeader()) return false;
    Row row, before;
    bool any = false;  // a row of the same sequence is in `before`
    while (!unit_.atEnd()) {
      const Step step = next(row);
      if (step == Step::none) continue;
      if (any && before.address <= address && address < row.address) {
        out.line = before.line;
        nameFile(before.file, out);
        return true;
      }
      before = row;
      any = step == Step::row;
      if (step == Step::end) row = {};
    }
    return false;
  }

 private:
  enum class Step { none, row, end };
  struct Row {
    std::uint64_t address = 0;
    std::uint64_t file = 1;
    std::uint32_t line = 1;
  };

  bool readHeader() {
    const auto version = unit_.number<std::uint16_t>();
    if (version < 2 || version > 4) return false;
    const auto headerBytes = unit_.number<std::uint32_t>();
    const std::uint64_t program = unit_.at() + headerBytes;
    least_ = unit_.number<std::uint8_t>();
    if (version >= 4) unit_.skip(1);
    unit_.skip(1);
    lineBase_ = unit_.number<std::int8_t>();
    lineRange_ = unit_.number<std::uint8_t>();
    opcodeBase_ = unit_.number<std::uint8_t>();
    lengthsAt_ = unit_.at();
    unit_.skip(opcodeBase_ ? opcodeBase_ - 1U : 0U);
    namesAt_ = unit_.at();
    unit_ = Cursor(table_, program, end_);
    return lineRange_ != 0 && opcodeBase_ != 0;
  }

  void advance(Row& row, std::uint64_t operations) const { row.address += operations * least_; }
  static void addLines(Row& row, std::int64_t lines) { row.line += static_cast<std::uint32_t>(lines); }

  Step next(Row& row) {
    const auto opcode = unit_.number<std::uint8_t>();
    if (opcode >= opcodeBase_) {
      const unsigned adjusted = opcode - opcodeBase_;
      advance(row, adjusted / lineRange_);
      addLines(row, lineBase_ + static_cast<int>(adjusted % lineRange_));
      return Step::row;
    }
    switch (opcode) {
      case 0:
        return extended(row);
      case 1:  // DW_LNS_copy
        return Step::row;
      case 2:  // DW_LNS_advance_pc
        advance(row, unit_.unsignedLeb());
        break;
      case 3:  // DW_LNS_advance_line
        addLines(row, unit_.signedLeb());
        break;
      case 4:  // DW_LNS_set_file
        row.file = unit_.unsignedLeb();
        break;
      case 8:  // DW_LNS_const_add_pc
        advance(row, (255U - opcodeBase_) / lineRange_);
        break;
      case 9:  // DW_LNS_fixed_advance_pc
        row.address += unit_.number<std::uint16_t>();
        break;
      default:
        for (auto operands = loadAt<std::uint8_t>(table_, lengthsAt_ + opcode - 1U).value_or(0); operands; --operands)
          (void)unit_.unsignedLeb();
    }
    return Step::none;
  }

  Step extended(Row& row) {
    const std::uint64_t length = unit_.unsignedLeb(), start = unit_.at();
    const auto opcode = unit_.number<std::uint8_t>();
    if (opcode == 2) row.address = relocated(unit_.at());  // DW_LNE_set_address
    unit_ = Cursor(table_, start, end_);
    unit_.skip(length);
    return opcode == 1 ? Step::end : Step::none;  // DW_LNE_end_sequence
  }

  /// The address that is to stand at `place` of the section; without a relocation the one that does.
  [[nodiscard]] std::uint64_t relocated(std::uint64_t place) const {
    for (std::size_t i = 0; i < sections_.count(); ++i) {
      const auto list = sections_[i];
      if (!list || list->sh_type != SHT_RELA || list->sh_info != section_) continue;
      const auto symbols = sections_[list->sh_link];
      const Bytes relocations = sections_.bytesOf(*list);
      for (std::uint64_t at = 0; const auto one = loadAt<Elf64_Rela>(relocations, at); at += sizeof(Elf64_Rela)) {
        if (one->r_offset != place || !symbols) continue;
        const auto symbol =
            loadAt<Elf64_Sym>(sections_.bytesOf(*symbols), ELF64_R_SYM(one->r_info) * sizeof(Elf64_Sym));
        const auto address = symbol ? sections_.addressOf(*symbol) : std::nullopt;
        return address ? *address + static_cast<std::uint64_t>(one->r_addend) : 0;
      }
    }
    return loadAt<std::uint64_t>(table_, place).value_or(0);
  }

  void nameFile(std::uint64_t file, CodePlace& out) const {
    Cursor names(table_, namesAt_, end_);
    while (!names.atEnd() && !names.text().empty()) {
    }
    for (std::uint64_t i = 1; !names.atEnd(); ++i) {
      const std::string_view name = names.text();
      if (name.empty()) return;
      const std::uint64_t folder = names.unsignedLeb();
      (void)names.unsignedLeb();
      (void)names.unsignedLeb();
      if (i != file) continue;
      out.file = name;
      Cursor folders(table_, namesAt_, end_);
      for (std::uint64_t j = 1; j <= folder; ++j) {
        out.folder = folders.text();
        if (out.folder.empty()) return;
      }
      return;
    }
  }

  const Sections& sections_;
  std::size_t section_;
  Bytes table_;
  Cursor unit_;
  std::uint64_t end_;
  std::uint64_t lengthsAt_ = 0, namesAt_ = 0;
  unsigned least_ = 1, lineRange_ = 0, opcodeBase_ = 0;
  int lineBase_ = 0;
};

void findLine(const Sections& sections, std::uint64_t address, CodePlace& out) {
  const auto index = sections.named(".debug_line");
  if (!index) return;
  const Bytes table = sections.bytesOf(*sections[*index]);
  for (std::uint64_t at = 0; const auto length = loadAt<std::uint32_t>(table, at);) {
    constexpr std::uint32_t longFormat = 0xfffffff0;
    if (*length >= longFormat) return;
    const std::uint64_t first = at + sizeof(std::uint32_t), end = first + *length;
    if (end > table.size()) return;
    if (LineProgram(sections, *index, table, Cursor(table, first, end), end).find(address, out)) return;
    at = end;
  }
}

}  // namespace

CodePlace placeOf(std::span<const std::byte> object, std::uint64_t address) noexcept {
  CodePlace out;
  const Sections sections(object);
  findFunction(sections, address, out);
  findLine(sections, address, out);
  return out;
}

/// Nodes stay for the life of the process and are used again: a handler may look at one at any time.
struct CodeRegistration::Node {
  std::atomic<bool> taken = true;
  std::atomic<std::uint64_t> first = none, last = 0;
  std::atomic<const std::byte*> object = nullptr;
  std::atomic<std::size_t> objectBytes = 0;
  Node* next = nullptr;
  static constexpr std::uint64_t none = UINT64_MAX;
};

namespace {
std::atomic<void*> nodes = nullptr;
}

CodeRegistration::Node& CodeRegistration::freeNode() {
  for (auto* node = static_cast<Node*>(nodes.load(std::memory_order_acquire)); node; node = node->next) {
    bool taken = false;
    if (node->taken.compare_exchange_strong(taken, true)) return *node;
  }
  auto* const made = new Node;
  void* head = nodes.load(std::memory_order_relaxed);
  do {
    made->next = static_cast<Node*>(head);
  } while (!nodes.compare_exchange_weak(head, made, std::memory_order_release, std::memory_order_relaxed));
  return *made;
}

CodeRegistration::CodeRegistration(std::span<const std::byte> code, std::span<const std::byte> object)
    : node_(freeNode()) {
  node_.object = object.data();
  node_.objectBytes = object.size();
  node_.last = reinterpret_cast<std::uint64_t>(code.data() + code.size());
  node_.first = reinterpret_cast<std::uint64_t>(code.data());
}

CodeRegistration::~CodeRegistration() {
  node_.first = Node::none;
  node_.taken = false;
}

std::span<const std::byte> findCode(std::uint64_t address) noexcept {
  auto* node = static_cast<const CodeRegistration::Node*>(nodes.load(std::memory_order_acquire));
  for (; node; node = node->next) {
    if (address >= node->first && address < node->last) return {node->object.load(), node->objectBytes.load()};
  }
  return {};
}

}  // namespace lathe::detail
