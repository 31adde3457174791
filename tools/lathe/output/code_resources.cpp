// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readers of what code objects say of themselves: the metadata note of AMD's (LLVM's "User Guide for AMDGPU Backend"),
// and of NVIDIA's the sections that cuobjdump --dump-resource-usage shows. Bytes are not trusted.
#include "tools/lathe/output/code_resources.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "tools/lathe/output/report.h"

namespace lathe::tool {
namespace {

template <class T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset) {
  T out;
  if (offset > bytes.size() || bytes.size() - offset < sizeof out) return std::nullopt;
  std::memcpy(&out, bytes.data() + offset, sizeof out);
  return out;
}

/// The sections of a 64-bit ELF file.
class Elf {
 public:
  struct Section {
    std::string name;
    Elf64_Shdr header;
    std::string_view bytes;
  };
  explicit Elf(std::string_view file) : file_(file) {
    const auto header = at<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_shentsize != sizeof(Elf64_Shdr))
      return;
    machine_ = header->e_machine;
    const auto names = sectionAt(*header, header->e_shstrndx);
    for (std::uint32_t i = 0; names && i < header->e_shnum; ++i) {
      const auto section = sectionAt(*header, i);
      if (!section) continue;
      sections_.push_back({text(bytesOf(*names), section->sh_name), *section, bytesOf(*section)});
    }
  }
  [[nodiscard]] std::uint16_t machine() const { return machine_; }
  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  [[nodiscard]] const Section* find(std::string_view name) const {
    const auto found = std::ranges::find(sections_, name, &Section::name);
    return found == sections_.end() ? nullptr : &*found;
  }
  [[nodiscard]] std::string symbol(std::uint32_t index) const {
    const Section *const table = find(".symtab"), *const names = find(".strtab");
    const auto entry = table && names ? at<Elf64_Sym>(table->bytes, index * sizeof(Elf64_Sym)) : std::nullopt;
    return entry ? text(names->bytes, entry->st_name) : std::string();
  }

 private:
  static std::string text(std::string_view table, std::uint64_t offset) {
    if (offset >= table.size()) return {};
    table.remove_prefix(offset);
    return std::string(table.substr(0, table.find('\0')));
  }
  [[nodiscard]] std::optional<Elf64_Shdr> sectionAt(const Elf64_Ehdr& header, std::uint32_t index) const {
    if (header.e_shoff > file_.size()) return std::nullopt;
    return at<Elf64_Shdr>(file_, header.e_shoff + std::uint64_t{index} * sizeof(Elf64_Shdr));
  }
  [[nodiscard]] std::string_view bytesOf(const Elf64_Shdr& section) const {
    const bool isThere = section.sh_type != SHT_NOBITS && section.sh_offset <= file_.size() &&
                         section.sh_size <= file_.size() - section.sh_offset;
    return isThere ? file_.substr(section.sh_offset, section.sh_size) : std::string_view();
  }

  std::string_view file_;
  std::uint16_t machine_ = EM_NONE;
  std::vector<Section> sections_;
};

constexpr std::uint16_t machineCuda = 190, machineAmdgpu = 224;

/// Calls `visit(attribute, payload)` for the attributes of a section ".nv.info…".
template <class Visit>
void forEachAttribute(std::string_view bytes, Visit visit) {
  constexpr std::uint8_t withPayload = 4;
  while (bytes.size() >= 4) {
    const auto form = static_cast<std::uint8_t>(bytes[0]);
    const auto attribute = static_cast<std::uint8_t>(bytes[1]);
    const std::size_t size = form == withPayload ? *at<std::uint16_t>(bytes, 2) : 0;
    if (4 + size > bytes.size()) return;
    visit(attribute, bytes.substr(4, size));
    bytes.remove_prefix(4 + size);
  }
}

std::vector<KernelResources> nvidiaResources(const Elf& elf) {
  constexpr std::uint8_t frameSize = 0x11, registerCount = 0x2f;
  // Where the system keeps a part of each group's shared memory, the kernels' sections count it, and ptxas -v does not.
  const Elf::Section* const names = elf.find(".strtab");
  const bool hasPart = names && names->bytes.find(".nv.reservedSmem.offset0") != std::string_view::npos;
  const std::uint64_t reserved = hasPart ? 1024 : 0;
  std::map<std::string, KernelResources> kernels;
  for (const Elf::Section& section : elf.sections()) {
    constexpr std::string_view code = ".text.";
    if (!section.name.starts_with(code)) continue;
    const std::string symbol = section.name.substr(code.size());
    if (!elf.find(".nv.info." + symbol)) continue;  // a function
    KernelResources& kernel = kernels[symbol];
    kernel.symbol = symbol;
    kernel.sharedBytes = kernel.constantBytes = 0;
    if (const auto* shared = elf.find(".nv.shared." + symbol))
      kernel.sharedBytes = shared->header.sh_size - std::min<std::uint64_t>(shared->header.sh_size, reserved);
    if (const auto* constant = elf.find(".nv.constant0." + symbol)) kernel.constantBytes = constant->header.sh_size;
  }
  const Elf::Section* const info = elf.find(".nv.info");
  forEachAttribute(info ? info->bytes : std::string_view(), [&](std::uint8_t attribute, std::string_view payload) {
    const auto symbol = at<std::uint32_t>(payload, 0), value = at<std::uint32_t>(payload, 4);
    const auto kernel = symbol && value ? kernels.find(elf.symbol(*symbol)) : kernels.end();
    if (kernel == kernels.end()) return;
    if (attribute == registerCount) kernel->second.registers = *value;
    if (attribute == frameSize) kernel->second.localBytes = *value;
  });
  std::vector<KernelResources> out;
  for (auto& [symbol, kernel] : kernels) out.push_back(std::move(kernel));
  return out;
}

std::vector<KernelResources> amdResources(const Elf& elf) {
  constexpr std::uint32_t metadataNote = 32;
  std::vector<KernelResources> out;
  for (const Elf::Section& section : elf.sections()) {
    if (section.header.sh_type != SHT_NOTE) continue;
    const auto note = at<Elf64_Nhdr>(section.bytes, 0);
    if (!note || note->n_type != metadataNote) continue;
    const std::uint64_t from = sizeof(Elf64_Nhdr) + (std::uint64_t{note->n_namesz} + 3) / 4 * 4;
    if (from > section.bytes.size()) continue;
    const auto bytes = section.bytes.substr(from, note->n_descsz);
    const Json metadata = Json::from_msgpack(bytes.begin(), bytes.end(), /*strict=*/true, /*allow_exceptions=*/false);
    if (!metadata.is_object() || !metadata.contains("amdhsa.kernels")) continue;
    for (const Json& kernel : metadata["amdhsa.kernels"]) {
      const auto number = [&](const char* key) -> std::optional<std::uint64_t> {
        const auto found = kernel.is_object() ? kernel.find(key) : kernel.end();
        if (found == kernel.end() || !found->is_number_unsigned()) return std::nullopt;
        return found->get<std::uint64_t>();
      };
      const Json name = kernel.is_object() ? kernel.value(".name", Json()) : Json();
      if (!name.is_string()) continue;
      KernelResources one{.symbol = name.get<std::string>(),
                          .registers = number(".vgpr_count"),
                          .scalarRegisters = number(".sgpr_count"),
                          .spilledRegisters = number(".vgpr_spill_count"),
                          .sharedBytes = number(".group_segment_fixed_size"),
                          .localBytes = number(".private_segment_fixed_size"),
                          .constantBytes = std::nullopt,
                          .subgroupItems = number(".wavefront_size"),
                          .vectorWidth = std::nullopt};
      if (const auto scalars = number(".sgpr_spill_count"))
        one.spilledRegisters = one.spilledRegisters.value_or(0) + *scalars;
      out.push_back(std::move(one));
    }
  }
  return out;
}

std::string shown(const std::optional<std::uint64_t>& value) {
  return value ? std::to_string(*value) : "-";
}

Json jsonOf(const std::optional<std::uint64_t>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

std::vector<KernelResources> resourcesIn(std::string_view code) {
  const Elf elf(code);
  if (elf.machine() == machineCuda) return nvidiaResources(elf);
  if (elf.machine() == machineAmdgpu) return amdResources(elf);
  return {};
}

std::vector<KernelResources> resourcesOf(const Image& image, const Compiler* compiler) {
  std::vector<KernelResources> inCode, out;
  for (const Code& code : image.code()) {
    std::ranges::move(resourcesIn({reinterpret_cast<const char*>(code.bytes.data()), code.bytes.size()}),
                      std::back_inserter(inCode));
  }
  for (std::size_t i = 0; compiler && i < image.code().size() && inCode.empty(); ++i) {
    // Where the assembler is missing, the report says nothing of what it would decide.
    const auto made = compiler->machineCode(image.code()[i], image.info());
    if (made && *made) inCode = resourcesIn(**made);
  }
  for (const EntryPoint& entry : image.info().entries) {
    const auto found = std::ranges::find(inCode, entry.symbol, &KernelResources::symbol);
    KernelResources one = found == inCode.end() ? KernelResources{} : *found;
    one.symbol = entry.symbol;
    const auto fill = [](std::optional<std::uint64_t>& to, std::int64_t from) {
      if (!to && from >= 0) to = static_cast<std::uint64_t>(from);
    };
    fill(one.registers, entry.resources.registers);
    fill(one.sharedBytes, entry.resources.sharedBytes);
    fill(one.localBytes, entry.resources.localBytes);
    fill(one.constantBytes, entry.resources.constantBytes);
    fill(one.vectorWidth, entry.resources.vectorWidth);
    out.push_back(std::move(one));
  }
  return out;
}

void ResourceReport::add(const Image& image, const Compiler* compiler, std::uint32_t items) {
  const ImageInfo& info = image.info();
  const auto kernels = resourcesOf(image, compiler);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelResources& kernel = kernels[i];
    const LaunchBounds& bounds = info.entries[i].bounds;
    const auto& size = bounds.groupSize;
    const std::uint32_t ofGroup = size[0]           ? size[0] * size[1] * size[2]
                                  : bounds.maxItems ? std::min(bounds.maxItems, items)
                                                    : items;
    const auto occupancy = occupancyOf(kernel, info.arch, ofGroup);
    rows_.push_back(
        {info.entries[i].name, targetName(info), shown(kernel.registers), shown(kernel.scalarRegisters),
         shown(kernel.spilledRegisters), shown(kernel.sharedBytes), shown(kernel.localBytes), shown(kernel.vectorWidth),
         occupancy ? fmt::format("{:.0f} % at {}{} ({})", occupancy->fraction * 100, ofGroup,
                                 occupancy->waves ? fmt::format(", {} waves", occupancy->waves) : "", occupancy->limit)
                   : "-"});
    Json one = {{"kernel", info.entries[i].name},
                {"target", info.target},
                {"arch", info.arch},
                {"registers", jsonOf(kernel.registers)},
                {"scalar_registers", jsonOf(kernel.scalarRegisters)},
                {"spilled_registers", jsonOf(kernel.spilledRegisters)},
                {"shared_bytes", jsonOf(kernel.sharedBytes)},
                {"local_bytes", jsonOf(kernel.localBytes)},
                {"constant_bytes", jsonOf(kernel.constantBytes)},
                {"vector_width", jsonOf(kernel.vectorWidth)},
                {"occupancy", nullptr}};
    if (occupancy) {
      one["occupancy"] = {{"items", ofGroup},
                          {"groups", occupancy->groups},
                          {"fraction", occupancy->fraction},
                          {"limit", occupancy->limit}};
      if (occupancy->waves != 0) one["occupancy"]["waves"] = occupancy->waves;
    }
    json_.push_back(std::move(one));
  }
}

Table ResourceReport::table() const {
  using Align = Table::Align;
  Table out({{"kernel"},
             {"target"},
             {"registers", Align::right},
             {"scalar", Align::right},
             {"spilled", Align::right},
             {"shared", Align::right},
             {"local", Align::right},
             {"items/vector", Align::right},
             {"occupancy"}});
  for (const auto& row : rows_) out.add(row);
  return out;
}

}  // namespace lathe::tool
