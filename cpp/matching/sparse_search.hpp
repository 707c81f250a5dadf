// Branch and bound on the sparse dual.
//
// A search node raises its bound by a few rounds of the dual, forbids labels that no better mapping takes, and offers
// the assignment behind each bound as a mapping. If that does not settle it, it branches in two: the node of X whose
// second choice costs most, and that has open neighbours, is placed where the assignment has it, or that place is
// forbidden to it. A placed node leaves the gains of its edges to its neighbours, so once no open node has an open
// neighbour one assignment is exact: the search is as deep as a vertex cover of X is large, not as X.
#pragma once

#include "matching/attainable.hpp"
#include "matching/frank_wolfe.hpp"
#include "matching/sparse_assignment.hpp"
#include "matching/symmetry.hpp"

namespace gq {

struct SparseLimits {
    double max_nodes;
    Deadline deadline;
};

// What is known of the pair while it is searched.
struct Incumbent {
    double cost;  // of pair.best
    double need;  // only what costs less than this is searched for
    double step;  // the least difference between costs; 0: unknown
    double tolerance;
    double enough;  // a mapping of at most this cost, or a bound of at least this, ends the search; INF: nothing does

    // Whether a mapping was found that costs no more than what is asked for.
    bool is_enough() const { return enough < INF && cost <= enough; }

    // What all mappings reach if those that cost less than `need` were searched for in vain.
    double proven_bound() const { return is_enough() ? -INF : least(cost - 0.5 * tolerance, enough); }

    void set(double new_cost) {
        cost = new_cost;
        // Once there is enough, nothing is searched for.
        need = is_enough() ? -INF : least(next_attainable_below(step, new_cost, tolerance), enough);
    }
};

// A round visits all nodes twice, forth and back, before it solves an assignment problem. Rounds at the root and of a
// search node at most; they go on while each closes this share of the gap.
inline constexpr i64 ROOT_ROUNDS = 20, NODE_ROUNDS = 2;
inline constexpr double ROOT_PATIENCE = 0.02, NODE_PATIENCE = 0.1;
// Rounds at the root if no search is to follow.
inline constexpr double FEWEST_ROUNDS = 8.0;
// How much the mean cost of a node's labels counts beside that of its second choice when a branch is chosen.
inline constexpr double MEAN_SHARE = 0.05;
// Symmetries are looked for once a search has so many nodes.
inline constexpr i64 NODES_BEFORE_SYMMETRIES = 8;
// Every so many rounds at the root, the mapping of the assignment is improved by local search.
inline constexpr i64 ROUNDS_PER_POLISH = 2;

inline void offer_mapping(const SearchPair &at, const i64 *mapping, Incumbent &best, PairScratch &pair) {
    const double cost = -mapping_gain(at.x, at.y, pair.gain, mapping);
    if (cost >= best.cost - at.tolerance) return;
    best.set(cost);
    for (i64 r = 0; r < at.x.order; r++) pair.best[r] = mapping[r];
}

// Improve pair.candidate by local search and offer it.
inline void polish_mapping(const SearchPair &at, Incumbent &best, PairScratch &pair) {
    edge_support(at.x, at.y, pair.candidate, pair.best_support);
    polish({at.x, at.y, at.width, at.tolerance}, mapping_gain(at.x, at.y, pair.gain, pair.candidate), pair);
    offer_mapping(at, pair.candidate, best, pair);
}

// Whether an open node has an open neighbour; if none has, a bound after a pass is exact.
inline bool has_open_edge(const SearchPair &at, const SparseState &state) {
    for (i64 r = 0; r < at.x.order; r++) {
        if (state.position[r] >= 0) continue;
        for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) {
            if (state.position[at.x.adj_idx[k]] < 0) return true;
        }
    }
    return false;
}

struct RoundLimits {
    i64 max_rounds;
    double patience;
    bool is_root;
    bool has_slack;  // whether the state comes with an assignment
};

// Solve the assignment problem of a state, offer its mapping and forbid labels. Whether the state may hold anything
// better than the best mapping.
inline bool bound_state(const SearchPair &at, Incumbent &best, PairScratch &pair, SparseScratch &sparse, SparseState &state) {
    const double value = assign_open(at, pair, sparse, state);
    if (value == INF) return false;
    state.bound = most(state.bound, value);
    if (state.bound >= best.need) return false;
    read_mapping(at, sparse, state, pair.candidate);
    offer_mapping(at, pair.candidate, best, pair);
    if (state.bound >= best.need) return false;
    // The slack belongs to the value of this assignment, which need not be the best bound so far.
    state.value = value;
    find_ways(best.need - value, pair, sparse);
    centre_prices(pair, sparse);
    keep_prices(at, pair, sparse, state);
    forbid_costly(at, best.need, pair, sparse, state);
    return true;
}

// Raise the bound of a state. Whether it may still hold anything better than the best mapping.
inline bool raise_bound(const SearchPair &at, const RoundLimits &limits, const Deadline &deadline, Incumbent &best,
                        PairScratch &pair, SparseScratch &sparse, SparseState &state) {
    for (i64 round = 0; round < limits.max_rounds; round++) {
        if (round > 0 || limits.has_slack) spread_slack(at, pair, sparse, state);
        place_forced(at, pair, sparse, state);
        // The direction in which a round ended is that in which the next one begins.
        const bool is_forward = round % 2 == 0;
        if (!run_pass(at, is_forward, pair, sparse, state) || !run_pass(at, !is_forward, pair, sparse, state)) return false;
        const double before = state.bound;
        if (!bound_state(at, best, pair, sparse, state)) return false;
        if (pair.lap.stop.is_set() || deadline.has_come()) return true;
        if (limits.is_root && round % ROUNDS_PER_POLISH == ROUNDS_PER_POLISH - 1) {
            polish_mapping(at, best, pair);
            if (state.bound >= best.need) return false;
        }
        if (round > 0 && state.bound - before < limits.patience * (best.need - state.bound)) break;
    }
    return true;
}

// Choose what to branch on: the row and column of the assignment. Returns what every other label of that node costs more.
inline double choose_branch(const SearchPair &at, const SparseScratch &sparse, SparseState &state) {
    double most_score = -1.0, regret = 0.0;
    for (i64 row = 0; row < sparse.n_rows; row++) {
        const i64 r = sparse.rows[row];
        i64 n_open = 0;
        for (i64 k = at.x.adj_ptr[r]; k < at.x.adj_ptr[r + 1]; k++) n_open += state.position[at.x.adj_idx[k]] < 0 ? 1 : 0;
        if (n_open == 0) continue;
        const i64 own = sparse.columns[sparse.column_of[row]];
        const double score = (1.0 + static_cast<double>(n_open)) * (sparse.regret[row] + MEAN_SHARE * sparse.mean_cost[row]);
        if (score > most_score) {
            most_score = score;
            regret = sparse.regret[row];
            state.row = r;
            state.column = own;
        }
    }
    return regret;
}

// Forbid what the child of a state has excluded: its node on its position, and all images of these.
inline void forbid_child(const SearchPair &at, i64 depth, bool has_symmetries, const SparseScratch &sparse,
                         IsomorphismScratch &symmetry, SparseState &state) {
    const i64 ny = at.y.order, label = label_of(at, state.column);
    if (!has_symmetries) {
        state.cost[state.row][label] = INF;
        list_allowed(state.row, at.labels, state);
        return;
    }
    for (i64 above = 0; above < depth; above++) symmetry.fixed[above] = sparse.state[above].row;
    find_images(at.x.order, state.row, symmetry.fixed, depth, symmetry.of_x, symmetry.is_image_x, symmetry.queue);
    i64 n_fixed = 0;
    for (i64 above = 0; above < depth; above++) {
        if (sparse.state[above].column < ny) symmetry.fixed[n_fixed++] = sparse.state[above].column;
    }
    if (label < ny) {
        find_images(ny, label, symmetry.fixed, n_fixed, symmetry.of_y, symmetry.is_image_y, symmetry.queue);
    }
    for (i64 r = 0; r < at.x.order; r++) {
        if (!symmetry.is_image_x[r] || state.position[r] >= 0) continue;
        for (i64 p = 0; p < at.labels; p++) {
            if (p == label || (label < ny && p < ny && symmetry.is_image_y[p])) state.cost[r][p] = INF;
        }
        list_allowed(r, at.labels, state);
    }
}

struct SparseResult {
    double bound;
    i64 n_nodes;
    bool is_complete;
};

// Search from a root that is set up; INOUT pair.best and its cost in best.
inline SparseResult search_sparse(const SearchPair &at, const SparseLimits &limits, Incumbent &best, PairScratch &pair,
                                  SparseScratch &sparse, IsomorphismScratch &symmetry) {
    SparseState *root = sparse.state_at(0);
    const i64 root_rounds = static_cast<i64>(least(static_cast<double>(ROOT_ROUNDS), FEWEST_ROUNDS + limits.max_nodes));
    if (!raise_bound(at, {root_rounds, ROOT_PATIENCE, true, false}, limits.deadline, best, pair, sparse, *root)) {
        return {best.proven_bound(), 0, true};
    }
    i64 depth = 0, n_nodes = 0;
    bool is_stopped = false, has_symmetries = false;
    // Whether the state of this depth is bounded and waits for a decision; else its child has been dealt with.
    bool is_open = true;
    while (true) {
        SparseState &state = sparse.state[depth];
        if (!is_open) {
            // The child is done: what is left is without it.
            forbid_child(at, depth, has_symmetries, sparse, symmetry, state);
            const RoundLimits rounds{NODE_ROUNDS, NODE_PATIENCE, false, true};
            if (!bound_state(at, best, pair, sparse, state) ||
                !raise_bound(at, rounds, limits.deadline, best, pair, sparse, state)) {
                if (depth == 0) break;
                depth--;
                continue;
            }
        }
        if (static_cast<double>(n_nodes) >= limits.max_nodes || limits.deadline.has_come() || pair.lap.stop.is_set()) {
            is_stopped = true;
            break;
        }
        const bool is_exact = !has_open_edge(at, state);
        if (is_exact) {
            // Its assignment was offered and is the best of this state.
            if (depth == 0) break;
            depth--;
            is_open = false;
            continue;
        }
        state.rest_bound = most(state.bound, state.value + choose_branch(at, sparse, state));
        SparseState *child = sparse.copy_below(depth);
        if (child == nullptr) {
            is_stopped = true;
            break;
        }
        if (n_nodes++ == NODES_BEFORE_SYMMETRIES) {
            find_symmetries(at.x, symmetry.of_x, pair, symmetry);
            find_symmetries(at.y, symmetry.of_y, pair, symmetry);
            has_symmetries = symmetry.of_x.count + symmetry.of_y.count > 0;
        }
        place(at, state.row, state.column, pair, sparse, *child);
        child->bound = state.bound;
        if (raise_bound(at, {NODE_ROUNDS, NODE_PATIENCE, false, false}, limits.deadline, best, pair, sparse, *child)) {
            depth++;
            is_open = true;
        } else {
            is_open = false;
        }
    }
    if (!is_stopped) return {best.proven_bound(), n_nodes, true};
    double bound = least(best.proven_bound(), sparse.state[depth].bound);
    for (i64 above = 0; above < depth; above++) bound = least(bound, sparse.state[above].rest_bound);
    return {bound, n_nodes, false};
}

}  // namespace gq
