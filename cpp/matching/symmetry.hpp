// Symmetries of one graph: what a search has excluded for a node on a position, it has excluded for their images.
//
// Every mapping better than the best one that extends the decisions of a search node keeps its cost under a symmetry of X
// that leaves the decided nodes where they are, and under one of Y that leaves the decided positions where they are. So
// if none of these mappings has r on p, none has an image of r on an image of p.
//
// Symmetries are found by colour refinement, each with as few moved nodes as possible, and verified. Not all are found:
// any set of them is valid.
#pragma once

#include "matching/isomorphism.hpp"

namespace gq {

// Colours that the search for symmetries of one graph may refine: each refinement takes all nodes several times.
inline constexpr i64 MAX_REFINED = 20'000;

inline bool is_leaf(const GraphView &x, i64 r) { return x.degree(r) == 1; }

// Whether two nodes without edges, or two leaves, differ in nothing but their numbers.
inline bool are_twins(const GraphView &x, i64 r, i64 s) {
    if (x.degree(r) != x.degree(s) || x.group[r] != x.group[s]) return false;
    if (compare_vectors(x.node(r), x.node(s), x.node_channels) != 0) return false;
    const i64 k = x.adj_ptr[r], m = x.adj_ptr[s];
    return x.degree(r) == 0 ||
           (is_leaf(x, r) && x.adj_idx[k] == x.adj_idx[m] && compare_vectors(x.edge(k), x.edge(m), x.edge_channels) == 0);
}

inline i16 *add_symmetry(i64 n, Symmetries &found) {
    if (found.count == MAX_SYMMETRIES) return nullptr;
    i16 *image = found.image[found.count];
    for (i64 r = 0; r < n; r++) image[r] = static_cast<i16>(r);
    return image;
}

// OUT symmetries that exchange a node without edges or a leaf with the next one of its twins; INOUT of.colour: twins get
// colours by rank.
inline void exchange_twins(const GraphView &x, Colours &of, Symmetries &found) {
    for (i64 r = 0; r < x.order; r++) {
        if (x.degree(r) > 1) continue;
        i64 last = -1;
        u64 rank = 0;
        for (i64 s = 0; s < r; s++) {
            if (!are_twins(x, s, r)) continue;
            last = s;
            rank++;
        }
        if (last < 0) continue;
        of.colour[r] = mixed(of.colour[r] + rank);
        i16 *image = add_symmetry(x.order, found);
        if (image == nullptr) continue;
        image[r] = static_cast<i16>(last);
        image[last] = static_cast<i16>(r);
        found.count++;
    }
}

// Complete two agreeing colourings of x to a symmetry, with nodes kept where they are if possible; OUT mapping. Whether
// there is one for certain.
inline bool complete_symmetry(const GraphView &x, i64 n_colours, i64 *mapping, i64 &effort, PairScratch &pair, Colours &from,
                              Colours &to) {
    const i64 n = x.order;
    for (; n_colours < n; effort -= n) {
        if (effort <= 0) return false;
        i64 r = node_to_single_out(x, from), p = r;
        if (to.colour[p] != from.colour[r]) {
            p = 0;
            while (to.colour[p] != from.colour[r]) p++;
        }
        from.colour[r] = to.colour[p] = mixed(from.colour[r] + static_cast<u64>(n_colours));
        i64 count = n_colours;
        if (!refine_both(x, x, count, from, to)) return false;
        n_colours = most(count, n_colours + 1);
    }
    return read_isomorphism(x, x, from, to, mapping, pair);
}

// OUT found: symmetries of x. WORK pair.trial, work.
inline void find_symmetries(const GraphView &x, Symmetries &found, PairScratch &pair, IsomorphismScratch &work) {
    const i64 n = x.order;
    Colours &from = work.x, &to = work.y;
    found.count = 0;
    set_first_colours(x, from);
    exchange_twins(x, from, found);
    for (i64 k = 0; k < x.n_slots(); k++) to.edge[k] = from.edge[k];
    for (i64 r = 0; r < n; r++) to.colour[r] = from.colour[r];
    i64 n_colours = 0;
    if (!refine_both(x, x, n_colours, from, to) || n_colours == n) return;
    for (i64 r = 0; r < n; r++) from.kept[r] = from.colour[r];
    i64 effort = MAX_REFINED;
    for (i64 r = 0; r < n && found.count < MAX_SYMMETRIES && effort > 0; r++) {
        // Leaves follow their neighbours, and nodes without edges are twins.
        if (x.degree(r) <= 1) continue;
        i64 s = r + 1;
        while (s < n && from.kept[s] != from.kept[r]) s++;
        if (s == n) continue;
        for (i64 t = 0; t < n; t++) from.colour[t] = to.colour[t] = from.kept[t];
        from.colour[r] = to.colour[s] = mixed(from.kept[r] + 1);
        i64 count = n_colours;
        effort -= n;
        if (!refine_both(x, x, count, from, to)) continue;
        if (!complete_symmetry(x, most(count, n_colours + 1), pair.trial, effort, pair, from, to)) continue;
        i16 *image = add_symmetry(n, found);
        for (i64 t = 0; t < n; t++) image[t] = static_cast<i16>(pair.trial[t]);
        found.count++;
    }
}

// OUT is_image (n,): of r under symmetries that leave some nodes where they are. WORK queue (n,).
inline void find_images(i64 n, i64 r, const i64 *fixed, i64 n_fixed, const Symmetries &symmetries, bool *is_image, i64 *queue) {
    for (i64 s = 0; s < n; s++) is_image[s] = false;
    bool is_usable[MAX_SYMMETRIES];
    for (i64 g = 0; g < symmetries.count; g++) {
        is_usable[g] = true;
        for (i64 k = 0; k < n_fixed; k++) is_usable[g] = is_usable[g] && symmetries.image[g][fixed[k]] == fixed[k];
    }
    i64 count = 0;
    queue[count++] = r;
    is_image[r] = true;
    for (i64 at = 0; at < count; at++) {
        for (i64 g = 0; g < symmetries.count; g++) {
            const i64 image = symmetries.image[g][queue[at]];
            if (!is_usable[g] || is_image[image]) continue;
            is_image[image] = true;
            queue[count++] = image;
        }
    }
}

}  // namespace gq
