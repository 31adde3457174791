// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of texts with a grammar, JSON and YAML, that leave most of the grammar intact: whole words and values take
// each other's places.
#pragma once

#include <string>

namespace lathe::hostile {

/// `text` with one piece replaced, taken out, put in again elsewhere, or changed within. Every other time any bytes of
/// the text change.
std::string mutatedText(std::string text, unsigned seed);

}  // namespace lathe::hostile
