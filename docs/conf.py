"""Sphinx configuration; the build uses no network."""

import graphquant

project = "graphquant"
author = "The graphquant developers"
copyright = author
version = release = graphquant.__version__

extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {"description": graphquant.__doc__.splitlines()[0].partition(": ")[2]}
default_role = "literal"

autosummary_generate = True
autodoc_typehints = "none"  # types stand in the docstrings
numpydoc_show_class_members = False
