"""How accuracy depends on the encoding of positions: ``python -m benchmarks.encodings``, GRAPHQUANT_DATA set.

Two studies; docs/results/README.md has their tables. ``places``: k-medoids on the distances of all pairs, by
Frank-Wolfe, of the letters of low and medium distortion; the circle and the weight of edges come from it.
``order``: the learner with its defaults on encodings that keep the order of numbers; the curve comes from it.
It was chosen on the training and validation letters and on built-in letters of high distortion, and is judged
on the test splits, on symbols and fingerprints, and on other built-in letters.
"""

import sys
from collections.abc import Callable

import numpy as np

import graphquant as gq
from benchmarks._letters import letters_on_circles
from graphquant._core.medoids import swap_medoids
from graphquant.initialisation.medoids import _seed
from graphquant.metrics import majority_accuracy
from graphquant.preprocessing._curve import to_curve

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
    'circle, 2, bent (numeric="circle")': (circle(2.0, np.pi), 0.6),
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
    found = [swap_medoids(squared, medoids, tol=1e-12 * float(squared.mean())) for medoids in starts]
    medoids, _ = min(found, key=lambda result: result[1])
    return squared[:, medoids].argmin(axis=1)


def half_circle(turn: float) -> Encoding:
    """Half a turn of a circle, all that keeps the order."""

    def encode(u: np.ndarray) -> np.ndarray:
        angle = np.pi / 2 * np.tanh(turn * u / (np.pi / 2))
        return np.hstack([np.cos(angle), np.sin(angle)])

    return encode


def quarter_turns(n_axes: int, turn: float) -> Encoding:
    """Quarter turns from each axis to the next."""

    def encode(u: np.ndarray) -> np.ndarray:
        half = (n_axes - 1) / 2
        place = np.clip(half * (1.0 + np.tanh(turn * u[:, 0] / (half * np.pi / 2))), 0.0, 2 * half - 1e-12)
        axis, rows = place.astype(int), np.arange(len(u))
        out = np.zeros((len(u), n_axes))
        out[rows, axis] = np.cos((place - axis) * np.pi / 2)
        out[rows, axis + 1] = np.sin((place - axis) * np.pi / 2)
        return out

    return encode


def two_waves(ratio: float, squared_weight: float, length: float, turn: float, power: int = 6) -> Encoding:
    """Frequencies 1 and ``ratio`` up to a length; ``turn`` is the distance for each unit at the centre."""
    rate = turn / np.sqrt((1.0 + squared_weight * ratio**2) / (1.0 + squared_weight))
    first, second = np.sqrt(np.array([1.0, squared_weight]) / (1.0 + squared_weight))

    def encode(u: np.ndarray) -> np.ndarray:
        z = rate * u / (length / 2)
        s = length / 2 * z / (1.0 + np.abs(z) ** power) ** (1.0 / power)
        waves = [first * np.cos(s), first * np.sin(s)]
        return np.hstack([*waves, second * np.cos(ratio * s), second * np.sin(ratio * s)])

    return encode


# All of them keep the order but the first.
IN_ORDER: dict[str, Encoding] = {
    "circle, 2, bent": lambda u: np.sqrt(2.0) * circle(2.0, np.pi)(u),
    "half circle, 2": half_circle(2.0),
    "quarter turns, 4 axes": quarter_turns(4, 2.5),
    "quarter turns, 5 axes": quarter_turns(5, 2.5),
    "waves 1 and 3": two_waves(3.0, 1 / 3, np.pi, 2.6, 4),
    "waves 1 and 2": two_waves(2.0, 1 / 4, np.pi, 2.0, 4),
    "waves 1 and 2.5": two_waves(2.5, 1 / 4, 3.52, 2.6, 4),
    "waves 1 and 17/8 (the default)": lambda u: to_curve(u[:, 0]),
}
CHOSEN_ON = (
    *((name, split) for name in ("letter", "letter-med") for split in ("train", "validation")),
    *(("built-in", seed) for seed in (7, 8)),
)
JUDGED_ON = (
    *((name, "test") for name in ("letter", "letter-med", "grec", "fingerprint")),
    *(("built-in", seed) for seed in (0, 1)),
)
N_CODES = {"grec": (22, 33, 44), "fingerprint": (15, 30, 60)}
FIT_SEEDS = 10


def load(name: str, part: str | int) -> gq.Dataset:
    """Load a data set with numbers on the circle, whose channels are replaced later."""
    if isinstance(part, str):
        return gq.datasets.load_iam(name, split=part)  # type: ignore[arg-type]
    return letters_on_circles(50, "high", part)


def in_place_of_circles(dataset: gq.Dataset, encode: Encoding) -> gq.GraphCollection:
    """Encode again, with the numbers of nodes on another curve."""
    assert dataset.encoder is not None
    assert dataset.raw is not None
    whole = dataset.graphs.packed()
    blocks, start = [], 0
    for part in dataset.encoder.to_json()["fitted"]["node"]:
        if part["kind"] == "circle":
            values = dataset.raw.node_columns[part["name"]].values
            blocks.append(part["weight"] * encode(((values - part["center"]) / part["scale"])[:, None]))
            start += 2
    attrs = np.hstack([*blocks, whole.node_attrs[:, start:]])
    rows = np.split(attrs, whole.node_offsets[1:-1])
    return gq.GraphCollection(
        [
            gq.Graph(own, g.edges, g.edge_attrs, directed=g.directed)
            for own, g in zip(rows, dataset.graphs, strict=True)
        ]
    )


def learnt_accuracies(dataset: gq.Dataset, graphs: gq.GraphCollection, codes: tuple[int, ...]) -> str:
    """Mean accuracy of the learner with its defaults, for each number of codes."""
    means = []
    for k in codes:
        learners = [gq.GraphQuantizer(k, random_state=seed).fit(graphs) for seed in range(FIT_SEEDS)]
        means.append(
            np.mean([majority_accuracy(labels=q.labels_, targets=dataset.targets) for q in learners])
        )
    return " / ".join(f"{100 * value:.1f}" for value in means)


def order_study() -> None:
    """Print which encodings that keep the order are how accurate: to choose by, and to judge by."""
    for title, parts, names in (
        ("chosen on", CHOSEN_ON, list(IN_ORDER)),
        ("judged on", JUDGED_ON, [name for name in IN_ORDER if name[0] == "c" or "default" in name]),
    ):
        data = [(name, load(name, part)) for name, part in parts]
        heads = " | ".join(f"{name} {part}" for name, part in parts)
        print(f"\n| {title} | {heads} |\n|{'---|' * (1 + len(parts))}")
        for name in names:
            cells = []
            for which, dataset in data:
                graphs = in_place_of_circles(dataset, IN_ORDER[name])
                codes = (15,) if title == "chosen on" else N_CODES.get(which, CODES)
                cells.append(learnt_accuracies(dataset, graphs, codes))
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


def place_study() -> None:
    """Print how accurate k-medoids are with each encoding and weight of edges."""
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


def main() -> None:
    """Run the studies that are named, or both."""
    studies = {"places": place_study, "order": order_study}
    for name in sys.argv[1:] or studies:
        studies[name]()


if __name__ == "__main__":
    main()
