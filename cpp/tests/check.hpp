// A minimal test framework: cases that register themselves, checks that count failures and continue.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace gq::test {

struct Case {
    const char *name;
    void (*run)();
};

inline std::vector<Case> &cases() {
    static std::vector<Case> all;
    return all;
}

struct Registered {
    Registered(const char *name, void (*run)()) { cases().push_back({name, run}); }
};

inline long n_failed = 0;
inline bool ends_at_first_failure = false;

// What is being checked, such as the seed of random graphs: printed with a failure.
inline std::vector<std::string> &contexts() {
    static std::vector<std::string> stack;
    return stack;
}

struct Context {
    explicit Context(std::string text) { contexts().push_back(std::move(text)); }
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;
    ~Context() { contexts().pop_back(); }
};

inline void fail(const char *file, int line, const std::string &what) {
    // One mistake fails many checks; the first few are enough.
    if (++n_failed > 20) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
    for (const std::string &context : contexts()) std::fprintf(stderr, "    %s\n", context.c_str());
    if (ends_at_first_failure) std::exit(1);
}

inline std::string as_text(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

}  // namespace gq::test

#define TEST(name)                                                       \
    static void name();                                                  \
    static const gq::test::Registered registered_##name(#name, &(name)); \
    static void name()

#define CHECK(condition)                                                         \
    do {                                                                         \
        if (!(condition)) gq::test::fail(__FILE__, __LINE__, "not " #condition); \
    } while (false)

#define CHECK_RELATION(a, relation, b)                                                                                 \
    do {                                                                                                               \
        const auto left = (a);                                                                                         \
        const auto right = (b);                                                                                        \
        if (!(left relation right)) {                                                                                  \
            gq::test::fail(__FILE__, __LINE__,                                                                         \
                           "not " #a " " #relation " " #b ": " + gq::test::as_text(static_cast<double>(left)) + ", " + \
                               gq::test::as_text(static_cast<double>(right)));                                         \
        }                                                                                                              \
    } while (false)

#define CHECK_EQUAL(a, b) CHECK_RELATION(a, ==, b)
#define CHECK_AT_MOST(a, b) CHECK_RELATION(a, <=, b)
#define CHECK_NEAR(a, b, tolerance) CHECK_RELATION(std::fabs((a) - (b)), <=, tolerance)
