"""The working tree beside an old commit, in one run: ``python -m benchmarks versus --old COMMIT``."""
