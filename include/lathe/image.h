// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images: the results of compiles for all targets, in one file format (docs/image-format.md). An image is read without
// LLVM, straight from a mapped file, and every byte of it is covered by a checksum.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/export.h>
#include <lathe/job.h>
#include <lathe/result.h>

namespace lathe {

/// The kind of a type, which says how TypeLayout describes it.
enum class TypeKind : std::uint8_t {
  boolean,
  signedInteger,
  unsignedInteger,
  floating,  ///< IEEE binary16/32/64 by size
  bfloat,    ///< bfloat16
  pointer,   ///< element[0] is what it points to (may be opaque)
  array,     ///< `count` of element[0]
  vector,    ///< `count` of element[0], as one SIMD value
  record,    ///< struct, class or union: `fields`
  opaque,    ///< bytes of unknown structure, or an unknown pointee (size 0)
};

/// A type as the device sees it. Sizes and alignments in bytes.
struct TypeLayout {
  struct Field;
  TypeKind kind = TypeKind::opaque;
  std::string name;  ///< as the source spells it: "float", "const float *", "ns::Particle"
  std::uint64_t size = 0;
  std::uint32_t align = 1;
  std::uint64_t count = 0;          ///< elements of an array or vector
  std::vector<TypeLayout> element;  ///< none or one
  std::vector<Field> fields;        ///< of a record, bases first, by offset; or enumerators (runtime/type_layout.h)
  bool operator==(const TypeLayout&) const;
};

/// A member or base class of a record.
struct TypeLayout::Field {
  std::string name;  ///< empty for a base class
  std::uint64_t offset = 0;
  TypeLayout type;
  bool operator==(const Field&) const = default;
};
/// Behind Field, which it compares.
inline bool TypeLayout::operator==(const TypeLayout&) const = default;

/// One parameter of an entry point. Offsets in bytes.
struct Parameter {
  std::string name;  ///< may be empty
  TypeLayout type;
  std::uint64_t offset = 0;  ///< in the packed parameter block
  bool readOnly = false;     ///< a pointer whose pointee is const
  /// The block holds the address of the value's bytes in device memory, and `offset` is that address's. Lathe's
  /// runtimes copy the value there before each launch; whoever launches the code by other means must do so too.
  bool byReference = false;
  /// None, or the bits of the value that the code was specialised for (Promises::arguments), which launches must pass.
  std::vector<std::uint64_t> fixed = {};
  bool operator==(const Parameter&) const = default;
};

/// The resources that one entry point uses, in bytes unless named otherwise; -1 where the target cannot tell before
/// loading.
struct ResourceUse {
  std::int64_t registers = -1;
  std::int64_t sharedBytes = -1;  ///< static group-shared memory
  std::int64_t localBytes = -1;   ///< private memory of one item (stack)
  std::int64_t constantBytes = -1;
  std::int64_t contextBytes = -1;  ///< host targets: bytes per item kept across barriers
  std::int64_t vectorWidth = -1;   ///< host targets: items per vector instruction; 1: not vectorised
  bool operator==(const ResourceUse&) const = default;
};

/// The clusters (groups that run together) that a kernel asks for. All 0: none in particular, and a launch chooses.
struct ClusterBounds {
  std::array<std::uint32_t, 3> size = {0, 0, 0};  ///< groups in a cluster of every launch, x y z
  std::uint32_t most = 0;                         ///< most groups in a cluster
  /// The code counts the grid of a launch in clusters. Lathe's runtimes take it in groups as ever, and divide; whoever
  /// launches the code by other means gives clusters.
  bool countsClusters = false;
  bool operator==(const ClusterBounds&) const = default;
};

/// A second form of an entry point, whose items each serve several groups: Lathe's runtimes launch it where that is
/// faster. It takes one more argument behind all others, the grid's groups along x as 32 bits. None: `groups` is 0.
struct CoarseEntry {
  std::string symbol;        ///< in the code
  std::uint32_t groups = 0;  ///< neighbours along x that one group of the launched grid serves
  /// Fewest items of a launch, for each multiprocessor of the device, with which it is the faster form.
  std::uint64_t leastItems = 0;
  bool operator==(const CoarseEntry&) const = default;
};

/// A function that the host or a loader calls. Sizes in bytes.
struct EntryPoint {
  std::string name;                   ///< as asked for: "saxpy<float>"
  std::string symbol;                 ///< in the code
  std::vector<Parameter> parameters;  ///< the user's
  /// The hidden parameters behind them in the block, which Lathe's runtimes fill in: the state of kernels with that
  /// entry ABI. Other launchers must pass them too.
  std::vector<Parameter> hidden;
  std::uint64_t parameterBytes = 0;  ///< of the packed block
  std::uint32_t parameterAlign = 1;
  EntryAbi abi = EntryAbi::bare;
  LaunchBounds bounds;
  ClusterBounds cluster;
  ResourceUse resources;
  bool dynamicShared = false;  ///< uses launch-sized shared memory
  std::string section;         ///< of the object; where loaders find entry points by it, else empty
  std::string kind;            ///< what its section makes it to the loader; empty: a kernel of a grid
  CoarseEntry coarse;
  std::uint32_t pointerAlign = 0;  ///< pointers that are passed must be multiples of so many bytes; 0: of any
  bool operator==(const EntryPoint&) const = default;
};

/// A variable the host may reach by name.
struct GlobalVariable {
  std::string name;
  std::string symbol;
  std::string space;  ///< "global", "constant", or the section that a loader finds it by
  TypeLayout type;
  bool operator==(const GlobalVariable&) const = default;
};

/// A function or a variable that the code leaves to the program that loads or links it.
struct Import {
  std::string symbol;
  bool isFunction = false;
  /// A function's result and parameters as HostSymbol::signature; empty: not known.
  std::string signature;
  std::uint64_t bytes = 0;  ///< of a variable; 0: not known
  bool operator==(const Import&) const = default;
};

/// One piece of code. A viewing type: the bytes belong to the image.
struct Code {
  std::string_view format;  ///< "ptx", "cubin", "elf", "hsaco", "ir", "bitcode", "portable", …
  std::string_view arch;
  std::span<const std::byte> bytes;
};

/// The origin of an image.
struct Provenance {
  std::string producer;  ///< "lathe 0.1.0"
  std::string compiler;  ///< "clang 22.1.8"
  std::string jobHash;   ///< JobHash::hex()
  std::string sourceName;
  std::string description;  ///< describe(job)
  bool operator==(const Provenance&) const = default;
};

/// All of an image but its code.
struct ImageInfo {
  std::string target;
  std::string arch;
  std::string features;
  std::string runtime;  ///< which runtime loads it; empty: none
  std::vector<EntryPoint> entries;
  std::vector<GlobalVariable> globals;
  std::vector<std::string> requires_;  ///< features and external symbols that the loader must find
  Provenance provenance;
  std::vector<Import> imports;
  std::uint8_t optLevel = 3;  ///< the job's, 0 to 3: a driver that assembles the code goes on at that level
  bool operator==(const ImageInfo&) const = default;
};

/// An immutable image; copies share the bytes. Safe to use from any number of threads.
class LATHE_API Image {
 public:
  /// One piece of code for build(), with the fields of Code.
  struct CodeBlob {
    std::string format;
    std::string arch;
    std::string bytes;
  };
  /// Makes an image of its parts. Equal input gives equal bytes.
  [[nodiscard]] static Image build(ImageInfo info, std::vector<CodeBlob> code);
  /// Reads a copy of `bytes`. Errors: ImageCorrupt, ImageVersion.
  [[nodiscard]] static Result<Image> fromBytes(std::span<const std::byte> bytes);
  /// Maps the file, which must not be rewritten in place while a copy of the image lives. Errors: FileUnreadable,
  /// ImageCorrupt, ImageVersion.
  [[nodiscard]] static Result<Image> open(const std::filesystem::path& path);
  /// Writes to a temporary file beside `path` and renames it. Errors: FileUnwritable.
  [[nodiscard]] Result<void> save(const std::filesystem::path& path) const;

  // What these return belongs to the image and lives as long as any copy of it.
  [[nodiscard]] const ImageInfo& info() const noexcept;
  [[nodiscard]] const std::vector<Code>& code() const noexcept;
  /// The whole file's bytes.
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept;
  /// The first code of that format (and arch, if not empty), or null.
  [[nodiscard]] const Code* find(std::string_view format, std::string_view arch = {}) const noexcept;
  /// The entry called `name`: by name; else by symbol; else, if `name` is a mangled C++ name, the one entry that it
  /// stands for by another compiler's rules (docs/cuda.md, "Names of kernels"). Errors: UnknownKernel, with the nearest
  /// names.
  [[nodiscard]] Result<const EntryPoint*> entry(std::string_view name) const;

 private:
  struct Data;
  explicit Image(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

/// An image's description as JSON (pretty-printed); code is given by format, arch and size.
[[nodiscard]] LATHE_API std::string toJson(const Image& image);

}  // namespace lathe
