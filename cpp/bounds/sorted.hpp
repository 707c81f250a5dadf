// The squared distance of tables whose channels are sorted separately and padded with zeros. O(rows * channels).
//
// It is the bound of sorted attributes, and by Hoffman and Wielandt (1953) and Mirsky (1960) also that of spectra: the
// spectra of two matrices are no further apart than the matrices, whatever the numbering of the nodes.
#pragma once

#include "support/basics.hpp"

namespace gq {

// Rows of a table, each channel descending.
struct SortedRows {
    const double *values;
    i64 begin, end, channels;

    double at(i64 row, i64 c) const { return values[row * channels + c]; }
    // Padded with zeros beyond the rows.
    double positive(i64 row, i64 c) const { return row < end ? most(at(row, c), 0.0) : 0.0; }
    double negative(i64 row, i64 c) const { return row >= begin ? least(at(row, c), 0.0) : 0.0; }
    bool is_positive(i64 row, i64 c) const { return row < end && at(row, c) > 0.0; }
    bool is_negative(i64 row, i64 c) const { return row >= begin && at(row, c) < 0.0; }
};

inline double sorted_part(const SortedRows &a, const SortedRows &b) {
    double total = 0.0;
    for (i64 c = 0; c < a.channels; c++) {
        for (i64 k = a.begin, m = b.begin; a.is_positive(k, c) || b.is_positive(m, c); k++, m++) {
            total += squared(a.positive(k, c) - b.positive(m, c));
        }
        for (i64 k = a.end - 1, m = b.end - 1; a.is_negative(k, c) || b.is_negative(m, c); k--, m--) {
            total += squared(a.negative(k, c) - b.negative(m, c));
        }
    }
    return total;
}

}  // namespace gq
