"""How well clusters agree with classes, what chance would give, and our distortion."""

from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

import graphquant as gq
from graphquant.learning.encoding import encode
from graphquant.matching import get_matcher
from graphquant.metrics import majority_accuracy

SCORES = ("accuracy", "ari", "nmi")
N_CHANCE = 100


def score(labels: Any, targets: Any) -> dict[str, float]:
    """Return accuracy by majority class and NMI from 0 to 1, ARI up to 1."""
    return {
        "accuracy": majority_accuracy(labels=labels, targets=targets),
        "ari": float(adjusted_rand_score(targets, labels)),
        "nmi": float(normalized_mutual_info_score(targets, labels)),
    }


def chance(targets: Any, k: int) -> dict[str, float]:
    """Return the mean scores of graphs thrown into k clusters by dice."""
    rng = np.random.default_rng(0)
    drawn = [score(rng.integers(k, size=len(targets)), targets) for _ in range(N_CHANCE)]
    return {name: float(np.mean([scores[name] for scores in drawn])) for name in SCORES}


def distortion(graphs: gq.GraphCollection, codes: Any) -> float | None:
    """Half the sum of squared distances to the nearest code graph; codes may be numbers of medoids."""
    if codes is None:
        return None
    if isinstance(codes, gq.GraphCollection):
        # Means that a route made itself have no names of channels.
        codebook = codes.with_schema(graphs.schema)
    else:
        codebook = graphs[np.asarray(codes, dtype=np.int64)]
    return encode(graphs, codebook, get_matcher("frank-wolfe"), graphs.max_order).distortion
