# Two commands do everything on a fresh machine: `make demo` and `make test`. Each sets up .venv by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.run
DEV_STAMP := $(VENV)/.dev
ROOMS := engine firmware_proto vision dealer api simulator

.PHONY: setup demo test test-slow docs-test lint bench screenshot sweep-e2e sweep-vision sweep-rules clean

setup: $(RUN_STAMP)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "dealer needs Python 3.11 or newer; $(PYTHON) is older. Set PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(RUN_STAMP): requirements/run.txt pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

$(DEV_STAMP): requirements/dev.txt pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $(RUN_STAMP) $@

demo: $(RUN_STAMP)
	$(BIN)/dealer demo

test: $(DEV_STAMP)
	$(BIN)/pytest -n 2 -m "not slow and not alone and not sweep" tests
	$(BIN)/pytest -m "alone and not slow and not sweep" tests

test-slow: $(DEV_STAMP)
	$(BIN)/pytest -m "slow and not sweep" tests

sweep-e2e: $(DEV_STAMP)
	$(BIN)/pytest -m sweep --stepwise tests/e2e

sweep-vision: $(DEV_STAMP)
	$(BIN)/pytest -m sweep --stepwise tests/vision

sweep-rules: $(DEV_STAMP)
	$(BIN)/pytest -n 2 -m sweep tests/engine

docs-test: $(DEV_STAMP)
	$(BIN)/python tests/docs_commands.py README.md docs

lint: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/python -m firmware_proto.generate --check

bench: $(RUN_STAMP)
	$(BIN)/dealer bench engine --json
	$(BIN)/dealer bench link --json
	$(BIN)/dealer bench journal --json

screenshot: $(DEV_STAMP)
	$(BIN)/python tests/make_screenshot.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
