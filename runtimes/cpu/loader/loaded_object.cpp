// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking one object in place. One mapping holds three runs of pages:
//
//   code       executable sections, then stubs for far functions   read, execute
//   constants  read-only sections, then slots of addresses (GOT)   read
//   data       writable sections                                   read, write
//
// Sections are copied to where they will run, relocated while everything is still writable, and then protected.
#include "runtimes/cpu/loader/loaded_object.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/support/bytes.h"
#include "runtimes/cpu/loader/elf_machine.h"
#include "runtimes/cpu/loader/elf_object.h"
#include "runtimes/cpu/loader/unwind_table.h"

namespace lathe::detail {
namespace {

/// Far above any kernel, far below the 2 GiB that 32-bit distances reach.
constexpr std::size_t mostBytes = std::size_t{1} << 30;

constexpr std::size_t alignUp(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

enum Run : unsigned { code, constants, data, runCount };

Run runOf(const ElfSection& section) {
  if (section.header.sh_flags & SHF_EXECINSTR) return code;
  // Constant but for relocations, which are done when the pages are protected.
  if ((section.header.sh_flags & SHF_WRITE) == 0 || section.name.starts_with(".data.rel.ro")) return constants;
  return data;
}

}  // namespace

Mapping::~Mapping() {
  if (data_) ::munmap(data_, size_);
}

bool Mapping::allocate(std::size_t bytes) {
  void* const start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return false;
  data_ = static_cast<std::byte*>(start);
  size_ = bytes;
  return true;
}

bool Mapping::protect(std::size_t offset, std::size_t bytes, int protection) {
  return bytes == 0 || ::mprotect(data_ + offset, bytes, protection) == 0;
}

/// The steps of linking, in order, and what they tell each other.
class ObjectLinker {
 public:
  ObjectLinker(std::span<const std::byte> file, const ElfObject& object, const ElfMachine& machine,
               const HostSymbols& given, LoadedObject& out)
      : file_(file),
        object_(object),
        machine_(machine),
        given_(given),
        out_(out),
        placed_(object.sections.size(), nullptr),
        symbols_(object.symbols.size()) {}

  Result<void> link() {
    if (auto done = findNeeds(); !done) return done;
    if (auto done = place(); !done) return done;
    if (auto done = resolve(); !done) return done;
    if (auto done = relocate(); !done) return done;
    if (auto done = checkUnwinding(); !done) return done;
    if (auto done = protect(); !done) return done;
    publish();
    return {};
  }

 private:
  struct LinkedSymbol {
    bool needsSlot = false;
    bool needsStub = false;
    std::uint64_t address = 0;  ///< S
    std::byte* slot = nullptr;
    std::byte* stub = nullptr;
  };
  struct PageRun {
    std::size_t offset = 0;
    std::size_t bytes = 0;
  };

  Result<void> findNeeds() {
    for (const ElfRelocation& relocation : object_.relocations) {
      const ElfSymbol& symbol = object_.symbols[relocation.symbol];
      LinkedSymbol& linked = symbols_[relocation.symbol];
      switch (machine_.need(relocation.type)) {
        case RelocationNeed::nothing:
          break;
        case RelocationNeed::slot:
          linked.needsSlot = true;
          break;
        case RelocationNeed::stub:
          if (symbol.isUndefined()) linked.needsSlot = linked.needsStub = true;
          break;
        case RelocationNeed::refused:
          return objectError(
              fmt::format("{} against '{}' is not supported; compile position-independent code of the small model",
                          machine_.relocationName(relocation.type), symbol.name));
      }
    }
    return {};
  }

  /// Gives every section, stub and slot its place, then maps the memory and copies the sections.
  Result<void> place() {
    std::vector<std::size_t> offsets(object_.sections.size());
    std::array<std::size_t, runCount> used{};
    for (std::size_t i = 0; i < object_.sections.size(); ++i) {
      const ElfSection& section = object_.sections[i];
      if (!section.isLoaded()) continue;
      std::size_t& end = used[runOf(section)];
      if (section.header.sh_size > mostBytes)
        return objectError(fmt::format("section '{}' has {} bytes", section.name, section.header.sh_size));
      offsets[i] = alignUp(end, std::max<std::size_t>(1, section.header.sh_addralign));
      end = offsets[i] + section.header.sh_size + (section.name == ehFrameName ? ehFrameEnd : 0);
      if (end > mostBytes) return objectError("its sections are too large together");
    }
    const std::size_t stubs = used[code] = alignUp(used[code], machine_.stubBytes);
    const std::size_t slots = used[constants] = alignUp(used[constants], sizeof(std::uint64_t));
    for (const LinkedSymbol& symbol : symbols_) {
      if (symbol.needsStub) used[code] += machine_.stubBytes;
      if (symbol.needsSlot) used[constants] += sizeof(std::uint64_t);
    }
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::size_t total = 0;
    for (unsigned run = 0; run < runCount; ++run) {
      runs_[run] = {total, alignUp(used[run], page)};
      total += runs_[run].bytes;
    }
    if (total == 0) return objectError("it holds no code");
    if (!out_.mapping_.allocate(total)) {
      return Error{.code = ErrorCode::OutOfHostMemory,
                   .message = fmt::format("object: {} bytes cannot be mapped for its code", total),
                   .target = "cpu"};
    }
    copySections(offsets);
    placeStubsAndSlots(stubs, slots);
    return {};
  }

  void copySections(const std::vector<std::size_t>& offsets) {
    for (std::size_t i = 0; i < object_.sections.size(); ++i) {
      const ElfSection& section = object_.sections[i];
      if (!section.isLoaded()) continue;
      placed_[i] = out_.mapping_.data() + runs_[runOf(section)].offset + offsets[i];
      if (!section.bytes.empty()) std::memcpy(placed_[i], section.bytes.data(), section.bytes.size());
    }
  }

  void placeStubsAndSlots(std::size_t stubs, std::size_t slots) {
    std::byte* stub = out_.mapping_.data() + runs_[code].offset + stubs;
    std::byte* slot = out_.mapping_.data() + runs_[constants].offset + slots;
    for (LinkedSymbol& symbol : symbols_) {
      if (symbol.needsSlot) symbol.slot = std::exchange(slot, slot + sizeof(std::uint64_t));
      if (symbol.needsStub) symbol.stub = std::exchange(stub, stub + machine_.stubBytes);
    }
  }

  /// Gives every symbol its address and fills its slot and stub. Undefined ones that nothing refers to are not looked
  /// for.
  Result<void> resolve() {
    std::vector<bool> used(symbols_.size());
    for (const ElfRelocation& relocation : object_.relocations) used[relocation.symbol] = true;
    std::vector<std::string_view> missing;
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      const ElfSymbol& symbol = object_.symbols[i];
      LinkedSymbol& linked = symbols_[i];
      if (symbol.isUndefined()) {
        if (!used[i] || i == 0) continue;  // symbol 0 stands for no symbol: its address is 0
        const HostSymbol* const given = given_.find(symbol.name);
        void* const address = given ? given->address : out_.externals_.find(symbol.name);
        linked.address = reinterpret_cast<std::uint64_t>(address);
        if (!address && !symbol.isWeak()) missing.push_back(symbol.name);
        if (given && !given->isFunction && linked.needsStub) {
          return Error{.code = ErrorCode::ArgumentMismatch,
                       .message = fmt::format("object: it calls '{}', and the program gives a variable", symbol.name),
                       .target = "cpu"};
        }
      } else if (symbol.entry.st_shndx == SHN_ABS) {
        linked.address = symbol.entry.st_value;
      } else if (std::byte* const section = placed_[symbol.entry.st_shndx]) {
        linked.address = reinterpret_cast<std::uint64_t>(section) + symbol.entry.st_value;
      } else if (used[i]) {
        return objectError(fmt::format("symbol '{}' is in a section that is not loaded", symbol.name));
      }
      if (linked.slot) std::memcpy(linked.slot, &linked.address, sizeof(linked.address));
      if (linked.stub) machine_.writeStub(linked.stub, reinterpret_cast<std::uint64_t>(linked.slot));
    }
    if (missing.empty()) return {};
    return Error{
        .code = ErrorCode::UndefinedFunction,
        .message = fmt::format("object: '{}' {} not defined, and not among the functions that kernels may call "
                               "on the cpu",
                               fmt::join(missing, "', '"), missing.size() == 1 ? "is" : "are"),
        .hint = "mark what the program has with LATHE_IMPORT, and give its address when the object is loaded",
        .target = "cpu"};
  }

  Result<void> relocate() {
    for (const ElfRelocation& relocation : object_.relocations) {
      const ElfSection& section = object_.sections[relocation.section];
      const LinkedSymbol& symbol = symbols_[relocation.symbol];
      const auto failed = [&](std::string_view why) {
        return objectError(fmt::format("{} against '{}' in '{}' {}", machine_.relocationName(relocation.type),
                                       object_.symbols[relocation.symbol].name, section.name, why));
      };
      if (relocation.offset > section.header.sh_size) return failed("lies outside of the section");
      const std::uint64_t target = symbol.stub && machine_.need(relocation.type) == RelocationNeed::stub
                                       ? reinterpret_cast<std::uint64_t>(symbol.stub)
                                       : symbol.address;
      const RelocationValues values{.type = relocation.type,
                                    .place = placed_[relocation.section] + relocation.offset,
                                    .room = static_cast<std::size_t>(section.header.sh_size - relocation.offset),
                                    .symbol = target,
                                    .addend = relocation.addend,
                                    .slot = reinterpret_cast<std::uint64_t>(symbol.slot)};
      switch (machine_.apply(values)) {
        case RelocationResult::done:
          break;
        case RelocationResult::outOfRange:
          return failed("does not reach; compile position-independent code");
        case RelocationResult::cutOff:
          return failed("lies outside of the section");
      }
    }
    return {};
  }

  /// The unwinder of the whole process will read these tables.
  Result<void> checkUnwinding() {
    const std::span<const std::byte> code(out_.mapping_.data() + runs_[Run::code].offset, runs_[Run::code].bytes);
    for (std::size_t i = 0; i < object_.sections.size(); ++i) {
      const ElfSection& section = object_.sections[i];
      if (section.name != ehFrameName || !placed_[i]) continue;
      if (!isSoundUnwindTable({placed_[i], static_cast<std::size_t>(section.header.sh_size)}, code))
        return objectError("its unwinding table is damaged, or of a kind that is not supported");
    }
    return {};
  }

  Result<void> protect() {
    static constexpr std::array<int, runCount> protections = {PROT_READ | PROT_EXEC, PROT_READ, PROT_READ | PROT_WRITE};
    for (unsigned run = 0; run < runCount; ++run) {
      if (!out_.mapping_.protect(runs_[run].offset, runs_[run].bytes, protections[run])) {
        return Error{.code = ErrorCode::Unsupported,
                     .message = "object: the system does not let this process make code executable",
                     .target = "cpu"};
      }
    }
    auto* const start = reinterpret_cast<char*>(out_.mapping_.data() + runs_[code].offset);
    __builtin___clear_cache(start, start + runs_[code].bytes);
    return {};
  }

  /// Symbols for the runtime; the unwinder, the debugger and the profiler for everybody else.
  void publish() {
    const bool perfMap = perfMapWanted();
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      const ElfSymbol& symbol = object_.symbols[i];
      if (symbol.isUndefined() || symbol.entry.st_shndx == SHN_ABS || !placed_[symbol.entry.st_shndx]) continue;
      const bool isFunction = symbol.type() == STT_FUNC;
      auto* const address = reinterpret_cast<std::byte*>(symbols_[i].address);
      if (isFunction && perfMap) addToPerfMap(address, symbol.entry.st_size, symbol.name);
      if (!symbol.isLocal() && !symbol.isHidden())
        out_.symbols_.insert_or_assign(std::string(symbol.name),
                                       LoadedObject::Symbol{address, symbol.entry.st_size, isFunction});
    }
    for (std::size_t i = 0; i < object_.sections.size(); ++i) {
      if (object_.sections[i].name == ehFrameName && placed_[i] && !out_.unwind_) out_.unwind_.emplace(placed_[i]);
    }
    out_.debugger_.emplace(withAddresses());
    out_.code_.emplace(std::span(out_.mapping_.data() + runs_[code].offset, runs_[code].bytes),
                       std::as_bytes(std::span(out_.debugger_->elf())));
  }

  /// A copy of the file with each loaded section's address in its header, as debuggers want it.
  [[nodiscard]] std::string withAddresses() const {
    std::string out(reinterpret_cast<const char*>(file_.data()), file_.size());
    for (std::size_t i = 0; i < placed_.size(); ++i) {
      if (!placed_[i]) continue;
      const auto address = reinterpret_cast<Elf64_Addr>(placed_[i]);
      std::memcpy(out.data() + object_.sectionTableOffset + i * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_addr),
                  &address, sizeof(address));
    }
    return out;
  }

  static constexpr std::string_view ehFrameName = ".eh_frame";
  static constexpr std::size_t ehFrameEnd = 4;  ///< a length of zero, which ends the section for the unwinder

  std::span<const std::byte> file_;
  const ElfObject& object_;
  const ElfMachine& machine_;
  const HostSymbols& given_;
  LoadedObject& out_;
  std::vector<std::byte*> placed_;  ///< by section; null if not loaded
  std::vector<LinkedSymbol> symbols_;
  std::array<PageRun, runCount> runs_;
};

Result<std::unique_ptr<const LoadedObject>> LoadedObject::load(std::span<const std::byte> object,
                                                               const HostSymbols& symbols) {
  const auto parsed = ElfObject::parse(object);
  if (!parsed) return parsed.error();
  const ElfMachine* const machine = hostMachine();
  if (!machine || machine->number != parsed->machine) {
    return Error{
        .code = ErrorCode::IncompatibleDevice,
        .message = fmt::format(
            "object: it is for ELF machine {}, not for this processor; compile it on or for this one", parsed->machine),
        .target = "cpu"};
  }
  std::unique_ptr<LoadedObject> out(new LoadedObject);
  if (auto linked = ObjectLinker(object, *parsed, *machine, symbols, *out).link(); !linked)
    return std::move(linked).error();
  return std::unique_ptr<const LoadedObject>(std::move(out));
}

Result<std::unique_ptr<const LoadedObject>> LoadedObject::loadShared(std::span<const std::byte> object) {
  auto shared = SharedObject::open(object);
  if (!shared) return std::move(shared).error();
  std::unique_ptr<LoadedObject> out(new LoadedObject);
  out->shared_ = *std::move(shared);
  return std::unique_ptr<const LoadedObject>(std::move(out));
}

void* LoadedObject::function(std::string_view name) const {
  if (shared_) return shared_->function(name);
  const auto found = symbols_.find(name);
  return found != symbols_.end() && found->second.isFunction ? found->second.address : nullptr;
}

std::pair<void*, std::size_t> LoadedObject::variable(std::string_view name) const {
  if (shared_) return shared_->variable(name);
  const auto found = symbols_.find(name);
  if (found == symbols_.end() || found->second.isFunction) return {nullptr, 0};
  return {found->second.address, found->second.size};
}

}  // namespace lathe::detail
