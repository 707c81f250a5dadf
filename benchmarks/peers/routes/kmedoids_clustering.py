"""k-medoids on a matrix of distances: FasterPAM of the package kmedoids, the best of 4 starts."""

import kmedoids


def cluster(matrix, k, seed, power=1):
    distances = matrix**power
    starts = range(4 * seed, 4 * seed + 4)
    found = [kmedoids.fasterpam(distances, k, random_state=start, n_cpu=1) for start in starts]
    best = min(found, key=lambda result: result.loss)
    return best.labels, best.medoids
