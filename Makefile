# Every command of the repository. `make` alone lists them; each target prepares what it needs.
# Paths here are relative throughout: make cannot name a target with a space in its path, but users have such folders.

PYTHON ?= python3.11
ARGS ?=
# Processes that share the tests, a file to each in turn, so that what a file sets up is set up once; 0 is none.
WORKERS ?= 2
DB ?=

# Modules that write files which are checked in; a test of each fails when its file is stale.
GENERATORS := db.events.docs pypto.ops.generate pypto.sim.generate

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --no-input
STAMP := $(VENV)/.made-in

# Containers often set this. Then each of the many processes that the tests start compiles pytest's plugins and our own
# sources anew, most of a second each.
unexport PYTHONDONTWRITEBYTECODE

MAKEFLAGS += --no-builtin-rules --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help env demo test lint gen golden bench lock migrate clean compiler

# An environment holds absolute paths. The stamp says where it was made; in a moved or copied folder it is made anew.
ifneq ($(shell test "$$(cat $(STAMP) 2>/dev/null)" = "$$(pwd -P)" && echo here),here)
.PHONY: $(STAMP)
endif

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

env: $(STAMP) ## Make .venv from requirements.lock, with the project in it; does nothing when it is up to date
	@echo "$(VENV) is ready."

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null || { \
	  echo "make env: pypto needs Python 3.11, and '$(PYTHON)' is none." >&2; \
	  echo "Install it, or name it: make env PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "make env: '$(PYTHON)' cannot make environments; on Debian and Ubuntu install python3.11-venv." >&2; exit 1; }
	@echo "Making $(VENV) from requirements.lock; torch is by far the largest part."
	@if test -e $(STAMP) && test "$$(cat $(STAMP))" != "$$(pwd -P)" || ! $(PY) -c '' 2>/dev/null; then \
	  $(PYTHON) -m venv --clear $(VENV); fi
	@$(PIP) install $(if $(wildcard $(STAMP)),--quiet) -r requirements.lock
	@$(PIP) install --quiet --no-deps --no-index --no-build-isolation --editable .
	@pwd -P > $(STAMP)

compiler:
	@for name in $${PYPTO_CXX:-$(CXX)} g++ c++; do command -v "$$name" >/dev/null && exit; done; \
	  echo "make: no C++ compiler: none of $${PYPTO_CXX:-$(CXX)}, g++ and c++ was found, and kernels are built with one." >&2; \
	  echo "Install g++ (Debian and Ubuntu: apt-get install g++), or name a compiler in PYPTO_CXX." >&2; exit 1

demo: compiler $(STAMP) ## Run the kernel suites twice, as base and as head, and print the diff and a page
	@$(PY) tests/demo/run.py $(ARGS)

test: compiler $(STAMP) ## Run all tests, lint among them; ARGS="-k softmax" chooses, WORKERS=0 stays in one process
	@$(PY) -m pytest -n $(WORKERS) --dist loadfile $(ARGS)

lint: $(STAMP) ## Check style, formatting, types and the import arrows
	@$(VENV)/bin/ruff check
	@$(VENV)/bin/ruff format --check
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports

gen: $(STAMP) ## Write the checked-in generated files anew
	@for module in $(GENERATORS); do echo "$$module"; $(PY) -m $$module || exit 1; done

golden: compiler $(STAMP) ## Write the golden files of the tests anew; read the diff before you commit it
	@$(PY) -m pytest --update-golden $(ARGS)

bench: compiler $(STAMP) ## Run the benchmarks, print medians and ratios; ARGS=plugin chooses
	@$(PY) tests/bench/run.py $(ARGS)

lock: ## Write requirements.lock from pyproject.toml, keeping the installed versions that still fit
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@$(PIP) install --quiet packaging
	@$(PY) .ci/lock.py --requested > $(VENV)/requested.txt
	@$(PIP) install --quiet --requirement $(VENV)/requested.txt
	@$(PY) .ci/lock.py

migrate: $(STAMP) ## Bring a database to the newest schema; DB=sqlite:///path names it, else PYPTO_DB
	@$(VENV)/bin/pypto-report db upgrade $(if $(DB),--db "$(DB)")

clean: ## Remove caches and outputs; .venv stays
	@rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build build_output demo_output *.egg-info
	@find . -path ./$(VENV) -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
