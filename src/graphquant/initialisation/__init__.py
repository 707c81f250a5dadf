"""From a collection to the first codebook."""

from collections.abc import Callable
from typing import Any

import numpy as np

from graphquant._random import RandomState, check_random_state
from graphquant._validation import check_choice, check_positive_int
from graphquant.exceptions import InvalidParameterError
from graphquant.graphs import as_collection
from graphquant.initialisation.distances import Distances
from graphquant.initialisation.furthest_first import choose_furthest_first
from graphquant.initialisation.given import take_given
from graphquant.initialisation.medoids import choose_medoids
from graphquant.initialisation.plusplus import choose_plus_plus
from graphquant.initialisation.random import choose_random
from graphquant.initialisation.start import Start
from graphquant.matching import MatcherLike

Initialisation = Callable[[Distances, int, np.random.Generator], Start]

INITIALISATIONS: dict[str, Initialisation] = {
    "auto": choose_medoids,
    "furthest-first": choose_furthest_first,
    "k-means++": choose_plus_plus,
    "medoids": choose_medoids,
    "random": choose_random,
}


def initialise(
    init: Any,
    X: Any,
    n_codes: int,
    *,
    matcher: MatcherLike = "auto",
    order: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> Start:
    """Choose the first code graphs.

    Parameters
    ----------
    init : {"auto", "medoids", "furthest-first", "k-means++", "random"} or collection of graphs
        - medoids, also called auto: training graphs with the smallest sum of distances, by a swap search
          on a sample of at most 1000 graphs, fewer if they are large; for graphs with more than 16 nodes on
          average by lower bounds of the distances;
        - furthest-first: the training graph nearest to the sample mean, then repeatedly the one that is
          furthest from all codes, as in the paper;
        - k-means++: drawn in proportion to the squared distance to the codes so far, the best of several;
        - random: different training graphs.

        Or the graphs themselves, one per code.
    X : collection of graphs (anything that :func:`graphquant.as_collection` takes)
        The training graphs.
    n_codes : int
    matcher : str or Matcher, default="auto"
    order : int, optional
        Order of the graph space; by default that of the largest training graph. Ignored with
        groups.
    random_state : int, numpy Generator or RandomState, optional
    n_jobs : int, optional
        Threads; by default all cores. The result does not depend on it.
    progress : bool, default=False
        Show progress bars on stderr.

    Returns
    -------
    Start
        The graphs, their numbers in the training set, and lower bounds of distances found on the way.

    Raises
    ------
    InvalidParameterError
        If there are fewer graphs than codes, or ``init`` is unknown.
    InvalidGraphError
        If given graphs are not comparable with the training graphs, or are too large.

    Notes
    -----
    Furthest-first and k-means++ skip distances that cannot change the choice: those that certified
    lower bounds show to be at least the distance to another code. The choice is the same as with all
    distances, with any matcher. They choose a graph that equals a code only if there is no other.

    Examples
    --------
    >>> import graphquant as gq
    >>> from graphquant.initialisation import initialise
    >>> points = [gq.Graph([value]) for value in (0.0, 1.0, 2.0, 10.0, 11.0, 12.0)]
    >>> initialise("furthest-first", points, 2, random_state=0).chosen.tolist()
    [2, 5]
    >>> initialise("medoids", points, 2, random_state=0).chosen.tolist()
    [1, 4]
    """
    collection = as_collection(X)
    n_codes = check_positive_int("n_codes", n_codes)
    if not isinstance(init, str):
        return take_given(init, collection, n_codes, order)
    method = INITIALISATIONS[check_choice("init", init, INITIALISATIONS)]
    check_enough(len(collection), n_codes)
    distances = Distances(collection, matcher, order, n_jobs, progress)
    return method(distances, n_codes, check_random_state(random_state))


def check_enough(n_graphs: int, n_codes: int) -> None:
    """Refuse more codes than there are graphs."""
    if n_codes > n_graphs:
        raise InvalidParameterError(
            f"n_codes={n_codes} is larger than the {n_graphs} graphs given.",
            "Lower n_codes or pass more graphs.",
        )


__all__ = ["INITIALISATIONS", "Start", "check_enough", "initialise"]
