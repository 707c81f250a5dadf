// Distances by definition: dense padded matrices, every mapping tried. Shares no code with the core.
#pragma once

#include <map>

#include "tests/random_graphs.hpp"

namespace gq::test {

// The paper's matrix representation without its zero nodes.
struct Dense {
    i64 order, p, q;
    std::vector<double> nodes;  // (order, p)
    std::vector<double> pairs;  // (order, order, q), an undirected edge in both places
    std::vector<bool> is_edge;  // (order, order)  in either direction
    std::vector<i32> group;

    Dense(i64 n, i64 node_channels, i64 edge_channels)
        : order(n), p(node_channels), q(edge_channels), nodes(n * p), pairs(n * n * q), is_edge(n * n), group(n) {}
    double node(i64 r, i64 c) const { return r < 0 ? 0.0 : nodes[r * p + c]; }
    double pair(i64 r, i64 s, i64 c) const { return r < 0 || s < 0 ? 0.0 : pairs[(r * order + s) * q + c]; }
    double sq_norm() const {
        double total = 0.0;
        for (const double value : nodes) total += value * value;
        for (const double value : pairs) total += value * value;
        return total;
    }
};

inline Dense dense_of(const Collection &graphs, i64 i) {
    const Kind &kind = graphs.kind;
    const i64 n = graphs.order(i), x0 = graphs.node_ptr[i];
    Dense made(n, kind.p, kind.q);
    for (i64 r = 0; r < n; r++) {
        for (i64 c = 0; c < kind.p; c++) made.nodes[r * kind.p + c] = graphs.node_attr[(x0 + r) * kind.p + c];
        made.group[r] = graphs.class_of(i, r);
    }
    for (i64 e = graphs.edge_ptr[i]; e < graphs.edge_ptr[i + 1]; e++) {
        const i64 a = graphs.edges[2 * e], b = graphs.edges[2 * e + 1];
        made.is_edge[a * n + b] = made.is_edge[b * n + a] = true;
        for (i64 c = 0; c < kind.q; c++) {
            made.pairs[(a * n + b) * kind.q + c] = graphs.edge_attr[e * kind.q + c];
            if (!kind.is_directed) made.pairs[(b * n + a) * kind.q + c] = graphs.edge_attr[e * kind.q + c];
        }
    }
    return made;
}

// A mapping of X: position in Y of each node, -1 for a zero node.
using Mapping = std::vector<i64>;

inline double sq_distance_of(const Dense &x, const Dense &y, const Mapping &mapping) {
    // Every node of Y, and then the nodes of X on zero nodes, is a position.
    std::vector<i64> in_x(y.order, -1), in_y(y.order);
    for (i64 p = 0; p < y.order; p++) in_y[p] = p;
    for (i64 r = 0; r < x.order; r++) {
        if (mapping[r] >= 0) {
            in_x[mapping[r]] = r;
        } else {
            in_x.push_back(r);
            in_y.push_back(-1);
        }
    }
    double total = 0.0;
    for (std::size_t a = 0; a < in_x.size(); a++) {
        for (i64 c = 0; c < x.p; c++) {
            const double gap = x.node(in_x[a], c) - y.node(in_y[a], c);
            total += gap * gap;
        }
        for (std::size_t b = 0; b < in_x.size(); b++) {
            for (i64 c = 0; c < x.q; c++) {
                const double gap = x.pair(in_x[a], in_x[b], c) - y.pair(in_y[a], in_y[b], c);
                total += gap * gap;
            }
        }
    }
    return total;
}

// Call visit(mapping) for every mapping of X to Y in the space with these numbers of positions per class.
template <class Visit>
void each_mapping(const Dense &x, const Dense &y, const std::vector<i64> &capacity, const Visit &visit) {
    std::vector<i64> n_zero(capacity.size(), 0);
    for (std::size_t g = 0; g < capacity.size(); g++) {
        i64 in_x = 0, in_y = 0;
        for (const i32 of : x.group) in_x += of == static_cast<i32>(g) ? 1 : 0;
        for (const i32 of : y.group) in_y += of == static_cast<i32>(g) ? 1 : 0;
        n_zero[g] = most(capacity[g], most(in_x, in_y)) - in_y;
    }
    Mapping mapping(x.order, -1);
    std::vector<bool> is_taken(y.order, false);
    const auto place = [&](const auto &self, i64 r) -> void {
        if (r == x.order) {
            visit(mapping);
            return;
        }
        for (i64 p = 0; p < y.order; p++) {
            if (is_taken[p] || y.group[p] != x.group[r]) continue;
            is_taken[p] = true;
            mapping[r] = p;
            self(self, r + 1);
            is_taken[p] = false;
        }
        if (n_zero[x.group[r]] == 0) return;
        n_zero[x.group[r]]--;
        mapping[r] = -1;
        self(self, r + 1);
        n_zero[x.group[r]]++;
    };
    place(place, 0);
}

struct Best {
    double sq_distance = INF;
    Mapping mapping;
};

inline Best best_mapping(const Dense &x, const Dense &y, const std::vector<i64> &capacity) {
    Best best;
    each_mapping(x, y, capacity, [&](const Mapping &mapping) {
        const double found = sq_distance_of(x, y, mapping);
        if (found < best.sq_distance) best = {found, mapping};
    });
    return best;
}

// What a mapping places where: the vectors on each position of Y and between them. Nodes on zero nodes are positions of
// their own, one for each node of X. To the core an edge of zeros is an edge, and a node of zeros a node.
inline std::vector<double> lift_of(const Dense &x, i64 ny, const Mapping &mapping) {
    const i64 n = ny + x.order, node_length = 1 + x.p, pair_length = 1 + x.q;
    std::vector<double> lift(n * node_length + n * n * pair_length, 0.0);
    const auto at = [&](i64 r) { return mapping[r] >= 0 ? mapping[r] : ny + r; };
    for (i64 r = 0; r < x.order; r++) {
        double *node = lift.data() + at(r) * node_length;
        node[0] = 1.0;
        for (i64 c = 0; c < x.p; c++) node[1 + c] = x.node(r, c);
        for (i64 s = 0; s < x.order; s++) {
            double *pair = lift.data() + n * node_length + (at(r) * n + at(s)) * pair_length;
            pair[0] = x.is_edge[r * x.order + s] ? 1.0 : 0.0;
            for (i64 c = 0; c < x.q; c++) pair[1 + c] = x.pair(r, s, c);
        }
    }
    return lift;
}

// The smallest squared distance under a mapping with a lift other than the given one.
inline double second_sq_distance_of(const Dense &x, const Dense &y, const std::vector<i64> &capacity, const Mapping &first) {
    const std::vector<double> lift = lift_of(x, y.order, first);
    double second = INF;
    each_mapping(x, y, capacity, [&](const Mapping &mapping) {
        const double found = sq_distance_of(x, y, mapping);
        if (found < second && lift_of(x, y.order, mapping) != lift) second = found;
    });
    return second;
}

// A mapping as the core numbers it: -1 for positions after the nodes of Y.
inline Mapping without_zero_nodes(const i64 *mapping, i64 order, i64 ny) {
    Mapping found(mapping, mapping + order);
    for (i64 &position : found) position = position < ny ? position : -1;
    return found;
}

// Whether a mapping puts nodes on different positions of their own class inside the space.
inline bool is_in_space(const Dense &x, const Dense &y, const std::vector<i64> &capacity, const i64 *mapping) {
    std::vector<i32> class_of = y.group;
    for (std::size_t g = 0; g < capacity.size(); g++) {
        i64 in_x = 0, in_y = 0;
        for (const i32 of : x.group) in_x += of == static_cast<i32>(g) ? 1 : 0;
        for (const i32 of : y.group) in_y += of == static_cast<i32>(g) ? 1 : 0;
        for (i64 at = in_y; at < most(capacity[g], most(in_x, in_y)); at++) class_of.push_back(static_cast<i32>(g));
    }
    std::map<i64, i64> owner;
    for (i64 r = 0; r < x.order; r++) {
        const i64 p = mapping[r];
        if (p < 0 || p >= static_cast<i64>(class_of.size()) || class_of[p] != x.group[r]) return false;
        if (!owner.emplace(p, r).second) return false;
    }
    return true;
}

}  // namespace gq::test
