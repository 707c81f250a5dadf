"""Matching at molecule size: what ``bench_large`` measures, with the graphquant of any Python."""

# Functions of measure.py, in the order in which they run.
PARTS = (
    "fits",
    "fits_lossless",
    "pairs",
    "exact",
    "approximate",
    "symmetric",
    "renumbering",
    "dense",
    "small",
    "encodings",
    "paper_setting",
)
