"""Slow and obvious versions of what the library does fast: the oracles of the tests."""
