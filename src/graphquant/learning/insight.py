"""What a codebook gives back: representatives, common cores, reasons, outliers."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from graphquant._typing import FloatArray, IntArray
from graphquant._validation import check_positive_int
from graphquant.edit import scripts_from
from graphquant.exceptions import InvalidGraphError, InvalidParameterError
from graphquant.graphs import Graph, GraphCollection
from graphquant.graphs.checks import plural
from graphquant.graphs.to_molecules import is_molecular, share_with
from graphquant.learning.clusters import ranked_members
from graphquant.learning.core import Core, core_of
from graphquant.learning.explanation import Explanation, differences
from graphquant.learning.members import Members
from graphquant.learning.novelty import Novelty
from graphquant.matching import Match, match, matcher_for_learning
from graphquant.preprocessing import EditCosts

if TYPE_CHECKING:
    from graphquant.learning.clusters import Clusters
    from graphquant.learning.encoding import Encoding
    from graphquant.matching import MatcherLike


class CodebookInsight:
    """Methods of a fitted quantizer that tell people what its clusters are."""

    if TYPE_CHECKING:
        codebook_: GraphCollection
        encoder_: Any
        matcher: MatcherLike
        _clusters: Clusters | None

        def match(self, X: Any) -> Encoding:
            """Return the nearest code graphs."""
            ...

        def _check_new(self, X: Any) -> Any: ...
        def _space_order(self) -> int | None: ...

    def representatives(self, X: Any, n: int = 1) -> IntArray:
        """Return the indices of the n graphs of X nearest to each code graph, among those that it wins.

        Parameters
        ----------
        X : graphs in any form, as in :meth:`fit`
        n : int, default=1

        Returns
        -------
        ndarray of int of shape (n_codes, n)
            The nearest first, ties to the lowest index; -1 where a code graph wins fewer graphs.

        Examples
        --------
        >>> import graphquant as gq
        >>> points = [gq.Graph([value]) for value in (0.0, 0.4, 1.0, 10.0)]
        >>> q = gq.GraphQuantizer(2, init=[points[1], points[3]], random_state=0).fit(points)
        >>> q.representatives(points, 2).tolist()
        [[1, 0], [3, -1]]
        """
        n = check_positive_int("n", n)
        found = self.match(X)
        return ranked_members(found.label, found.distance, len(self.codebook_), n)

    def core(self, j: int, support: float = 0.8, X: Any = None) -> Core:
        """Return what the members of a cluster have in common.

        Parameters
        ----------
        j : int
            Number of the code graph.
        support : float, default=0.8
            The least share of members that have each node and edge of the core.
        X : graphs in any form, optional
            Count the members among these graphs instead of the training graphs. For molecules, the SMARTS
            query of the core is then looked for in each of them.

        Returns
        -------
        Core
        """
        check_is_fitted(self)
        j = self._check_code(j)
        if not (isinstance(support, int | float) and 0.0 < support <= 1.0):
            raise InvalidParameterError(
                f"support={support!r} is not accepted.", "Give a share of the members, above 0 and up to 1."
            )
        if X is None:
            members = self._known_clusters("core").members
            return core_of(j, members.common(j, self.codebook_[j]), support, self.encoder_)
        graphs = self._check_new(X).graphs
        found = self.match(graphs)
        chosen = np.flatnonzero(found.label == j)
        members = Members.of(
            graphs[chosen],
            found.label[chosen],
            found.mapping[chosen],
            len(self.codebook_),
            int(self.codebook_[j].order),
        )
        core = core_of(j, members.common(j, self.codebook_[j]), support, self.encoder_)
        return _checked(core, graphs[chosen], self.encoder_)

    def explain(self, x: Any, code: int | None = None) -> Explanation:
        """Explain the distance of a graph to a code graph, node by node and edge by edge.

        Parameters
        ----------
        x : a graph in any form, or int
            A number stands for a code graph: ``q.explain(0, 3)`` compares two clusters.
        code : int, optional
            Number of the code graph to compare with; by default that of the nearest one.

        Returns
        -------
        Explanation
            The differences node by node and edge by edge, the largest contributions first; with ``EditCosts``
            also the edits that turn the medoid of the code graph into the graph.

        Examples
        --------
        >>> import graphquant as gq
        >>> costs = gq.preprocessing.EditCosts()
        >>> q = gq.GraphQuantizer(1, encoder=costs, random_state=0).fit(["CCO", "CCO", "CCO", "CCN"])
        >>> [str(edit) for edit in q.explain("CCN").edits]
        ['substitute node 2 (O -> N)']
        """
        check_is_fitted(self)
        if isinstance(x, int | np.integer):
            if code is None:
                raise InvalidParameterError(
                    f"Code graph {int(x)} needs another one to be compared with.",
                    "Name the other code graph, too.",
                )
            graph = self.codebook_[self._check_code(int(x))]
        else:
            graph = self._single(x)
        if code is None:
            found = self.match(GraphCollection([graph]))
            nearest = int(found.label[0])
            outcome = Match(
                float(found.distance[0]),
                float(found.lower_bound[0]),
                bool(found.proven[0]),
                found.mapping[0].astype(np.int64),
                0,
            )
        else:
            nearest = self._check_code(code)
            order = self._space_order()
            outcome = match(
                graph,
                self.codebook_[nearest],
                matcher=matcher_for_learning(self.matcher),
                order=None if order is None else max(order, graph.order),
            )
        parts = differences(graph, self.codebook_[nearest], outcome.mapping, self.encoder_)
        told = Explanation(
            code=nearest,
            distance=outcome.distance,
            lower_bound=outcome.lower_bound,
            proven=outcome.proven,
            mapping=outcome.mapping,
            parts=parts,
        )
        is_of_data = not isinstance(x, int | np.integer)
        if is_of_data and isinstance(self.encoder_, EditCosts) and self._clusters is not None:
            medoid = self._clusters.medoids[[nearest]]
            (script,) = scripts_from(medoid, GraphCollection([graph]), self.encoder_)
            told = replace(told, medoid=self._clusters.medoid_name(nearest), edits=script.edits)
        return told

    def score_samples(self, X: Any) -> FloatArray:
        """Return minus the distance of each graph to its nearest code graph: higher is more normal.

        Examples
        --------
        >>> import graphquant as gq
        >>> q = gq.GraphQuantizer(1, random_state=0).fit([gq.Graph([1.0])])
        >>> q.score_samples([gq.Graph([1.0]), gq.Graph([4.0])]).tolist()
        [-0.0, -3.0]
        """
        return -self.match(X).distance

    def novelty(self, X: Any) -> Novelty:
        """Return how far each graph is from the nearest code graph, compared with the training graphs.

        Parameters
        ----------
        X : graphs in any form, as in :meth:`fit`

        Returns
        -------
        Novelty
            Distance, certified lower bound, and the quantile among the training graphs.
        """
        check_is_fitted(self)
        clusters = self._known_clusters("novelty")
        found = self.match(X)
        return Novelty(found.distance, found.lower_bound, clusters.quantile(found.distance), found.label)

    def _check_code(self, j: Any) -> int:
        k = len(self.codebook_)
        if not isinstance(j, int | np.integer) or not -k <= j < k:
            raise InvalidParameterError(f"There is no code graph {j!r}.", f"Give a number from 0 to {k - 1}.")
        return int(j) % k

    def _known_clusters(self, name: str) -> "Clusters":
        if self._clusters is None:
            hint = "core(j, X=graphs) counts the members of a collection. " if name == "core" else ""
            raise InvalidParameterError(
                "This codebook was saved by an older version, without its training graphs.",
                f"{hint}Fit again, and save it with this version.",
            )
        return self._clusters

    def _single(self, x: Any) -> Graph:
        graphs: GraphCollection = self._check_new([x] if isinstance(x, str) else x).graphs
        if len(graphs) != 1:
            raise InvalidGraphError(
                f"x holds {plural(len(graphs), 'graph')}, expected one.",
                "Pass a single graph, such as dataset[3:4].",
            )
        return graphs[0]


def _checked(core: Core, members: GraphCollection, encoder: Any) -> Core:
    """Look for the query of a core in its members, if they are molecules."""
    if core.smarts is None or not len(members) or encoder is None:
        return core
    raw = encoder.inverse_transform(members)
    return replace(core, smarts_share=share_with(core.smarts, raw)) if is_molecular(raw) else core


__all__ = ["CodebookInsight"]
