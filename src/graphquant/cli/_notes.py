"""Notes about data that differ from the training data of a codebook: once, on stderr."""

from typing import TYPE_CHECKING, Protocol

import numpy as np

from graphquant.cli._output import print_note

if TYPE_CHECKING:
    from graphquant._typing import FloatArray
    from graphquant.learning import GraphQuantizer

# Data whose typical distance is this many times that of training are reported as unlike.
FAR = 2.0


class Notes(Protocol):
    """What an encoder counted: unknown categories, missing values, values outside the fitted range."""

    def summary(self) -> list[str]:
        """Return one line for each finding."""


def note_notes(notes: Notes) -> None:
    """Print what an encoder found that it was not fitted to."""
    for line in notes.summary():
        print_note(line, label="note")


class Distances:
    """The distances of data from their code graphs, finally compared with those of training."""

    def __init__(self, quantizer: "GraphQuantizer") -> None:
        self._training = training_distance(quantizer)
        self._found: list[FloatArray] = []

    def add(self, distances: "FloatArray") -> None:
        """Add the distances of some graphs."""
        self._found.append(distances)

    def note(self) -> None:
        """Say so if these graphs are much further away than those of training."""
        distances = np.concatenate([np.empty(0), *self._found])
        if self._training is None or len(distances) == 0:
            return
        typical = float(np.median(distances))
        if typical > FAR * self._training > 0.0:
            print_note(
                f"these graphs are unlike those that the codebook was learnt from: a typical distance of "
                f"{typical:.3g} from their code graphs, against {self._training:.3g} in training",
                label="note",
            )


def training_distance(quantizer: "GraphQuantizer") -> float | None:
    """Return the root mean square distance of the training graphs; None if their number is not known.

    A codebook stores its distortion, half the sum of squares, and the matchings of each cycle with their
    share of all pairs, which determine the number of graphs.
    """
    told = next((cycle for cycle in reversed(quantizer.history_) if cycle.share > 0.0), None)
    if told is None:
        return None
    n_graphs = told.n_matchings / (told.share * len(quantizer.codebook_))
    return float(np.sqrt(2.0 * quantizer.distortion_ / n_graphs))


__all__ = ["Distances", "Notes", "note_notes", "training_distance"]
