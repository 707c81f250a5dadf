# Every target sets up .venv by itself, with the versions of constraints.txt, and reuses it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DOCS_STAMP := $(VENV)/.installed-docs
MUTATION_STAMP := $(VENV)/.installed-mutation
BENCH_STAMP := $(VENV)/.installed-bench
# The native core, in the source tree; its sources may have tests among them, which it is not built from.
CORE_STAMP := src/graphquant/_core/.built
CORE_SOURCES := CMakeLists.txt cmake/zig.cmake tools/build_core.py src/graphquant/_core/source_hash.py \
	$(shell find cpp -path cpp/tests -prune -o -type f -print)
PIP_INSTALL := python -m pip install --quiet --disable-pip-version-check --no-warn-script-location
PIP := $(BIN)/$(PIP_INSTALL) -c constraints.txt
# The peers of the comparison have an environment of their own: one of them is GPL, and none is a dependency.
PEERS_VENV := .venv-peers
PEERS_STAMP := $(PEERS_VENV)/.installed
PEERS_PIP := $(PEERS_VENV)/bin/$(PIP_INSTALL) -c benchmarks/peers/constraints.txt

# What is on the machine is used; the rest comes from PyPI, into the environment.
BUILD_TOOLS := scikit-build-core $(if $(shell command -v cmake),,cmake) $(if $(shell command -v ninja),,ninja)
HAS_COMPILER := { test -n "$$CXX" || command -v c++ || command -v g++ || command -v clang++; } >/dev/null

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
.PHONY: help core demo test test-dask test-full lint format bench bench-peers fuzz soak docs coverage mutation release-check reproduce clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# The build tools are installed first, without isolation: so their versions are those of constraints.txt too.
$(STAMP): pyproject.toml constraints.txt
	$(CHECK_PYTHON)
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) $(BUILD_TOOLS)
	@$(PIP) --no-build-isolation -e '.[dev]'
	@touch $@

$(CORE_STAMP): $(CORE_SOURCES) | $(STAMP)
	@$(HAS_COMPILER) || $(BIN)/python -c 'import ziglang' 2>/dev/null || { $(PIP) ziglang && \
		echo "No C++ compiler was found: zig was fetched from PyPI into $(VENV)." >&2; }
	@$(BIN)/python tools/build_core.py
	@touch $@

core: $(CORE_STAMP)  ## the native core, again whenever a file of cpp/ has changed

$(DOCS_STAMP): $(STAMP)
	@$(PIP) --no-build-isolation -e '.[docs]'
	@touch $@

$(PEERS_STAMP): pyproject.toml benchmarks/peers/constraints.txt
	$(CHECK_PYTHON)
	@$(PYTHON) -m venv $(PEERS_VENV)
	@$(PEERS_PIP) $(BUILD_TOOLS)
	@$(PEERS_PIP) --no-build-isolation -e '.[plot]' POT grakel kmedoids
	@touch $@

$(MUTATION_STAMP): $(STAMP)
	@$(PIP) --no-build-isolation -e '.[mutation]'
	@touch $@

demo: $(STAMP) $(CORE_STAMP)  ## the main job on built-in data
	@$(BIN)/graphquant demo

test: $(STAMP) $(CORE_STAMP)  ## the whole test suite
	$(BIN)/python -m pytest -n auto --dist worksteal

test-dask: $(STAMP) $(CORE_STAMP)  ## workers killed at ten random moments and a lost scheduler, on top of what test does
	GRAPHQUANT_KILLS=10 $(BIN)/python -m pytest -m dask -k "killed or lost" tests/out_of_core

test-full: $(STAMP) $(CORE_STAMP)  ## the tests on whole data sets; GRAPHQUANT_DATA is the folder of the IAM zips
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

bench: $(BENCH_STAMP) $(CORE_STAMP)  ## speed and memory, against what is promised
	$(BIN)/python -m benchmarks

bench-peers: $(PEERS_STAMP) $(CORE_STAMP)  ## side by side with other packages, two hours; DATA is the folder of the IAM zips
	$(CHECK_DATA)
	@$(PEERS_VENV)/bin/python -m benchmarks.peers --data "$(DATA)" $(ARGS)

fuzz: $(STAMP) $(CORE_STAMP)  ## the tests on random cases, with many more cases; about three hours on two cores
	HYPOTHESIS_PROFILE=fuzz GRAPHQUANT_FUZZ_PAIRS=1000000 GRAPHQUANT_FUZZ_FILES=100000 \
		$(BIN)/python -m pytest -n auto --dist worksteal -m "hypothesis or property" tests

soak: $(STAMP) $(CORE_STAMP)  ## predictions, fits, reports and killed workers side by side; MINUTES=60
	$(BIN)/python -m tests.fuzz.soak $(or $(MINUTES),60) --dask

docs: $(DOCS_STAMP) $(CORE_STAMP)  ## the documentation, in docs/_build/html
	$(BIN)/python -m sphinx --fail-on-warning --quiet -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

coverage: $(STAMP) $(CORE_STAMP)  ## which lines of Python the tests reach, at least 95 %
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=term:skip-covered --cov-fail-under=95

mutation: $(MUTATION_STAMP) $(CORE_STAMP)  ## does a test fail where bounds and classify steps are changed? COUNT=N tries N
	$(BIN)/python tools/mutation.py $(COUNT)

release-check: $(STAMP) $(CORE_STAMP)  ## wheel and sdist in clean environments of every Python that is found
	$(BIN)/python tools/release_check.py

reproduce: $(STAMP) $(CORE_STAMP)  ## the paper's tables and figure, quickly; DATA is the folder of the IAM zips
	$(CHECK_DATA)
	@$(BIN)/graphquant reproduce all --quick --data "$(DATA)"

clean:  ## remove what was made
	rm -rf $(VENV) $(PEERS_VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf docs/_build docs/api docs/gallery build dist graphquant-demo graphquant-results benchmarks/results
	rm -f $(CORE_STAMP) src/graphquant/_core/libgraphquant_*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
