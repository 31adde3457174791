# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Device code, in this tree and in projects that use an installed Lathe (latheSdk.cmake). LATHE_CLANG is the clang of Lathe's
# LLVM, LATHE_DEVICE_INCLUDE the folder that holds lathe/sdk.

# lathe_compile_device(NAME SOURCE OUTPUT FLAG …): the rule for a target's device code as bitcode.
function(lathe_compile_device name source output)
  add_custom_command(OUTPUT "${output}"
    COMMAND "${LATHE_CLANG}" ${ARGN} -x c++ -std=c++20 -O1 -fno-exceptions -fno-rtti -ffreestanding -nostdlibinc
            -fno-threadsafe-statics -ffp-contract=off -Wall -Wextra -Werror -Wno-unused-command-line-argument
            -I "${LATHE_DEVICE_INCLUDE}" -emit-llvm -c "${CMAKE_CURRENT_SOURCE_DIR}/${source}" -o "${output}"
    DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
            "${LATHE_DEVICE_INCLUDE}/lathe/sdk/device_state.h" "${LATHE_DEVICE_INCLUDE}/lathe/sdk/device_votes.h"
            "${LATHE_DEVICE_INCLUDE}/lathe/sdk/device_heap.h" "${LATHE_DEVICE_INCLUDE}/lathe/sdk/device_malloc.h"
            "${LATHE_DEVICE_INCLUDE}/lathe/sdk/kernel_state.h"
    COMMENT "device library of ${name}" VERBATIM)
endfunction()
