// Whether two graphs are the same up to the order of their nodes, decided by colours.
//
// Colour refinement: nodes of one colour differ once their neighbours do. Where colours stop at classes of several
// nodes, one node of X and one of Y get a new colour of their own, and refinement goes on from there. Choices are not
// taken back: that suffices wherever the nodes of a class are images of each other, as in molecules. Colours are hashes,
// so the mapping that is found is verified, and nothing follows where none is found.
#pragma once

#include "graphs/gains.hpp"
#include "matching/scratch.hpp"

namespace gq {

using u64 = std::uint64_t;

// Refinements of one pair, for each of its nodes.
inline constexpr i64 REFINEMENTS_PER_NODE = 4;

inline u64 mixed(u64 value) {
    value ^= value >> 30U;
    value *= 0xbf58476d1ce4e5b9u;
    value ^= value >> 27U;
    value *= 0x94d049bb133111ebu;
    return value ^ (value >> 31U);
}

inline u64 hash_of_vector(const double *vector, i64 n, u64 seed) {
    u64 hash = mixed(seed + 0x9e3779b97f4a7c15u);
    for (i64 c = 0; c < n; c++) {
        // Both zeros are one number.
        const double value = vector[c] + 0.0;
        u64 bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        hash = mixed(hash ^ (bits + 0x9e3779b97f4a7c15u * static_cast<u64>(c + 1)));
    }
    return hash;
}

inline void sort_colours(u64 *colour, i64 n) {
    i64 gap = 1;
    while (gap < n / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (i64 i = gap; i < n; i++) {
            const u64 value = colour[i];
            i64 at = i;
            for (; at >= gap && colour[at - gap] > value; at -= gap) colour[at] = colour[at - gap];
            colour[at] = value;
        }
    }
}

inline void set_first_colours(const GraphView &x, Colours &of) {
    for (i64 r = 0; r < x.order; r++) {
        of.colour[r] = hash_of_vector(x.node(r), x.node_channels, static_cast<u64>(x.group[r]) + 1);
    }
    for (i64 k = 0; k < x.n_slots(); k++) of.edge[k] = hash_of_vector(x.edge(x.first_slot() + k), x.edge_channels, 0);
}

// INOUT of.colour: one step of refinement; OUT of.sorted. Returns the number of colours.
inline i64 refine_once(const GraphView &x, Colours &of) {
    const i64 first = x.first_slot();
    for (i64 r = 0; r < x.order; r++) {
        u64 around = 0;
        for (i64 k = x.adj_ptr[r]; k < x.adj_ptr[r + 1]; k++) {
            around += mixed(of.edge[k - first] ^ mixed(of.colour[x.adj_idx[k]]));
        }
        of.sorted[r] = mixed(of.colour[r] + 0x9e3779b97f4a7c15u) ^ mixed(around);
    }
    for (i64 r = 0; r < x.order; r++) of.colour[r] = of.sorted[r];
    sort_colours(of.sorted, x.order);
    i64 count = 1;
    for (i64 r = 1; r < x.order; r++) count += of.sorted[r] != of.sorted[r - 1] ? 1 : 0;
    return count;
}

// Refine both colourings until no more colours appear; OUT the number of colours. Whether they still agree.
inline bool refine_both(const GraphView &x, const GraphView &y, i64 &n_colours, Colours &of_x, Colours &of_y) {
    while (true) {
        const i64 count = refine_once(x, of_x);
        if (refine_once(y, of_y) != count) return false;
        for (i64 r = 0; r < x.order; r++) {
            if (of_x.sorted[r] != of_y.sorted[r]) return false;
        }
        if (count <= n_colours) return true;
        n_colours = count;
        if (count == x.order) return true;
    }
}

// A node of X of the smallest class with several nodes.
inline i64 node_to_single_out(const GraphView &x, const Colours &of) {
    i64 smallest = x.order + 1;
    u64 chosen = 0;
    for (i64 i = 0; i < x.order;) {
        i64 end = i + 1;
        while (end < x.order && of.sorted[end] == of.sorted[i]) end++;
        if (end - i > 1 && end - i < smallest) {
            smallest = end - i;
            chosen = of.sorted[i];
        }
        i = end;
    }
    i64 r = 0;
    while (of.colour[r] != chosen) r++;
    return r;
}

// OUT mapping: nodes of x to those of y of the same colour. Whether it is an isomorphism.
inline bool read_isomorphism(const GraphView &x, const GraphView &y, const Colours &of_x, const Colours &of_y, i64 *mapping,
                             PairScratch &pair) {
    const i64 n = x.order;
    for (i64 r = 0; r < n; r++) {
        mapping[r] = -1;
        for (i64 p = 0; p < n; p++) {
            if (of_y.colour[p] == of_x.colour[r]) mapping[r] = p;
        }
        if (mapping[r] < 0 || x.group[r] != y.group[mapping[r]]) return false;
    }
    for (i64 p = 0; p < n; p++) pair.owner[p] = -1;
    for (i64 r = 0; r < n; r++) {
        if (pair.owner[mapping[r]] >= 0) return false;
        pair.owner[mapping[r]] = r;
    }
    return sq_distance_under(x, y, mapping, pair.slot_of, pair.covered) == 0.0;
}

// Look for an isomorphism of two graphs; OUT mapping (x.order,). Whether there is one for certain.
inline bool find_isomorphism(const GraphView &x, const GraphView &y, i64 *mapping, PairScratch &pair,
                             IsomorphismScratch &work) {
    const i64 n = x.order;
    const double scale = x.sq_norm + y.sq_norm;
    if (n != y.order || x.n_slots() != y.n_slots() || std::fabs(x.sq_norm - y.sq_norm) > 1e-9 * scale) return false;
    Colours &of_x = work.x, &of_y = work.y;
    set_first_colours(x, of_x);
    set_first_colours(y, of_y);
    i64 n_colours = 0;
    if (!refine_both(x, y, n_colours, of_x, of_y)) return false;
    i64 effort = REFINEMENTS_PER_NODE * n;
    while (n_colours < n) {
        const i64 r = node_to_single_out(x, of_x);
        const u64 shared = of_x.colour[r], own = mixed(shared + static_cast<u64>(n_colours));
        for (i64 s = 0; s < n; s++) {
            of_x.kept[s] = of_x.colour[s];
            of_y.kept[s] = of_y.colour[s];
        }
        bool is_settled = false;
        for (i64 p = 0; p < n && !is_settled; p++) {
            if (of_y.kept[p] != shared) continue;
            if (effort-- == 0) return false;
            for (i64 s = 0; s < n; s++) {
                of_x.colour[s] = of_x.kept[s];
                of_y.colour[s] = of_y.kept[s];
            }
            of_x.colour[r] = of_y.colour[p] = own;
            i64 count = n_colours;
            is_settled = refine_both(x, y, count, of_x, of_y);
            if (is_settled) n_colours = most(count, n_colours + 1);
        }
        if (!is_settled) return false;
    }
    return read_isomorphism(x, y, of_x, of_y, mapping, pair);
}

}  // namespace gq
