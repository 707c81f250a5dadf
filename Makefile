# Every target sets up .venv by itself, with the versions of constraints.txt, and reuses it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DOCS_STAMP := $(VENV)/.installed-docs
MUTATION_STAMP := $(VENV)/.installed-mutation
BENCH_STAMP := $(VENV)/.installed-bench
INTERPRETED := tests/kernels/test_small_cases.py tests/kernels/test_steps.py tests/kernels/test_lap.py tests/kernels/test_vectors.py \
	tests/kernels/test_thinning.py tests/bounds/test_values.py
PIP_INSTALL := python -m pip install --quiet --disable-pip-version-check --no-warn-script-location
PIP := $(BIN)/$(PIP_INSTALL) -c constraints.txt
# The peers of the comparison have an environment of their own: one of them is GPL, and none is a dependency.
PEERS_VENV := .venv-peers
PEERS_STAMP := $(PEERS_VENV)/.installed
PEERS_PIP := $(PEERS_VENV)/bin/$(PIP_INSTALL) -c benchmarks/peers/constraints.txt

define CHECK_PYTHON
@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
	|| { echo "error: graphquant needs Python 3.11 to 3.14, and $(PYTHON) is $$($(PYTHON) --version 2>&1)."; \
	     echo "hint: name another one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; } >&2
@echo "Setting up $(@D): a minute or two, once; later calls reuse it ..." >&2
endef

define CHECK_DATA
@test -n "$(DATA)" || { echo "error: DATA is not set."; \
	echo "hint: make $@ DATA=DIR, where DIR holds the zips of the IAM graph database"; exit 1; } >&2
endef

.DEFAULT_GOAL := help
.PHONY: help demo test test-dask test-full lint format bench bench-peers fuzz docs coverage mutation release-check reproduce clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# The build tools are installed first, without isolation: so their versions are those of constraints.txt too.
$(STAMP): pyproject.toml constraints.txt
	$(CHECK_PYTHON)
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) hatchling editables
	@$(PIP) --no-build-isolation -e '.[dev]'
	@touch $@

$(DOCS_STAMP): $(STAMP)
	@$(PIP) --no-build-isolation -e '.[docs]'
	@touch $@

$(PEERS_STAMP): pyproject.toml benchmarks/peers/constraints.txt
	$(CHECK_PYTHON)
	@$(PYTHON) -m venv $(PEERS_VENV)
	@$(PEERS_PIP) hatchling editables
	@$(PEERS_PIP) --no-build-isolation -e '.[plot]' POT grakel kmedoids
	@touch $@

$(MUTATION_STAMP): $(STAMP)
	@$(PIP) --no-build-isolation -e '.[mutation]'
	@touch $@

demo: $(STAMP)  ## the main job on built-in data
	@$(BIN)/graphquant demo

test: $(STAMP)  ## the whole test suite
	$(BIN)/python -m pytest -n auto --dist worksteal

test-dask: $(STAMP)  ## workers killed at ten random moments and a lost scheduler, on top of what test does
	GRAPHQUANT_KILLS=10 $(BIN)/python -m pytest -m dask -k "killed or lost" tests/distributed

test-full: $(STAMP)  ## the tests on whole data sets; GRAPHQUANT_DATA is the folder of the IAM zips
	GRAPHQUANT_FULL=1 $(BIN)/python -m pytest -m full tests

lint: $(STAMP)  ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(STAMP)  ## put the code into the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# A peer of the matchers, beside networkx and SciPy, which are there.
$(BENCH_STAMP): $(STAMP)
	@$(PIP) POT
	@touch $@

bench: $(BENCH_STAMP)  ## speed and memory, against what is promised
	$(BIN)/python -m benchmarks

bench-peers: $(PEERS_STAMP)  ## side by side with other packages, two hours; DATA is the folder of the IAM zips
	$(CHECK_DATA)
	@$(PEERS_VENV)/bin/python -m benchmarks.peers --data "$(DATA)" $(ARGS)

fuzz: $(STAMP)  ## the tests on random cases, with many more cases
	HYPOTHESIS_PROFILE=fuzz GRAPHQUANT_FUZZ_PAIRS=1000000 \
		$(BIN)/python -m pytest -n auto --dist worksteal -m "hypothesis or property" tests

docs: $(DOCS_STAMP)  ## the documentation, in docs/_build/html
	$(BIN)/python -m sphinx --fail-on-warning --quiet -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

# Compiled code is run by no interpreter that could count lines: small cases of it are interpreted.
coverage: $(STAMP)  ## which lines the tests reach, at least 95 %; then those of kernels, interpreted
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=term:skip-covered --cov-fail-under=95
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n auto -W ignore::RuntimeWarning $(INTERPRETED) \
		--cov --cov-config=tests/kernels/coverage.toml --cov-report=term:skip-covered --cov-fail-under=95

mutation: $(MUTATION_STAMP)  ## does a test fail where bounds and classify steps are changed? COUNT=N tries N
	$(BIN)/python tools/mutation.py $(COUNT)

release-check: $(STAMP)  ## wheel and sdist in clean environments of every Python that is found
	$(BIN)/python tools/release_check.py

reproduce: $(STAMP)  ## the paper's tables and figure, quickly; DATA is the folder of the IAM zips
	$(CHECK_DATA)
	@$(BIN)/graphquant reproduce all --quick --data "$(DATA)"

clean:  ## remove what was made
	rm -rf $(VENV) $(PEERS_VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf docs/_build docs/api docs/gallery build dist graphquant-demo graphquant-results benchmarks/results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
