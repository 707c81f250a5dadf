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


def accelerated_learning(points, codes, sequences, rates, theta, align):
    """Algorithms 2 to 5 of the paper as its text has them; yield winners, codes and matchings of each cycle.

    Graphs are vectors; ``align(x, y)`` is the distance of two of them and the lift of x that is nearest to y.
    """
    n, k, codes = len(points), len(codes), codes.copy()
    lower, upper = np.zeros((n, k)), np.full(n, np.inf)
    winner, fresh, lifts = np.full(n, -1), np.zeros(n, dtype=bool), points.copy()
    for sequence, cycle_rates in zip(sequences, rates, strict=True):
        before, count = codes.copy(), 0
        for i, eta in zip(sequence, cycle_rates, strict=True):
            for j in range(k):
                if winner[i] < 0:
                    winner[i] = 0  # no winner yet: the first code, to be matched now
                elif j == winner[i] or upper[i] <= lower[i, j]:
                    continue
                if not fresh[i]:
                    upper[i], lifts[i] = align(points[i], codes[winner[i]])
                    lower[i, winner[i]], fresh[i] = upper[i], True
                    count += 1
                if j != winner[i] and upper[i] > lower[i, j]:
                    lower[i, j], lift = align(points[i], codes[j])
                    count += 1
                    if lower[i, j] < upper[i]:
                        winner[i], upper[i], lifts[i] = j, lower[i, j], lift
            codes[winner[i]] += eta * (lifts[i] - codes[winner[i]])
        shift = np.array([align(codes[j], before[j])[0] for j in range(k)])
        lower = np.maximum(lower - shift, 0.0)
        upper = np.minimum(upper + shift[winner], np.linalg.norm(lifts - codes[winner], axis=1))
        fresh &= shift[winner] <= theta
        yield winner.copy(), codes.copy(), count
