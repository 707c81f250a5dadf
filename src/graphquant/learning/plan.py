"""The plan of a run: its checked parameters."""

from dataclasses import dataclass

from graphquant.learning.rates import LearningRate

ALGORITHMS = ("lossless", "standard", "accelerated", "fast")
# What a user may ask for; "auto" is decided before learning.
CHOICES = ("auto", *ALGORITHMS)


@dataclass(frozen=True)
class Plan:
    """The checked parameters of a run."""

    algorithm: str = "lossless"
    learning_rate: LearningRate = "linear"
    max_cycles: int = 20
    tol: float = 0.0
    theta: float = 0.0
    batch_size: int = 1
    n_threads: int = 1
    n_groups: int = 0  # groups of code graphs that share a bound, for "lossless"; 0: none

    @property
    def n_workers(self) -> int:
        """Threads that classify: the graphs of a batch are distributed over them."""
        return self.n_threads if self.batch_size > 1 else 1

    @property
    def keeps_certificates(self) -> bool:
        """Whether the algorithm continues with the alignments that it finds."""
        return self.algorithm in ("lossless", "fast")

    @property
    def uses_first_bounds(self) -> bool:
        """Whether lower bounds found by the start are useful."""
        return self.algorithm != "standard"


__all__ = ["ALGORITHMS", "CHOICES", "Plan"]
