// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in source files.
#include "dialects/cuda/places.h"

#include "clang/Basic/SourceManager.h"

namespace lathe::dialects {
namespace {

/// Where in its file the text is that a macro gave.
unsigned spelt(const clang::SourceManager& sources, clang::SourceLocation at) {
  return at.isMacroID() ? sources.getDecomposedLoc(sources.getSpellingLoc(at)).second : 0;
}

}  // namespace

bool Places::add(const clang::SourceManager& sources, clang::SourceLocation at) {
  const auto [file, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(at));
  file_ = clang::FileID();
  return offsets_[sources.getBufferOrFake(file).getBufferIdentifier().str()]
      .insert({offset, spelt(sources, at)})
      .second;
}

bool Places::has(const clang::SourceManager& sources, clang::SourceLocation at) {
  const auto [file, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(at));
  if (file != file_) {
    const auto found = offsets_.find(sources.getBufferOrFake(file).getBufferIdentifier());
    file_ = file;
    inFile_ = found == offsets_.end() ? nullptr : &found->second;
  }
  return inFile_ && inFile_->contains({offset, spelt(sources, at)});
}

}  // namespace lathe::dialects
