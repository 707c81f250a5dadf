"""The working tree beside an old commit, measured in one run: ``python -m benchmarks versus --old COMMIT``."""
