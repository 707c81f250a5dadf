// Working memory of one thread for matching a pair: allocated once, as large as the largest pair so far.
#pragma once

#include "assignment/assign.hpp"
#include "graphs/gains.hpp"
#include "graphs/space.hpp"
#include "matching/faint_edges.hpp"
#include "matching/local_search.hpp"
#include "matching/sparse_scratch.hpp"

namespace gq {

// Search tables grow with the cube of the order; pairs with a larger graph than this are matched approximately.
inline constexpr i64 MAX_SEARCH_ORDER = 64;

// Room for a graph on some of its positions, see lean.hpp.
struct LeanGraph {
    FilteredGraph edges;
    i64 *position;      // (n,)  those that are kept
    i64 *place;         // (n,)  the place of each position among them, -1: left out
    double *most_gain;  // (n,)  of any node on each position, at most

    void allocate(Arena &arena, i64 order, i64 slots, i64 channels) {
        edges.allocate(arena, order, slots, channels);
        position = arena.take<i64>(order);
        place = arena.take<i64>(order);
        most_gain = arena.take<double>(order);
    }
};

// One pair: rows are the nodes of X, columns the positions of Y and then zero nodes.
//
// Matrices are square, as large as the larger graph, so that they can be stored transposed; their rows have room
// for whole blocks of lanes.
struct PairScratch {
    i32 *group_of;             // (width,)  class of each position
    Matrix<double> gain;       // (nx, ny)  node gains
    Matrix<double> star;       // (nx, ny)  star gains
    Matrix<double> cost;       // (nx, width)  matrix of an assignment problem
    Matrix<double> support;    // (nx, ny)  edge support of a doubly stochastic matrix
    Matrix<double> trial_support;
    Matrix<double> best_support;
    i64 *trial;                // (nx,)  a mapping
    i64 *candidate;            // (nx,)  a mapping
    i64 *best;                 // (nx,)  the best mapping
    i64 *owner;                // (width,)  node on each position
    i64 *slot_of;              // (ny,)
    i64 *covered;              // (ny,)
    i64 *locked, *queue, *origin;  // (nx,)  a chain of exchanges
    i64 *next_of;              // (n_classes,)
    i64 *channels;             // (edge_channels,)
    FilteredGraph filtered_x, filtered_y;
    LeanGraph lean;
    ExchangeScratch exchange;
    Lap lap;

    void allocate(Arena &arena, i64 size, i64 slots, i64 n_channels, i64 n_classes) {
        size = most<i64>(size, 1);
        const i64 side = whole_blocks(size), width = most(2 * size + 1, side);
        group_of = arena.take<i32>(width);
        gain = arena.take_matrix<double>(side, side);
        star = arena.take_matrix<double>(side, side);
        cost = arena.take_matrix<double>(size, width);
        support = arena.take_matrix<double>(side, side);
        trial_support = arena.take_matrix<double>(side, side);
        best_support = arena.take_matrix<double>(side, side);
        trial = arena.take<i64>(size);
        candidate = arena.take<i64>(size);
        best = arena.take<i64>(size);
        owner = arena.take<i64>(width);
        slot_of = arena.take<i64>(size);
        covered = arena.take<i64>(size);
        locked = arena.take<i64>(size);
        queue = arena.take<i64>(size + 2);
        origin = arena.take<i64>(size + 2);
        next_of = arena.take<i64>(n_classes);
        channels = arena.take<i64>(n_channels);
        filtered_x.allocate(arena, size, slots, n_channels);
        filtered_y.allocate(arena, size, slots, n_channels);
        lean.allocate(arena, size, slots, n_channels);
        exchange.allocate(arena, size);
        lap.allocate(arena, width);
    }
};

// The reparametrised problem of the exact solver, see dual.hpp.
struct DualScratch {
    Matrix<double> linear;  // (nx, labels)  cost of node r on label a
    double *pair;           // (edges, labels, labels)  cost of the edge (r, s) on labels (a, b)
    double *unused;         // (nx, ny, labels)  unused[r][b][a]: cost of r on a while no neighbour of r is on b
    i64 *edge_of;           // (slots,)  edge of each adjacency slot of X
    Matrix<double> star_cost;  // (nx, labels)  matrix of a star's assignment problem
    double *base;           // (nx,)
    bool *is_done;          // (nx,)
    i64 labels_room, columns_room;

    void allocate(Arena &arena, i64 size, i64 slots) {
        size = most<i64>(size, 1);
        slots = most<i64>(slots, 2);
        labels_room = size + 1;
        columns_room = size;
        linear = arena.take_matrix<double>(size, labels_room);
        pair = arena.take<double>(slots / 2 * labels_room * labels_room);
        unused = arena.take<double>(size * labels_room * columns_room);
        edge_of = arena.take<i64>(slots);
        star_cost = arena.take_matrix<double>(size, labels_room);
        base = arena.take<double>(size);
        is_done = arena.take<bool>(size);
    }

    Matrix<double> pair_table(i64 edge) const { return {pair + edge * labels_room * labels_room, labels_room}; }
    // unused[r]
    Matrix<double> unused_by(i64 r) const { return {unused + r * columns_room * labels_room, labels_room}; }
};

// The depth-first search, see search.hpp.
struct SearchScratch {
    double *linear;             // (nx + 1, nx, labels)  costs at each level; rows have room for whole blocks of lanes
    Matrix<double> child_cost;  // (nx, labels)  cost of each child of a level above its bound
    Matrix<i64> children;       // (nx, labels)  children of each level, cheapest first
    i64 *n_children;            // (nx,)
    i64 *next_child;            // (nx,)
    i64 *row_at;                // (nx,)  node that each level decides
    double *bound;              // (nx + 1,)  lower bound at each level
    double *fixed;              // (nx + 1,)  cost of what is decided at each level
    i64 *label;                 // (nx,)  label of each decided node, else -1
    i64 *column;                // (nx,)  position of each decided node
    bool *is_free;              // (width,)
    i64 *rows;                  // (nx,)
    i64 *columns;               // (width,)
    i64 *row_twin;              // (nx,)  first node with the same attributes and neighbours
    i64 *column_twin;           // (ny,)
    i64 rows_room, labels_room;
    i64 level;                  // -1: the search is complete
    i64 n_nodes;                // search nodes so far
    double best_cost, second_cost;

    void allocate(Arena &arena, i64 size) {
        size = most<i64>(size, 1);
        rows_room = size;
        labels_room = whole_blocks(size + 1);
        linear = arena.take<double>((size + 1) * size * labels_room);
        child_cost = arena.take_matrix<double>(size, labels_room);
        children = arena.take_matrix<i64>(size, labels_room);
        n_children = arena.take<i64>(size);
        next_child = arena.take<i64>(size);
        row_at = arena.take<i64>(size);
        bound = arena.take<double>(size + 1);
        fixed = arena.take<double>(size + 1);
        label = arena.take<i64>(size);
        column = arena.take<i64>(size);
        is_free = arena.take<bool>(2 * size + 1);
        rows = arena.take<i64>(size);
        columns = arena.take<i64>(2 * size + 1);
        row_twin = arena.take<i64>(size);
        column_twin = arena.take<i64>(size);
    }

    Matrix<double> linear_at(i64 depth) const { return {linear + depth * rows_room * labels_room, labels_room}; }
};

// Colours of the nodes and edges of one graph, see isomorphism.hpp.
struct Colours {
    std::uint64_t *colour;  // (n,)
    std::uint64_t *kept;    // (n,)
    std::uint64_t *sorted;  // (n,)
    std::uint64_t *edge;    // (slots,)

    void allocate(Arena &arena, i64 size, i64 slots) {
        colour = arena.take<std::uint64_t>(size);
        kept = arena.take<std::uint64_t>(size);
        sorted = arena.take<std::uint64_t>(size);
        edge = arena.take<std::uint64_t>(slots);
    }
};

// Symmetries of one graph, see symmetry.hpp.
inline constexpr i64 MAX_SYMMETRIES = 32;

struct Symmetries {
    Matrix<i16> image;  // (MAX_SYMMETRIES, n)  where each one moves a node
    i64 count;
};

struct IsomorphismScratch {
    Colours x, y;
    Symmetries of_x, of_y;
    bool *is_image_x, *is_image_y;  // (n,)
    i64 *fixed, *queue;             // (n,)

    void allocate(Arena &arena, i64 size, i64 slots) {
        x.allocate(arena, size, slots);
        y.allocate(arena, size, slots);
        of_x.image = arena.take_matrix<i16>(MAX_SYMMETRIES, size);
        of_y.image = arena.take_matrix<i16>(MAX_SYMMETRIES, size);
        is_image_x = arena.take<bool>(size);
        is_image_y = arena.take<bool>(size);
        fixed = arena.take<i64>(size);
        queue = arena.take<i64>(size);
    }
};

// Tables of a dense pair, see tabu.hpp.
struct TabuScratch {
    double *x;               // (channels, nx, nx)
    double *y;               // (channels, labels, labels)
    Matrix<double> support;  // (nx, labels)
    Matrix<i64> until;       // (nx, width)  step until which a node may not return to a position

    void allocate(Arena &arena, i64 size, i64 channels) {
        x = arena.take<double>(channels * size * size);
        y = arena.take<double>(channels * (size + 1) * (size + 1));
        support = arena.take_matrix<double>(size, whole_blocks(size + 1));
        until = arena.take_matrix<i64>(size, 2 * size + 1);
    }
};

struct Scratch {
    Arena arena;
    PairScratch pair;
    DualScratch dual;
    SearchScratch search;
    SparseScratch sparse;
    IsomorphismScratch isomorphism;
    TabuScratch tabu;
    i64 size = -1, slots = -1, channels = -1, n_classes = -1;
    bool has_search = false;

    // Make room for pairs of graphs with up to this many nodes and adjacency slots; false if memory runs out.
    bool reserve(i64 wanted_size, i64 wanted_slots, i64 wanted_channels, i64 wanted_classes, bool wants_search) {
        if (wanted_size <= size && wanted_slots <= slots && wanted_channels <= channels && wanted_classes <= n_classes &&
            (has_search || !wants_search)) {
            return true;
        }
        size = most(size, wanted_size);
        slots = most(slots, wanted_slots);
        channels = most(channels, wanted_channels);
        n_classes = most(n_classes, wanted_classes);
        has_search = has_search || wants_search;
        arena.clear();
        pair.allocate(arena, size, slots, channels, n_classes);
        if (has_search) {
            const i64 search_size = least(size, MAX_SEARCH_ORDER);
            dual.allocate(arena, search_size, least(slots, search_size * (search_size - 1)));
            search.allocate(arena, search_size);
            isomorphism.allocate(arena, size, slots);
            tabu.allocate(arena, most<i64>(search_size, 1), channels);
        }
        if (arena.is_exhausted()) {
            arena.clear();
            size = slots = channels = n_classes = -1;
            has_search = false;
            return false;
        }
        return true;
    }
};

// Cost (minus gain) of a mapping, and a lower bound for all mappings.
struct Solution {
    double cost, bound;
};

// Whether a pair is small enough for the tables of the search.
inline bool fits_tables(const GraphView &x, const GraphView &y) {
    return x.order <= MAX_SEARCH_ORDER && y.order <= MAX_SEARCH_ORDER;
}

}  // namespace gq
