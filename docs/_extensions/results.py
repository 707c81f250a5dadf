"""``:result:`` cites a measured number from the files of ``docs/results``: none is typed by hand.

``:result:`table2.csv | setting=own set=letter k=30 algorithm=lossless | 100 * accuracy_mean .1f``` becomes
97.9, with a link to the page of that file; ``citing.py`` describes queries.
"""

from pathlib import Path

from citing import cite
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.util.docutils import SphinxRole


class Result(SphinxRole):
    """The role."""

    def run(self):
        """Return the number, as a link to the page of its file."""
        try:
            file, text = cite(self.text)
        except (KeyError, OSError, ValueError) as err:
            message = self.inliner.reporter.error(f"result: {err}", line=self.lineno)
            return [nodes.problematic(self.rawtext, self.rawtext)], [message]
        stem = Path(file).stem
        link = pending_xref(
            "", reftype="doc", refdomain="std", reftarget=f"/results/{stem}", refexplicit=True, refwarn=True,
            refdoc=self.env.docname,
        )  # fmt: skip
        link += nodes.inline(text, text, classes=["result"])
        return [link], []


def setup(app):
    """Offer the role to Sphinx."""
    app.add_role("result", Result())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
