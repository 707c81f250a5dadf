// Data of each graph for the cheap bounds, computed by definition.
#pragma once

#include <algorithm>

#include "tests/brute_force.hpp"

namespace gq::test {

// Eigenvalues of a symmetric matrix, descending, by Jacobi rotations.
inline std::vector<double> eigenvalues(std::vector<double> a, i64 n) {
    for (int sweep = 0; sweep < 60; sweep++) {
        for (i64 p = 0; p < n; p++) {
            for (i64 q = p + 1; q < n; q++) {
                if (a[p * n + q] == 0.0) continue;
                const double theta = (a[q * n + q] - a[p * n + p]) / (2.0 * a[p * n + q]);
                const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1.0));
                const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
                for (i64 k = 0; k < n; k++) {
                    const double kp = a[k * n + p], kq = a[k * n + q];
                    a[k * n + p] = c * kp - s * kq;
                    a[k * n + q] = s * kp + c * kq;
                }
                for (i64 k = 0; k < n; k++) {
                    const double pk = a[p * n + k], qk = a[q * n + k];
                    a[p * n + k] = c * pk - s * qk;
                    a[q * n + k] = s * pk + c * qk;
                }
            }
        }
    }
    std::vector<double> found;
    for (i64 k = 0; k < n; k++) found.push_back(a[k * n + k]);
    std::sort(found.rbegin(), found.rend());
    return found;
}

// Eigenvalues of the matrix of a channel if it is symmetric, else its singular values.
inline std::vector<double> spectrum_of(const Dense &x, i64 c, bool is_directed) {
    const i64 n = x.order;
    std::vector<double> matrix(n * n), square(n * n, 0.0);
    for (i64 r = 0; r < n; r++) {
        for (i64 s = 0; s < n; s++) matrix[r * n + s] = x.pair(r, s, c);
    }
    if (!is_directed) return eigenvalues(matrix, n);
    for (i64 r = 0; r < n; r++) {
        for (i64 s = 0; s < n; s++) {
            for (i64 t = 0; t < n; t++) square[r * n + s] += matrix[t * n + r] * matrix[t * n + s];
        }
    }
    std::vector<double> values = eigenvalues(square, n);
    for (double &value : values) value = std::sqrt(most(value, 0.0));
    return values;
}

struct Summaries {
    std::vector<double> node_norm, edge_norm, node_sorted, edge_sorted, spectrum;
    bool has_spectra;

    Summaries(const Collection &from, const gq_graphs &graphs, bool wants_spectra) : has_spectra(wants_spectra) {
        const i64 p = graphs.node_channels, q = graphs.edge_channels;
        node_norm.assign(graphs.n_graphs * p, 0.0);
        edge_norm.assign(graphs.n_graphs * q, 0.0);
        spectrum.assign(graphs.node_ptr[graphs.n_graphs] * q + 1, 0.0);
        for (i64 i = 0; i < graphs.n_graphs; i++) {
            const i64 first = graphs.node_ptr[i], end = graphs.node_ptr[i + 1];
            add(graphs.node_attr, first, end, p, 1.0, node_norm.data() + i * p, node_sorted);
            add(graphs.adj_vec, graphs.adj_ptr[first], graphs.adj_ptr[end], q, 0.5 * graphs.pair_weight,
                edge_norm.data() + i * q, edge_sorted);
            for (i64 c = 0; wants_spectra && c < from.kind.q; c++) {
                const std::vector<double> values = spectrum_of(dense_of(from, i), c, from.kind.is_directed);
                for (i64 r = 0; r < end - first; r++) spectrum[(first + r) * q + c] = values[r];
            }
        }
    }

    gq_summaries raw() const {
        return {node_norm.data(), edge_norm.data(), node_sorted.data(), edge_sorted.data(),
                has_spectra ? spectrum.data() : nullptr};
    }

  private:
    // Rows of a table: norm of each channel, and the channels in descending order.
    static void add(const double *table, i64 begin, i64 end, i64 channels, double share, double *norm,
                    std::vector<double> &sorted) {
        const std::size_t first = sorted.size();
        sorted.resize(first + (end - begin) * channels);
        for (i64 c = 0; c < channels; c++) {
            std::vector<double> values;
            double total = 0.0;
            for (i64 row = begin; row < end; row++) {
                values.push_back(table[row * channels + c]);
                total += share * values.back() * values.back();
            }
            norm[c] = std::sqrt(total);
            std::sort(values.rbegin(), values.rend());
            for (std::size_t at = 0; at < values.size(); at++) sorted[first + at * channels + c] = values[at];
        }
    }
};

}  // namespace gq::test
