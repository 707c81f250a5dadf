"""Formulas as MathML, which browsers render natively: no script and no font to load."""

import re

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml


def to_mathml(node, **options):
    """Return a formula as MathML."""
    text = node.astext()
    if re.search(r"frac\s*[^\s{]", text):
        raise ValueError(f"docutils would read this otherwise than LaTeX, write \\frac{{a}}{{b}}: {text}")
    return tex2mathml(text, **options)


def visit_inline(writer, node):
    """Write a formula in a line of text."""
    writer.body.append(to_mathml(node))
    raise SkipNode


def visit_block(writer, node):
    """Write a displayed formula."""
    writer.body.append(f'<div class="math">{to_mathml(node, as_block=True)}</div>')
    raise SkipNode


def setup(app):
    """Offer the renderer to Sphinx."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
