"""The experiments as data: sets, codebook sizes, settings. Nothing here changes from run to run."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from graphquant.exceptions import InvalidParameterError
from graphquant.experiments._encodings import Weights
from graphquant.learning import RateContext

# Codebook sizes of the paper's Table 2.
CODES = {
    "letter": (15, 30, 45),
    "grec": (22, 33, 44),
    "fingerprint": (15, 30, 60),
    "molecules": (2, 6, 10),
}
CYCLES = 150
QUICK_CYCLES = 2


@dataclass(frozen=True)
class GeometricRate:
    """A learning rate that decreases by the same factor at each presentation.

    The paper does not say how its rate decreases. ``PAPER_RATE`` was fitted to its numbers on letter, so
    agreement there proves nothing by itself; see docs/results.

    Examples
    --------
    >>> from graphquant.learning import RateContext
    >>> rate = GeometricRate(0.5, 0.125)
    >>> [round(rate(RateContext(cycle=t, n_cycles=3, step=t, n_steps=3)), 6) for t in range(3)]
    [0.5, 0.25, 0.125]
    """

    start: float
    end: float

    def __call__(self, context: RateContext) -> float:
        """Return the rate of a presentation."""
        done = context.step / max(context.n_steps - 1, 1)
        return float(self.start * (self.end / self.start) ** done)


PAPER_RATE = GeometricRate(0.5, 0.0003)


# What the errors of a table are. The paper defines (1/2) sum d; its numbers have the size of (1/2) sum d^2,
# except on molecules.
ErrorKind = Literal["(1/2) sum d^2", "sum d"]


@dataclass(frozen=True)
class Setting:
    """How attributes become vectors and how a codebook is learnt.

    Attributes
    ----------
    name, title : str
    weights : Weights or None
        Weights of the attributes that the paper names. None: the presets of
        :func:`graphquant.datasets.load_iam`, numbers on circles.
    error : {"(1/2) sum d^2", "sum d"}
    init : str
    matcher : str
    algorithms : tuple of str
    rate : GeometricRate or pair
        Learning rate over all cycles; a pair is the start and end of a straight line.
    exceptions : mapping
        Differences on single data sets: name of the set to attributes.
    """

    name: str
    title: str
    weights: Weights | None
    error: ErrorKind
    init: str
    matcher: str
    algorithms: tuple[str, ...]
    rate: GeometricRate | tuple[float, float]
    exceptions: Mapping[str, Mapping[str, Any]]

    def on(self, dataset: str) -> "Setting":
        """Return the setting on a data set.

        Examples
        --------
        >>> SETTINGS["paper"].matcher, SETTINGS["paper"].on("letter").matcher
        ('graduated-assignment', 'exact')
        """
        return replace(self, exceptions={}, **self.exceptions.get(dataset, {}))

    @property
    def rate_text(self) -> str:
        """Describe the learning rate."""
        if isinstance(self.rate, GeometricRate):
            return f"geometric, {self.rate.start:g} to {self.rate.end:g}"
        return f"linear, {self.rate[0]:g} to {self.rate[1]:g}"

    @property
    def encoding(self) -> str:
        """Name of the encoding, for files: settings that share it have the same vectors."""
        if self.weights is None:
            return "presets"
        text = json.dumps(self.weights.to_json(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    def to_json(self) -> dict[str, Any]:
        """Plain values of everything that a run depends on."""
        return {
            "weights": None if self.weights is None else self.weights.to_json(),
            "error": self.error,
            "init": self.init,
            "matcher": self.matcher,
            "rate": self.rate_text,
        }


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting(
            "paper",
            "The paper's setting",
            weights=Weights(),
            error="(1/2) sum d^2",
            init="furthest-first",
            matcher="graduated-assignment",
            algorithms=("accelerated", "lossless"),
            rate=PAPER_RATE,
            # Fitted to the paper's errors, see _encodings.
            exceptions={
                "letter": {"matcher": "exact", "weights": Weights(scale=False)},
                "grec": {"weights": Weights(center=True, angle=0.3)},
                "fingerprint": {
                    "weights": Weights(center=True, position=0.02, presence=True, edge=0.1, unit_norm=False)
                },
                "molecules": {"error": "sum d"},
            },
        ),
        Setting(
            "own",
            "Our own setting",
            weights=None,
            error="(1/2) sum d^2",
            init="medoids",
            matcher="auto",
            algorithms=("lossless", "fast"),
            rate=(0.1, 0.001),
            # With unit norm the size of a molecule counts less, and its class more.
            exceptions={"molecules": {"matcher": "frank-wolfe", "weights": Weights()}},
        ),
    )
}


@dataclass(frozen=True)
class Job:
    """One run of one algorithm: everything that its outcome depends on, except the data.

    Attributes
    ----------
    dataset, setting, algorithm : str
    n_codes, cycles, seed, run : int
        The random state is ``seed + run``, the same for all algorithms.
    theta : float
        As a share of the typical distance, see :func:`typical_distance`.
    per_class : int or None
        Use only this many graphs of each class.
    certify : bool
        Measure certified radii of the final alignments, see :func:`certified_radii`.
    """

    dataset: str
    setting: str
    algorithm: str
    n_codes: int
    cycles: int
    seed: int
    run: int
    theta: float = 0.0
    per_class: int | None = None
    certify: bool = False

    @property
    def name(self) -> str:
        """File name: readable, and unique among the jobs of one experiment."""
        parts = [self.setting, self.dataset, f"k{self.n_codes}", self.algorithm, f"c{self.cycles}"]
        if self.theta:
            parts.append(f"theta{self.theta:g}")
        if self.certify:
            parts.append("radii")
        return "-".join([*parts, f"run{self.run:02d}"])

    @property
    def cell(self) -> "Job":
        """The same job without its number: runs of a cell are averaged."""
        return Job(**(asdict(self) | {"run": 0}))

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


@dataclass(frozen=True)
class Options:
    """Options of the user.

    Parameters
    ----------
    data : str
        Folder of the IAM graph database.
    output : str
        Folder for results; runs are kept in its folder ``runs``.
    quick : bool
        Minutes instead of hours: few cycles, one run, only the smallest codebook of each set.
    runs : int, optional
        Runs of each cell, by default 10, or 1 if quick. 0 makes the tables from the existing runs.
    seed : int
    jobs : int
        Processes.
    resume : bool
        Continue from the runs in the folder.
    sets : tuple of str
        Data sets, by default all.
    per_class : int, optional
        Use only this many graphs of each class.
    """

    data: str
    output: str
    quick: bool = False
    runs: int | None = None
    seed: int = 0
    jobs: int = 1
    resume: bool = False
    sets: tuple[str, ...] = tuple(CODES)
    per_class: int | None = None

    def __post_init__(self) -> None:
        unknown = [name for name in self.sets if name not in CODES]
        if unknown or not self.sets:
            raise InvalidParameterError(
                f"Unknown data set {unknown[0]!r}." if unknown else "No data set is named.",
                f"Known: {', '.join(CODES)}.",
            )
        if (self.runs is not None and self.runs < 0) or self.jobs < 1 or self.seed < 0:
            raise InvalidParameterError(
                f"runs={self.runs}, jobs={self.jobs}, seed={self.seed} are not accepted.",
                "Give runs and seed of at least 0, and jobs of at least 1.",
            )

    def command(self, experiment: str) -> str:
        """Return the equivalent command line.

        Examples
        --------
        >>> Options("iam", "results", quick=True).command("table2")
        'graphquant reproduce table2 --data DIR --quick --runs 1 --seed 0'
        """
        parts = ["graphquant reproduce", experiment, "--data DIR"]
        parts += ["--quick"] * self.quick
        if self.sets != tuple(CODES):
            parts += [f"--set {name}" for name in self.sets]
        # Tables of the runs that exist.
        resume = ["--resume"] * (self.n_runs == 0)
        return " ".join([*parts, f"--runs {self.n_runs}", *resume, f"--seed {self.seed}"])

    @property
    def n_runs(self) -> int:
        """Runs of each cell."""
        return (1 if self.quick else 10) if self.runs is None else self.runs

    @property
    def cycles(self) -> int:
        """Cycles of each run."""
        return QUICK_CYCLES if self.quick else CYCLES

    def codes(self, dataset: str) -> tuple[int, ...]:
        """Return the codebook sizes of a data set."""
        return CODES[dataset][:1] if self.quick else CODES[dataset]

    def middle_code(self, dataset: str) -> int:
        """Return the codebook size of experiments that have one for each data set."""
        sizes = self.codes(dataset)
        return sizes[len(sizes) // 2]

    def job(
        self,
        dataset: str,
        setting: str,
        algorithm: str,
        n_codes: int,
        run: int = 0,
        *,
        theta: float = 0.0,
        cycles: int | None = None,
        certify: bool = False,
    ) -> Job:
        """Make a job of this experiment."""
        return Job(
            dataset=dataset,
            setting=setting,
            algorithm=algorithm,
            n_codes=n_codes,
            cycles=self.cycles if cycles is None else cycles,
            seed=self.seed,
            run=run,
            theta=theta,
            per_class=self.per_class,
            certify=certify,
        )


__all__ = ["CODES", "CYCLES", "QUICK_CYCLES", "SETTINGS", "Job", "Options", "Setting"]
