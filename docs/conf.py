"""Sphinx configuration; neither the build nor the pages use a network."""

import sys
from pathlib import Path

import graphquant
from graphquant.plotting.palette import ACCENT

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS / "_extensions"), str(DOCS / "figures")]

project = "graphquant"
author = "The graphquant developers"
copyright = author
version = release = graphquant.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "sphinx_copybutton",
    "matplotlib.sphinxext.plot_directive",
    "command_help",
    "live_report",
    "mathml",
    "results",
    "thumbnails",
]
exclude_patterns = ["_build", "gallery/*.ipynb"]
templates_path = ["_templates"]
default_role = "literal"
nitpicky = True
suppress_warnings = [
    "config.cache"
]  # sphinx-gallery's options contain a class, which does not invalidate the cache

html_theme = "furo"
html_title = f"graphquant {release}"
html_static_path = ["_static"]
html_css_files = ["graphquant.css"]
html_js_files = ["versions.js", "switch.js"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/versions.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_show_sourcelink = False
html_copy_source = False
html_math_renderer = "mathml"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": ACCENT, "color-brand-content": ACCENT},
    "dark_css_variables": {"color-brand-primary": "#5eead4", "color-brand-content": "#5eead4"},
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

autosummary_generate = True
autosummary_imported_members = False
autodoc_typehints = "none"  # types are in the docstrings
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

myst_heading_anchors = 3

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

plot_formats = [("svg", 100)]
plot_html_show_formats = False
plot_html_show_source_link = False
plot_basedir = str(DOCS)
plot_rcparams = {"savefig.bbox": "tight", "savefig.facecolor": "white", "font.size": 10}
plot_apply_rcparams = True

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "subsection_order": [f"../examples/{name}" for name in ("first", "collections", "structures", "tools")],
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "remove_config_comments": True,
    "thumbnail_size": (420, 280),
    "show_memory": False,
    "show_signature": False,
    "doc_module": ("graphquant",),
    "backreferences_dir": "api/examples",
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "image_srcset": ["2x"],
}
