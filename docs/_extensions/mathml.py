"""Formulas as MathML, which browsers render natively: no script and no font to load."""

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml


def visit_inline(writer, node):
    """Write a formula in a line of text."""
    writer.body.append(tex2mathml(node.astext()))
    raise SkipNode


def visit_block(writer, node):
    """Write a displayed formula."""
    writer.body.append(f'<div class="math">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise SkipNode


def setup(app):
    """Offer the renderer to Sphinx."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
