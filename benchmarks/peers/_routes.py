"""The routes that are compared: which files they consist of, which settings are tried, what they give.

A route is one file with ``cluster(graphs, k, seed, **setting)``, or a file with ``matrix(graphs, **setting)``
and one with ``cluster(matrix, k, seed, **setting)``. These files hold what a user would write, and their
lines are counted; everything else is here. ``cluster`` returns labels and what represents the clusters: the
numbers of medoids, a collection of code graphs, or None.
"""

import importlib
import inspect
import io
import tokenize
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Setting = dict[str, Any]

ALPHAS = (0.1, 0.5, 0.9)
WORDS = (4, 8, 16, 32, 64)
POWERS = (1, 2)

# Parameters of "graphquant, tuned" for each data set; they are given, not searched for in the benchmark.
TUNED: dict[str, Setting] = {
    "letter": {"algorithm": "fast", "max_cycles": 5},
    "letter-med": {"algorithm": "fast", "max_cycles": 5},
    "grec": {"algorithm": "fast"},
    "fingerprint": {"algorithm": "fast"},
    "molecules": {"algorithm": "fast"},
    "mutagenicity": {"algorithm": "fast", "max_cycles": 3},
}
# So is POT's weight of structure against nodes, the most accurate of ALPHAS for each data set: a whole search
# (25b854504fdb) took half of the time of the benchmark.
MEDOID_ALPHAS = {
    "letter": 0.5,
    "letter-med": 0.5,
    "grec": 0.1,
    "fingerprint": 0.1,
    "molecules": 0.9,
    "mutagenicity": 0.1,
}
BARYCENTER_ALPHAS = {
    "letter": 0.9,
    "letter-med": 0.9,
    "grec": 0.5,
    "fingerprint": 0.1,
    "molecules": 0.9,
    "mutagenicity": 0.1,
}


@dataclass(frozen=True)
class Route:
    """One way to cluster graphs.

    A setting with ``raw=True`` is given the coordinates without centring. ``slow`` routes, whose every run is
    expensive, get their setting from the smallest k and the first seed; others run all settings everywhere.
    ``alphas`` are those that data sets are run with, instead of all in ``settings``.
    ``grows`` says that the growth of its time with the number of graphs is measured.
    """

    name: str
    title: str
    clustering: str
    matrix: str | None = None
    settings: tuple[Setting, ...] = ({},)
    alphas: Mapping[str, float] = field(default_factory=dict)
    slow: bool = False
    ours: bool = False
    grows: bool = False
    representative: str = "none"
    predict: str = "no"
    metric: str = "no"
    progress: str = "no"

    @property
    def lines(self) -> int:
        """Lines of code of its files."""
        return sum(code_lines(inspect.getsource(_module(name))) for name in self._files)

    @property
    def _files(self) -> tuple[str, ...]:
        return (self.clustering,) if self.matrix is None else (self.matrix, self.clustering)

    def matrix_setting(self, setting: Setting) -> Setting:
        """Return the part of a setting that the matrix depends on."""
        assert self.matrix is not None
        return _accepted(_module(self.matrix).matrix, setting)

    def run_matrix(self, graphs: Any, setting: Setting) -> Any:
        """Compute the matrix of distances or of a kernel."""
        assert self.matrix is not None
        return _module(self.matrix).matrix(graphs, **self.matrix_setting(setting))

    def run(self, data: Any, k: int, seed: int, setting: Setting) -> tuple[Any, Any]:
        """Cluster graphs, or a matrix, into k clusters."""
        cluster = _module(self.clustering).cluster
        return cluster(data, k, seed, **_accepted(cluster, setting))

    def settings_for(self, set_name: str, has_coordinates: bool) -> list[Setting]:
        """Return the settings that make a difference on a data set."""
        if self.name == "graphquant-tuned":
            return [TUNED.get(set_name, {})]
        alpha = self.alphas.get(set_name)
        return [
            setting
            for setting in self.settings
            if (has_coordinates or not setting.get("raw")) and alpha in (None, setting.get("alpha"))
        ]


def code_lines(source: str) -> int:
    """Count lines that are neither blank, comment nor docstring.

    Examples
    --------
    >>> code_lines('import os  # why\\n\\n# comment\\nprint(\\n    os)\\n')
    3
    """
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    lines: set[int] = set()
    at_start = True
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.STRING and at_start:
            continue  # a docstring: a string that begins a statement
        if token.type not in skipped and token.type != tokenize.ENDMARKER:
            lines.update(range(token.start[0], token.end[0] + 1))
        at_start = token.type in skipped
    return len(lines)


def _module(name: str) -> Any:
    return importlib.import_module(f"benchmarks.peers.routes.{name}")


def _accepted(function: Callable[..., Any], setting: Setting) -> Setting:
    """Return what a function takes of a setting; ``raw`` is about its input."""
    parameters = inspect.signature(function).parameters
    takes_all = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    return {key: value for key, value in setting.items() if key != "raw" and (takes_all or key in parameters)}


def _grid(**choices: tuple[Any, ...]) -> tuple[Setting, ...]:
    settings: list[Setting] = [{}]
    for name, values in choices.items():
        settings = [setting | {name: value} for setting in settings for value in values]
    return tuple(settings)


MEDOID = {"representative": "a medoid", "predict": "by k distances"}

ROUTES = (
    Route(
        "graphquant",
        "graphquant, plain defaults",
        "graphquant_defaults",
        ours=True,
        grows=True,
        representative="a mean graph",
        predict="yes",
        metric="yes",
        progress="yes",
    ),
    Route(
        "graphquant-tuned",
        "graphquant, tuned",
        "graphquant_tuned",
        ours=True,
        representative="a mean graph",
        predict="yes",
        metric="yes",
        progress="yes",
    ),
    Route(
        "graphquant-medoids",
        "graphquant exact distances + k-medoids",
        "kmedoids_clustering",
        "graphquant_matrix",
        _grid(power=POWERS, raw=(False, True)),
        grows=True,
        **(MEDOID | {"metric": "yes", "progress": "yes"}),
    ),
    Route(
        "pot-medoids",
        "POT fused Gromov-Wasserstein matrix + k-medoids",
        "kmedoids_clustering",
        "pot_matrix",
        _grid(alpha=ALPHAS, power=POWERS),
        alphas=MEDOID_ALPHAS,
        grows=True,
        **MEDOID,
    ),
    Route(
        "pot-barycenters",
        "POT fused Gromov-Wasserstein barycenter k-means",
        "pot_barycenters",
        settings=_grid(alpha=ALPHAS),
        alphas=BARYCENTER_ALPHAS,
        slow=True,
        representative="a barycenter",
        predict="by k distances",
    ),
    Route(
        "grakel-spectral",
        "GraKeL Weisfeiler-Lehman + spectral clustering",
        "spectral_clustering",
        "grakel_matrix",
        _grid(words=WORDS),
        grows=True,
    ),
    Route(
        "grakel-kmeans",
        "GraKeL Weisfeiler-Lehman + kernel k-means",
        "kernel_kmeans",
        "grakel_matrix",
        _grid(words=WORDS),
        grows=True,
        metric="of the kernel",
    ),
    Route(
        "codewords",
        "bag of node codewords + KMeans",
        "codewords",
        settings=_grid(words=(16, 64), width=(0, 1, 2, 4)),
    ),
    Route(
        "padded",
        "numpy padded alignment + k-means",
        "padded_alignment",
        settings=_grid(raw=(False, True)),
        slow=True,
        representative="a mean graph",
        predict="by k distances",
    ),
    Route(
        "networkx-medoids",
        "networkx edit distance + k-medoids",
        "kmedoids_clustering",
        "networkx_matrix",
        _grid(power=POWERS),
        **MEDOID,
    ),
)
BY_NAME = {route.name: route for route in ROUTES}
