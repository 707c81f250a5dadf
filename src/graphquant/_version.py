"""The version, in the one place that the build and the library read."""

__version__ = "2.0.0"
