# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One call per part. Sources are listed, never globbed.
set(LATHE_DEVICE_INCLUDE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/generated")
set(LATHE_DEVICE_GENERATED "${PROJECT_BINARY_DIR}/generated/lathe/device/abi_declarations.inc"
  "${PROJECT_BINARY_DIR}/generated/lathe/sdk/runtime_declarations.inc")
include("${CMAKE_CURRENT_LIST_DIR}/LatheDevice.cmake")

# lathe_objects(NAME SOURCES … [LLVM] [LINK …]): an object library of our own code, part of one of the two libraries.
function(lathe_objects name)
  cmake_parse_arguments(ARG "LLVM" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(${name} PUBLIC lathe_fmt nlohmann_json::nlohmann_json Threads::Threads ${ARG_LINK} PRIVATE lathe_flags)
  if(ARG_LLVM)
    target_link_libraries(${name} PUBLIC lathe_llvm)
  endif()
endfunction()

# lathe_embed(TARGET SYMBOL FILE): puts FILE's bytes into TARGET as `extern const char SYMBOL[]`, `SYMBOL_end[]`.
function(lathe_embed target symbol file)
  set(stub "${CMAKE_CURRENT_BINARY_DIR}/embed_${symbol}.S")
  file(CONFIGURE OUTPUT "${stub}" @ONLY CONTENT [[
    .section .rodata
    .global @symbol@
    .hidden @symbol@
    .global @symbol@_end
    .hidden @symbol@_end
    .balign 64
@symbol@:
    .incbin "@file@"
@symbol@_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits
]])
  set_source_files_properties("${stub}" TARGET_DIRECTORY ${target} PROPERTIES OBJECT_DEPENDS "${file}")
  target_sources(${target} PRIVATE "${stub}")
endfunction()

# lathe_add_target(NAME [DEVICE device.cpp DEVICE_FLAGS …] [HOOKS hooks.cpp …]): an in-tree target. Its descriptor is
# NAME.yaml; its device code is compiled to bitcode with the flags given; both are embedded. LATHE_TARGET_HOOKS in one of the sources
# defines its hooks. Registration goes into the generated list targets/builtin_target_list.inc. latheSdk.cmake has the same call for
# projects.
function(lathe_add_target name)
  cmake_parse_arguments(ARG "" "DEVICE" "DEVICE_FLAGS;HOOKS" ${ARGN})
  string(MAKE_C_IDENTIFIER "${name}" id)
  set(descriptor "${CMAKE_CURRENT_SOURCE_DIR}/${name}.yaml")
  lathe_embed(lathe_targets lathe_target_${id}_yaml "${descriptor}")
  # Its tree, so that it needs no parser at run time.
  set(tree "${CMAKE_CURRENT_BINARY_DIR}/${name}.tree")
  add_custom_command(OUTPUT "${tree}" COMMAND lathe_descriptor_packer "${tree}" "${descriptor}"
    DEPENDS lathe_descriptor_packer "${descriptor}" COMMENT "descriptor ${name}" VERBATIM)
  add_custom_target(lathe_target_${id}_tree DEPENDS "${tree}")
  add_dependencies(lathe_targets lathe_target_${id}_tree)
  lathe_embed(lathe_targets lathe_target_${id}_tree "${tree}")
  # For people and for those who extend it: where an installed library looks last (core/target/target_path.cpp).
  install(FILES "${descriptor}" DESTINATION share/lathe/targets)
  set(device "nullptr, nullptr")
  if(ARG_DEVICE)
    set(bitcode "${CMAKE_CURRENT_BINARY_DIR}/${name}_device.bc")
    lathe_compile_device("${name}" "${ARG_DEVICE}" "${bitcode}" ${ARG_DEVICE_FLAGS})
    # The rule belongs to this folder, the library to its parent: a target of its own connects them.
    add_custom_target(lathe_target_${id}_bitcode DEPENDS "${bitcode}")
    add_dependencies(lathe_target_${id}_bitcode lathe_abi_declarations)
    add_dependencies(lathe_targets lathe_target_${id}_bitcode)
    lathe_embed(lathe_targets lathe_target_${id}_device "${bitcode}")
    set(device "lathe_target_${id}_device, lathe_target_${id}_device_end")
  endif()
  set(hooks "nullptr")
  if(ARG_HOOKS)
    list(TRANSFORM ARG_HOOKS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
    target_sources(lathe_targets PRIVATE ${ARG_HOOKS})
    set(hooks "lathe_target_${id}_hooks")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY LATHE_TARGET_LIST
    "LATHE_BUILTIN_TARGET(\"${name}\", ${id}, ${device}, ${hooks})\n")
endfunction()

# lathe_add_dialect(NAME SOURCES … [DEFINES ID …] [INCLUDE FOLDER HEADERS …] [PRELUDES own library]): an in-tree dialect. Its sources
# define `const lathe::sdk::Dialect lathe::dialects::IDDialect` for each ID (default: NAME; a dialect's name with _ for -). HEADERS, paths relative to FOLDER, are
# built in, and included as <path>. PRELUDES: those to precompile, its own header and that with its library's. Registration goes
# into the generated list dialects/builtin.cpp, in the order of the calls: the first dialect is the default.
function(lathe_add_dialect name)
  cmake_parse_arguments(ARG "" "INCLUDE" "SOURCES;DEFINES;HEADERS;PRELUDES" ${ARGN})
  if(NOT ARG_DEFINES)
    set(ARG_DEFINES ${name})
  endif()
  target_sources(lathe_dialects PRIVATE ${ARG_SOURCES})
  set_property(GLOBAL APPEND PROPERTY LATHE_DIALECTS ${ARG_DEFINES})
  foreach(header IN LISTS ARG_HEADERS)
    set_property(GLOBAL APPEND PROPERTY LATHE_DIALECT_HEADERS "${header}|${CMAKE_CURRENT_SOURCE_DIR}/${ARG_INCLUDE}/${header}")
  endforeach()
  foreach(id IN LISTS ARG_DEFINES)
    string(REPLACE "_" "-" dialect "${id}")
    foreach(prelude IN LISTS ARG_PRELUDES)
      string(REPLACE "${dialect}_own" "${dialect}" prelude "${dialect}_${prelude}")
      set_property(GLOBAL APPEND PROPERTY LATHE_PRELUDES ${prelude})
    endforeach()
  endforeach()
endfunction()

# lathe_add_library(NAME FILE): bitcode that descriptors name as `embedded: NAME`; its mathematics is, with what that needs.
function(lathe_add_library name file)
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "lathe: device library ${name} is missing: ${file} (Debian package libclc-22)")
  endif()
  string(MAKE_C_IDENTIFIER "${name}" id)
  set(excerpt "${CMAKE_CURRENT_BINARY_DIR}/${name}.bc")
  add_custom_command(OUTPUT "${excerpt}" COMMAND lathe_library_packer "${excerpt}" "${file}" DEPENDS lathe_library_packer "${file}"
    COMMENT "Packing ${name}" VERBATIM)
  lathe_embed(lathe_targets lathe_library_${id} "${excerpt}")
  set_property(GLOBAL APPEND_STRING PROPERTY LATHE_LIBRARY_LIST "LATHE_EMBEDDED_LIBRARY(\"${name}\", ${id})\n")
endfunction()

# lathe_write_target_lists(): the generated lists, once all targets are known.
function(lathe_write_target_lists)
  foreach(kind TARGET LIBRARY)
    get_property(list GLOBAL PROPERTY LATHE_${kind}_LIST)
    string(TOLOWER "${kind}" lower)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/targets/builtin_${lower}_list.inc" CONTENT "${list}" @ONLY)
  endforeach()
endfunction()

# Tests of what loads and launches, without a compiler: few files, so that every change can build them with sanitizers.
add_custom_target(lathe_runtime_tests)

# lathe_add_test(NAME SOURCES … LINK …): one GoogleTest executable, its tests known to ctest one by one. Label
# `fast_runtime` instead of `fast` (ctest -L takes a part of a label), and part of lathe_runtime_tests, if no compiler is linked.
function(lathe_add_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} lathe_flags GTest::gtest_main)
  include(GoogleTest)
  set(label fast)
  if("${ARG_LINK}" MATCHES "lathe_base" AND NOT "lathe_core" IN_LIST ARG_LINK)
    set(label fast_runtime)
    add_dependencies(lathe_runtime_tests ${name})
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300 LABELS ${label})
endfunction()
