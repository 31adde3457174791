// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Job bundles: a job and everything it read, in one file, so that another machine repeats the compile without the
// original files. For bug reports, for archives, for build farms. Compiler::bundle() makes them, Compiler::replay()
// uses them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <lathe/compiler.h>
#include <lathe/export.h>
#include <lathe/job.h>
#include <lathe/result.h>

namespace lathe {

/// Ending of bundle files.
inline constexpr std::string_view bundleExtension = ".lathejob";

/// A job with all that its compile read. A plain value, as are its parts.
struct JobBundle {
  Job job;
  CompileRecord inputs = {};
  std::string producer = {};  ///< "lathe 0.1.0": the headers and libraries built into it are not in the bundle
  std::string compiler = {};  ///< "clang 22.1.8"
  /// BLAKE3-256 of the image that the compile gave, as 64 hexadecimal digits; empty if it failed.
  std::string imageHash = {};
  /// The name of the error that the compile ended with; empty if it gave an image.
  std::string failure = {};
  bool operator==(const JobBundle&) const = default;
};

/// Why this Lathe cannot promise the same bytes as the one that made the bundle; empty if it can.
[[nodiscard]] LATHE_API std::string versionDifference(const JobBundle& bundle);
/// BLAKE3-256 of the image's bytes, as 64 hexadecimal digits: the form of JobBundle::imageHash.
[[nodiscard]] LATHE_API std::string hashOf(const Image& image);

/// A bundle as bytes: a header with the format's version and a BLAKE3 checksum, then length-prefixed fields. Equal
/// bundles have equal bytes. CompileRecord::settings is not kept: a replay makes it again.
[[nodiscard]] LATHE_API std::string bundleBytes(const JobBundle& bundle);
/// Reads what bundleBytes() wrote. Errors: ImageCorrupt (no bundle, truncated, changed), ImageVersion (of a newer
/// Lathe).
[[nodiscard]] LATHE_API Result<JobBundle> bundleFromBytes(std::string_view bytes);

/// Writes bundleBytes() to a file; a failure leaves no partial file. Errors: FileUnwritable.
[[nodiscard]] LATHE_API Result<void> saveBundle(const JobBundle& bundle, const std::filesystem::path& path);
/// Reads a bundle's file. Errors: FileUnreadable, and those of bundleFromBytes() with the path in front.
[[nodiscard]] LATHE_API Result<JobBundle> loadBundle(const std::filesystem::path& path);

}  // namespace lathe
