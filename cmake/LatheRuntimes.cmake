# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lathe_add_runtime(NAME SOURCES … [LINK …]): a runtime, part of lathe_runtimes. It defines
# `const lathe::detail::Runtime& lathe::detail::NAMERuntime()`; the generated list runtimes/builtin_runtimes.inc names it.
function(lathe_add_runtime name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  list(TRANSFORM ARG_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  target_sources(lathe_runtimes PRIVATE ${ARG_SOURCES})
  target_link_libraries(lathe_runtimes PUBLIC ${ARG_LINK})
  set_property(GLOBAL APPEND PROPERTY LATHE_RUNTIME_LIST "LATHE_BUILTIN_RUNTIME(${name})")
  get_property(list GLOBAL PROPERTY LATHE_RUNTIME_LIST)
  list(JOIN list "\n" list)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/runtimes/builtin_runtimes.inc" CONTENT "${list}\n")
endfunction()
