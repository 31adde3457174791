// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which types libbpf looks at follows relo_core.c of libbpf: candidates are the kernel's types with the name of the
// object's, without a flavour (task_struct___old); members are found by name in what a candidate holds by value; behind
// a pointer only kinds and names count.
#include "runtimes/bpf/types/reduced.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "core/support/file.h"

namespace lathe::bpf::detail {
namespace {

constexpr std::size_t headWords = BtfRecord::headWords;
constexpr std::uint32_t countMask = 0xffff;

// enum bpf_core_relo_kind
constexpr std::uint32_t localNumber = 6, kernelNumber = 7, lastKnown = 12;

/// Letters of a type's name without its flavour.
std::size_t essentialLetters(std::string_view name) {
  constexpr std::size_t mark = 5;  // a letter, "___", a letter
  for (std::size_t at = name.size(); at-- >= mark;) {
    const std::string_view here = name.substr(at + 1 - mark, mark);
    if (here[0] != '_' && here.substr(1, 3) == "___" && here[4] != '_') return at + 2 - mark;
  }
  return name.size();
}

/// Types are said by their numbers. One kept as a shell has no members.
class Reduction {
 public:
  explicit Reduction(const Btf& kernel) : kernel_(kernel), kept_(kernel.count() + 1) {}

  /// Keeps all types that are called one of `names`; false if there is a name that nobody has.
  bool keepNamed(const std::vector<std::string_view>& names) {
    std::array<bool, 256> begins{};
    for (const std::string_view name : names) begins[static_cast<unsigned char>(name.front())] = true;
    std::vector<bool> found(names.size());
    for (std::uint32_t number = 1; number <= kernel_.count(); ++number) {
      const char* const text = kernel_.letters(number);
      if (!begins[static_cast<unsigned char>(*text)]) continue;
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (std::strncmp(text, names[i].data(), names[i].size()) != 0) continue;
        const std::string_view name(text);
        if (name.size() != names[i].size() && essentialLetters(name) != names[i].size()) continue;
        // Functions and variables are no types, and have names of types.
        const BtfKind kind = kernel_.type(number).kind;
        if (kind == BtfKind::function || kind == BtfKind::variable || kind == BtfKind::section) continue;
        found[i] = true;
        keep(number, false);
      }
    }
    return std::ranges::all_of(found, [](bool is) { return is; });
  }

  std::vector<std::byte> bytes() {
    std::uint32_t last = 0;
    numbers_.resize(kept_.size());
    for (std::size_t i = 1; i < kept_.size(); ++i)
      if (kept_[i] != Kept::no) numbers_[i] = ++last;
    for (std::uint32_t i = 1; i < kept_.size(); ++i)
      if (kept_[i] != Kept::no) write(i);
    constexpr std::uint32_t headerBytes = 24, magicAndVersion = 0x1eb9f;
    const auto typeBytes = static_cast<std::uint32_t>(types_.size() * sizeof(std::uint32_t));
    const std::array<std::uint32_t, 6> header{
        magicAndVersion, headerBytes, 0, typeBytes, typeBytes, static_cast<std::uint32_t>(strings_.size())};
    std::vector<std::byte> out(headerBytes + typeBytes + strings_.size());
    std::memcpy(out.data(), header.data(), headerBytes);
    std::memcpy(out.data() + headerBytes, types_.data(), typeBytes);
    std::memcpy(out.data() + headerBytes + typeBytes, strings_.data(), strings_.size());
    return out;
  }

 private:
  enum class Kept : std::uint8_t { no, shell, whole };

  void keep(std::uint32_t first, bool firstBehindPointer) {
    std::vector<std::pair<std::uint32_t, bool>> waiting{{first, firstBehindPointer}};
    while (!waiting.empty()) {
      const auto [number, behindPointer] = waiting.back();
      waiting.pop_back();
      if (number == 0 || number > kernel_.count()) continue;
      const BtfType type = kernel_.type(number);
      const bool hasMembers = type.kind == BtfKind::structure || type.kind == BtfKind::union_;
      const Kept as = behindPointer ? Kept::shell : Kept::whole;
      if (kept_[number] >= as) continue;
      kept_[number] = as;
      if (hasMembers && as == Kept::shell) continue;
      if (type.kind == BtfKind::array) waiting.emplace_back(wordOf(number, headWords + 1), false);
      const bool isPrototype = type.kind == BtfKind::prototype;  // libbpf begins anew with what it takes and returns
      waiting.emplace_back(type.to, type.kind == BtfKind::pointer || (behindPointer && !isPrototype));
      for (const BtfMember& member : kernel_.members(number)) waiting.emplace_back(member.type, false);
    }
  }

  std::uint32_t wordOf(std::uint32_t number, std::size_t index) const {
    std::uint32_t out = 0;
    std::memcpy(&out, kernel_.record(number).data() + index * sizeof(out), sizeof(out));
    return out;
  }

  void write(std::uint32_t number) {
    const auto record = kernel_.record(number);
    const std::size_t at = types_.size();
    types_.resize(at + record.size() / sizeof(std::uint32_t));
    std::memcpy(types_.data() + at, record.data(), record.size());
    const std::span<std::uint32_t> words = std::span(types_).subspan(at);
    const BtfType type = kernel_.type(number);
    words[0] = place(words[0]);
    const auto rename = [&](std::size_t word) { words[word] = place(words[word]); };
    const auto renumber = [&](std::size_t word) {
      words[word] = words[word] < numbers_.size() ? numbers_[words[word]] : 0;
    };
    const BtfRecord layout = recordOf(type.kind);
    const bool hasMembers = type.kind == BtfKind::structure || type.kind == BtfKind::union_;
    if (hasMembers && kept_[number] == Kept::shell) {
      words[1] &= ~countMask;
      return types_.resize(at + headWords);
    }
    if (layout.refers) renumber(2);
    for (std::size_t i = 0; i < layout.fixedTypes; ++i) renumber(headWords + i);
    if (layout.each == 0) return;
    for (std::size_t i = headWords + layout.fixed; i < words.size(); i += layout.each) {
      if (layout.name >= 0) rename(i + static_cast<std::size_t>(layout.name));
      if (layout.type >= 0) renumber(i + static_cast<std::size_t>(layout.type));
    }
  }

  /// Where the name at `offset` of the kernel's lies in the new BTF.
  std::uint32_t place(std::uint32_t offset) {
    if (offset == 0) return 0;
    const auto [found, isNew] = places_.try_emplace(offset, static_cast<std::uint32_t>(strings_.size()));
    if (isNew) {
      const std::string_view text = kernel_.text(offset);
      strings_.insert(strings_.end(), text.begin(), text.end());
      strings_.push_back('\0');
    }
    return found->second;
  }

  const Btf& kernel_;
  std::vector<Kept> kept_;
  std::vector<std::uint32_t> numbers_, types_;
  std::vector<char> strings_{'\0'};
  std::unordered_map<std::uint32_t, std::uint32_t> places_;
};

}  // namespace

std::optional<ReducedTypes> reducedTypes(std::span<const std::byte> elf, const Btf& kernel) {
  const auto section = elfSection(elf, ".BTF"), extension = elfSection(elf, ".BTF.ext");
  if (!section || !extension) return std::nullopt;
  const auto own = Btf::view(*section);
  const auto relocations = btfRelocations(*extension);
  if (!own || !relocations || relocations->empty()) return std::nullopt;
  ReducedTypes out;
  std::vector<std::string_view> names;
  for (const BtfRelocation& relocation : *relocations) {
    if (relocation.kind == localNumber) continue;
    if (relocation.kind == kernelNumber || relocation.kind > lastKnown) out.isSame = false;
    std::string_view name = own->type(relocation.type).name;
    name = name.substr(0, essentialLetters(name));
    if (name.empty())
      out.isSame = false;
    else if (std::ranges::find(names, name) == names.end())
      names.push_back(name);
  }
  Reduction reduction(kernel);
  if (!reduction.keepNamed(names)) out.isSame = false;
  out.bytes = reduction.bytes();
  return out;
}

const Btf* runningKernel() {
  struct Kernel {
    lathe::detail::MappedFile file;
    std::optional<Btf> types;
  };
  static const Kernel kernel = [] {
    Kernel out;
    constexpr const char* path = "/sys/kernel/btf/vmlinux";
    if (auto file = lathe::detail::MappedFile::open(path)) {  // Linux 6.16
      if (auto types = Btf::view(file->bytes())) out.types = *std::move(types);
      out.file = *std::move(file);
    } else if (auto text = lathe::detail::readFile(path)) {
      const auto bytes = std::as_bytes(std::span(*text));
      if (auto types = Btf::parse({bytes.begin(), bytes.end()})) out.types = *std::move(types);
    }
    return out;
  }();
  return kernel.types ? &*kernel.types : nullptr;
}

}  // namespace lathe::bpf::detail
