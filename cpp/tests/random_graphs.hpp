// Random graphs of every kind that the core promises to handle, from a seed: the same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graphquant.h"
#include "support/basics.hpp"

namespace gq::test {

// SplitMix64 (Steele and others, 2014).
struct Random {
    std::uint64_t state;

    std::uint64_t next() {
        state += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }
    i64 below(i64 n) { return static_cast<i64>(next() % static_cast<std::uint64_t>(n)); }
    i64 between(i64 lowest, i64 highest) { return lowest + below(highest - lowest + 1); }
    double real() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
    bool chance(double share) { return real() < share; }
};

struct Kind {
    const char *name;
    bool is_directed = false, is_signed = true;
    i64 p = 2, q = 1;
    i64 n_classes = 0;  // 0: nodes have no classes
    bool has_ties = false;  // small whole numbers: many equally good mappings
    double density = 0.5;
};

inline const std::vector<Kind> &kinds() {
    static const std::vector<Kind> all{
        {.name = "undirected"},
        {.name = "sparse", .density = 0.2},
        {.name = "complete", .p = 1, .density = 1.0},
        {.name = "edgeless", .density = 0.0},
        {.name = "non-negative", .is_signed = false},
        {.name = "non-negative vectors", .is_signed = false, .q = 2, .density = 0.8},
        {.name = "vector edges", .p = 1, .q = 3},
        {.name = "directed", .is_directed = true},
        {.name = "directed vectors", .is_directed = true, .q = 2, .density = 0.4},
        {.name = "directed non-negative", .is_directed = true, .is_signed = false},
        {.name = "ties", .p = 1, .has_ties = true},
        {.name = "ties non-negative", .is_signed = false, .p = 1, .has_ties = true},
        {.name = "ties directed", .is_directed = true, .p = 1, .has_ties = true},
        {.name = "classes", .n_classes = 2},
        {.name = "classes non-negative", .is_signed = false, .n_classes = 3},
        {.name = "classes directed", .is_directed = true, .q = 2, .n_classes = 2},
        {.name = "classes ties", .p = 1, .n_classes = 2, .has_ties = true, .density = 0.6},
        {.name = "no node attributes", .p = 0},
    };
    return all;
}

// A packed collection that owns its arrays.
struct Collection {
    Kind kind;
    std::vector<i64> node_ptr{0}, edge_ptr{0};
    std::vector<double> node_attr, edge_attr;
    std::vector<i32> group, edges;

    i64 size() const { return static_cast<i64>(node_ptr.size()) - 1; }
    i64 order(i64 i) const { return node_ptr[i + 1] - node_ptr[i]; }
    i64 max_order() const {
        i64 largest = 0;
        for (i64 i = 0; i < size(); i++) largest = most(largest, order(i));
        return largest;
    }
    i32 class_of(i64 i, i64 r) const { return kind.n_classes > 0 ? group[node_ptr[i] + r] : 0; }

    gq_collection raw() const {
        return {size(),
                kind.p,
                kind.q,
                kind.is_directed ? 1 : 0,
                node_ptr.data(),
                node_attr.data(),
                kind.n_classes > 0 ? group.data() : nullptr,
                edge_ptr.data(),
                edges.data(),
                edge_attr.data()};
    }

    double value(Random &random) const {
        if (kind.has_ties) return static_cast<double>(random.between(kind.is_signed ? -1 : 0, 1));
        return kind.is_signed ? 2.0 * random.real() - 1.0 : random.real();
    }

    void add(Random &random, i64 order) {
        for (i64 r = 0; r < order; r++) {
            for (i64 c = 0; c < kind.p; c++) node_attr.push_back(value(random));
            group.push_back(kind.n_classes > 0 ? static_cast<i32>(random.below(kind.n_classes)) : 0);
        }
        for (i32 a = 0; a < order; a++) {
            for (i32 b = kind.is_directed ? 0 : a + 1; b < order; b++) {
                if (a == b || !random.chance(kind.density)) continue;
                // An undirected edge may be given from either end.
                const bool is_turned = !kind.is_directed && random.chance(0.5);
                edges.push_back(is_turned ? b : a);
                edges.push_back(is_turned ? a : b);
                for (i64 c = 0; c < kind.q; c++) edge_attr.push_back(value(random));
            }
        }
        node_ptr.push_back(node_ptr.back() + order);
        edge_ptr.push_back(static_cast<i64>(edges.size()) / 2);
    }

    // The same graph with its nodes in another order.
    void add_relabelled(Random &random, i64 i) {
        const i64 n = order(i), x0 = node_ptr[i];
        std::vector<i64> from;
        for (i64 r = 0; r < n; r++) from.push_back(r);
        for (i64 r = n - 1; r > 0; r--) std::swap(from[r], from[random.below(r + 1)]);
        std::vector<i32> at(n);
        for (i64 r = 0; r < n; r++) at[from[r]] = static_cast<i32>(r);
        for (i64 r = 0; r < n; r++) {
            for (i64 c = 0; c < kind.p; c++) node_attr.push_back(node_attr[(x0 + from[r]) * kind.p + c]);
            group.push_back(group[x0 + from[r]]);
        }
        for (i64 e = edge_ptr[i]; e < edge_ptr[i + 1]; e++) {
            edges.push_back(at[edges[2 * e]]);
            edges.push_back(at[edges[2 * e + 1]]);
            for (i64 c = 0; c < kind.q; c++) edge_attr.push_back(edge_attr[e * kind.q + c]);
        }
        node_ptr.push_back(node_ptr.back() + n);
        edge_ptr.push_back(static_cast<i64>(edges.size()) / 2);
    }
};

inline Collection random_collection(Random &random, const Kind &kind, i64 size, i64 min_order, i64 max_order) {
    Collection made;
    made.kind = kind;
    for (i64 i = 0; i < size; i++) made.add(random, random.between(min_order, max_order));
    return made;
}

// Positions of each class: what the largest graph needs, and some more.
inline std::vector<i64> capacity_of(const Collection &graphs, i64 room) {
    std::vector<i64> capacity(most<i64>(graphs.kind.n_classes, 1), 0);
    for (i64 i = 0; i < graphs.size(); i++) {
        std::vector<i64> count(capacity.size(), 0);
        for (i64 r = 0; r < graphs.order(i); r++) count[graphs.class_of(i, r)]++;
        for (std::size_t g = 0; g < count.size(); g++) capacity[g] = most(capacity[g], count[g]);
    }
    for (i64 &positions : capacity) positions += room;
    return capacity;
}

// Graphs with sorted adjacency, by gq_prepare.
struct Prepared {
    std::vector<i64> adj_ptr;
    std::vector<i32> adj_idx;
    std::vector<double> adj_vec, adj_sorted, sq_norm;
    std::vector<std::uint8_t> is_nonneg;
    std::vector<i32> group;
    gq_graphs graphs{};
    i32 status;

    explicit Prepared(const Collection &from) {
        const gq_collection X = from.raw();
        const auto n_slots = static_cast<std::size_t>(2 * X.edge_ptr[X.n_graphs]);
        const i64 channels = X.edge_channels * (X.is_directed != 0 ? 2 : 1);
        adj_ptr.resize(X.node_ptr[X.n_graphs] + 1);
        adj_idx.resize(n_slots);
        adj_vec.resize(n_slots * channels);
        adj_sorted.resize(n_slots * channels);
        sq_norm.resize(X.n_graphs);
        is_nonneg.resize(X.n_graphs);
        group = from.group;
        const gq_adjacency out{adj_ptr.data(),    adj_idx.data(), adj_vec.data(),
                               adj_sorted.data(), sq_norm.data(), is_nonneg.data()};
        status = gq_prepare(&X, &out);
        graphs = {X.n_graphs,      X.node_channels, channels,          X.is_directed != 0 ? 1.0 : 2.0,
                  X.node_ptr,      X.node_attr,     group.data(),      adj_ptr.data(),
                  adj_idx.data(),  adj_vec.data(),  adj_sorted.data(), sq_norm.data(),
                  is_nonneg.data()};
    }
};

}  // namespace gq::test
