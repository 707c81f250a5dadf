"""The version, in the one place from which the build and the library read it."""

__version__ = "1.0.0"
