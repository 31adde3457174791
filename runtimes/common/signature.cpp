// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host parameter types against an image's layouts, when a typed kernel is bound. The rule is that the bytes must mean
// the same on both sides: equal size and kind, where kinds that share a representation count as equal.
#include <span>
#include <string>

#include <fmt/format.h>

#include <lathe/runtime.h>

namespace lathe::detail {
namespace {

bool isInteger(TypeKind kind) {
  return kind == TypeKind::signedInteger || kind == TypeKind::unsignedInteger;
}
bool isAggregate(TypeKind kind) {
  return kind == TypeKind::record || kind == TypeKind::array || kind == TypeKind::vector;
}

/// Whether a value of host kind `host` can be read as `device`; sizes are known to be equal.
bool sameRepresentation(TypeKind device, TypeKind host, std::uint64_t size) {
  if (device == host || device == TypeKind::opaque) return true;
  if (isInteger(device) && isInteger(host)) return true;
  // IR knows no bool in memory: an i8 may be one.
  if (size == 1)
    return (device == TypeKind::boolean || isInteger(device)) && (host == TypeKind::boolean || isInteger(host));
  // C++20 has no 16-bit floating type: hosts use classes or raw bits.
  if (size == 2 && (device == TypeKind::floating || device == TypeKind::bfloat))
    return host == TypeKind::record || isInteger(host);
  return isAggregate(device) && isAggregate(host);
}

bool pointeesAgree(const TypeLayout& pointer, const HostType& host) {
  if (!host.pointeeKnown || pointer.element.empty()) return true;
  const TypeLayout& pointee = pointer.element.front();
  if (pointee.kind == TypeKind::opaque || host.pointeeSize == 0) return true;
  return pointee.size == host.pointeeSize && sameRepresentation(pointee.kind, host.pointeeKind, pointee.size);
}

bool agree(const TypeLayout& device, const HostType& host) {
  if (device.size != host.size || !sameRepresentation(device.kind, host.kind, device.size)) return false;
  if (device.kind == TypeKind::pointer) return pointeesAgree(device, host);
  return !isAggregate(device.kind) || device.align == host.align;
}

std::string_view kindName(TypeKind kind) {
  switch (kind) {
    case TypeKind::boolean:
      return "bool";
    case TypeKind::signedInteger:
      return "signed integer";
    case TypeKind::unsignedInteger:
      return "unsigned integer";
    case TypeKind::floating:
      return "floating-point number";
    case TypeKind::bfloat:
      return "bfloat16";
    case TypeKind::pointer:
      return "pointer";
    case TypeKind::array:
      return "array";
    case TypeKind::vector:
      return "vector";
    case TypeKind::record:
      return "record";
    case TypeKind::opaque:
      return "opaque value";
  }
  return "value";
}

std::string describeGiven(const HostType& host) {
  if (host.kind == TypeKind::pointer) {
    if (!host.pointeeKnown) return "void pointer";
    if (host.pointeeSize == 0) return "pointer to an incomplete type";
    return fmt::format("pointer to {}-byte {}", host.pointeeSize, kindName(host.pointeeKind));
  }
  const std::string out = fmt::format("{}-byte {}", host.size, kindName(host.kind));
  return isAggregate(host.kind) ? fmt::format("{} aligned to {}", out, host.align) : out;
}

/// "an 8-byte value", "a 16-byte value": by how the first word is spoken.
std::string withArticle(const std::string& text) {
  const bool vowel = text.starts_with('8') || text.starts_with("11-") || text.starts_with("18-");
  return (vowel ? "an " : "a ") + text;
}

std::string describeWanted(const TypeLayout& type) {
  const TypeLayout& measured = type.kind == TypeKind::pointer && !type.element.empty() ? type.element.front() : type;
  std::string out = fmt::format("'{}' ({} {} byte{}", type.name, &measured == &type ? "of" : "to", measured.size,
                                measured.size == 1 ? "" : "s");
  if (isAggregate(type.kind)) out += fmt::format(" aligned to {}", type.align);
  return out + ")";
}

std::string signatureOf(const EntryPoint& entry) {
  std::string out;
  for (const Parameter& parameter : entry.parameters) {
    if (!out.empty()) out += ", ";
    out += parameter.type.name;
    if (!parameter.name.empty()) out += " " + parameter.name;
  }
  return out;
}

}  // namespace

Result<void> checkSignature(const EntryPoint& entry, std::span<const HostType> types) {
  const auto mismatch = [&](std::string text) {
    return Error{.code = ErrorCode::ArgumentMismatch, .message = fmt::format("kernel '{}': {}", entry.name, text)};
  };
  if (types.size() != entry.parameters.size()) {
    Error error =
        mismatch(fmt::format("{} argument types were given for {} parameters", types.size(), entry.parameters.size()));
    error.hint = fmt::format("its parameters are ({})", signatureOf(entry));
    return error;
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Parameter& parameter = entry.parameters[i];
    const std::string name = parameter.name.empty() ? std::string() : fmt::format(" '{}'", parameter.name);
    if (agree(parameter.type, types[i])) {
      const TypeLayout& type = parameter.type;  // of IR without C++ types it has no element
      const bool mayWrite = type.kind == TypeKind::pointer && !parameter.readOnly && !type.element.empty();
      if (!types[i].pointeeConst || !mayWrite) continue;
      Error error = mismatch(fmt::format(
          "parameter {}{} is '{}', through which it may write; a pointer to const was given", i + 1, name, type.name));
      error.hint = "declare it const in the kernel, or give the kernel's type without const";
      return error;
    }
    return mismatch(fmt::format("parameter {}{} is {}; {} was given", i + 1, name, describeWanted(parameter.type),
                                withArticle(describeGiven(types[i]))));
  }
  return {};
}

}  // namespace lathe::detail
