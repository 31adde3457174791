// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of a job's structs. Their order is that of canonical bytes and of JSON.
#pragma once

#include <lathe/job.h>

#include "core/values/describe.h"

namespace lathe {

constexpr std::string_view nameOf(OptLevel value) {
  switch (value) {
    case OptLevel::O0:
      return "O0";
    case OptLevel::O1:
      return "O1";
    case OptLevel::O2:
      return "O2";
    case OptLevel::O3:
      return "O3";
  }
  return {};
}

constexpr std::string_view nameOf(EntryAbi value) {
  switch (value) {
    case EntryAbi::bare:
      return "bare";
    case EntryAbi::state:
      return "state";
    case EntryAbi::automatic:
      return "auto";
  }
  return {};
}

}  // namespace lathe

namespace lathe::detail {

template <>
struct Description<Source> {
  static constexpr auto fields =
      std::tuple(field("name", &Source::name), field("text", &Source::text), field("dialect", &Source::dialect));
};

template <>
struct Description<Header> {
  static constexpr auto fields = std::tuple(field("name", &Header::name), field("text", &Header::text));
};

template <>
struct Description<LaunchBounds> {
  static constexpr auto fields =
      std::tuple(field("maxItems", &LaunchBounds::maxItems), field("minGroups", &LaunchBounds::minGroups),
                 field("maxRegisters", &LaunchBounds::maxRegisters), field("groupSize", &LaunchBounds::groupSize));
};

template <>
struct Description<Promises> {
  static constexpr auto fields =
      std::tuple(field("arguments", &Promises::arguments), field("noAlias", &Promises::noAlias),
                 field("pointerAlign", &Promises::pointerAlign));
};

template <>
struct Description<Options> {
  static constexpr auto fields =
      std::tuple(field("optLevel", &Options::optLevel), field("debugInfo", &Options::debugInfo),
                 field("fastMath", &Options::fastMath), field("approximateMath", &Options::approximateMath),
                 field("contract", &Options::contract), field("flushDenormals", &Options::flushDenormals),
                 field("entryAbi", &Options::entryAbi), field("checked", &Options::checked),
                 field("coarsening", &Options::coarsening), field("languageStandard", &Options::languageStandard),
                 field("defines", &Options::defines), field("undefines", &Options::undefines),
                 field("includeDirs", &Options::includeDirs), field("prefixMap", &Options::prefixMap),
                 field("launchBounds", &Options::launchBounds), field("promises", &Options::promises),
                 field("parameters", &Options::parameters));
};

template <>
struct Description<Job> {
  static constexpr auto fields = std::tuple(
      field("source", &Job::source), field("furtherSources", &Job::furtherSources), field("headers", &Job::headers),
      field("entries", &Job::entries), field("target", &Job::target), field("arch", &Job::arch),
      field("features", &Job::features), field("emit", &Job::emit), field("options", &Job::options));
};

}  // namespace lathe::detail
