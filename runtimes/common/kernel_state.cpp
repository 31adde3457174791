// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading what kernels left in their state. A kernel may have been stopped anywhere, or have written over it: whatever
// the bytes are, reading them stays within them.
#include "runtimes/common/kernel_state.h"

#include <algorithm>
#include <cstring>
#include <span>

#include <fmt/format.h>

#include "core/abi/print_format.h"
#include "core/support/bytes.h"

namespace lathe::detail {
namespace {

constexpr std::array<std::string_view, 5> knownFields = {"exception", "print", "kernel", "heap", "grid"};

/// Text that ends at a zero byte or with its array.
template <std::size_t N>
std::string_view textOf(const char (&text)[N]) {
  return {text, static_cast<std::size_t>(std::find(text, text + N, '\0') - text)};
}

std::string describeWhat(const abi::ExceptionRecord& record) {
  switch (record.kind) {
    case abi::ExceptionKind::assertion:
      return fmt::format("assertion '{}' failed", textOf(record.message));
    case abi::ExceptionKind::trap:
      return "it trapped";
    case abi::ExceptionKind::none:
      break;
  }
  return "it failed";
}

/// The next record of `data` from `at` on: its size, or 0 if there is none.
std::size_t recordSize(std::span<const std::byte> data, std::size_t at) {
  const auto bytes = loadAt<std::uint64_t>(data, at);
  if (!bytes || *bytes < 16 || *bytes % 8 != 0 || *bytes > data.size() - at) return 0;
  return static_cast<std::size_t>(*bytes);
}

/// The text of one record, without its size. Nothing if it makes no sense.
bool formatRecord(std::span<const std::byte> record, std::string& out) {
  const std::string_view all(reinterpret_cast<const char*>(record.data()), record.size());
  const std::size_t typesEnd = all.find('\0');
  const std::size_t formatEnd = typesEnd == all.npos ? all.npos : all.find('\0', typesEnd + 1);
  if (formatEnd == all.npos) return false;
  std::size_t at = (formatEnd + 1 + 7) / 8 * 8;
  std::vector<PrintValue> values;
  for (const char type : all.substr(0, typesEnd)) {
    const auto bits = loadAt<std::uint64_t>(record, at);
    if (!bits) return false;
    at += 8;
    PrintValue value{.type = type, .bits = *bits};
    if (type == abi::printString) {
      if (*bits > all.size() - at) return false;
      value.text = all.substr(at, static_cast<std::size_t>(*bits));
      at += static_cast<std::size_t>(*bits + 7) / 8 * 8;
      at = std::min(at, all.size());
    }
    values.push_back(value);
  }
  out += formatPrint(all.substr(typesEnd + 1, formatEnd - typesEnd - 1), values);
  return true;
}

}  // namespace

Result<void> checkHidden(const EntryPoint& entry) {
  const auto refuse = [&](ErrorCode code, std::string what) {
    return Error{.code = code, .message = fmt::format("kernel '{}': {}", entry.name, what)};
  };
  const Parameter* state = nullptr;
  for (const Parameter& hidden : entry.hidden) {
    const auto isAnother = [&](const Parameter& other) { return other.name == hidden.name && &other != &hidden; };
    if (std::ranges::any_of(entry.hidden, isAnother))
      return refuse(ErrorCode::ImageCorrupt, "its hidden arguments make no sense");
    if (isState(hidden) && !state && entry.abi == EntryAbi::state) {
      state = &hidden;
    } else if (hidden.name == "dynamic_shared_bytes" && hidden.type.kind == TypeKind::unsignedInteger &&
               hidden.type.size == 4) {
      continue;
    } else if (isGroupShape(hidden) && hidden.type.kind == TypeKind::unsignedInteger && hidden.type.size == 8) {
      continue;
    } else {
      return refuse(ErrorCode::ImageCorrupt, "its hidden arguments make no sense");
    }
  }
  if (entry.abi == EntryAbi::bare) return {};
  if (!state)
    return refuse(ErrorCode::Unsupported, "the image does not describe the state it expects; compile it again");
  const TypeLayout& type = state->type;
  if (type.size > HiddenArgument::mostBytes || type.align > 16)
    return refuse(ErrorCode::ImageCorrupt, "its hidden arguments make no sense");
  for (const TypeLayout::Field& field : type.fields) {
    if (std::ranges::find(knownFields, field.name) == knownFields.end()) {
      return refuse(
          ErrorCode::Unsupported,
          fmt::format("it expects '{}' in its state, which this library does not know; use a newer Lathe", field.name));
    }
    if (field.type.size != 8 || field.offset > type.size || type.size - field.offset < 8)
      return refuse(ErrorCode::ImageCorrupt, "its hidden arguments make no sense");
  }
  return {};
}

HiddenArgument hiddenArgument(const Parameter& hidden, const abi::KernelState& state) {
  HiddenArgument out;
  const auto put = [&](const TypeLayout::Field& field, const auto& value) {
    static_assert(sizeof(value) == 8);
    std::memcpy(out.bytes.data() + field.offset, &value, sizeof(value));
  };
  for (const TypeLayout::Field& field : hidden.type.fields) {
    if (field.name == "exception")
      put(field, state.exception);
    else if (field.name == "print")
      put(field, state.print);
    else if (field.name == "heap")
      put(field, state.heap);
    else if (field.name == "grid")
      put(field, state.grid);
    else
      put(field, state.kernel);
  }
  return out;
}

bool wantsOfState(const EntryPoint& entry, std::string_view field) {
  return std::ranges::any_of(entry.hidden, [field](const Parameter& hidden) {
    return std::ranges::find(hidden.type.fields, field, &TypeLayout::Field::name) != hidden.type.fields.end();
  });
}

abi::ExceptionRecord& StateMemory::exception() const noexcept {
  return *reinterpret_cast<abi::ExceptionRecord*>(memory_);
}

abi::PrintBuffer& StateMemory::print() const noexcept {
  return *reinterpret_cast<abi::PrintBuffer*>(memory_ + sizeof(abi::ExceptionRecord));
}

void StateMemory::initialise() noexcept {
  std::memset(memory_, 0, stateBytes);
  print().capacity = printBytes;
}

void StateMemory::drainPrints(PrintOutput& output) {
  abi::PrintBuffer& buffer = print();
  if (buffer.used == 0) return;
  auto* const data = reinterpret_cast<std::byte*>(&buffer + 1);
  const std::size_t used = std::min<std::size_t>(buffer.used, printBytes);
  std::string text;
  formatRecords(std::span(data, used), text);
  if (buffer.dropped != 0) {
    text += fmt::format("lathe: {} more texts were printed than the {} bytes for them hold between two waits\n",
                        buffer.dropped, printBytes);
  }
  std::memset(data, 0, used);
  buffer.capacity = printBytes;
  buffer.used = buffer.dropped = 0;
  output.write(text);
}

void formatRecords(std::span<const std::byte> data, std::string& out) {
  for (std::size_t at = 0; const std::size_t size = recordSize(data, at); at += size) {
    if (!formatRecord(data.subspan(at + 8, size - 8), out)) return;
  }
}

Error errorOf(const abi::ExceptionRecord& record, std::string_view kernel, std::string_view target) {
  Error out{.code = ErrorCode::DeviceFault, .target = std::string(target)};
  out.message = fmt::format("kernel '{}': {}", kernel, describeWhat(record));
  if (record.complete == 0) return out;  // its item was stopped while it wrote the rest
  const auto extents = [](const unsigned (&at)[3]) { return fmt::format("{},{},{}", at[0], at[1], at[2]); };
  const std::string_view file = textOf(record.file);
  if (!file.empty()) out.location = {std::string(file), record.line, 0};
  if (record.item[0] != abi::ExceptionRecord::noLocation)
    out.message += fmt::format(" in group {}, item {}", extents(record.group), extents(record.item));
  if (const std::string_view function = textOf(record.function); !function.empty())
    out.notes.push_back({.message = fmt::format("in function {}", function)});
  out.hint = "the item ended there; what the launch computed is incomplete";
  return out;
}

std::vector<PrintValue> unpackPrint(const char* types, const std::byte* arguments, std::string_view format) {
  const std::string letters = printArguments(format);
  std::vector<PrintValue> out;
  std::size_t offset = 0;
  for (; *types != '\0'; ++types) {
    PrintValue value{.type = *types};
    const std::size_t size = *types == abi::printInt ? 4 : 8;
    offset = (offset + size - 1) / size * size;
    std::memcpy(&value.bits, arguments + offset, size);
    offset += size;
    if (value.type == abi::printUnknown)
      value.type = out.size() < letters.size() && letters[out.size()] == 's' ? abi::printString : abi::printPointer;
    if (value.type == abi::printString) {
      const auto* const text = reinterpret_cast<const char*>(value.bits);
      value.text = text ? std::string_view(text, ::strnlen(text, abi::PrintBuffer::textBytes)) : "(null)";
    }
    out.push_back(value);
  }
  return out;
}

std::uint64_t KernelNumbers::numberOf(std::string_view name) {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(names_, name);
  if (found != names_.end()) return static_cast<std::uint64_t>(found - names_.begin());
  names_.emplace_back(name);
  return names_.size() - 1;
}

std::string KernelNumbers::nameOf(std::uint64_t number) const {
  const std::scoped_lock lock(mutex_);
  return number < names_.size() ? names_[static_cast<std::size_t>(number)] : "?";
}

}  // namespace lathe::detail
