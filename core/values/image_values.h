// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of what an image says of itself. Their order is that of the metadata section (docs/image-format.md) and
// of JSON.
#pragma once

#include <lathe/image.h>

#include "core/values/job_values.h"

namespace lathe {

constexpr std::string_view nameOf(TypeKind value) {
  switch (value) {
    case TypeKind::boolean:
      return "bool";
    case TypeKind::signedInteger:
      return "int";
    case TypeKind::unsignedInteger:
      return "uint";
    case TypeKind::floating:
      return "float";
    case TypeKind::bfloat:
      return "bfloat";
    case TypeKind::pointer:
      return "pointer";
    case TypeKind::array:
      return "array";
    case TypeKind::vector:
      return "vector";
    case TypeKind::record:
      return "record";
    case TypeKind::opaque:
      return "opaque";
  }
  return {};
}

}  // namespace lathe

namespace lathe::detail {

template <>
struct Description<TypeLayout> {
  static constexpr auto fields =
      std::tuple(field("kind", &TypeLayout::kind), field("name", &TypeLayout::name), field("size", &TypeLayout::size),
                 field("align", &TypeLayout::align), field("count", &TypeLayout::count),
                 field("element", &TypeLayout::element), field("fields", &TypeLayout::fields));
};

template <>
struct Description<TypeLayout::Field> {
  static constexpr auto fields =
      std::tuple(field("name", &TypeLayout::Field::name), field("offset", &TypeLayout::Field::offset),
                 field("type", &TypeLayout::Field::type));
};

template <>
struct Description<Parameter> {
  static constexpr auto fields =
      std::tuple(field("name", &Parameter::name), field("type", &Parameter::type), field("offset", &Parameter::offset),
                 field("readOnly", &Parameter::readOnly), field("fixed", &Parameter::fixed).appended(5),
                 field("byReference", &Parameter::byReference).appended(6));
};

template <>
struct Description<ResourceUse> {
  static constexpr auto fields =
      std::tuple(field("registers", &ResourceUse::registers), field("sharedBytes", &ResourceUse::sharedBytes),
                 field("localBytes", &ResourceUse::localBytes), field("constantBytes", &ResourceUse::constantBytes),
                 field("contextBytes", &ResourceUse::contextBytes), field("vectorWidth", &ResourceUse::vectorWidth));
};

template <>
struct Description<ClusterBounds> {
  static constexpr auto fields = std::tuple(field("size", &ClusterBounds::size), field("most", &ClusterBounds::most),
                                            field("countsClusters", &ClusterBounds::countsClusters));
};

template <>
struct Description<CoarseEntry> {
  static constexpr auto fields =
      std::tuple(field("symbol", &CoarseEntry::symbol), field("groups", &CoarseEntry::groups),
                 field("leastItems", &CoarseEntry::leastItems));
};

template <>
struct Description<EntryPoint> {
  static constexpr auto fields = std::tuple(
      field("name", &EntryPoint::name), field("symbol", &EntryPoint::symbol),
      field("parameters", &EntryPoint::parameters), field("hidden", &EntryPoint::hidden).since(2),
      field("parameterBytes", &EntryPoint::parameterBytes), field("parameterAlign", &EntryPoint::parameterAlign),
      field("abi", &EntryPoint::abi), field("bounds", &EntryPoint::bounds),
      field("cluster", &EntryPoint::cluster).appended(4), field("resources", &EntryPoint::resources),
      field("dynamicShared", &EntryPoint::dynamicShared), field("section", &EntryPoint::section).since(2),
      field("kind", &EntryPoint::kind).since(2), field("coarse", &EntryPoint::coarse).appended(5),
      field("pointerAlign", &EntryPoint::pointerAlign).appended(5));
};

template <>
struct Description<GlobalVariable> {
  static constexpr auto fields =
      std::tuple(field("name", &GlobalVariable::name), field("symbol", &GlobalVariable::symbol),
                 field("space", &GlobalVariable::space), field("type", &GlobalVariable::type));
};

template <>
struct Description<Import> {
  static constexpr auto fields = std::tuple(field("symbol", &Import::symbol), field("function", &Import::isFunction),
                                            field("signature", &Import::signature), field("bytes", &Import::bytes));
};

template <>
struct Description<Provenance> {
  static constexpr auto fields =
      std::tuple(field("producer", &Provenance::producer), field("compiler", &Provenance::compiler),
                 field("job", &Provenance::jobHash), field("source", &Provenance::sourceName),
                 field("description", &Provenance::description));
};

template <>
struct Description<ImageInfo> {
  static constexpr auto fields =
      std::tuple(field("target", &ImageInfo::target), field("arch", &ImageInfo::arch),
                 field("features", &ImageInfo::features), field("runtime", &ImageInfo::runtime),
                 field("optLevel", &ImageInfo::optLevel).appended(3), field("entries", &ImageInfo::entries),
                 field("globals", &ImageInfo::globals), field("requires", &ImageInfo::requires_),
                 field("imports", &ImageInfo::imports).appended(7), field("provenance", &ImageInfo::provenance));
};

}  // namespace lathe::detail
