// What the library reports about itself: Python asks before it uses anything else.
#pragma once

#include <cstdint>
#include <cstring>

#include "graphquant.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

// The build passes the digest of the sources; a library that was compiled by hand has none.
#ifndef GQ_SOURCE_HASH
#define GQ_SOURCE_HASH "unknown"
#endif

namespace gq {

#if defined(__x86_64__)

// Registers after the instruction cpuid.
struct CpuidAnswer {
    std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

inline CpuidAnswer ask_cpuid(std::uint32_t leaf) {
    CpuidAnswer found;
    // Leaves that this processor does not have set all registers to zero.
    __get_cpuid_count(leaf, 0, &found.eax, &found.ebx, &found.ecx, &found.edx);
    return found;
}

inline std::uint64_t registers_kept_by_system() {
    // The intrinsic for this instruction exists only if the target always allows it, which baseline code does not.
    std::uint32_t low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (static_cast<std::uint64_t>(high) << 32U) | low;
}

constexpr std::uint32_t bit(unsigned number) { return std::uint32_t{1} << number; }

// Everything that the level x86-64-v3 of the System V ABI names, not only AVX2: a compiler may use any of it. (Not
// __builtin_cpu_supports: it needs a runtime library that not every compiler links.)
inline bool cpu_supports_v3() {
    // SSE3, SSSE3, FMA, CMPXCHG16B, SSE4.1, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX, F16C
    constexpr std::uint32_t FEATURES =
        bit(0) | bit(9) | bit(12) | bit(13) | bit(19) | bit(20) | bit(22) | bit(23) | bit(27) | bit(28) | bit(29);
    constexpr std::uint32_t EXTENDED = bit(3) | bit(5) | bit(8);  // BMI1, AVX2, BMI2
    constexpr std::uint32_t AMD = bit(0) | bit(5);                // LAHF and SAHF, LZCNT
    constexpr std::uint64_t XMM_AND_YMM = bit(1) | bit(2);
    return (ask_cpuid(1).ecx & FEATURES) == FEATURES && (ask_cpuid(7).ebx & EXTENDED) == EXTENDED &&
           (ask_cpuid(0x80000001u).ecx & AMD) == AMD && (registers_kept_by_system() & XMM_AND_YMM) == XMM_AND_YMM;
}

#else

inline bool cpu_supports_v3() { return false; }

#endif

// What the compiler was actually told to use, whatever the build intended.
inline const char *cpu_level() {
#if defined(__AVX2__)
    return "x86-64-v3";
#else
    return "baseline";
#endif
}

inline const char *compiler() {
#if defined(__clang__)
    return "Clang " __clang_version__;
#elif defined(__GNUC__)
    return "GCC " __VERSION__;
#else
    return "unknown";
#endif
}

struct StructSize {
    const char *name;
    std::int64_t size;
};

// Every struct of graphquant.h that Python mirrors; a test compares the names with the header.
inline constexpr StructSize STRUCT_SIZES[] = {
    {"gq_collection", sizeof(gq_collection)},
    {"gq_graphs", sizeof(gq_graphs)},
    {"gq_adjacency", sizeof(gq_adjacency)},
    {"gq_space", sizeof(gq_space)},
    {"gq_exact", sizeof(gq_exact)},
    {"gq_frank_wolfe", sizeof(gq_frank_wolfe)},
    {"gq_graduated", sizeof(gq_graduated)},
    {"gq_callback", sizeof(gq_callback)},
    {"gq_matcher", sizeof(gq_matcher)},
    {"gq_match_request", sizeof(gq_match_request)},
    {"gq_match_result", sizeof(gq_match_result)},
    {"gq_certificate", sizeof(gq_certificate)},
    {"gq_summaries", sizeof(gq_summaries)},
    {"gq_bound_request", sizeof(gq_bound_request)},
    {"gq_array", sizeof(gq_array)},
    {"gq_learner_options", sizeof(gq_learner_options)},
    {"gq_counters", sizeof(gq_counters)},
};

inline std::int64_t struct_size(const char *name) {
    for (const StructSize &entry : STRUCT_SIZES) {
        if (std::strcmp(entry.name, name) == 0) return entry.size;
    }
    return 0;
}

}  // namespace gq
