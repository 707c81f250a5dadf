"""CLASSIFY of Algorithm 1: match the graph with every code graph."""

from graphquant.kernels._jit import allocating_entry, step
from graphquant.kernels.learning import keep_found, set_winner


@step
def classify(S, L, M, i):
    """Y_X = argmin d(X, Y), ties to the lowest index; x_a aligned with it."""
    winner, best_sq = -1, 0.0
    for j in range(L.wins.shape[0]):
        d_sq = S.match(L, M, i, j)
        if winner < 0 or d_sq < best_sq:
            winner, best_sq = j, d_sq
            keep_found(L, M, i)
    set_winner(L, M, i, winner)


@allocating_entry
def present(S, L, M, sequence, rates, begin, end, learning):
    """Present graphs begin to end of the sequence; without ``learning`` only find their winners."""
    for t in range(begin, end):
        classify(S, L, M, sequence[t])
        if M.stop[0] != 0:
            return t
        if learning:
            S.learn(L, M, sequence[t], rates[t])
    return end
