# Everything runs in environments of its own below this folder; only Python and make are needed.
# MkDocs with Material and Pelican cannot share one: they ask for different versions of Pygments.

PYTHON ?= python3
VENV := .venv
PELICAN_VENV := .venv-pelican
# The folder with an environment's programs has another name on Windows.
SCRIPTS := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN := $(VENV)/$(SCRIPTS)

.PHONY: help demo test test-only test-all test-lowest lint format bench profile docs picture clean

help:
	@echo "make demo         build the sample sites and show their sitemaps"
	@echo "make test         check style and types, and run the quick tests"
	@echo "make test-all     run the tests that matter only now and then"
	@echo "make test-only    run the quick tests without the checks of style and types"
	@echo "make test-lowest  test the core with the oldest versions of its dependencies; needs uv"
	@echo "make lint         check style and types only"
	@echo "make format       format the code, and mend what ruff can"
	@echo "make docs         build the documentation and check its sitemap"
	@echo "make bench        run the benchmarks and put the figures into benchmarks/README.md"
	@echo "make profile      show where the time of a build goes in this plugin"
	@echo "make picture      take the picture in the README anew, in Chromium"

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name one: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable . --group test --group lint --group mkdocs --group sphinx
	@touch $@

$(PELICAN_VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name one: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(PELICAN_VENV)
	$(PELICAN_VENV)/$(SCRIPTS)/python -m pip install --quiet --upgrade pip
	$(PELICAN_VENV)/$(SCRIPTS)/python -m pip install --quiet --editable . --group pelican
	@touch $@

demo: $(VENV)/.ready $(PELICAN_VENV)/.ready
	@$(BIN)/python sample_sites/demo.py

lint: $(VENV)/.ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/.ready
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

test: lint $(PELICAN_VENV)/.ready
	$(BIN)/python -m pytest -m "not slow" -n auto

# Tests without lint, for machines that only differ in their system or Python.
test-only: $(VENV)/.ready $(PELICAN_VENV)/.ready
	$(BIN)/python -m pytest -m "not slow" -n auto

# The quick tests of the core, with the oldest version of each dependency that pyproject.toml allows.
test-lowest:
	uv venv --quiet --clear .venv-lowest
	uv pip install --quiet --python .venv-lowest --resolution lowest-direct --editable ".[mkdocs]"
	uv pip install --quiet --python .venv-lowest --group test
	.venv-lowest/$(SCRIPTS)/python -m pytest -m "not slow" -p no:cacheprovider \
	  tests/config tests/dates tests/describe tests/html tests/languages tests/pages tests/write

# What matters only now and then: growth, kills, hostile corpora, every view in a browser.
test-all: $(VENV)/.ready $(PELICAN_VENV)/.ready
	$(BIN)/python -m pytest -m slow -n auto

# Sizes can be chosen: make bench ARGS=--quick
bench: $(VENV)/.ready $(PELICAN_VENV)/.ready
	$(BIN)/python -m benchmarks $(ARGS)

profile: $(VENV)/.ready
	$(BIN)/python benchmarks/profile_build.py $(ARGS)

docs: $(VENV)/.ready
	$(BIN)/mkdocs build --strict --site-dir build/docs
	$(BIN)/sitemap-plugin check build/docs --fail-on warning

picture: $(VENV)/.ready $(PELICAN_VENV)/.ready
	$(BIN)/python tests/picture.py

clean:
	rm -rf $(VENV) $(PELICAN_VENV) .venv-lowest build dist
