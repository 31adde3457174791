# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Device code, in this tree and in projects that use an installed Lathe (latheSdk.cmake). LATHE_CLANG is the clang of Lathe's
# LLVM, LATHE_DEVICE_INCLUDE the folders that hold lathe/sdk and the declarations made from the ABI tables.

# lathe_compile_device(NAME SOURCE OUTPUT FLAG …): the rule for a target's device code as bitcode.
function(lathe_compile_device name source output)
  list(TRANSFORM LATHE_DEVICE_INCLUDE PREPEND "-I" OUTPUT_VARIABLE include)
  # Ninja learns of the headers from Clang; other generators build again what a header changed only after the source did.
  set(depfile "")
  if(CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    set(depfile DEPFILE "${output}.d")
  endif()
  add_custom_command(OUTPUT "${output}"
    COMMAND "${LATHE_CLANG}" ${ARGN} -x c++ -std=c++20 -O1 -fno-exceptions -fno-rtti -ffreestanding -nostdlibinc -Xclang -no-enable-noundef-analysis
            -fno-threadsafe-statics -ffp-contract=off -Wall -Wextra -Werror -Wno-unused-command-line-argument
            ${include} -MD -MF "${output}.d" -emit-llvm -c "${CMAKE_CURRENT_SOURCE_DIR}/${source}" -o "${output}"
    DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${source}" ${LATHE_DEVICE_GENERATED} ${depfile}
    COMMENT "device library of ${name}" VERBATIM)
endfunction()
