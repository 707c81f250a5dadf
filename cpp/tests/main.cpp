// Run all tests, or those whose name contains an argument; with -x only up to the first failure.
#include <cstring>

#include "tests/check.hpp"

int main(int count, char **arguments) {
    int n_run = 0, n_names = 0;
    for (int at = 1; at < count; at++) {
        const bool is_option = std::strcmp(arguments[at], "-x") == 0;
        gq::test::ends_at_first_failure = gq::test::ends_at_first_failure || is_option;
        if (!is_option) arguments[n_names++] = arguments[at];
    }
    for (const gq::test::Case &each : gq::test::cases()) {
        bool is_wanted = n_names == 0;
        for (int at = 0; at < n_names; at++) is_wanted = is_wanted || std::strstr(each.name, arguments[at]) != nullptr;
        if (!is_wanted) continue;
        const gq::test::Context context(each.name);
        each.run();
        n_run++;
    }
    if (n_run == 0) std::fprintf(stderr, "There is no test of this name.\n");
    std::fprintf(stderr, "%d tests, %ld failed checks\n", n_run, gq::test::n_failed);
    return n_run == 0 || gq::test::n_failed > 0 ? 1 : 0;
}
