"""How accuracy depends on the encoding of positions: ``python -m benchmarks.encodings``, GRAPHQUANT_DATA set.

k-medoids on the distances of all pairs, by Frank-Wolfe, of the letters of low and medium distortion. This is
the study that the defaults of AttributeEncoder come from; docs/results/README.md has its table.
"""

from collections.abc import Callable

import numpy as np

import graphquant as gq
from graphquant.initialisation.medoids import _seed
from graphquant.kernels.medoids import swap_medoids
from graphquant.metrics import majority_accuracy

SETS, CODES, SEEDS, RESTARTS = ("letter", "letter-med"), (15, 30, 45), 2, 4
Encoding = Callable[[np.ndarray], np.ndarray]


def line(presence: float = 0.0, scale: float = 1.0) -> Encoding:
    """Numbers as they are, with a constant channel."""
    return lambda xy: np.hstack([scale * xy, np.full((len(xy), 1), presence)])


def circle(turn: float, most: float = np.inf) -> Encoding:
    """Cosine and sine of each number; angles may bend towards a largest one."""

    def encode(xy: np.ndarray) -> np.ndarray:
        angle = turn * xy if np.isinf(most) else most * np.tanh(turn * xy / most)
        return np.hstack([np.cos(angle), np.sin(angle)]) / np.sqrt(2.0)

    return encode


def sphere(xy: np.ndarray) -> np.ndarray:
    """Inverse stereographic projection of the plane."""
    squared = (xy**2).sum(axis=1, keepdims=True)
    return np.hstack([2.0 * xy, squared - 1.0]) / (1.0 + squared)


def fourier(width: float, n_waves: int = 64) -> Encoding:
    """Random features of a Gaussian kernel."""
    waves = np.random.default_rng(0).normal(size=(2, n_waves)) / width
    return lambda xy: np.hstack([np.cos(xy @ waves), np.sin(xy @ waves)]) / np.sqrt(n_waves)


ENCODINGS: dict[str, tuple[Encoding, float]] = {
    "line": (line(), 1.0),
    "line, edges 0.6": (line(), 0.6),
    "line times 0.7, presence 1": (line(1.0, 0.7), 0.6),
    "sphere": (sphere, 0.6),
    "circle, 1.25 radians a unit": (circle(1.25), 0.6),
    "circle, 1.5": (circle(1.5), 0.6),
    "circle, 2": (circle(2.0), 0.6),
    "circle, 2, bent (the default)": (circle(2.0, np.pi), 0.6),
    "circle, 2.2, bent": (circle(2.2, np.pi), 0.6),
    "Gaussian of width 0.5, 128 channels": (fourier(0.5), 0.5),
}


def encoded(graphs: gq.GraphCollection, encode: Encoding, edge_weight: float) -> gq.GraphCollection:
    """Encode the positions of centred and scaled graphs."""
    return gq.GraphCollection(
        [gq.Graph(encode(g.node_attrs), g.edges, edge_weight * g.edge_attrs) for g in graphs]
    )


def clusters(squared: np.ndarray, n_codes: int, seed: int) -> np.ndarray:
    """Labels by k-medoids, the best of some starts."""
    rng = np.random.default_rng(seed)
    starts = [_seed(squared, n_codes, rng) for _ in range(RESTARTS)]
    totals = [swap_medoids(squared, medoids, 1e-12 * squared.mean()) for medoids in starts]
    return squared[:, starts[int(np.argmin(totals))]].argmin(axis=1)


def main() -> None:
    data = {name: gq.datasets.load_iam(name, encoder="linear") for name in SETS}
    print(f"| encoding of x and y | edges | {' | '.join(SETS)} |\n|{'---|' * (2 + len(SETS))}")
    for name, (encode, edge_weight) in ENCODINGS.items():
        cells = []
        for dataset in data.values():
            X = encoded(dataset.graphs, encode, edge_weight)
            squared = gq.pairwise_distances(X, matcher="frank-wolfe") ** 2
            accuracies = [
                np.mean(
                    [
                        majority_accuracy(labels=clusters(squared, k, seed), targets=dataset.targets)
                        for seed in range(SEEDS)
                    ]
                )
                for k in CODES
            ]
            cells.append(" / ".join(f"{100 * value:.1f}" for value in accuracies))
        print(f"| {name} | {edge_weight:g} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
