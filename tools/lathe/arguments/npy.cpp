// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A .npy file is a magic, a version, a length and a Python dictionary literal with three keys, then the data. The
// literal is parsed for exactly what NumPy writes there: strings, True, False and tuples of integers.
#include "tools/lathe/arguments/npy.h"

#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

namespace lathe::tool {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t dataAlign = 64;
constexpr std::size_t maxRank = 64;  // NumPy 2's limit

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortranOrder;
  std::optional<std::vector<std::uint64_t>> shape;
};

/// Walks the dictionary literal. Each step returns false when the text is not what it wants.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  bool parse(Header& header) {
    if (!take('{')) return false;
    while (!take('}')) {
      std::string key;
      if (!string(key) || !take(':') || !value(key, header)) return false;
      if (!take(',')) return take('}') && atEnd();
    }
    return atEnd();
  }

 private:
  bool value(std::string_view key, Header& header) {
    if (key == "descr") {
      // A list describes a structure; the text is kept for the message.
      if (peek() == '[') return header.descr.emplace(rest_.substr(0, rest_.find(']') + 1)), list();
      return string(header.descr.emplace());
    }
    if (key == "fortran_order") return boolean(header.fortranOrder.emplace());
    return key == "shape" && tuple(header.shape.emplace());
  }

  bool string(std::string& out) {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return false;
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) return false;
    out = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool boolean(bool& out) {
    peek();
    for (const auto& [word, meaning] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      out = meaning;
      return true;
    }
    return false;
  }

  bool tuple(std::vector<std::uint64_t>& out) {
    if (!take('(')) return false;
    while (!take(')')) {
      peek();
      std::uint64_t extent = 0;
      const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (status != std::errc()) return false;
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      out.push_back(extent);
      if (!take(',')) return take(')');
    }
    return true;
  }

  bool list() {
    const std::size_t end = rest_.find(']');
    if (end == std::string_view::npos) return false;
    rest_.remove_prefix(end + 1);
    return true;
  }

  /// The next character that is no blank, or 0.
  char peek() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size()));
    return rest_.empty() ? '\0' : rest_[0];
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool atEnd() { return peek() == '\0' && rest_.empty(); }

  std::string_view rest_;
};

Error invalid(std::string_view name, std::string_view what) {
  return {ErrorCode::FileInvalid, fmt::format("{}: {}", name, what)};
}

/// Splits `bytes` into the header's text and the data.
Result<std::pair<std::string_view, std::string_view>> split(std::string_view bytes, std::string_view name) {
  if (!bytes.starts_with(magic)) return invalid(name, "not a .npy file; write one with numpy.save");
  if (bytes.size() < 10) return invalid(name, "truncated within the header");
  const auto major = static_cast<unsigned char>(bytes[6]);
  if (major < 1 || major > 3)
    return invalid(name, fmt::format("format version {} is not known; versions 1 to 3 are read", major));
  const std::size_t lengthBytes = major == 1 ? 2 : 4;
  const std::size_t start = 8 + lengthBytes;
  if (bytes.size() < start) return invalid(name, "truncated within the header");
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, lengthBytes);
  if (length > bytes.size() - start) return invalid(name, "truncated within the header");
  return std::pair{bytes.substr(start, length), bytes.substr(start + length)};
}

Result<ElementType> elementOf(const Header& header, std::string_view name) {
  const std::string& descr = *header.descr;
  if (const std::optional<ElementType> type = elementOfNpyName(descr)) {
    if (*header.fortranOrder && header.shape->size() > 1)
      return invalid(name, "elements are in Fortran order; save numpy.ascontiguousarray(array)");
    return *type;
  }
  if (descr.size() > 1 && descr[0] == '>' && elementOfNpyName("<" + descr.substr(1)))
    return invalid(name,
                   fmt::format("elements are big endian ('{0}'); save array.astype('<{1}')", descr, descr.substr(1)));
  return invalid(
      name, fmt::format("element type '{}' is not a supported number; convert to one of {}", descr, elementNames()));
}

}  // namespace

Result<Array> parseNpy(std::string_view bytes, std::string_view name) {
  auto parts = split(bytes, name);
  if (!parts) return std::move(parts).error();
  const auto [text, data] = *parts;
  Header header;
  if (!HeaderParser(text).parse(header) || !header.descr || !header.fortranOrder || !header.shape)
    return invalid(name, "the header is not one that NumPy writes");
  if (header.shape->size() > maxRank)
    return invalid(name, fmt::format("{} dimensions; at most {} are read", header.shape->size(), maxRank));
  auto type = elementOf(header, name);
  if (!type) return std::move(type).error();
  Array array{*type, *std::move(header.shape), {}};
  const std::optional<std::uint64_t> size = arrayBytes(array.type, array.shape);
  if (!size || *size != data.size())
    return invalid(name, fmt::format("{} needs {} of data but {} bytes follow the header", describe(array),
                                     size ? fmt::format("{} bytes", *size) : "too many bytes", data.size()));
  const auto* first = reinterpret_cast<const std::byte*>(data.data());
  array.bytes.assign(first, first + data.size());
  return array;
}

std::string npyBytes(const Array& array) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", npyNameOf(array.type),
                  fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
  const std::size_t unpadded = magic.size() + 4 + header.size() + 1;
  header.append((dataAlign - unpadded % dataAlign) % dataAlign, ' ');
  header += '\n';
  std::string out(magic);
  out += {1, 0, static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  out += header;
  out.append(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
  return out;
}

}  // namespace lathe::tool
