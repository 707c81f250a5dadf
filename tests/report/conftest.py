import numpy as np
import pytest

import graphquant as gq
from graphquant.report import write_report
from tests.report.stand_in import StandIn, class_means

NASTY = '</script><img src=x onerror="document.title=1">'


@pytest.fixture(scope="session")
def letters():
    """Three graphs of each letter; one has a name that must stay text."""
    dataset = gq.datasets.make_letters(3)
    names = list(dataset.names)
    names[1] = NASTY
    return gq.Dataset(
        dataset.graphs.with_names(names),
        dataset.targets,
        dataset.target_names,
        dataset.encoder,
        dataset.description,
        dataset.raw,
    )


@pytest.fixture(scope="session")
def quantizer(letters):
    return class_means(letters)


@pytest.fixture(scope="session")
def plain_page(tmp_path_factory):
    """A report on graphs without coordinates, names and classes, of a codebook that knows no history."""
    graphs = gq.datasets.make_graph_blobs(12, 2, order=5).graphs
    far_away = gq.Graph(np.full((2, 2), 99.0), edge_attrs=np.empty((0, 1)))
    quantizer = StandIn(gq.GraphCollection([graphs[0], far_away]))
    quantizer.history_ = []
    path = tmp_path_factory.mktemp("plain") / "report.html"
    return write_report(path, quantizer, gq.GraphCollection(list(graphs)), max_graphs=8)


@pytest.fixture(scope="session")
def page(letters, quantizer, tmp_path_factory):
    """A written report."""
    return write_report(
        tmp_path_factory.mktemp("report") / "report.html", quantizer, letters, title=f"Letters {NASTY}"
    )
