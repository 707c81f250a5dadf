// Calls of graphquant.h as tests make them.
#pragma once

#include <memory>

#include "tests/brute_force.hpp"

namespace gq::test {

struct FreeScratch {
    void operator()(gq_scratch *scratch) const { gq_scratch_free(scratch); }
};

struct ScratchHandle : std::unique_ptr<gq_scratch, FreeScratch> {
    ScratchHandle() : unique_ptr(gq_scratch_create()) {}
};

inline gq_space space_of(const std::vector<i64> &capacity) { return {capacity.data(), static_cast<i64>(capacity.size())}; }

// A matcher with the options that the library sets by default.
inline gq_matcher matcher_of(int kind) {
    return {.kind = kind,
            .exact = {INF, INF, 0.05, 20, 8, 64},
            .frank_wolfe = {8, 0},
            .graduated = {0.5, 1.075, 10.0, 0.5, 0.05, 4, 30},
            .callback = {nullptr, nullptr}};
}

struct Matched {
    i32 status = -1;
    double sq_distance = -1.0, sq_lower = -1.0;
    i64 n_nodes = -1;
    std::vector<i64> mapping;
};

// A mapping in the numbers of the core: zero nodes come after the nodes of Y, class by class.
inline std::vector<i64> numbered(const Mapping &mapping, const Collection &graphs, i64 i, i64 j,
                                 const std::vector<i64> &capacity) {
    const auto count = [&graphs](i64 of, std::size_t g) {
        i64 found = 0;
        for (i64 r = 0; r < graphs.order(of); r++) found += graphs.class_of(of, r) == static_cast<i32>(g) ? 1 : 0;
        return found;
    };
    std::vector<i64> next_of(capacity.size());
    i64 position = graphs.order(j);
    for (std::size_t g = 0; g < capacity.size(); g++) {
        next_of[g] = position;
        position += most(capacity[g], most(count(i, g), count(j, g))) - count(j, g);
    }
    std::vector<i64> found = mapping;
    for (std::size_t r = 0; r < found.size(); r++) {
        if (found[r] < 0) found[r] = next_of[graphs.class_of(i, static_cast<i64>(r))]++;
    }
    return found;
}

inline Matched match_one(const gq_graphs &graphs, const std::vector<i64> &capacity, i64 i, i64 j, const gq_matcher &matcher,
                         const Mapping *known, gq_scratch *scratch, const i32 *stop = nullptr) {
    Matched found;
    const i64 width = graphs.node_ptr[i + 1] - graphs.node_ptr[i], ny = graphs.node_ptr[j + 1] - graphs.node_ptr[j];
    found.mapping.assign(width + 1, -1);
    std::vector<i64> proposal(width + 1, 0);
    for (i64 r = 0; known != nullptr && r < width; r++) proposal[r] = (*known)[r] >= 0 ? (*known)[r] : ny;
    const i64 pair[2] = {i, j};
    const gq_match_request request{
        &graphs, space_of(capacity), &matcher, 1, pair, known != nullptr ? proposal.data() : nullptr, width, 0.0, gq::INF,
        stop};
    const gq_match_result result{&found.sq_distance, &found.sq_lower, &found.n_nodes, found.mapping.data()};
    found.status = gq_match_pairs(&request, &result, scratch);
    return found;
}

inline double second_of(const gq_graphs &graphs, i64 i, i64 j, const std::vector<i64> &mapping,
                        const std::vector<i64> &capacity, gq_scratch *scratch) {
    double found = -1.0;
    gq_second_distance(&graphs, i, j, mapping.data(), space_of(capacity), {10, 1000.0}, nullptr, &found, scratch);
    return found;
}

}  // namespace gq::test
