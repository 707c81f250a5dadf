// How long work ends early: a flag that another thread sets, or a time that has come.
#pragma once

#include <ctime>

#include "support/basics.hpp"

namespace gq {

// What is found after it was asked to stop is thrown away, so all that counts then is to return soon and to
// touch no memory that is not there.
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

// A time limit; unlike a stopped search, one that runs out of time hands over what it has.
struct Deadline {
    double at = INF;

    static Deadline after(double seconds) { return {seconds < INF ? now_in_seconds() + seconds : INF}; }
    bool has_come() const { return at < INF && now_in_seconds() >= at; }
};

}  // namespace gq
