// The cheapest bound: squared differences of channel norms (the triangle inequality in each channel). O(channels).
#pragma once

#include "support/basics.hpp"

namespace gq {

inline double norm_part(const double *a, const double *b, i64 channels) {
    double total = 0.0;
    for (i64 c = 0; c < channels; c++) total += squared(a[c] - b[c]);
    return total;
}

}  // namespace gq
