# Every target sets up .venv by itself, with the versions of constraints.txt, and reuses it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help demo test lint format bench fuzz docs reproduce clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
		|| { echo "error: graphquant needs Python 3.11 to 3.14; $(PYTHON) is $$($(PYTHON) --version)."; \
		     echo "hint: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Setting up $(VENV) (once; later calls reuse it) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: $(STAMP)  ## the main job on built-in data
	$(BIN)/graphquant demo

test: $(STAMP)  ## the whole test suite
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(STAMP)  ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(STAMP)  ## put the code into the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP)  ## speed and memory, as ratios taken in one run
	$(BIN)/python -m benchmarks

fuzz: $(STAMP)  ## the property tests with many more cases
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n auto -m property

docs: $(STAMP)  ## the documentation
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	$(BIN)/python -m sphinx -W -b html docs docs/_build/html

reproduce: $(STAMP)  ## the paper's experiments; DATA is the folder of the IAM zips
	$(BIN)/graphquant info letter --data $(DATA)

clean:  ## remove what was made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis docs/_build build dist graphquant-demo
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
