"""``.. live-report::`` shows a report about built-in letters in a page; it is written in the build."""

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import graphquant as gq

NAME = "example-report.html"
FRAME = (
    '<iframe class="live-report" src="{root}{name}" loading="lazy" title="A report about letters"></iframe>'
    '<p><a class="reference external" href="{root}{name}">Open the report on a page of its own</a></p>'
)


class LiveReport(SphinxDirective):
    """The report in a frame, and a link to it."""

    def run(self):
        """Return the frame."""
        root = "../" * self.env.docname.count("/")
        return [nodes.raw("", FRAME.format(root=root, name=NAME), format="html")]


def write_report(app):
    """Write the report beside the pages."""
    if app.builder.format == "html":
        letters = gq.datasets.make_letters(n_per_class=10)
        quantizer = gq.GraphQuantizer(n_codes=15, random_state=0).fit(letters)
        Path(app.outdir).mkdir(parents=True, exist_ok=True)
        gq.report.write_report(Path(app.outdir, NAME), quantizer, letters)


def setup(app):
    """Offer the directive to Sphinx."""
    app.add_directive("live-report", LiveReport)
    app.connect("builder-inited", write_report)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
