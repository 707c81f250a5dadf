"""A fitted quantizer for tests: the sample mean of each class as codebook, and a made-up history."""

from types import SimpleNamespace

import numpy as np

import graphquant as gq


class StandIn:
    """What a report needs of a fitted GraphQuantizer."""

    def __init__(self, codebook, n_cycles=12, matcher="auto"):
        self.codebook_ = codebook
        self.matcher = matcher
        self.n_cycles_ = n_cycles
        self.n_matchings_ = 4321
        self.distortion_ = 12.5
        self.n_init_matchings_ = 321
        self.history_ = [
            SimpleNamespace(
                cycle=c,
                n_matchings=900 // c,
                n_bounds=10 * c,
                share=1.0 / c,
                shift=0.5 / c,
                distortion=10.0 + 30.0 / c,
                seconds=0.1,
            )
            for c in range(1, n_cycles + 1)
        ]

    def get_params(self, deep=True):
        return {"n_codes": len(self.codebook_), "algorithm": "lossless", "random_state": 0}

    def match(self, X):
        pairs = np.stack(np.divmod(np.arange(len(X) * len(self.codebook_)), len(self.codebook_)), axis=1)
        found = gq.match_all(X, self.codebook_, pairs, matcher=self.matcher, n_jobs=1, mappings=True)
        best = found.distance.reshape(len(X), -1).argmin(axis=1)
        row = np.arange(len(X)) * len(self.codebook_) + best
        return SimpleNamespace(
            label=best,
            distance=found.distance[row],
            lower_bound=found.lower_bound[row],
            proven=found.proven[row],
            mapping=found.mapping[row],
            n_matchings=len(pairs),
        )


def class_means(dataset, matcher="auto", n_per_class=4):
    """The sample mean of a few graphs of each class."""
    means = []
    for target in range(len(dataset.target_names)):
        members = dataset.graphs[np.flatnonzero(dataset.targets == target)[:n_per_class]]
        means.append(gq.mean(members, matcher=matcher, random_state=0, n_jobs=1).graph)
    return StandIn(gq.GraphCollection(means), matcher=matcher)
