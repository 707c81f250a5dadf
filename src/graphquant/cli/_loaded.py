"""Input of a command: graphs as they were read, before anything is encoded."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from graphquant.cli._hints import for_the_shell
from graphquant.cli._output import print_note

if TYPE_CHECKING:
    from graphquant.graphs import GraphCollection, RawGraphs
    from graphquant.io import Skipped
    from graphquant.preprocessing import GraphEncoder


@dataclass(frozen=True)
class LoadedData:
    """Graphs as they were read: raw attributes if there are any, else vectors.

    ``skips`` says whether graphs that cannot be used are skipped; ``columns`` are the columns of a table
    that are not attributes, one value for each graph.
    """

    name: str
    graphs: "RawGraphs | GraphCollection"
    labels: tuple[str, ...] | None
    description: str
    skipped: "tuple[Skipped, ...]" = ()
    encoder: "GraphEncoder | None" = None
    repaired: tuple[str, ...] = ()
    skips: bool = False
    columns: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)

    def take(self, chosen: slice | list[int]) -> "LoadedData":
        """Return some of the graphs."""
        numbers = range(len(self.graphs))[chosen] if isinstance(chosen, slice) else chosen
        labels = None if self.labels is None else tuple(self.labels[i] for i in numbers)
        columns = {name: tuple(values[i] for i in numbers) for name, values in self.columns.items()}
        return replace(self, graphs=self.graphs[chosen], labels=labels, columns=columns)


def print_flaws(loaded: LoadedData) -> None:
    """Count and list on stderr what was skipped and repaired."""
    print_skipped(loaded.skipped)
    count = len(loaded.repaired)
    flaws = "1 flaw was" if count == 1 else f"{count} flaws were"
    _print_listed(
        f"{loaded.name}: {flaws} repaired; --strict makes that an error",
        [for_the_shell(line) for line in loaded.repaired],
    )


def print_skipped(skipped: "tuple[Skipped, ...]") -> None:
    """Count and list on stderr graphs that were skipped."""
    _print_listed(f"graphs skipped: {len(skipped)}", [f"{item.name}: {item.reason}" for item in skipped])


def _print_listed(title: str, lines: list[str]) -> None:
    if lines:
        print_note(title, label="warning")
    for line in lines:
        print_note(f"  {line}")


__all__ = ["LoadedData", "print_flaws", "print_skipped"]
