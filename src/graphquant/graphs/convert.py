"""To and from what users already have: networkx, PyTorch Geometric, RDKit, SMILES, columns of these.

None of these packages is imported to recognise its objects: they are recognised by their attributes.
"""

from collections.abc import Callable, Collection
from typing import Any

from graphquant.exceptions import InvalidGraphError
from graphquant.graphs._attribute_columns import is_missing
from graphquant.graphs._graph import Graph
from graphquant.graphs._networkx import (
    channel_names,
    from_networkx,
    from_networkx_list,
    has_attributes,
    is_networkx,
    names_of,
    raw_from_networkx,
    to_networkx,
)
from graphquant.graphs._pyg import from_pyg, from_pyg_list, is_pyg, is_pyg_batch, raw_from_pyg_list
from graphquant.graphs._raw import RawGraphs
from graphquant.graphs._tables import is_table, not_a_column, values_of
from graphquant.graphs.checks import kind_of
from graphquant.graphs.collection import GraphCollection
from graphquant.graphs.molecules import is_molecule, raw_from_molecules, raw_from_smiles

_NOT_VECTORS = "Encode them first: AttributeEncoder().fit_transform(graphs)."


def as_graphs(
    obj: Any, *, node_names: Collection[str] | None = None, edge_names: Collection[str] | None = None
) -> GraphCollection | RawGraphs:
    """Convert graphs of any supported kind: vectors made by hand to vectors, others to raw graphs.

    Parameters
    ----------
    obj : graphs of any kind
        One of these, or a list, an array or a column (pandas, polars, Arrow) of them:

        - :class:`~graphquant.Graph`, :class:`~graphquant.GraphCollection`: vectors.
        - networkx graphs: raw columns, see ``raw_from_networkx``; without any attribute on any
          node or edge, vectors of ones. The names of the graphs are kept if all have one.
        - PyTorch Geometric ``Data``, ``Batch``, data sets and loaders: ``x``, ``pos`` and
          ``edge_attr`` as columns ``x0, x1, ...``. A block whose rows are all one-hot is one column
          of categories, ``x``. Edges that all stand in both directions are undirected.
        - RDKit molecules, and strings that are SMILES: ``symbol``, ``charge``, ``n_hydrogens``,
          ``aromatic``, ``ring`` and ``bond``. Hydrogens are not nodes.
        - :class:`~graphquant.RawGraphs`.
    node_names, edge_names : collection of str, optional
        Columns that an encoder was fitted on. They decide whether a one-hot block of PyTorch
        Geometric is one column of categories or several numbers: a single graph may look one-hot
        even if those of the fit did not.

    Returns
    -------
    GraphCollection or RawGraphs

    Raises
    ------
    InvalidGraphError
        The message names the first graph that cannot be converted.

    Examples
    --------
    >>> import networkx as nx
    >>> g = nx.path_graph(2)
    >>> nx.set_node_attributes(g, {0: "C", 1: "O"}, "symbol")
    >>> as_graphs([g])
    RawGraphs(1 graph, node attributes: symbol; edge attributes: none)
    >>> as_graphs([nx.path_graph(2)])
    GraphCollection(1 graph, on average 2.0 nodes x 1 attribute and 1.0 edges x 1 attribute)
    """
    if isinstance(obj, GraphCollection | RawGraphs):
        return obj
    members = _members(obj, _ANY_HINT, _TEXT_HINT)
    if not members:
        raise InvalidGraphError("There are no graphs.", "Pass at least one graph.")
    if all(map(is_pyg, members)):
        return raw_from_pyg_list(members, node_names, edge_names)
    for kind, convert in _RAW_CONVERTERS.items():
        if all(map(kind, members)):
            return convert(members)
    raise _unusable(members, (is_pyg, *_RAW_CONVERTERS), _ANY_KIND)


def as_collection(obj: Any) -> GraphCollection:
    """Convert graphs of any supported kind to a :class:`GraphCollection`.

    Parameters
    ----------
    obj : GraphCollection, Graph, or iterable of Graph, networkx graphs or PyTorch Geometric ``Data``
        Numeric attributes only; encode anything else with ``AttributeEncoder().fit_transform``.

    Returns
    -------
    GraphCollection

    Examples
    --------
    >>> import networkx as nx
    >>> import graphquant as gq
    >>> gq.as_collection([nx.path_graph(3), nx.cycle_graph(4)])
    GraphCollection(2 graphs, on average 3.5 nodes x 1 attribute and 3.0 edges x 1 attribute)
    """
    if isinstance(obj, GraphCollection):
        return obj
    if isinstance(obj, RawGraphs):
        raise InvalidGraphError("These graphs have named raw attributes, not vectors yet.", _NOT_VECTORS)
    graphs = _members(obj, _NUMERIC_HINT, _NUMERIC_HINT)
    if not graphs:
        return GraphCollection(graphs)
    for kind, convert in _CONVERTERS.items():
        if all(map(kind, graphs)):
            return convert(graphs)
    for kind, what in _RAW_KINDS.items():
        if all(map(kind, graphs)):
            raise InvalidGraphError(f"{what} are not vectors yet.", _NOT_VECTORS)
    raise _unusable(graphs, tuple(_CONVERTERS), _NUMERIC_KIND)


def _members(obj: Any, hint: str, hint_for_text: str) -> list[Any]:
    """Unpack any container of graphs, also one that holds batches of them."""
    if any(kind(obj) for kind in _KINDS):
        obj = [obj]
    if is_table(obj):
        raise not_a_column(obj)
    try:
        members = None if isinstance(obj, str | bytes) else values_of(obj)
    except TypeError:
        members = None
    if members is None:
        raise InvalidGraphError(
            f"An object of type {kind_of(obj)} is not a collection of graphs.",
            hint_for_text if isinstance(obj, str) else hint,
        )
    for i, member in enumerate(members):
        if is_missing(member):
            raise InvalidGraphError(
                f"Graph {i} is missing: row {i} holds {member!r}.",
                "Leave missing rows out, for example with dropna(); RDKit returns None for a molecule that "
                "it cannot read.",
            )
    if not any(map(is_pyg_batch, members)):
        return members
    return [
        data for member in members for data in (member.to_data_list() if is_pyg_batch(member) else [member])
    ]


def _unusable(
    graphs: list[Any], known: tuple[Callable[[Any], bool], ...], expected: str
) -> InvalidGraphError:
    """Build the error for graphs of an unknown kind, or of several kinds."""
    for i, graph in enumerate(graphs):
        if not any(kind(graph) for kind in known):
            return InvalidGraphError(
                f"Graph {i} is of type {kind_of(graph)}, expected {expected}.",
                "Convert it first, or leave it out.",
            )
    kinds = ", ".join(dict.fromkeys(map(kind_of, graphs)))
    return InvalidGraphError(
        f"Graphs of several kinds are mixed: {kinds}.", "Convert all of them to one kind first."
    )


def _is_graph(obj: Any) -> bool:
    return isinstance(obj, Graph)


def _is_raw(obj: Any) -> bool:
    return isinstance(obj, RawGraphs)


def _is_text(obj: Any) -> bool:
    return isinstance(obj, str)


def _graphs_of_networkx(graphs: list[Any]) -> GraphCollection | RawGraphs:
    if has_attributes(graphs):
        return raw_from_networkx(graphs, names_of(graphs))
    return from_networkx_list(graphs)


_NUMERIC_KIND = "a Graph, a networkx graph or PyTorch Geometric data"
_ANY_KIND = "a Graph, a networkx graph, PyTorch Geometric data, an RDKit molecule or a SMILES"
_NUMERIC_HINT = "Pass a list of Graph, networkx or PyTorch Geometric graphs; read files with graphquant.read."
_ANY_HINT = (
    "Pass a list of Graph, networkx or PyTorch Geometric graphs, RDKit molecules or SMILES; read files with "
    "graphquant.read."
)
_TEXT_HINT = 'Give a SMILES in a list, also a single one: ["CCO"]; read files with graphquant.read.'
# Kinds of which a single object is accepted; a string alone may be anything.
_KINDS = (_is_graph, is_networkx, is_pyg, is_molecule)
# How to recognise the kinds of graphs that as_collection accepts, and how to convert a list of them.
_CONVERTERS: dict[Callable[[Any], bool], Callable[[list[Any]], GraphCollection]] = {
    _is_graph: GraphCollection,
    is_networkx: from_networkx_list,
    is_pyg: from_pyg_list,
}
# The same for as_graphs, except PyTorch Geometric, whose converter takes more arguments.
_RAW_CONVERTERS: dict[Callable[[Any], bool], Callable[[list[Any]], GraphCollection | RawGraphs]] = {
    _is_graph: GraphCollection,
    is_networkx: _graphs_of_networkx,
    is_molecule: raw_from_molecules,
    _is_text: raw_from_smiles,
    _is_raw: RawGraphs.concatenate,
}
_RAW_KINDS: dict[Callable[[Any], bool], str] = {
    is_molecule: "Molecules",
    _is_text: "Strings, for example SMILES,",
    _is_raw: "Graphs with named raw attributes",
}

__all__ = [
    "as_collection",
    "as_graphs",
    "channel_names",
    "from_networkx",
    "from_pyg",
    "is_networkx",
    "is_pyg",
    "raw_from_networkx",
    "to_networkx",
]
