# A dialect of Lathe, built against an installed Lathe: cmake -B build -DCMAKE_PREFIX_PATH=/where/lathe/is/installed
#
# The plug-in build/null.so is what a user gets: lathe compile FILE --plugin null.so
cmake_minimum_required(VERSION 3.25)
project(null VERSION 0.1 LANGUAGES CXX)
find_package(lathe REQUIRED COMPONENTS sdk)

lathe_add_dialect(null SOURCES null.cpp INCLUDE include HEADERS lathe/null.h)

# A kernel in the dialect compiles, chosen by its ending.
enable_testing()
add_test(NAME null.compiles COMMAND "${LATHE_TOOL}" compile "${CMAKE_CURRENT_SOURCE_DIR}/tests/kernel.null.cpp" --target cpu
  --plugin "$<TARGET_FILE:lathe_dialect_null>" -o "${CMAKE_CURRENT_BINARY_DIR}/kernel.limg")
