// What the sparse dual and its search work in; it grows as pairs ask for it.
#pragma once

#include "matching/star_matching.hpp"

namespace gq {

// Room for the states of a search: half a gigabyte, which only pairs of hundreds of nodes could fill.
inline constexpr i64 MAX_STATE_DOUBLES = 67'108'864;

// The problem at one search node. All but the last fields lies in one block, so that a child begins as one copy.
struct SparseState {
    Matrix<double> share;  // (dx, dy)  share of the star at this end in the gain of a pair of edges
    Matrix<double> apart;  // (dx, labels)  what a star counts for an edge that lies on none
    Matrix<double> cost;   // (nx, labels)  minus the gain of each star; inf: forbidden
    double *price;         // (labels,)  of the latest assignment
    Matrix<i16> allowed;   // (nx, labels)  labels that are not forbidden, ascending
    i32 *n_allowed;        // (nx,)
    i32 *position;         // (nx,)  of nodes that were placed, else -1
    bool *is_taken;        // (width,)
    double fixed;          // cost of what is placed
    double bound;
    double value;          // of the latest assignment, which slack is measured from
    // The decision that the child below comes from, and a bound of everything but this child.
    i64 row, column;
    double rest_bound;
};

// An edge of a node whose other end is open.
struct OpenEdge {
    i64 slot, reverse, end;
    double share;       // of what both ends could spare that this end takes
    double lowest;      // least `apart` of the other end
    i64 lowest_at;
    double level;       // `apart` at the current label
};

struct SparseScratch {
    Arena arena;         // tables of the pair
    Arena state_arena;   // states of the search
    i64 room_nx = -1, room_width = -1, room_dx = -1, room_dy = -1, room_degree = -1;
    // The shape of the current pair.
    i64 nx, labels, dx, dy, width;
    Matrix<double> gain;           // (dx, dy)  gain of a pair of edges
    Matrix<i32> slot_of;           // (labels, labels)  slot of an edge of Y; -1: none
    i32 *reverse_x, *reverse_y;    // the slot of the same edge at its other end
    i32 *end_y;                    // the other end of each slot
    i64 *first_y;                  // (labels + 1,)  slots of each label: none for zero nodes
    bool *is_done;                 // (nx,)  visited in this pass
    i64 *order;                    // (nx,)  in which a pass visits nodes
    OpenEdge *edges;               // (degree,)
    StarScratch star;
    // The assignment problem of the open nodes.
    i64 *rows, *columns, *column_of, *index_of;
    i64 n_rows, n_columns;
    Matrix<double> way;            // (n_rows + 1, n_rows + 1)  least slack of moving on from one column to another
    double *potential;
    double *regret, *mean_cost;    // (n_rows,)  of the labels of a node that the assignment did not choose
    // States by depth; block[d] is null until a search has been there.
    double **block;
    SparseState *state;
    i64 block_size = 0, n_blocks = 0;

    static i64 doubles_for(i64 count, std::size_t size) { return (count * static_cast<i64>(size) + 7) / 8; }

    i64 state_doubles() const {
        return dx * dy + dx * labels + nx * labels + labels + doubles_for(nx * labels, sizeof(i16)) +
               2 * doubles_for(nx, sizeof(i32)) + doubles_for(width, 1);
    }

    // Make room for the tables of a pair; false if memory runs out.
    bool reserve(i64 wanted_nx, i64 wanted_width, i64 wanted_dx, i64 wanted_dy, i64 wanted_degree) {
        width = wanted_width;
        if (wanted_nx <= room_nx && wanted_width <= room_width && wanted_dx <= room_dx && wanted_dy <= room_dy &&
            wanted_degree <= room_degree) {
            return true;
        }
        room_nx = most(room_nx, wanted_nx);
        room_width = most(room_width, wanted_width);
        room_dx = most(room_dx, wanted_dx);
        room_dy = most(room_dy, wanted_dy);
        room_degree = most(room_degree, wanted_degree);
        arena.clear();
        const i64 side = room_width + 1;
        gain.data = arena.take<double>(room_dx * room_dy);
        slot_of.data = arena.take<i32>(side * side);
        reverse_x = arena.take<i32>(room_dx);
        reverse_y = arena.take<i32>(room_dy);
        end_y = arena.take<i32>(room_dy);
        first_y = arena.take<i64>(side + 1);
        is_done = arena.take<bool>(room_nx);
        order = arena.take<i64>(room_nx);
        edges = arena.take<OpenEdge>(room_degree);
        star.allocate(arena, room_degree, room_degree);
        rows = arena.take<i64>(room_nx);
        columns = arena.take<i64>(room_width);
        column_of = arena.take<i64>(room_nx);
        index_of = arena.take<i64>(room_width);
        way = arena.take_matrix<double>(room_nx + 1, whole_blocks(room_nx + 1));
        potential = arena.take<double>(room_nx + 1);
        regret = arena.take<double>(room_nx);
        mean_cost = arena.take<double>(room_nx);
        if (n_blocks < room_nx + 2) forget_states(room_nx + 2, 0);
        if (!arena.is_exhausted() && !state_arena.is_exhausted()) return true;
        arena.clear();
        room_nx = room_width = room_dx = room_dy = room_degree = -1;
        forget_states(0, 0);
        return false;
    }

    void forget_states(i64 depths, i64 doubles) {
        state_arena.clear();
        n_blocks = depths;
        block_size = doubles;
        block = state_arena.take<double *>(n_blocks);
        state = state_arena.take<SparseState>(n_blocks);
    }

    void shape(i64 rows_of_pair, i64 labels_of_pair, i64 slots_x, i64 slots_y) {
        nx = rows_of_pair;
        labels = labels_of_pair;
        dx = slots_x;
        dy = slots_y;
        gain.width = dy;
        slot_of.width = labels;
        // States larger than all before are made again as the search gets to them.
        if (state_doubles() > block_size) forget_states(n_blocks, state_doubles());
    }

    // The state of a depth, laid out for this pair; null if there is no memory.
    SparseState *state_at(i64 depth) {
        if (state_arena.is_exhausted() || depth >= n_blocks || (depth + 1) * state_doubles() > MAX_STATE_DOUBLES)
            return nullptr;
        if (block[depth] == nullptr) block[depth] = state_arena.take<double>(block_size);
        double *at = block[depth];
        if (at == nullptr) return nullptr;
        SparseState &of = state[depth];
        const auto take = [&at](i64 doubles) {
            double *begin = at;
            at += doubles;
            return begin;
        };
        of.share = {take(dx * dy), dy};
        of.apart = {take(dx * labels), labels};
        of.cost = {take(nx * labels), labels};
        of.price = take(labels);
        of.allowed = {reinterpret_cast<i16 *>(take(doubles_for(nx * labels, sizeof(i16)))), labels};
        of.n_allowed = reinterpret_cast<i32 *>(take(doubles_for(nx, sizeof(i32))));
        of.position = reinterpret_cast<i32 *>(take(doubles_for(nx, sizeof(i32))));
        of.is_taken = reinterpret_cast<bool *>(take(doubles_for(width, 1)));
        return &of;
    }

    // The state below a depth, as a copy; null if there is no memory.
    SparseState *copy_below(i64 depth) {
        SparseState *child = state_at(depth + 1);
        if (child == nullptr) return nullptr;
        std::memcpy(block[depth + 1], block[depth], static_cast<std::size_t>(state_doubles()) * sizeof(double));
        child->fixed = state[depth].fixed;
        child->bound = child->value = state[depth].bound;
        return child;
    }
};

}  // namespace gq
