"""A lower bound of very many pairs at once, nearly as sharp as the star bound and much cheaper.

What a star gains on another one is the product of two vectors: node attributes, then the edge values of each
channel in descending order, in which they match best. So what all nodes of many graphs gain on each other is
a matrix product, and no assignment gains more than the most that each node could gain on its own.
"""

from graphquant.kernels._jit import entry, kernel

# Nodes at a time, whose vectors stay in the nearest caches.
_AT_ONCE = 512


@kernel
def _next_channel(vector, c):
    """Return the first entry from c on that is not zero; most are."""
    while c < vector.shape[0] and vector[c] == 0.0:
        c += 1
    return c


@kernel
def _raise_to_gains(vector, columns, begin, end, gain, most):
    """INOUT most[p]: at least the product of a vector and column begin + p, for columns up to end."""
    # Slices, because loops from 0 on are what compilers make vector instructions of.
    n = end - begin
    for p in range(n):
        gain[p] = 0.0
    c = _next_channel(vector, 0)
    while c < vector.shape[0]:
        d = _next_channel(vector, c + 1)
        a, first = vector[c], columns[c, begin:end]
        if d < vector.shape[0]:
            b, second = vector[d], columns[d, begin:end]
            for p in range(n):
                gain[p] += a * first[p] + b * second[p]
        else:
            for p in range(n):
                gain[p] += a * first[p]
        c = _next_channel(vector, d + 1)
    for p in range(n):
        most[p] = max(most[p], gain[p])


@entry
def most_gains(
    rows,  # IN   (n_nodes, channels)  star vectors
    columns,  # IN   (channels, n_nodes)  the same
    node_ptr,  # IN   (n_graphs + 1,)
    first,  # IN   number of a graph
    gain,  # WORK (n_nodes,)
    most,  # WORK (n_nodes,)
    out,  # OUT  (m, n_graphs) what each graph gains at most by a match with graphs first to first + m
):
    """Sum up the most that each node gains on the nodes of another graph, on a zero node at the least."""
    begin = 0
    while begin < out.shape[1]:
        end = begin + 1
        while end < out.shape[1] and node_ptr[end + 1] - node_ptr[begin] <= _AT_ONCE:
            end += 1
        p0, p1 = node_ptr[begin], node_ptr[end]
        for m in range(out.shape[0]):
            for p in range(p1 - p0):
                most[p] = 0.0
            for r in range(node_ptr[first + m], node_ptr[first + m + 1]):
                _raise_to_gains(rows[r], columns, p0, p1, gain, most)
            for j in range(begin, end):
                total = 0.0
                for p in range(node_ptr[j] - p0, node_ptr[j + 1] - p0):
                    total += most[p]
                out[m, j] = total
        begin = end


__all__ = ["most_gains"]
