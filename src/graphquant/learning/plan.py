"""How to learn: the checked parameters of a run."""

from dataclasses import dataclass

from graphquant.learning.rates import LearningRate

ALGORITHMS = ("lossless", "standard", "accelerated", "fast")
# What a user may ask for; "auto" is decided before learning.
CHOICES = ("auto", *ALGORITHMS)


@dataclass(frozen=True)
class Plan:
    """How to learn: the parameters of a run, checked."""

    algorithm: str = "lossless"
    learning_rate: LearningRate = "linear"
    max_cycles: int = 20
    tol: float = 0.0
    theta: float = 0.0
    batch_size: int = 1
    n_threads: int = 1
    n_groups: int = 0  # of code graphs that share a bound, of "lossless"; 0: none do

    @property
    def n_workers(self) -> int:
        """Threads that classify: the graphs of a batch are shared out among them."""
        return self.n_threads if self.batch_size > 1 else 1

    @property
    def keeps_certificates(self) -> bool:
        """Whether the algorithm goes on with the alignments that it finds."""
        return self.algorithm in ("lossless", "fast")

    @property
    def uses_first_bounds(self) -> bool:
        """Whether lower bounds found by the start are of use."""
        return self.algorithm != "standard"


__all__ = ["ALGORITHMS", "CHOICES", "Plan"]
