// Ending long work early: a flag that another thread sets, or a deadline.
#pragma once

#include <ctime>

#include "support/basics.hpp"

namespace gq {

// Results after a stop request are discarded, so the only requirements are to return soon and to
// access only valid memory.
struct Stop {
    const i32 *flag = nullptr;

    bool is_set() const { return flag != nullptr && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0; }
};

inline double now_in_seconds() {
    std::timespec now{};
#ifdef _WIN32
    std::timespec_get(&now, TIME_UTC);
#else
    // Unlike the time of day, it never jumps.
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A time limit; unlike a stopped search, one that runs out of time returns its current result.
struct Deadline {
    double at = INF;

    static Deadline after(double seconds) { return {seconds < INF ? now_in_seconds() + seconds : INF}; }
    bool has_come() const { return at < INF && now_in_seconds() >= at; }
};

}  // namespace gq
