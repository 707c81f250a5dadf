"""A constant channel: nodes and edges that exist differ from zero, which stands for "nothing here"."""

from dataclasses import dataclass
from typing import Any, ClassVar

from graphquant._typing import FloatArray
from graphquant.graphs import Column
from graphquant.preprocessing._columns import Counts, Policy, Where


@dataclass(frozen=True)
class PresencePart:
    """A constant channel."""

    kind: ClassVar[str] = "presence"
    name: ClassVar[str] = "presence"
    channels: ClassVar[tuple[str, ...]] = ("presence",)
    always_on: ClassVar[bool] = True
    informative: ClassVar[bool] = True
    weight: float = 1.0

    def encode(self, column: Column | None, out: FloatArray, policy: Policy, where: Where) -> Counts:
        """Write the constant."""
        out[:] = self.weight
        return Counts(len(out))

    def amount(self, vectors: FloatArray) -> FloatArray | None:
        """Return how much of each row is there."""
        return None if self.weight == 0.0 else vectors[:, 0] / self.weight

    def describe(self) -> str:
        """Describe in words what the channel holds."""
        return f"always {self.weight:.4g}"

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"kind": self.kind, "weight": self.weight}


__all__ = ["PresencePart"]
