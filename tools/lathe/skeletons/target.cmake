# A target of Lathe, built against an installed Lathe: cmake -B build -DCMAKE_PREFIX_PATH=/where/lathe/is/installed
#
# The folder build/targets is what a user gets: put it on $LATHE_TARGET_PATH.
cmake_minimum_required(VERSION 3.25)
project(null VERSION 0.1 LANGUAGES CXX)
find_package(lathe REQUIRED COMPONENTS sdk)

@lathe_add_target@
lathe_add_runtime(null SOURCES runtime.cpp)

# The descriptor is sound, and a kernel goes through all stages.
enable_testing()
add_test(NAME null.descriptor COMMAND "${LATHE_TOOL}" targets null)
add_test(NAME null.compiles COMMAND "${LATHE_TOOL}" compile "${CMAKE_CURRENT_SOURCE_DIR}/tests/kernel.cpp" --target null
  -o "${CMAKE_CURRENT_BINARY_DIR}/kernel.limg")
set_tests_properties(null.descriptor null.compiles PROPERTIES ENVIRONMENT "LATHE_TARGET_PATH=${CMAKE_CURRENT_BINARY_DIR}/targets")
