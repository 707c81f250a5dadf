# Every target sets up .venv by itself, with the versions of constraints.txt, and reuses it: `make demo` installs what
# the package needs, the others add what developers need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PACKAGE_STAMP := $(VENV)/.installed
STAMP := $(VENV)/.installed-dev
DOCS_STAMP := $(VENV)/.installed-docs
BENCH_STAMP := $(VENV)/.installed-bench
# The native core, in the source tree; its sources may have tests among them, which it is not built from.
CORE_STAMP := src/graphquant/_core/.built
CORE_SOURCES := CMakeLists.txt $(wildcard cmake/*) tools/build_core.py src/graphquant/_core/source_hash.py \
	$(shell find cpp -path cpp/tests -prune -o -type f -print)
CPP_FILES := $(shell find cpp -name '*.h' -o -name '*.hpp' -o -name '*.cpp')
PIP_INSTALL := python -m pip install --quiet --disable-pip-version-check --no-warn-script-location
PIP := $(BIN)/$(PIP_INSTALL) -c constraints.txt
# The peers of the comparison have an environment of their own: one of them is GPL, and none is a dependency.
PEERS_VENV := .venv-peers
PEERS_STAMP := $(PEERS_VENV)/.installed
PEERS_PIP := $(PEERS_VENV)/bin/$(PIP_INSTALL) -c benchmarks/peers/constraints.txt

# What is on the machine is used; the rest comes from PyPI, into the environment.
BUILD_TOOLS := scikit-build-core $(if $(shell command -v cmake),,cmake) $(if $(shell command -v ninja),,ninja)
# What find_compiler() of tools/build_core.py looks for; on Windows the core is always compiled with zig.
HAS_COMPILER := $(if $(filter Windows_NT,$(OS)),false,{ test -n "$$CXX" || command -v c++ || command -v g++ || command -v clang++; } >/dev/null)

# An environment of another Python than the one that PYTHON=... asks for is made from scratch.
VERSION_OF = $(shell $(1) -c 'import sys; print(sys.version_info[:3])' 2>&1)
ifneq ($(origin PYTHON),file)
ifneq ($(wildcard $(BIN)/python),)
ifneq ($(call VERSION_OF,$(PYTHON)),$(call VERSION_OF,$(BIN)/python))
CLEAR := --clear
$(PACKAGE_STAMP): FORCE
endif
endif
endif

define CHECK_PYTHON
@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
	|| { echo "error: graphquant needs Python 3.11 to 3.14, and $(PYTHON) is $$($(PYTHON) --version 2>&1)."; \
	     echo "hint: name another one: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; } >&2
@echo "Setting up $(@D), once; later calls reuse it ..." >&2
endef

define CHECK_DATA
@test -n "$(DATA)" || { echo "error: DATA is not set."; \
	echo "hint: make $@ DATA=DIR, where DIR holds the zips of the IAM graph database"; exit 1; } >&2
endef

.DEFAULT_GOAL := help
.PHONY: FORCE help core cross demo test test-core test-compilers sanitize sanitize-quick test-dask test-full lint format bench bench-peers bench-versus results studies \
	fuzz fuzz-core fuzz-boundary soak docs coverage coverage-core mutation mutation-core release-check reproduce clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# The build tools are installed first, without isolation: so their versions are those of constraints.txt too.
$(PACKAGE_STAMP): pyproject.toml constraints.txt
	$(CHECK_PYTHON)
	@$(PYTHON) -m venv $(CLEAR) $(VENV)
	@$(PIP) $(BUILD_TOOLS)
	@$(PIP) --no-build-isolation -e .
	@touch $@

$(STAMP): $(PACKAGE_STAMP)
	@echo "Adding what developers need to $(@D): a minute, once ..." >&2
	@$(PIP) --no-build-isolation -e '.[dev]'
	@touch $@

$(CORE_STAMP): $(CORE_SOURCES) | $(PACKAGE_STAMP)
	@$(HAS_COMPILER) || $(BIN)/python -c 'import ziglang' 2>/dev/null || { $(PIP) ziglang && \
		echo "No C++ compiler was found: one was fetched from PyPI into $(VENV) (ziglang)." >&2; }
	@$(BIN)/python tools/build_core.py
	@touch $@

core: $(CORE_STAMP)  ## the native core, again whenever a file of cpp/ has changed

cross: $(PACKAGE_STAMP)  ## compile and link the core for Linux, macOS and Windows, into build/; TARGETS=... chooses
	@$(PIP) ziglang
	@$(BIN)/python tools/build_core.py --cross $(TARGETS)

$(DOCS_STAMP): $(STAMP)
	@$(PIP) --no-build-isolation -e '.[docs]'
	@touch $@

$(PEERS_STAMP): pyproject.toml benchmarks/peers/constraints.txt
	$(CHECK_PYTHON)
	@$(PYTHON) -m venv $(PEERS_VENV)
	@$(PEERS_PIP) $(BUILD_TOOLS)
	@$(PEERS_PIP) --no-build-isolation -e '.[plot]' POT grakel kmedoids
	@touch $@

demo: $(PACKAGE_STAMP) $(CORE_STAMP)  ## the main job on built-in data
	@$(BIN)/graphquant demo

test: $(STAMP) $(CORE_STAMP)  ## the whole test suite
	$(BIN)/python -m pytest -n auto --dist worksteal

test-dask: $(STAMP) $(CORE_STAMP)  ## workers killed at ten random moments and a lost scheduler, on top of what test does
	GRAPHQUANT_KILLS=10 $(BIN)/python -m pytest -m dask -k "killed or lost" tests/out_of_core

test-full: $(STAMP) $(CORE_STAMP)  ## the tests on whole data sets; GRAPHQUANT_DATA is the folder of the IAM zips
	GRAPHQUANT_FULL=1 $(BIN)/python -m pytest -m full tests

test-core: $(STAMP)  ## the tests of the core in C++
	@$(BIN)/python -m tools.check_core test

# Clang, or else zig, which is Clang, is the other one.
test-compilers: $(STAMP) $(CORE_STAMP)  ## does another compiler give the same bits?
	@command -v clang++ >/dev/null || $(PIP) ziglang
	@$(BIN)/python -m tools.check_core compilers

sanitize: $(STAMP) $(CORE_STAMP)  ## tests of the core in C++ and Python with AddressSanitizer and UndefinedBehaviorSanitizer
	@$(BIN)/python -m tools.check_core sanitize

sanitize-quick: $(STAMP) $(CORE_STAMP)  ## the same, a short list
	@$(BIN)/python -m tools.check_core sanitize --quick

WORKFLOWS := $(wildcard .github/workflows/*.yml)
ISSUE_FORMS := .github/ISSUE_TEMPLATE/bug.yml .github/ISSUE_TEMPLATE/idea.yml

lint: $(STAMP)  ## style, types and layers, of Python and C++; workflows and other forms that cannot run here
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/clang-format --dry-run --Werror $(CPP_FILES)
	$(BIN)/clang-tidy --quiet cpp/graphquant.cpp -- -std=c++20 -Icpp -Wall -Wextra
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows $(WORKFLOWS)
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms $(ISSUE_FORMS)
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.citation-file-format CITATION.cff
	$(BIN)/zizmor --offline --quiet .github

format: $(STAMP)  ## put the code into the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP_FILES)

# A peer of the matchers, beside networkx and SciPy, which are there.
$(BENCH_STAMP): $(STAMP)
	@$(PIP) POT
	@touch $@

bench: $(BENCH_STAMP) $(CORE_STAMP)  ## speed and memory, against what is promised
	$(BIN)/python -m benchmarks

bench-peers: $(PEERS_STAMP) $(CORE_STAMP)  ## side by side with other packages, 45 minutes; DATA is the folder of the IAM zips
	$(CHECK_DATA)
	@$(PEERS_VENV)/bin/python -m benchmarks.peers --data "$(DATA)" $(ARGS)

results: $(BENCH_STAMP) $(PEERS_STAMP) $(CORE_STAMP)  ## what pages say of this version, at one commit, under two hours on two cores; goes on where it was; DATA is the folder of the IAM zips
	$(CHECK_DATA)
	@$(BIN)/python -m benchmarks.whole_run --data "$(DATA)" $(ARGS)

studies: $(STAMP) $(CORE_STAMP)  ## why defaults are what they are, again; an hour and a half; DATA is the folder of the IAM zips
	$(CHECK_DATA)
	@$(BIN)/python -m benchmarks.whole_run --studies --data "$(DATA)" $(ARGS)

bench-versus: $(STAMP)  ## the working tree beside the commit OLD, a quarter of an hour; DATA is the folder of the IAM zips
	$(CHECK_DATA)
	@$(BIN)/python -m benchmarks versus --old $(OLD) --data "$(DATA)" $(ARGS)

fuzz: $(STAMP) $(CORE_STAMP)  ## the tests on random cases, with many more cases; about four hours on two cores
	HYPOTHESIS_PROFILE=fuzz GRAPHQUANT_FUZZ_PAIRS=1000000 GRAPHQUANT_FUZZ_FILES=100000 \
		$(BIN)/python -m pytest -n auto --dist worksteal -m "hypothesis or property" tests
	@$(MAKE) --no-print-directory fuzz-core
	@$(MAKE) --no-print-directory fuzz-boundary

fuzz-core: $(STAMP)  ## random graphs against all mappings, in C++; CASES=N SEED=N
	@$(BIN)/python -m tools.check_core fuzz --cases $(or $(CASES),20000) --seed $(or $(SEED),0)

fuzz-boundary: $(STAMP)  ## hostile arrays, parameters and states, with sanitizers; CASES=1000000, an hour of one core
	@$(BIN)/python -m tools.check_core boundary --cases $(or $(CASES),1000000) --seed $(or $(SEED),0)

soak: $(STAMP) $(CORE_STAMP)  ## predictions, fits, reports and killed processes side by side; MINUTES=60
	$(BIN)/python -m tests.fuzz.soak $(or $(MINUTES),60) --dask

docs: $(DOCS_STAMP) $(CORE_STAMP)  ## the documentation, in docs/_build/html
	$(BIN)/python -m sphinx --fail-on-warning --quiet -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

coverage: $(STAMP) $(CORE_STAMP)  ## which lines of Python the tests reach, at least 95 %
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=term:skip-covered --cov-fail-under=95

coverage-core: $(STAMP) $(CORE_STAMP)  ## which lines of the core the tests reach, at least 95 %
	@$(BIN)/python -m tools.check_core coverage

mutation-core: $(STAMP) $(CORE_STAMP)  ## does a test fail where the core is changed? COUNT=N tries N, SEED=N others
	@$(BIN)/python -m tools.mutation_core $(COUNT) --seed $(or $(SEED),0)

mutation: $(STAMP) $(CORE_STAMP)  ## does a test fail where a line of Python is changed? COUNT=N tries N mutants
	$(BIN)/python tools/mutation.py $(COUNT)

release-check: $(STAMP) $(CORE_STAMP)  ## wheel and sdist in clean environments of every Python, without a compiler too
	$(BIN)/python tools/release_check.py

reproduce: $(STAMP) $(CORE_STAMP)  ## the paper's tables and figure, quickly; DATA is the folder of the IAM zips
	$(CHECK_DATA)
	@$(BIN)/graphquant reproduce all --quick --data "$(DATA)"

clean:  ## remove what was made
	rm -rf $(VENV) $(PEERS_VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf docs/_build docs/api docs/gallery build dist graphquant-demo graphquant-results benchmarks/results
	rm -f $(CORE_STAMP) src/graphquant/_core/libgraphquant_*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
