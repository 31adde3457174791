// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading --arg. Generated arrays depend on nothing but their text: the random ones come from SplitMix64 (Steele, Lea
// and Flood, OOPSLA 2014), so that a command line gives the same data on every machine.
#include "tools/lathe/arguments/arguments.h"

#include <charconv>

#include <fmt/format.h>

#include "tools/lathe/arguments/files.h"
#include "tools/lathe/arguments/npy.h"
#include "tools/lathe/arguments/value.h"

namespace lathe::tool {
namespace {

Error mismatch(const std::string& subject, std::string_view what) {
  return {ErrorCode::ArgumentMismatch, fmt::format("{}: {}", subject, what)};
}

std::string subjectOf(const Parameter& parameter, std::size_t index) {
  return parameter.name.empty() ? fmt::format("argument {}", index)
                                : fmt::format("argument {} ('{}')", index, parameter.name);
}

template <class T>
bool parseNumber(std::string_view text, T& out) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out);
  return status == std::errc() && end == text.data() + text.size();
}

/// "f32[64,64]" as an array without bytes.
std::optional<Array> parseShape(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos || !text.ends_with(']')) return std::nullopt;
  const std::optional<ElementType> type = elementNamed(text.substr(0, open));
  if (!type) return std::nullopt;
  Array array{*type, {}, {}};
  std::string_view extents = text.substr(open + 1, text.size() - open - 2);
  while (!extents.empty()) {
    const std::size_t end = std::min(extents.find(','), extents.size());
    if (!parseNumber(extents.substr(0, end), array.shape.emplace_back())) return std::nullopt;
    extents.remove_prefix(std::min(end + 1, extents.size()));
  }
  return array.shape.empty() ? std::nullopt : std::optional(std::move(array));
}

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

bool storeRandom(ElementType type, std::uint64_t bits, std::byte* to) {
  if (type.kind == TypeKind::boolean) return storeInteger(type, static_cast<std::int64_t>(bits >> 63), to);
  if (type.kind == TypeKind::signedInteger || type.kind == TypeKind::unsignedInteger)
    return storeInteger(type, static_cast<std::int64_t>((bits >> 32) * 100 >> 32), to);
  // Truncated to the type's significand, so that rounding cannot reach 1.
  const int digits = type.kind == TypeKind::bfloat ? 8 : type.scalarBytes == 2 ? 11 : type.scalarBytes == 4 ? 24 : 53;
  const auto numerator = static_cast<double>(bits >> (64 - digits));
  return storeFloating(type, numerator / static_cast<double>(std::uint64_t{1} << digits), to);
}

enum class Fill { zeros, ones, iota, random };

/// Fills every scalar; imaginary parts stay 0 but of random numbers. False where a count does not fit the type.
bool fill(Array& array, Fill how, std::uint64_t seed) {
  if (how == Fill::zeros) return true;
  SplitMix64 random(seed);
  const std::uint64_t count = array.count();
  for (std::uint64_t i = 0; i < count; ++i) {
    std::byte* const to = array.bytes.data() + i * array.type.bytes();
    if (how == Fill::random) {
      for (std::uint32_t lane = 0; lane < array.type.lanes; ++lane)
        if (!storeRandom(array.type, random(), to + lane * array.type.scalarBytes)) return false;
    } else if (!storeInteger(array.type, how == Fill::ones ? 1 : static_cast<std::int64_t>(i), to)) {
      return false;
    }
  }
  return true;
}

/// Whether a shape is well-formed but for an extent that no number holds.
bool exceedsNumbers(std::string_view shape) {
  constexpr std::size_t mostDigits = 19;  // of 2^64 - 1, less one
  const std::size_t open = shape.find('[');
  if (open == std::string_view::npos || !shape.ends_with(']')) return false;
  std::size_t digits = 0, longest = 0;
  for (const char c : shape.substr(open + 1, shape.size() - open - 2)) {
    if (c != ',' && (c < '0' || c > '9')) return false;
    digits = c == ',' ? 0 : digits + 1;
    longest = std::max(longest, digits);
  }
  return longest > mostDigits;
}

/// "zeros:f32[4]" and its kin; nothing if `text` is no generator.
std::optional<Result<Array>> generate(std::string_view text, const std::string& subject) {
  constexpr std::pair<std::string_view, Fill> generators[] = {
      {"zeros:", Fill::zeros}, {"ones:", Fill::ones}, {"iota:", Fill::iota}, {"random:", Fill::random}};
  for (const auto& [prefix, how] : generators) {
    if (!text.starts_with(prefix)) continue;
    std::string_view shape = text.substr(prefix.size());
    std::uint64_t seed = 0;
    if (const std::size_t at = shape.find("],seed="); how == Fill::random && at != std::string_view::npos) {
      if (!parseNumber(shape.substr(at + 7), seed)) return mismatch(subject, "the seed is not a number from 0 up");
      shape = shape.substr(0, at + 1);
    }
    std::optional<Array> array = parseShape(shape);
    if (!array && exceedsNumbers(shape)) return mismatch(subject, fmt::format("{} is too large", shape));
    if (!array)
      return mismatch(subject, fmt::format("'{}' is not an array such as f32[1024] or i32[64,64]; element types are {}",
                                           shape, elementNames()));
    const std::optional<std::uint64_t> size = arrayBytes(array->type, array->shape);
    // A terabyte is past what any single host holds today and well before allocation could throw.
    if (!size || *size >> 40) return mismatch(subject, fmt::format("{} is too large", shape));
    try {
      array->bytes.resize(*size);
    } catch (const std::bad_alloc&) {
      return Error{.code = ErrorCode::OutOfHostMemory,
                   .message = fmt::format("{}: {} takes {}, more than there is", subject, shape,
                                          humanBytes(static_cast<double>(*size))),
                   .hint = "use a smaller array"};
    }
    if (!fill(*array, how, seed))
      return mismatch(subject, fmt::format("{}: element numbers exceed the range of {}", text, nameOf(array->type)));
    return Result<Array>(*std::move(array));
  }
  return std::nullopt;
}

/// Whether a pointer to `pointee` may point to `array`. Untyped pointers take anything.
Result<void> checkPointee(const Array& array, const TypeLayout& pointee, const std::string& subject) {
  if (pointee.kind == TypeKind::opaque || pointee.size == 0) return {};
  const std::optional<ElementType> scalar = scalarWithin(pointee);
  const bool isBytes = array.type == ElementType{TypeKind::unsignedInteger, 1, 1};
  if (scalar ? !scalar->sameScalar(array.type) : !isBytes)
    return mismatch(subject, fmt::format("points to '{}' but the array holds {}; give an array of {}", pointee.name,
                                         nameOf(array.type), scalar ? nameOf(*scalar) : "u8"));
  if (array.bytes.size() % pointee.size != 0)
    return mismatch(subject, fmt::format("{} is no whole number of '{}', {} bytes each", describe(array), pointee.name,
                                         pointee.size));
  return {};
}

Result<Array> arrayFromJson(const Json& json, const TypeLayout& pointee, const std::string& subject) {
  if (!json.is_array()) return mismatch(subject, "a pointer takes json:[…], the elements it points to");
  if (pointee.size == 0)
    return mismatch(subject, "the pointee's type is not known; give an array with a type, such as zeros:f32[16]");
  const std::optional<ElementType> scalar = scalarWithin(pointee);
  const ElementType type = scalar ? *scalar : ElementType{TypeKind::unsignedInteger, 1, 1};
  Array array{type, {json.size() * pointee.size / type.bytes()}, std::vector<std::byte>(json.size() * pointee.size)};
  for (std::size_t i = 0; i < json.size(); ++i)
    if (auto done = encodeJson(json[i], pointee, std::span(array.bytes).subspan(i * pointee.size, pointee.size),
                               fmt::format("{}[{}]", subject, i));
        !done)
      return std::move(done).error();
  return array;
}

Result<Json> parseJson(std::string_view text, const std::string& subject) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return mismatch(subject, "the text after json: is not JSON");
  return json;
}

Result<Array> readArray(std::string_view text, const TypeLayout& pointee, const std::string& subject) {
  if (text.starts_with('@')) {
    const std::string path(text.substr(1));
    auto bytes = readFile(path);
    return bytes ? parseNpy(*bytes, path) : Result<Array>(std::move(bytes).error());
  }
  if (auto generated = generate(text, subject)) return *std::move(generated);
  if (text.starts_with("json:")) {
    auto json = parseJson(text.substr(5), subject);
    return json ? arrayFromJson(*json, pointee, subject) : Result<Array>(std::move(json).error());
  }
  return mismatch(subject, fmt::format("'{}' is no array; a pointer takes @file.npy, zeros:f32[1024], ones:…, iota:…, "
                                       "random:…, json:[…] or null",
                                       text));
}

Result<void> encodeValue(std::string_view text, const TypeLayout& type, std::vector<std::byte>& to,
                         const std::string& subject) {
  if (text.starts_with("hex:")) {
    std::vector<std::byte> bytes;
    if (!parseHex(text.substr(4), bytes))
      return mismatch(subject, "the text after hex: is not pairs of hexadecimal digits");
    if (bytes.size() != to.size())
      return mismatch(subject, fmt::format("'{}' has {} bytes but hex: gives {}", type.name, to.size(), bytes.size()));
    to = std::move(bytes);
    return {};
  }
  if (text.starts_with("json:")) {
    auto json = parseJson(text.substr(5), subject);
    return json ? encodeJson(*json, type, to, subject) : Result<void>(std::move(json).error());
  }
  if (text.starts_with('@') || text.find(":") != std::string_view::npos)
    return mismatch(subject, fmt::format("'{}' is an array but the parameter is '{}', not a pointer", text, type.name));
  return encodeText(text, type, to, subject);
}

}  // namespace

Result<Argument> parseArgument(std::string_view text, const Parameter& parameter, std::size_t index) {
  const std::string subject = subjectOf(parameter, index);
  Argument argument{std::vector<std::byte>(parameter.type.size), std::nullopt};
  if (parameter.type.kind != TypeKind::pointer) {
    if (auto done = encodeValue(text, parameter.type, argument.value, subject); !done) return std::move(done).error();
    return argument;
  }
  if (text == "null") return argument;
  const TypeLayout unknown;
  const TypeLayout& pointee = parameter.type.element.empty() ? unknown : parameter.type.element[0];
  auto array = readArray(text, pointee, subject);
  if (!array) return std::move(array).error();
  if (auto fits = checkPointee(*array, pointee, subject); !fits) return std::move(fits).error();
  argument.array = *std::move(array);
  return argument;
}

Result<std::vector<Argument>> parseArguments(const std::vector<std::string>& texts, const EntryPoint& entry) {
  if (texts.size() != entry.parameters.size())
    return Error{
        ErrorCode::ArgumentMismatch,
        fmt::format("{}: takes {} argument{} but {} {} given", signatureOf(entry), entry.parameters.size(),
                    entry.parameters.size() == 1 ? "" : "s", texts.size(), texts.size() == 1 ? "was" : "were")};
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto argument = parseArgument(texts[i], entry.parameters[i], i);
    if (!argument) return std::move(argument).error();
    arguments.push_back(*std::move(argument));
  }
  return arguments;
}

std::string signatureOf(const EntryPoint& entry) {
  std::string out = entry.name + "(";
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const Parameter& parameter = entry.parameters[i];
    out +=
        fmt::format("{}{}{}{}", i ? ", " : "", parameter.type.name, parameter.name.empty() ? "" : " ", parameter.name);
  }
  return out + ")";
}

Result<std::size_t> parameterNamed(std::string_view text, const EntryPoint& entry) {
  std::size_t index = 0;
  if (parseNumber(text, index) && index < entry.parameters.size()) return index;
  for (index = 0; index < entry.parameters.size(); ++index)
    if (!text.empty() && entry.parameters[index].name == text) return index;
  return Error{ErrorCode::ArgumentMismatch,
               fmt::format("no parameter '{}' in {}; count from 0 or use a name", text, signatureOf(entry))};
}

}  // namespace lathe::tool
