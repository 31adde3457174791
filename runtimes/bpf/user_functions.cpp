// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One link to many functions of a program or library (uprobe.multi, Linux 6.6), which libbpf 1.1 has no call for: the
// places are found in the file's symbols (System V ABI, chapter 4), and the link is made by bpf(BPF_LINK_CREATE).
#include <elf.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/support/bytes.h"
#include "core/support/nearest.h"
#include "runtimes/bpf/user_functions.h"

namespace lathe::bpf::detail {
namespace {

using lathe::detail::loadAt;

/// The kernel's struct of BPF_LINK_CREATE for many user probes, which headers before Linux 6.6 lack.
struct LinkCreate {
  std::uint32_t program = 0;
  std::uint32_t target = 0;
  std::uint32_t attachType = userProbes;
  std::uint32_t linkFlags = 0;
  std::uint64_t path = 0;
  std::uint64_t offsets = 0;
  std::uint64_t counters = 0;
  std::uint64_t cookies = 0;
  std::uint32_t count = 0;
  std::uint32_t flags = 0;
  std::uint32_t process = 0;
  std::uint32_t unused = 0;
};

class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const UniqueDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat about{};
    if (!file.ok() || ::fstat(file.get(), &about) != 0 || about.st_size == 0) return;
    bytes_ = static_cast<std::size_t>(about.st_size);
    address_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file.get(), 0);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (address_ != MAP_FAILED) ::munmap(address_, bytes_);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    if (address_ == MAP_FAILED) return {};
    return {static_cast<const std::byte*>(address_), bytes_};
  }

 private:
  void* address_ = MAP_FAILED;
  std::size_t bytes_ = 0;
};

/// The functions of an ELF file by their names, with their places in it.
class Symbols {
 public:
  explicit Symbols(std::span<const std::byte> file) : file_(file) {
    const auto header = loadAt<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
      return;
    for (unsigned i = 0; i < header->e_shnum; ++i) {
      const auto section = loadAt<Elf64_Shdr>(file, header->e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr));
      if (!section) return;
      sections_.push_back(*section);
    }
    for (const Elf64_Shdr& section : sections_)
      if ((section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM) && section.sh_link < sections_.size())
        read(section, sections_[section.sh_link]);
    std::ranges::sort(functions_);
  }

  [[nodiscard]] std::optional<std::uint64_t> find(const std::string& name) const {
    const auto at = std::ranges::lower_bound(functions_, name, {}, &Function::first);
    if (at == functions_.end() || at->first != name) return std::nullopt;
    return at->second;
  }
  /// Places of the functions whose names match, with * and ?; aliases are one.
  [[nodiscard]] std::set<std::uint64_t> matching(const std::string& pattern) const {
    std::set<std::uint64_t> out;
    for (const auto& [name, place] : functions_)
      if (::fnmatch(pattern.c_str(), name.c_str(), 0) == 0) out.insert(place);
    return out;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const Function& function : functions_) out.push_back(function.first);
    return out;
  }

 private:
  using Function = std::pair<std::string, std::uint64_t>;

  void read(const Elf64_Shdr& table, const Elf64_Shdr& strings) {
    if (strings.sh_offset > file_.size() || strings.sh_size > file_.size() - strings.sh_offset) return;
    const std::string_view text(reinterpret_cast<const char*>(file_.data()) + strings.sh_offset, strings.sh_size);
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = loadAt<Elf64_Sym>(file_, table.sh_offset + at);
      if (!symbol) return;
      if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
          symbol->st_shndx >= sections_.size() || symbol->st_name >= text.size())
        continue;
      const std::string_view name = text.substr(symbol->st_name);
      const Elf64_Shdr& code = sections_[symbol->st_shndx];
      functions_.emplace_back(name.substr(0, name.find('\0')), symbol->st_value - code.sh_addr + code.sh_offset);
    }
  }

  std::span<const std::byte> file_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<Function> functions_;
};

}  // namespace

Result<UniqueDescriptor> linkUserFunctions(int program, const UserProbes& at, const std::string& what) {
  const auto wrong = [&](std::string why, std::string hint = {}) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("{}: {}", what, std::move(why)),
                 .hint = std::move(hint),
                 .target = "bpf"};
  };
  if (at.functions.empty()) return wrong("it names no function");
  const MappedFile file(at.binary);
  if (file.bytes().empty()) return wrong(fmt::format("{} cannot be read", at.binary), "give the whole path");
  const Symbols symbols(file.bytes());
  std::vector<std::uint64_t> offsets;
  for (const std::string& name : at.functions) {
    if (name.find_first_of("*?") != std::string::npos) {
      const auto matching = symbols.matching(name);
      if (matching.empty()) return wrong(fmt::format("{} has no function '{}'", at.binary, name));
      offsets.insert(offsets.end(), matching.begin(), matching.end());
      continue;
    }
    const auto offset = symbols.find(name);
    if (!offset)
      return wrong(
          fmt::format("{} has no function '{}'{}", at.binary, name, lathe::detail::didYouMean(name, symbols.names())));
    offsets.push_back(*offset);
  }
  LinkCreate request;
  request.program = static_cast<std::uint32_t>(program);
  request.path = reinterpret_cast<std::uintptr_t>(at.binary.c_str());
  request.offsets = reinterpret_cast<std::uintptr_t>(offsets.data());
  request.count = static_cast<std::uint32_t>(offsets.size());
  request.flags = at.onReturn ? 1 : 0;  // BPF_F_UPROBE_MULTI_RETURN
  request.process = at.process > 0 ? static_cast<std::uint32_t>(at.process) : 0;
  const long made = ::syscall(SYS_bpf, BPF_LINK_CREATE, &request, sizeof(request));
  if (made >= 0) return UniqueDescriptor(static_cast<int>(made));
  const int status = errno;
  Error error = bpfError(status, what);
  if (status == EINVAL)
    error.hint =
        "the program's section is SEC(\"uprobe.multi\") or SEC(\"uretprobe.multi\"), and the kernel is Linux 6.6 "
        "or later";
  return error;
}

}  // namespace lathe::bpf::detail
