# Compile with zig (the package ziglang on PyPI), for GRAPHQUANT_ZIG_TARGET such as x86_64-linux-gnu.2.17; by default for
# machines like this one. Target and processor are explicit: without them zig compiles for the very machine it runs on.
if(NOT GRAPHQUANT_ZIG OR NOT GRAPHQUANT_ZIG_TARGET)
  execute_process(
    COMMAND "${Python_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/find_zig.py"
    OUTPUT_VARIABLE found_zig OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status ERROR_VARIABLE problem)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "zig was not found (python -m pip install ziglang): ${problem}")
  endif()
  list(GET found_zig 0 GRAPHQUANT_ZIG)
  if(NOT GRAPHQUANT_ZIG_TARGET)
    list(GET found_zig 1 GRAPHQUANT_ZIG_TARGET)
  endif()
endif()

if(GRAPHQUANT_ZIG_TARGET MATCHES "-macos")
  set(target_system Darwin)
elseif(GRAPHQUANT_ZIG_TARGET MATCHES "-windows")
  set(target_system Windows)
else()
  set(target_system Linux)
endif()
if(NOT target_system STREQUAL CMAKE_HOST_SYSTEM_NAME)
  set(CMAKE_SYSTEM_NAME ${target_system})
endif()
# The libraries contain no paths, so CMake needs no tools to change them.
set(CMAKE_SKIP_RPATH ON)
if(target_system STREQUAL Darwin)
  set(CMAKE_INSTALL_NAME_TOOL "${CMAKE_COMMAND}")
  set(CMAKE_OSX_DEPLOYMENT_TARGET "" CACHE STRING "in GRAPHQUANT_ZIG_TARGET")
endif()

set(CMAKE_C_COMPILER "${GRAPHQUANT_ZIG}" cc)
set(CMAKE_CXX_COMPILER "${GRAPHQUANT_ZIG}" c++)
set(CMAKE_AR "${GRAPHQUANT_ZIG}" CACHE FILEPATH "archiver" FORCE)
# What CMake would find out by linking trials is told: the first C++ program that zig links costs minutes, for building
# its libc++, which the core does not need.
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT "-target ${GRAPHQUANT_ZIG_TARGET} -mcpu=baseline -g0")
  set(CMAKE_${language}_COMPILER_ID_RUN TRUE)
  set(CMAKE_${language}_COMPILER_ID Clang)
  set(CMAKE_${language}_COMPILER_VERSION 18)
  set(CMAKE_${language}_COMPILER_FRONTEND_VARIANT GNU)
  set(CMAKE_${language}_COMPILER_WORKS TRUE)
  set(CMAKE_${language}_ABI_COMPILED TRUE)
endforeach()
set(CMAKE_C_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CXX_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_C_EXTENSIONS_COMPUTED_DEFAULT ON)
set(CMAKE_CXX_EXTENSIONS_COMPUTED_DEFAULT ON)
string(REGEX MATCH "^x86_64" IS_X86_64 "${GRAPHQUANT_ZIG_TARGET}")
set(HAS_MARCH FALSE)  # baseline is told already, in zig's own words
