# make demo   translate benchmarks/programs/jacobi.c, show what was decided, build and run it
# make check  for someone who has changed a line: ruff, mypy, the tests that need no compiled kernels; eight minutes
# make test   what every change must pass, and what CI runs: each program emulated, each file read by nvcc; a quarter of an hour
# make nightly  every test at all levels, with sanitizers, nvcc's machine code and UBSan's messages; an hour
# make wheel  dist/ompc-*.whl with the runtime compiled by this machine's compilers, for first builds that need not compile it
#
# Each sets up what it needs in .venv: Python packages from PyPI, and nvcc from there as well where the machine has none.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO := benchmarks/programs/jacobi.c
PACKAGING := pyproject.toml
# Workers of the test run; their compilers are the load, not Python.
JOBS ?= auto

# What Python compiles of ompc and of the tests is kept: without it, each run compiles some 500 modules once a worker.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo check test nightly wheel lint typecheck pytest clean

check: TIER := --check
nightly: TIER := --nightly

demo: $(VENV)/.installed
	$(BIN)/ompc translate $(DEMO)
	$(BIN)/ompc explain $(DEMO)
	$(BIN)/ompc build-and-run $(DEMO)

check test nightly: lint typecheck pytest

wheel: $(VENV)/.tests-installed
	env -u MAKEFLAGS -u MFLAGS OMPC_PREBUILT=1 $(BIN)/python -m hatchling build -t wheel -d dist

lint: $(VENV)/.tests-installed
	$(BIN)/ruff check .

typecheck: $(VENV)/.tests-installed
	$(BIN)/mypy

pytest: $(VENV)/.tests-installed
	env -u MAKEFLAGS -u MFLAGS $(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(TIER) $(PYTEST_FLAGS)

clean:
	rm -rf $(VENV) jacobi.ompc

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "ompc needs Python 3.10 or later; name one: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(PACKAGING) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

# nvcc is searched as ompc searches it; the package is 300 MB and comes only where there is none. Of what is installed the
# tests import a part, which Python compiles when it is imported.
$(VENV)/.tests-installed: $(PACKAGING) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[dev]'
	$(BIN)/python -c 'import os, sys; from ompc.toolchain.machine.nvcc import find_nvcc; sys.exit(find_nvcc(os.environ) is None)' || \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[nvcc]'
	touch $(VENV)/.installed $@
