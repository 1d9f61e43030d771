# One entry for people and for CI. `make help` lists the targets.
#
# Everything runs in the virtual environment .venv, made here with plain venv and pip. Stamp files inside it
# say what is installed, so that a second call installs nothing; they age with setup.py and constraints.txt.
# Removing .venv (`make clean`) starts afresh.

PYTHON ?= python3
VENV ?= .venv
# Two processes, a test file in one of them: many files prepare something once for all their tests.
PYTEST_ARGS ?= -n 2 --dist loadfile

BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
VENV_MADE := $(VENV)/.stamp-venv
DEMO_READY := $(VENV)/.stamp-demo
TEST_READY := $(VENV)/.stamp-test
# What cannot be installed beside the newest `datasets` (its older releases, the mirror `olah`): environments of their own.
GENERATIONS_READY := $(VENV)/.stamp-generations

# Torch with two threads on two busy cores is many times slower than with one.
ONE_THREAD := OMP_NUM_THREADS=1
# After the installation nothing may need the network.
OFFLINE := HF_HUB_OFFLINE=1 HF_DATASETS_OFFLINE=1 HF_EVALUATE_OFFLINE=1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint format bench clean

help: ## list the targets
	@echo "Targets (PYTHON=$(PYTHON), environment $(VENV)):"
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(DEMO_READY) ## score the open mini set with two invented systems: full report, no download
	@$(ONE_THREAD) $(OFFLINE) $(BIN)/dibimt demo --force

test: $(TEST_READY) $(GENERATIONS_READY) ## run the tests, in two processes; other options by PYTEST_ARGS, e.g. PYTEST_ARGS="-m 'not slow'"
	@$(ONE_THREAD) $(OFFLINE) $(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(TEST_READY) ## style, formatting and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: $(TEST_READY) ## rewrite the sources in the project's format
	@$(BIN)/ruff check --select I --fix .
	@$(BIN)/ruff format .

bench: $(DEMO_READY) ## run every benchmark of benchmarks/, one process each
	@set -e; for script in benchmarks/[a-z]*.py; do \
	    echo "== $$script"; $(ONE_THREAD) $(OFFLINE) $(BIN)/python "$$script"; \
	done

clean: ## remove the environment, caches and build products
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

$(VENV_MADE):
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(DEMO_READY): $(VENV_MADE) setup.py pyproject.toml constraints.txt
	@echo "Installing the package into $(VENV) (the first time about a minute) ..."
	@$(INSTALL) --editable '.[plot]'
	@touch $@

$(TEST_READY): $(VENV_MADE) setup.py pyproject.toml constraints.txt
	@echo "Installing the package with its test tools into $(VENV) (the first time some minutes) ..."
	@$(INSTALL) --editable '.[test]'
	@touch $(DEMO_READY) $@  # the test tools hold all that the demo needs

$(GENERATIONS_READY): $(VENV_MADE) $(wildcard tests/generations/*)
	@echo "Installing older releases of datasets, and olah, for the tests into $(VENV) ..."
	@$(BIN)/python tests/generations/environments.py
	@touch $@
