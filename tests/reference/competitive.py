"""Competitive learning of vectors, by the book: what graph quantization is when nodes cannot be exchanged."""

import numpy as np


def competitive_learning(points, codes, sequences, rates):
    """Present points in the given sequences; yield the winners, by point, and the codes after each cycle.

    ``rates`` are those of all presentations of each cycle; None stands for 1 / (times the code has won).
    """
    codes, wins = codes.copy(), np.zeros(len(codes))
    for sequence, cycle_rates in zip(sequences, rates, strict=True):
        winners = np.empty(len(points), dtype=int)
        for i, eta in zip(sequence, cycle_rates, strict=True):
            j = ((codes - points[i]) ** 2).sum(axis=1).argmin()
            wins[j] += 1
            codes[j] += (1.0 / wins[j] if eta is None else eta) * (points[i] - codes[j])
            winners[i] = j
        yield winners, codes.copy()
