// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf with typed arguments, by the C library's own printf one conversion at a time.
#include "runtimes/common/print_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <optional>
#include <utility>

#include <lathe/sdk/kernel_state.h>
#include "core/abi/print_format.h"

namespace lathe::detail {
namespace {

/// Wider or more precise makes no text that anybody reads.
constexpr int mostExtent = 4096;

class Formatter {
 public:
  explicit Formatter(std::span<const PrintValue> values) : values_(values) {}

  std::string run(std::string_view format) {
    while (const auto conversion = nextConversion(format)) {
      out_ += conversion->before;
      if (conversion->letter == '%')
        out_ += '%';
      else if (!convert(*conversion))
        out_ += conversion->text;
    }
    out_ += format;
    return std::move(out_);
  }

 private:
  /// The argument that is next in line; null after the last.
  const PrintValue* take() { return next_ < values_.size() ? &values_[next_++] : nullptr; }

  /// An extent given by digits or by an argument; nothing if it takes an argument that does not fit.
  std::optional<int> extent(std::string_view digits) {
    if (digits == "*") {
      const PrintValue* const value = take();
      if (!value || value->type != abi::printInt) return std::nullopt;
      return std::clamp(static_cast<int>(static_cast<std::uint32_t>(value->bits)), -mostExtent, mostExtent);
    }
    int out = 0;
    for (const char digit : digits) out = std::min(mostExtent, 10 * out + (digit - '0'));
    return out;
  }

  bool convert(const PrintConversion& conversion) {
    std::string spec = "%" + std::string(conversion.flags);
    if (!conversion.width.empty()) {
      const auto width = extent(conversion.width);
      if (!width) return false;
      spec += std::to_string(*width);  // a negative one is the flag '-' and a width, as C has it
    }
    std::optional<int> precision;
    if (!conversion.precision.empty()) {
      precision = extent(conversion.precision.substr(1));
      if (!precision) return false;
      if (*precision >= 0)
        spec += "." + std::to_string(*precision);
      else
        precision.reset();
    }
    const PrintValue* const value = take();
    if (!value) return false;
    switch (conversion.letter) {
      case 'd':
      case 'i':
        return integer(spec, conversion, *value, true);
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return integer(spec, conversion, *value, false);
      case 'c':
        return value->type == abi::printInt && append(spec + 'c', static_cast<int>(value->bits & 0xff));
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        return value->type == abi::printDouble && append(spec + conversion.letter, std::bit_cast<double>(value->bits));
      case 'p':
        return (value->type == abi::printPointer || value->type == abi::printLong) &&
               append(spec + 'p', reinterpret_cast<void*>(value->bits));
      case 's':
        return value->type == abi::printString && string(spec, *value, precision);
      case 'n':
        return true;
      default:
        return false;
    }
  }

  bool integer(const std::string& spec, const PrintConversion& conversion, const PrintValue& value, bool isSigned) {
    if (value.type != abi::printInt && value.type != abi::printLong && value.type != abi::printPointer) return false;
    const std::string_view length = conversion.length;
    std::uint64_t bits = value.bits;
    const auto narrow = [&]<class Signed, class Unsigned>(Signed, Unsigned) {
      bits = isSigned ? static_cast<std::uint64_t>(std::int64_t{static_cast<Signed>(bits)})
                      : std::uint64_t{static_cast<Unsigned>(bits)};
    };
    if (length == "hh")
      narrow(std::int8_t{}, std::uint8_t{});
    else if (length == "h")
      narrow(std::int16_t{}, std::uint16_t{});
    else if (length.empty() || value.type == abi::printInt)
      narrow(std::int32_t{}, std::uint32_t{});
    return isSigned ? append(spec + "lld", static_cast<long long>(bits))
                    : append(spec + "ll" + conversion.letter, static_cast<unsigned long long>(bits));
  }

  bool string(std::string spec, const PrintValue& value, std::optional<int> precision) {
    const auto most = precision ? static_cast<std::size_t>(*precision) : value.text.size();
    return append(std::move(spec) + 's', std::string(value.text.substr(0, most)).c_str());
  }

  template <class T>
  bool append(const std::string& spec, T value) {
    std::array<char, 128> buffer;
    const int length = std::snprintf(buffer.data(), buffer.size(), spec.c_str(), value);
    if (length < 0) return false;
    const auto size = static_cast<std::size_t>(length);
    if (size < buffer.size()) {
      out_.append(buffer.data(), size);
      return true;
    }
    std::string text(size + 1, '\0');
    (void)std::snprintf(text.data(), text.size(), spec.c_str(), value);
    out_.append(text, 0, size);
    return true;
  }

  std::span<const PrintValue> values_;
  std::size_t next_ = 0;
  std::string out_;
};

}  // namespace

std::string formatPrint(std::string_view format, std::span<const PrintValue> values) {
  return Formatter(values).run(format);
}

void PrintOutput::set(Sink sink) {
  const std::scoped_lock lock(mutex_);
  sink_ = std::move(sink);
}

void PrintOutput::write(std::string_view text) {
  const std::scoped_lock lock(mutex_);
  if (sink_)
    sink_(text);
  else
    (void)std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace lathe::detail
