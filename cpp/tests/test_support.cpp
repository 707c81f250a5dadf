// Sums in lanes, scratch memory, flags, and what the library reports about itself.
#include "assignment/assign.hpp"
#include "matching/scratch.hpp"
#include "matching/sinkhorn.hpp"
#include "support/library_info.hpp"
#include "support/owned.hpp"
#include "tests/check.hpp"
#include "tests/random_graphs.hpp"

using namespace gq;
using namespace gq::test;

TEST(lane_sums_add_in_the_order_that_is_promised) {
    Random random{1};
    for (i64 n = 0; n <= 40; n++) {
        std::vector<double> value;
        for (i64 at = 0; at < n; at++) value.push_back(random.real() * (random.chance(0.5) ? 1e9 : 1e-9));
        double lane[8] = {};
        const i64 whole = n / 8 * 8;
        for (i64 at = 0; at < whole; at++) lane[at % 8] += value[at];
        double expected = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
        for (i64 at = whole; at < n; at++) expected += value[at];
        CHECK_EQUAL(lane_sum(n, [&](i64 at) { return value[at]; }), expected);
    }
}

TEST(least_of_is_the_least) {
    Random random{2};
    CHECK_EQUAL(least_of(nullptr, 0), INF);
    for (i64 n = 1; n <= 40; n++) {
        std::vector<double> value;
        double expected = INF;
        for (i64 at = 0; at < n; at++) {
            value.push_back(random.chance(0.1) ? INF : 2.0 * random.real() - 1.0);
            expected = value.back() < expected ? value.back() : expected;
        }
        CHECK_EQUAL(least_of(value.data(), n), expected);
    }
}

TEST(whole_blocks_round_up) {
    CHECK_EQUAL(whole_blocks(0), 0);
    CHECK_EQUAL(whole_blocks(1), 8);
    CHECK_EQUAL(whole_blocks(8), 8);
    CHECK_EQUAL(whole_blocks(9), 16);
}

TEST(an_arena_gives_zeroed_memory_in_cache_lines) {
    Arena arena;
    std::vector<i64 *> taken;
    for (i64 size = 0; size < 50; size++) {
        i64 *memory = arena.take<i64>(size);
        CHECK(memory != nullptr);
        CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(memory) % 64, 0U);
        for (i64 at = 0; at < size; at++) {
            CHECK_EQUAL(memory[at], 0);
            memory[at] = size;
        }
        taken.push_back(memory);
    }
    // Memory taken later has another address.
    for (i64 size = 0; size < 50; size++) {
        for (i64 at = 0; at < size; at++) CHECK_EQUAL(taken[size][at], size);
    }
    CHECK(!arena.is_exhausted());
    const Matrix<double> matrix = arena.take_matrix<double>(3, 5);
    CHECK_EQUAL(matrix.width, 5);
    CHECK(matrix[2] == matrix.data + 10);
}

TEST(an_arena_says_that_memory_has_run_out) {
    Arena arena;
    CHECK(arena.take<double>(std::numeric_limits<i64>::max()) == nullptr);
    CHECK(arena.is_exhausted());
    arena.clear();
    CHECK(!arena.is_exhausted());
    CHECK(arena.take<double>(i64{1} << 58U) == nullptr);
    CHECK(arena.is_exhausted());
}

TEST(scratch_that_is_too_large_is_refused_and_may_be_asked_again) {
    Scratch scratch;
    CHECK(!scratch.reserve(i64{1} << 30U, 1, 1, 1, false));
    CHECK(scratch.reserve(5, 20, 1, 1, false));
    CHECK(!scratch.has_search);
    const double *before = scratch.pair.gain.data;
    CHECK(scratch.reserve(4, 10, 1, 1, false));
    CHECK(scratch.pair.gain.data == before);
    CHECK(scratch.reserve(4, 10, 1, 1, true));
    CHECK(scratch.has_search);
    // Sizes never shrink: five nodes, and more channels.
    CHECK(scratch.reserve(2, 10, 3, 2, false));
    CHECK_EQUAL(scratch.size, 5);
    CHECK_EQUAL(scratch.slots, 20);
    CHECK_EQUAL(scratch.channels, 3);
    CHECK_EQUAL(scratch.n_classes, 2);
    CHECK(scratch.has_search);
}

TEST(objects_are_made_and_freed_without_the_run_time) {
    struct Counted {
        int *count = nullptr;
        ~Counted() {
            if (count != nullptr) ++*count;
        }
    };
    int n_freed = 0;
    auto *made = create<Counted>();
    CHECK(made->count == nullptr);
    made->count = &n_freed;
    destroy(made);
    CHECK_EQUAL(n_freed, 1);
    destroy<Counted>(nullptr);
}

TEST(flags_and_deadlines) {
    i32 flag = 0;
    CHECK(!Stop{}.is_set());
    CHECK(!Stop{&flag}.is_set());
    flag = 1;
    CHECK(Stop{&flag}.is_set());
    CHECK(!Deadline{}.has_come());
    CHECK(!Deadline::after(INF).has_come());
    CHECK(!Deadline::after(1e6).has_come());
    CHECK(Deadline::after(0.0).has_come());
    CHECK(Deadline::after(-1.0).has_come());
    const double first = now_in_seconds();
    CHECK_AT_MOST(first, now_in_seconds());
}

TEST(the_library_tells_what_it_is) {
    CHECK_EQUAL(gq_abi_version(), GQ_ABI_VERSION);
    CHECK(std::strlen(gq_source_hash()) > 0);
    CHECK(std::strcmp(gq_cpu_level(), "baseline") == 0 || std::strcmp(gq_cpu_level(), "x86-64-v3") == 0);
    CHECK(std::strlen(gq_compiler()) > 3);
    CHECK_EQUAL(gq_struct_size("gq_graphs"), static_cast<i64>(sizeof(gq_graphs)));
    CHECK_EQUAL(gq_struct_size("gq_counters"), 32);
    CHECK_EQUAL(gq_struct_size("gq_nothing"), 0);
    CHECK(gq_cpu_supports_v3() == 0 || gq_cpu_supports_v3() == 1);
}

TEST(exponentials_have_ten_digits) {
    for (double x = -699.0; x < 699.0; x += 0.37) {
        const double expected = std::exp(x);
        CHECK_NEAR(bounded_exponential(x) / expected, 1.0, 1e-9);
    }
    CHECK_EQUAL(bounded_exponential(0.0), 1.0);
    CHECK_EQUAL(bounded_exponential(-INF), bounded_exponential(-700.0));
    CHECK_EQUAL(bounded_exponential(INF), bounded_exponential(700.0));
    CHECK_EQUAL(bounded_exponential(std::numeric_limits<double>::quiet_NaN()), bounded_exponential(-INF));
    CHECK_NEAR(bounded_exponential(1000.0) / std::exp(700.0), 1.0, 1e-9);
}

TEST(normalised_matrices_have_sums_of_one) {
    Random random{3};
    for (const i64 ny : {1, 7, 8, 9, 20, 33, 40, 41, 60}) {
        for (const i64 nx : {1, 5, 12}) {
            const i64 side = whole_blocks(most<i64>(nx, ny));
            std::vector<double> values(nx * side, 1e-300), u(nx, 1.0), v(side, 1.0), column(side);
            const Matrix<double> E{values.data(), side};
            for (i64 r = 0; r < nx; r++) {
                for (i64 p = 0; p < ny; p++) E[r][p] = random.real();
            }
            normalise(E, nx, ny, 500, 1e-13, u.data(), v.data(), column.data());
            // A slack entry of u belongs to each row, one of v to each column.
            for (i64 r = 0; r < nx; r++) {
                double total = u[r];
                for (i64 p = 0; p < ny; p++) total += u[r] * E[r][p] * v[p];
                CHECK_NEAR(total, 1.0, 1e-9);
            }
            for (i64 p = 0; p < ny; p++) {
                double total = v[p];
                for (i64 r = 0; r < nx; r++) total += u[r] * E[r][p] * v[p];
                CHECK_NEAR(total, 1.0, 1e-9);
            }
        }
    }
}
