"""``.. command-help::`` shows every command of the program with its own ``--help``.

Typer brings its own copy of click, which sphinx-click does not take; and the text that the program prints is
what a reader will meet.
"""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from typer.main import get_command
from typer.testing import CliRunner

from graphquant.cli.app import app


class CommandHelp(SphinxDirective):
    """One section for each command."""

    def run(self):
        """Return the sections."""
        return [self._section(name) for name in get_command(app).commands]

    def _section(self, name):
        section = nodes.section(ids=[f"graphquant-{name}"], names=[f"graphquant {name}"])
        section += nodes.title(text=f"graphquant {name}")
        text = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "88"}, color=False).stdout
        section += nodes.literal_block(text, text.strip(), language="none", classes=["help"])
        return section


def setup(sphinx):
    """Offer the directive to Sphinx."""
    sphinx.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
