// What the sparse dual and its search work in; it grows as pairs ask for it.
#pragma once

#include "matching/star_matching.hpp"

namespace gq {

// The problem at one search node. All of it lies in one block, so that a child begins as one copy.
struct SparseState {
    Matrix<double> share;  // (dx, dy)  share of the star at this end in the gain of a pair of edges
    Matrix<double> apart;  // (dx, labels)  what a star counts for an edge that lies on none
    Matrix<double> cost;   // (nx, labels)  minus the gain of each star; inf: forbidden
    i32 *position;         // (nx,)  of nodes that were placed, else -1
    bool *is_taken;        // (width,)
    double fixed;          // cost of what is placed
    double bound;
    double value;          // of the latest assignment, which slack is measured from
    // The decision that the child below comes from.
    i64 row, column;
    double rest_bound;     // a bound of everything but this child
};

struct SparseScratch {
    Arena arena;         // tables of the pair
    Arena state_arena;   // states of the search
    i64 room_nx = -1, room_width = -1, room_dx = -1, room_dy = -1, room_degree = -1;
    // The shape of the current pair.
    i64 nx, labels, dx, dy, width;
    Matrix<double> gain;   // (dx, dy)  gain of a pair of edges
    Matrix<std::uint8_t> is_near;  // (labels, labels)  the same or adjacent
    i32 *reverse_x, *reverse_y;    // the slot of the same edge at its other end
    i32 *owner_x, *owner_y;        // node of each slot
    bool *is_done;                 // (nx,)  visited in this pass
    Matrix<double> offer;          // (degree, dy)
    Matrix<double> loose;          // (degree, labels)
    StarScratch star;
    i64 *rows, *columns, *column_of;
    i64 n_rows, n_columns;
    // States by depth; block[d] is null until a search has been there.
    double **block;
    SparseState *state;
    i64 block_size = 0, n_blocks = 0;

    static i64 doubles_for_bytes(i64 bytes) { return (bytes + 7) / 8; }

    i64 state_doubles() const {
        return dx * dy + dx * labels + nx * labels + doubles_for_bytes(nx * static_cast<i64>(sizeof(i32))) +
               doubles_for_bytes(width);
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
        is_near.data = arena.take<std::uint8_t>(side * side);
        reverse_x = arena.take<i32>(room_dx);
        owner_x = arena.take<i32>(room_dx);
        reverse_y = arena.take<i32>(room_dy);
        owner_y = arena.take<i32>(room_dy);
        is_done = arena.take<bool>(room_nx);
        offer.data = arena.take<double>(room_degree * room_dy);
        loose.data = arena.take<double>(room_degree * side);
        star.allocate(arena, room_degree, room_degree);
        rows = arena.take<i64>(room_nx);
        columns = arena.take<i64>(room_width);
        column_of = arena.take<i64>(room_nx);
        if (n_blocks < room_nx + 2) {
            state_arena.clear();
            n_blocks = room_nx + 2;
            block = state_arena.take<double *>(n_blocks);
            state = state_arena.take<SparseState>(n_blocks);
            block_size = 0;
        }
        if (!arena.is_exhausted() && !state_arena.is_exhausted()) return true;
        arena.clear();
        state_arena.clear();
        room_nx = room_width = room_dx = room_dy = room_degree = -1;
        n_blocks = block_size = 0;
        return false;
    }

    void shape(i64 rows_of_pair, i64 labels_of_pair, i64 slots_x, i64 slots_y) {
        nx = rows_of_pair;
        labels = labels_of_pair;
        dx = slots_x;
        dy = slots_y;
        gain.width = dy;
        is_near.width = labels;
        offer.width = dy;
        loose.width = labels;
        if (state_doubles() > block_size) {
            // Larger than all before: states are made again as the search gets to them.
            block_size = state_doubles();
            const i64 count = n_blocks;
            state_arena.clear();
            block = state_arena.take<double *>(count);
            state = state_arena.take<SparseState>(count);
            if (state_arena.is_exhausted()) n_blocks = 0;
        }
    }

    // The state of a depth, laid out for this pair; null if there is no memory.
    SparseState *state_at(i64 depth) {
        if (depth >= n_blocks) return nullptr;
        if (block[depth] == nullptr) block[depth] = state_arena.take<double>(block_size);
        double *at = block[depth];
        if (at == nullptr) return nullptr;
        SparseState &of = state[depth];
        of.share = {at, dy};
        of.apart = {at + dx * dy, labels};
        of.cost = {at + dx * dy + dx * labels, labels};
        double *end = at + dx * dy + dx * labels + nx * labels;
        of.position = reinterpret_cast<i32 *>(end);
        of.is_taken = reinterpret_cast<bool *>(end + doubles_for_bytes(nx * static_cast<i64>(sizeof(i32))));
        return &of;
    }

    // OUT the state below: a copy. Null if there is no memory.
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
