"""``graphquant distance A B``: match one pair of graphs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from graphquant.cli import _options as opt
from graphquant.cli._edit import EDITING, Editing
from graphquant.cli._formats import OutputFormat, record_format
from graphquant.cli._output import print_line, print_note, print_record, stdout_to
from graphquant.exceptions import EncodingError, InvalidParameterError

if TYPE_CHECKING:
    from graphquant.cli._loaded import LoadedData
    from graphquant.graphs import Graph
    from graphquant.matching import Matcher
    from graphquant.preprocessing import GraphEncoder

EXAMPLES = (
    "graphquant distance letters:0 letters:1",
    "graphquant distance letters:0 letters:1 --costs networkx",
    "graphquant distance letters:high:2 letters:high:3 --node-limit 50",
    "graphquant distance letters:high:0 letters:high:1 --matcher exact --format json",
)

_Which = "A file with one graph, or DATA:NUMBER (from 0) or DATA:NAME, such as letters:3 or file.parquet:17."


def distance(
    a: Annotated[str, typer.Argument(metavar="A", help=_Which)],
    b: Annotated[str, typer.Argument(metavar="B", help="Likewise.")],
    matcher: opt.Matcher = opt.MatcherName.AUTO,
    order: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Order of the graph space; by default that of the larger graph."
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            min=0.0, metavar="X", help="With --edit: only find out whether the distance is at most this."
        ),
    ] = None,
    node_limit: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="End the search after N nodes. --matcher auto ends it after 300, with --edit after 100,000; "
            "it searches pairs of up to 8 nodes to the end unless N says otherwise, with --edit always.",
        ),
    ] = None,
    time_limit: opt.TimeLimit = None,
    editing: Editing = EDITING,
    attributes: opt.Attributes = opt.ATTRIBUTES,
    reading: opt.Reading = opt.READING,
    format: opt.Format = None,
    output: opt.Output = None,
    quiet: opt.Quiet = False,
) -> None:
    """Match two graphs.

    Prints the distance, a lower bound, whether the distance is proven, and the mapping: the node of B for
    each node of A, where numbers beyond the nodes of B are zero nodes. --edit prints the graph edit distance
    and the edits that turn A into B. If the search reaches a limit, the true distance lies between the lower
    bound and the distance that was found.
    """
    chosen = record_format(output, format)
    limited = _limited(matcher, node_limit, time_limit, editing)
    if editing.wanted:
        with stdout_to(output):
            _print_edits(a, b, limited, threshold, editing, attributes, reading, chosen)
        return
    if threshold is not None:
        raise typer.BadParameter("--threshold needs --edit.")

    from graphquant.matching import match

    with stdout_to(output):
        x, y = _encoded(_graph_named(a, reading), _graph_named(b, reading), attributes)
        found = match(x, y, limited, order)
        record = {
            "a": a,
            "b": b,
            "distance": found.distance,
            "lower_bound": found.lower_bound,
            "proven": found.proven,
            "mapping": found.mapping.tolist(),
        }
        print_record(record, chosen)


def _limited(
    name: opt.MatcherName, node_limit: int | None, time_limit: float | None, editing: Editing
) -> "Matcher":
    """Return the matcher of a name with these limits, which only a search can have."""
    from graphquant.matching import AutoMatcher, ExactMatcher, get_matcher

    if name is opt.MatcherName.EXACT:
        return ExactMatcher(node_limit, time_limit)
    if name is opt.MatcherName.AUTO and not editing.wanted:
        return AutoMatcher("auto" if node_limit is None else node_limit, time_limit)
    if name is opt.MatcherName.AUTO:
        from graphquant.edit import edit_matcher
        from graphquant.edit.distance import NODE_LIMIT

        return edit_matcher("auto", NODE_LIMIT if node_limit is None else node_limit, time_limit)
    for option, limit in (("--node-limit", node_limit), ("--time-limit", time_limit)):
        if limit is not None:
            raise typer.BadParameter(
                f"{option} ends a search, but {name.value} does not search: leave it out, or use "
                "--matcher auto or exact."
            )
    return get_matcher(name.value)


def _print_edits(
    a: str,
    b: str,
    matcher: "Matcher",
    threshold: float | None,
    editing: Editing,
    attributes: opt.Attributes,
    reading: opt.Reading,
    chosen: OutputFormat,
) -> None:
    """Print the edit distance between two graphs, and the edits."""
    from graphquant.edit import edit_distance

    if attributes.given:
        raise EncodingError(
            "The edit costs already say which attributes count.",
            'Leave the options of attributes out, and name them in --costs FILE.json: {"node": ["symbol"]}.',
        )
    x, y = _graph_named(a, reading).alone(), _graph_named(b, reading).alone()
    found = edit_distance(x.graphs, y.graphs, editing.read(), threshold=threshold, matcher=matcher)
    record = {
        "a": a,
        "b": b,
        "distance": found.distance,
        "lower_bound": found.lower_bound,
        "proven": found.proven,
    }
    if threshold is not None:
        record |= {"threshold": threshold, "within": found.is_within}
    edits = [str(edit) for edit in found.edits]
    if chosen is OutputFormat.TABLE:
        print_record(record, chosen)
        for edit in found.edits:
            print_line(f"  {edit.cost:<6g} {edit}")
        return
    print_record(record | {"edits": edits if chosen is OutputFormat.JSON else "; ".join(edits)}, chosen)


class _Picked(NamedTuple):
    """One of the loaded graphs."""

    loaded: "LoadedData"
    number: int

    def alone(self) -> "LoadedData":
        """Return the graph without the others."""
        return self.loaded.take([self.number])


def _graph_named(text: str, reading: opt.Reading) -> _Picked:
    """Load one graph: the only one of a file, or the one named after the last colon."""
    data, colon, which = text.rpartition(":")
    whole = text in opt.BUILT_IN + opt.IAM_NAMES or Path(text).exists() or not colon
    loaded = reading.load(text if whole else data)
    if not whole:
        return _Picked(loaded, _number(which, loaded))
    count = len(loaded.graphs)
    if count == 1:
        return _Picked(loaded, 0)
    choices = f"Say which one: {text}:0 to {text}:{count - 1}." if count else "Give a file with a graph."
    raise InvalidParameterError(
        f"{text}: contains {count} graphs, but a distance needs one on each side.", choices
    )


def _number(which: str, loaded: "LoadedData") -> int:
    names, count = loaded.graphs.names or (), len(loaded.graphs)
    if which in names:
        return names.index(which)
    if not which.isdecimal() or int(which) >= count:
        named = f", or a name such as {names[0]}" if names else ""
        raise InvalidParameterError(
            f"{loaded.name}: has no graph {which!r}.", f"Give a number from 0 to {count - 1}{named}."
        )
    return int(which)


def _encoded(a: _Picked, b: _Picked, attributes: opt.Attributes) -> tuple["Graph", "Graph"]:
    """Encode both graphs with one encoder: one that comes with them, else a new one."""
    from graphquant.cli._encoding import encode_like
    from graphquant.graphs import GraphCollection

    encoder = _encoder(a.loaded, b.loaded, attributes)
    if encoder is not None:
        print_note("encoding:")
        for line in encoder.describe().splitlines():
            print_note(f"  {line}")
    sides = a.alone(), b.alone()
    # Vectors, if there are any, determine how the other side is encoded.
    model = next((side.graphs for side in sides if isinstance(side.graphs, GraphCollection)), None)
    if model is None:
        assert encoder is not None
        model = encoder.transform(sides[0].graphs)
    first = encode_like(sides[0], encoder, model, owner=b.loaded.name)
    second = encode_like(sides[1], encoder, model, owner=a.loaded.name)
    return first.graphs[0], second.graphs[0]


def _encoder(a: "LoadedData", b: "LoadedData", attributes: opt.Attributes) -> "GraphEncoder | None":
    """Find the encoder of a pair; a new one is fitted on all graphs that the two were picked from."""
    from graphquant.cli._encoding import new_encoder
    from graphquant.graphs import RawGraphs

    raw = [side.graphs for side in (a, b) if isinstance(side.graphs, RawGraphs)]
    if attributes.given and len(raw) < 2:
        raise EncodingError("One of the graphs is already encoded.", "Omit the attribute options.")
    known = a.encoder or b.encoder
    if len(raw) < 2 or (known is not None and not attributes.given):
        return known
    return new_encoder(attributes, raw[0] if a.name == b.name else RawGraphs.concatenate(raw))


__all__ = ["EXAMPLES", "distance"]
