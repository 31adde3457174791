// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file: a header as an image's (magic, version, CRC-32 of the file, its length), the number of entries, their
// descriptions, then the images by Zstandard, one behind the other. What is in an image its own checksum covers. Files
// of version 2 have features behind that; those without are written in version 1, which older readers know.
#include <lathe/fat_image.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/image/zstd.h"
#include "core/support/bytes.h"
#include "core/support/checksum.h"
#include "core/support/file.h"

namespace lathe {
namespace {

using detail::loadAt;

constexpr std::string_view magic = "LATHEFAT";
constexpr std::uint32_t plainVersion = 1, formatVersion = 2;
constexpr std::size_t versionAt = 8, checksumAt = 12, fileBytesAt = 16, plainHeaderBytes = 24;
/// Version 2: where the features are.
constexpr std::size_t featuresAt = 24, headerBytes = 32;
/// The features that this reader knows, and may therefore be required.
constexpr std::string_view knownFeatures[] = {"signatures"};
/// Images are compressed once and read often, and decompression costs the same at each level.
constexpr int level = 9;
/// Of one image, so that a lie about its size costs no memory.
constexpr std::uint64_t mostImageBytes = std::uint64_t{1} << 32U;

Error corrupt(std::string_view what) {
  return {.code = ErrorCode::ImageCorrupt,
          .message = fmt::format("fat image: {}; compile it again or fetch a fresh copy", what)};
}

/// The checksum of the file with its own field taken as zero.
std::uint32_t sumOf(std::span<const std::byte> file) {
  constexpr std::array<std::byte, 4> zero{};
  std::uint32_t sum = detail::checksum(file.first(checksumAt));
  sum = detail::checksum(zero, sum);
  return detail::checksum(file.subspan(checksumAt + zero.size()), sum);
}

/// The bytes in Zstandard's format as they are (RFC 8878, "Frames": a content size of eight bytes, raw blocks of up to
/// 128 KiB).
std::string storedFrame(std::string_view bytes) {
  constexpr std::uint32_t frameMagic = 0xfd2fb528;
  constexpr std::uint8_t singleSegmentWithSize = 0xe0;
  constexpr std::size_t mostOfBlock = std::size_t{128} << 10U;
  detail::ByteWriter out;
  out.number(frameMagic);
  out.number(singleSegmentWithSize);
  out.number(std::uint64_t{bytes.size()});
  do {
    const std::string_view block = bytes.substr(0, mostOfBlock);
    bytes.remove_prefix(block.size());
    const auto header = static_cast<std::uint32_t>(block.size() << 3U | (bytes.empty() ? 1U : 0U));
    for (unsigned shift = 0; shift < 24; shift += 8) out.number(static_cast<std::uint8_t>(header >> shift));
    out.raw(block);
  } while (!bytes.empty());
  return out.take();
}

/// A name in pieces that compare as people count: "sm_90" is behind "sm_8", and "sm_90a" behind "sm_90".
std::vector<std::pair<std::uint64_t, std::string>> inPieces(std::string_view name) {
  std::vector<std::pair<std::uint64_t, std::string>> out;
  const auto isDigit = [](char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; };
  while (!name.empty()) {
    const std::size_t letters = static_cast<std::size_t>(std::ranges::find_if(name, isDigit) - name.begin());
    std::string word(name.substr(0, letters));
    name.remove_prefix(letters);
    std::uint64_t number = 0;
    for (; !name.empty() && isDigit(name.front()); name.remove_prefix(1))
      number = number * 10 + static_cast<unsigned>(name.front() - '0');
    out.emplace_back(0, std::move(word));
    out.emplace_back(number, std::string());
  }
  return out;
}

}  // namespace

struct FatImage::Data {
  struct Place {
    std::uint64_t offset = 0, size = 0;
  };
  std::string file;
  std::vector<FatImageEntry> entries = {};
  std::vector<Place> places = {};
  std::vector<FatImageFeature> features = {};
  std::size_t start = plainHeaderBytes;  ///< of the list of images
  std::size_t end = 0;                   ///< of the last image: what is between is what version 1 would hold
  std::optional<Image> only = {};        ///< the one image, where it was read before it was one of one

  [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(std::span(file)); }
  [[nodiscard]] std::string_view packedImage(std::size_t index) const {
    return std::string_view(file).substr(places[index].offset, places[index].size);
  }
  Result<void> read();
  Result<void> readFeatures();
  /// The file of `entries` and their packed images.
  static std::string write(const std::vector<FatImageEntry>& entries, const std::vector<std::string_view>& images,
                           const std::vector<FatImageFeature>& features);
};

Result<void> FatImage::Data::readFeatures() {
  const auto at = loadAt<std::uint64_t>(bytes(), featuresAt);
  if (!at || *at < headerBytes || *at > file.size()) return corrupt("the list of features is misplaced");
  start = headerBytes;
  end = *at;
  detail::ByteReader in(bytes().subspan(end));
  const auto count = in.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && !in.failed(); ++i) {
    FatImageFeature& feature = features.emplace_back();
    feature.name = std::string(in.text());
    feature.required = in.number<std::uint8_t>() != 0;
    feature.data = std::string(in.text());
    if (in.failed() || !feature.required || std::ranges::find(knownFeatures, feature.name) != std::end(knownFeatures))
      continue;
    return Error{.code = ErrorCode::ImageVersion,
                 .message = fmt::format("fat image: it needs the feature '{}', which this library does not know; use a "
                                        "newer Lathe",
                                        feature.name)};
  }
  if (in.failed() || !in.atEnd()) return corrupt("the list of features is malformed");
  return {};
}

Result<void> FatImage::Data::read() {
  const auto all = bytes();
  const auto version = loadAt<std::uint32_t>(all, versionAt);
  if (!version) return corrupt(fmt::format("truncated after {} bytes", all.size()));
  if (*version != plainVersion && *version != formatVersion) {
    if (*version == 0 || *version > std::numeric_limits<std::uint16_t>::max()) return corrupt("the header is damaged");
    return Error{
        .code = ErrorCode::ImageVersion,
        .message = fmt::format("fat image: format version {} is newer than this library's {}; use a newer Lathe",
                               *version, formatVersion)};
  }
  const auto length = loadAt<std::uint64_t>(all, fileBytesAt);
  if (!length || all.size() < plainHeaderBytes || all.size() < *length)
    return corrupt(fmt::format("truncated after {} bytes", all.size()));
  if (all.size() > *length) return corrupt(fmt::format("{} bytes follow its end", all.size() - *length));
  if (loadAt<std::uint32_t>(all, checksumAt) != sumOf(all))
    return corrupt("the checksum does not match: bytes were changed");
  end = all.size();
  if (*version == formatVersion) {
    if (auto sound = readFeatures(); !sound) return sound;
  }
  const auto images = all.first(end);
  detail::ByteReader in(images.subspan(start));
  const auto count = in.number<std::uint32_t>();
  std::uint64_t last = 0;
  for (std::uint32_t i = 0; i < count && !in.failed(); ++i) {
    FatImageEntry entry;
    for (std::string* const text : {&entry.target, &entry.arch, &entry.features, &entry.runtime})
      *text = std::string(in.text());
    entry.bytes = in.number<std::uint64_t>();
    const Place place{in.number<std::uint64_t>(), in.number<std::uint64_t>()};
    if (in.failed() || !detail::sliceOf(images, place.offset, place.size) || place.offset < last ||
        entry.bytes > mostImageBytes) {
      return corrupt(fmt::format("entry {} is misplaced", i));
    }
    last = place.offset + place.size;
    entries.push_back(std::move(entry));
    places.push_back(place);
  }
  if (in.failed() || entries.empty()) return corrupt("the list of images is malformed");
  return {};
}

Result<FatImage> FatImage::build(std::span<const Image> images) {
  if (images.empty()) return Error{.code = ErrorCode::InvalidArgument, .message = "a fat image of no images"};
  std::set<std::tuple<std::string, std::string, std::string>> known;
  std::vector<std::string> blobs;
  detail::ByteWriter table;
  for (const Image& image : images) {
    const ImageInfo& info = image.info();
    if (!known.emplace(info.target, info.arch, info.features).second) {
      return Error{
          .code = ErrorCode::InvalidArgument,
          .message = fmt::format("two images for {}:{} of the same features in one fat image", info.target, info.arch),
          .hint = "leave one of them out; one image may hold code in several formats (Job::emit)"};
    }
    auto packed = detail::compressed(image.bytes(), level);
    if (!packed) return std::move(packed).error();
    blobs.push_back(*std::move(packed));
  }
  std::vector<FatImageEntry> entries;
  for (const Image& image : images) {
    const ImageInfo& info = image.info();
    entries.push_back({info.target, info.arch, info.features, info.runtime, image.bytes().size()});
  }
  auto data = std::make_shared<Data>(Data{.file = Data::write(entries, {blobs.begin(), blobs.end()}, {})});
  if (auto sound = data->read(); !sound) return std::move(sound).error();
  return FatImage(std::move(data));
}

std::string FatImage::Data::write(const std::vector<FatImageEntry>& entries,
                                  const std::vector<std::string_view>& images,
                                  const std::vector<FatImageFeature>& features) {
  const bool isPlain = features.empty();
  const auto describe = [&](std::uint64_t offset) {
    detail::ByteWriter out;
    out.number(static_cast<std::uint32_t>(entries.size()));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const FatImageEntry& entry = entries[i];
      for (const std::string* const text : {&entry.target, &entry.arch, &entry.features, &entry.runtime})
        out.text(*text);
      out.number(entry.bytes);
      out.number(offset);
      out.number(std::uint64_t{images[i].size()});
      offset += images[i].size();
    }
    return out.take();
  };
  const std::size_t tableBytes = describe(0).size();
  detail::ByteWriter out;
  out.raw(magic);
  out.number(isPlain ? plainVersion : formatVersion);
  out.number(std::uint32_t{0});  // checksum, below
  out.number(std::uint64_t{0});  // length, below
  if (!isPlain) out.number(std::uint64_t{0});
  out.raw(describe(out.size() + tableBytes));
  for (const std::string_view image : images) out.raw(image);
  if (!isPlain) {
    out.numberAt(featuresAt, std::uint64_t{out.size()});
    out.number(static_cast<std::uint32_t>(features.size()));
    for (const FatImageFeature& feature : features) {
      out.text(feature.name);
      out.number(static_cast<std::uint8_t>(feature.required));
      out.text(feature.data);
    }
  }
  out.numberAt(fileBytesAt, std::uint64_t{out.size()});
  out.numberAt(checksumAt, sumOf(std::as_bytes(std::span(out.view()))));
  return out.take();
}

const FatImageFeature* FatImage::feature(std::string_view name) const noexcept {
  const auto at = std::ranges::find(data_->features, name, &FatImageFeature::name);
  return at == data_->features.end() ? nullptr : &*at;
}

Result<FatImage> FatImage::withFeature(FatImageFeature feature) const {
  if (feature.name.empty()) return Error{.code = ErrorCode::InvalidArgument, .message = "a feature without a name"};
  std::vector<std::string_view> images;
  for (std::size_t i = 0; i < entries().size(); ++i) images.push_back(data_->packedImage(i));
  std::vector<FatImageFeature> features = data_->features;
  std::erase_if(features, [&](const FatImageFeature& other) { return other.name == feature.name; });
  features.push_back(std::move(feature));
  auto data = std::make_shared<Data>(Data{.file = Data::write(entries(), images, features)});
  if (auto sound = data->read(); !sound) return std::move(sound).error();
  return FatImage(std::move(data));
}

std::string FatImage::contents(std::string_view name) const {
  detail::ByteWriter out;
  const std::string_view images = std::string_view(data_->file).substr(data_->start, data_->end - data_->start);
  out.number(std::uint64_t{images.size()});
  out.raw(images);
  for (const FatImageFeature& feature : data_->features) {
    if (feature.name == name) continue;
    out.text(feature.name);
    out.number(static_cast<std::uint8_t>(feature.required));
    out.text(feature.data);
  }
  return out.take();
}

Result<FatImage> FatImage::fromBytes(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(magic)) {
    auto image = Image::fromBytes(bytes);
    if (!image) return std::move(image).error();
    // A program with one image in it pays for this at its start: nothing is compressed, nor read a second time.
    const ImageInfo& info = image->info();
    const std::string stored = storedFrame(text);
    auto data = std::make_shared<Data>(
        Data{.file = Data::write({{info.target, info.arch, info.features, info.runtime, bytes.size()}}, {stored}, {})});
    if (auto sound = data->read(); !sound) return std::move(sound).error();
    data->only = *std::move(image);
    return FatImage(std::move(data));
  }
  auto data = std::make_shared<Data>(Data{.file = std::string(text)});
  if (auto sound = data->read(); !sound) return std::move(sound).error();
  return FatImage(std::move(data));
}

Result<FatImage> FatImage::open(const std::filesystem::path& path) {
  auto file = detail::readFile(path);
  if (!file) return std::move(file).error();
  auto out = fromBytes(std::as_bytes(std::span(*file)));
  if (!out) out.error().message = path.string() + ": " + out.error().message;
  return out;
}

Result<void> FatImage::save(const std::filesystem::path& path) const {
  return detail::writeFile(path, data_->file);
}

const std::vector<FatImageEntry>& FatImage::entries() const noexcept {
  return data_->entries;
}

std::span<const std::byte> FatImage::bytes() const noexcept {
  return data_->bytes();
}

Result<Image> FatImage::image(std::size_t index) const {
  if (index >= data_->entries.size()) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("fat image: there is no entry {} of {}", index, data_->entries.size())};
  }
  if (data_->only) return *data_->only;
  const auto& place = data_->places[index];
  const auto from = data_->bytes().subspan(place.offset, place.size);
  const auto bytes = detail::decompressed(from, data_->entries[index].bytes);
  if (!bytes) return bytes.error();
  if (!*bytes) return corrupt(fmt::format("entry {} is damaged, or of another size than the list says", index));
  return Image::fromBytes(std::as_bytes(std::span(**bytes)));
}

std::vector<std::size_t> FatImage::candidates(std::string_view runtime, std::string_view arch) const {
  const auto isOfArch = [&](const FatImageEntry& entry) {
    if (arch.empty() || !entry.arch.starts_with(arch)) return false;
    const std::string_view suffix = std::string_view(entry.arch).substr(arch.size());
    return std::ranges::none_of(suffix, [](unsigned char letter) { return std::isdigit(letter) != 0; });
  };
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < data_->entries.size(); ++i) {
    if (data_->entries[i].runtime == runtime) out.push_back(i);
  }
  std::ranges::stable_sort(out, [&](std::size_t a, std::size_t b) {
    const FatImageEntry &left = data_->entries[a], &right = data_->entries[b];
    const bool leftFits = isOfArch(left), rightFits = isOfArch(right);
    if (leftFits != rightFits) return leftFits;
    return inPieces(left.arch) > inPieces(right.arch);
  });
  return out;
}

}  // namespace lathe
