// A learner with its state in arrays of its own, and what code graphs are by definition.
#pragma once

#include <cstring>
#include <memory>

#include "learning/state.hpp"
#include "tests/request.hpp"

namespace gq::test {

struct FreeLearner {
    void operator()(gq_learner *learner) const { gq_learner_free(learner); }
};

struct LearnerSettings {
    i64 n_codes = 3, n_groups = 0, n_workers = 1, snapshot_bytes = i64{1} << 20U;
    bool keeps_certificates = true;
    double theta = 0.0;
};

class TestLearner {
  public:
    TestLearner(const Collection &graphs, std::vector<i64> positions, const gq_matcher &matcher,
                const LearnerSettings &settings)
        : graphs_(graphs), capacity_(std::move(positions)), matcher_(matcher), X_(graphs.raw()) {
        i64 order = 0;
        for (const i64 g : capacity_) order += g;
        const gq_learner_options options{&X_,
                                         space_of(capacity_),
                                         &matcher_,
                                         order,
                                         settings.n_codes,
                                         settings.n_groups,
                                         settings.n_workers,
                                         settings.snapshot_bytes,
                                         settings.keeps_certificates ? 1 : 0,
                                         settings.theta};
        sizes = sizes_of(options);
        gq_array described[GQ_STATE_ARRAYS];
        gq_describe_state(&options, described);
        for (const gq_array &each : described) {
            i64 count = 1;
            for (i64 d = 0; d < each.n_dims; d++) count *= each.shape[d];
            static constexpr std::size_t BYTES[] = {8, 8, 4, 2, 1};
            arrays_.emplace_back(static_cast<std::size_t>(count) * BYTES[each.type] / sizeof(double) + 1, 0.0);
            is_saved_.push_back(each.is_saved != 0);
        }
        std::vector<void *> pointers;
        for (std::vector<double> &array : arrays_) pointers.push_back(array.data());
        state = borrow_state(sizes, pointers.data());
        handle_.reset(gq_learner_create(&options, pointers.data()));
    }

    gq_learner *get() const { return handle_.get(); }
    const std::vector<i64> &capacity() const { return capacity_; }

    // Make a graph code graph j: its nodes on the positions of their classes.
    void write_code(i64 j, i64 i) {
        std::vector<i64> next_of(capacity_.size(), 0), position;
        for (std::size_t g = 1; g < capacity_.size(); g++) next_of[g] = next_of[g - 1] + capacity_[g - 1];
        for (i64 r = 0; r < graphs_.order(i); r++) position.push_back(next_of[graphs_.class_of(i, r)]++);
        const Dense x = dense_of(graphs_, i);
        const i64 n = sizes.order, q = x.q;
        double *nodes = state.code_nodes + j * sizes.node_values(), *pairs = state.code_pairs + j * sizes.pair_values();
        for (i64 r = 0; r < x.order; r++) {
            for (i64 c = 0; c < x.p; c++) nodes[position[r] * x.p + c] = x.node(r, c);
            for (i64 s = 0; s < x.order; s++) {
                double *pair = pairs + (position[r] * n + position[s]) * sizes.pair_channels;
                for (i64 c = 0; c < q; c++) pair[c] = x.pair(r, s, c);
                for (i64 c = q; c < sizes.pair_channels; c++) pair[c] = x.pair(s, r, c - q);
            }
        }
    }

    // Code graph j by definition: its dense form, with the classes of positions.
    Dense code(i64 j) const {
        return dense_from(state.code_nodes + j * sizes.node_values(), state.code_pairs + j * sizes.pair_values());
    }

    Dense dense_from(const double *nodes, const double *pairs) const {
        const i64 n = sizes.order;
        Dense made(n, sizes.node_channels, graphs_.kind.q);
        std::copy(nodes, nodes + sizes.node_values(), made.nodes.begin());
        for (i64 at = 0; at < n * n; at++) {
            for (i64 c = 0; c < made.q; c++) made.pairs[at * made.q + c] = pairs[at * sizes.pair_channels + c];
        }
        i64 position = 0;
        for (std::size_t g = 0; g < capacity_.size(); g++) {
            for (i64 at = 0; at < capacity_[g]; at++) made.group[position++] = static_cast<i32>(g);
        }
        return made;
    }

    // The mapping of graph i to its winner.
    Mapping mapping(i64 i) const {
        const i32 *first = state.mapping + graphs_.node_ptr[i];
        return {first, first + graphs_.order(i)};
    }

    // How far code graph j is from its snapshot in a slot.
    double way_from(i64 j, i64 slot) const {
        const i64 at = j * sizes.n_slots() + slot;
        const Dense now = code(j);
        const Dense then =
            dense_from(state.drift_nodes + at * sizes.node_values(), state.drift_pairs + at * sizes.pair_values());
        Mapping same;
        for (i64 p = 0; p < sizes.order; p++) same.push_back(p);
        return std::sqrt(sq_distance_of(now, then, same));
    }

    i32 present(int algorithm, const std::vector<i64> &sequence, const double *rates, const i32 *stop = nullptr) {
        return gq_present(get(), algorithm, sequence.data(), rates, static_cast<i64>(sequence.size()), stop);
    }

    gq_counters counters() const {
        gq_counters found{};
        gq_count(get(), &found);
        return found;
    }

    // Restore the content of a checkpoint of another learner.
    void restore(const TestLearner &other) {
        for (std::size_t at = 0; at < arrays_.size(); at++) {
            if (is_saved_[at]) arrays_[at] = other.arrays_[at];
        }
        // The address of the state stays the same, but copying may have moved the arrays.
        std::vector<void *> pointers;
        for (std::vector<double> &array : arrays_) pointers.push_back(array.data());
        const State moved = borrow_state(sizes, pointers.data());
        is_in_place_ = moved.code_nodes == state.code_nodes && moved.lead == state.lead;
        gq_resume(get());
    }
    bool is_in_place() const { return is_in_place_; }

    bool has_same_codes(const TestLearner &other) const {
        const auto is_same = [](const double *a, const double *b, i64 n) {
            return std::memcmp(a, b, static_cast<std::size_t>(n) * sizeof(double)) == 0;
        };
        return is_same(state.code_nodes, other.state.code_nodes, sizes.n_codes * sizes.node_values()) &&
               is_same(state.code_pairs, other.state.code_pairs, sizes.n_codes * sizes.pair_values());
    }

    LearnerSizes sizes{};
    State state{};

  private:
    const Collection &graphs_;
    std::vector<i64> capacity_;
    gq_matcher matcher_;
    gq_collection X_;
    std::vector<std::vector<double>> arrays_;
    std::vector<bool> is_saved_;
    bool is_in_place_ = true;
    std::unique_ptr<gq_learner, FreeLearner> handle_;
};

}  // namespace gq::test
