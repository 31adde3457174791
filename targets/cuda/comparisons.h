// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace lathe::targets {

/// Compares integers for equality as numbers with a sign, as nvcc writes it. NVIDIA's assembler takes a loop that goes
/// on while its counter is not equal to a bound for one of up to 2^32 iterations where the comparison is of bits, and
/// then takes an iteration or several out in front of the loop that it unrolls; of numbers with a sign, it asks once
/// whether there are any.
///
///   before: setp.ne.b32 %p1, %r1, %r2;          after: setp.ne.s32 %p1, %r1, %r2;
void compareWithSigns(std::string& ptx);

}  // namespace lathe::targets
