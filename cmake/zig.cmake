# Compile with zig (the package ziglang on PyPI) for the machine GRAPHQUANT_ZIG_TARGET, such as x86_64-linux-gnu.2.17.
# Target and processor are explicit: without them zig compiles for the very machine that it runs on.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GRAPHQUANT_ZIG GRAPHQUANT_ZIG_TARGET)
set(CMAKE_C_COMPILER "${GRAPHQUANT_ZIG}" cc)
set(CMAKE_CXX_COMPILER "${GRAPHQUANT_ZIG}" c++)
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT "-target ${GRAPHQUANT_ZIG_TARGET} -mcpu=baseline -g0")
  set(CMAKE_${language}_ARCHIVE_CREATE "<CMAKE_AR> ar qc <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "<CMAKE_AR> ranlib <TARGET>")
endforeach()
set(CMAKE_AR "${GRAPHQUANT_ZIG}" CACHE FILEPATH "archiver" FORCE)
# CMake's trials link no program: the first C++ program that zig links costs minutes for building its libc++, which
# the core does not need. So what CMake would find out about the C++ compiler by linking one is told.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_CXX_COMPILER_ID_RUN TRUE)
set(CMAKE_CXX_COMPILER_ID Clang)
set(CMAKE_CXX_COMPILER_VERSION 18)
set(CMAKE_CXX_COMPILER_FRONTEND_VARIANT GNU)
set(CMAKE_CXX_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CXX_EXTENSIONS_COMPUTED_DEFAULT ON)
