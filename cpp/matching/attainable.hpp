// Costs that mappings can have at all.
#pragma once

#include "support/basics.hpp"

namespace gq {

struct AttainableCosts {
    i64 n_units = 0;
};

// The cost that a better mapping than one of this cost stays below, by a margin for rounding.
inline double next_attainable_below(const AttainableCosts &, double cost, double tolerance) { return cost - 0.5 * tolerance; }

}  // namespace gq
