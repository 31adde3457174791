// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DescriptorView: the core's descriptor in the types of the SDK, whose layout does not change with it.
#include <lathe/sdk/descriptor_view.h>

#include "core/descriptor/descriptor.h"

namespace lathe::sdk {

std::string_view DescriptorView::name() const {
  return descriptor_->name;
}

std::string_view DescriptorView::triple() const {
  return descriptor_->triple;
}

std::string_view DescriptorView::arch() const {
  return descriptor_->arch;
}

unsigned DescriptorView::archOrdinal() const {
  return descriptor_->ordinal.value_or(0);
}

std::string_view DescriptorView::processor() const {
  return descriptor_->processor;
}

std::string_view DescriptorView::features() const {
  return descriptor_->features;
}

AddressSpaceNumbers DescriptorView::addressSpaces() const {
  const detail::AddressSpaces& spaces = descriptor_->addressSpaces;
  return {.generic = spaces.generic,
          .global = spaces.global,
          .group = spaces.group,
          .constant = spaces.constant,
          .allocas = spaces.alloca_};
}

std::optional<std::string_view> DescriptorView::syncScope(std::string_view scope) const {
  const auto found = descriptor_->syncScopes.find(std::string(scope));
  if (found == descriptor_->syncScopes.end()) return std::nullopt;
  return found->second;
}

std::span<const unsigned> DescriptorView::subgroupSizes() const {
  return descriptor_->subgroupSizes;
}

LimitNumbers DescriptorView::limits() const {
  const detail::Limits& limits = descriptor_->limits;
  return {.groupItems = limits.groupItems,
          .group = limits.group,
          .sharedBytes = limits.sharedBytes,
          .stackBytes = limits.stackBytes};
}

unsigned DescriptorView::kernelCallingConvention() const {
  return descriptor_->kernel.callingConvention;
}

AggregateForm DescriptorView::aggregates() const {
  switch (descriptor_->kernel.aggregates) {
    case detail::AggregatePassing::byval:
      return AggregateForm::byval;
    case detail::AggregatePassing::byref:
      return AggregateForm::byref;
    case detail::AggregatePassing::packed:
      break;
  }
  return AggregateForm::packed;
}

std::uint64_t DescriptorView::parameterBytes() const {
  return descriptor_->kernel.parameterBytes;
}

std::span<const std::string> DescriptorView::extensions() const {
  return descriptor_->codegen.extensions;
}

std::string_view DescriptorView::storedName(std::string_view format) const {
  const auto found = descriptor_->emit.names.find(std::string(format));
  return found == descriptor_->emit.names.end() ? format : std::string_view(found->second);
}

bool DescriptorView::hasExternal(std::string_view function) const {
  return descriptor_->hasExternal(function);
}

std::string_view DescriptorView::runtime() const {
  return descriptor_->runtime;
}

}  // namespace lathe::sdk
