# The two commands a newcomer needs: `make play` and `make test`. Both do all of the set-up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAMES ?= 1000

.PHONY: help play test lint types unit validate scenarios bench soak variants docs clean

help:
	@echo "make play    set up and play Spinning Jenny (bots play it when there is no terminal)"
	@echo "make test    set up and run every check"
	@echo "make bench   measure speed as ratios"
	@echo "make soak    GAMES=$(GAMES) random games of every ruleset, all invariants checked"
	@echo "make variants  lines of YAML of every ruleset, and rules that stand in two of them"
	@echo "make docs    write the generated pages of docs/"
	@echo "make clean   remove the environment and all caches"

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Cromford needs Python 3.11 or later; this is %d.%d. Name another one: make PYTHON=python3.12 ..." % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/made pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/installed

play: $(VENV)/installed
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/cromford play spinning_jenny --players 3 --bots 2; \
	else $(BIN)/cromford play spinning_jenny --auto; fi

test: lint types unit validate scenarios

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .

types: $(VENV)/installed-dev
	$(BIN)/mypy --strict interpreter

unit: $(VENV)/installed-dev
	$(BIN)/pytest -n auto

validate: $(VENV)/installed-dev
	$(BIN)/cromford validate rulesets/

scenarios: $(VENV)/installed-dev
	$(BIN)/cromford test --jobs 2

bench: $(VENV)/installed
	$(BIN)/python tools/bench.py

soak: $(VENV)/installed
	$(BIN)/python tools/soak.py --games $(GAMES)

variants: $(VENV)/installed
	$(BIN)/python tools/variants.py

docs: $(VENV)/installed
	$(BIN)/python tools/generate_docs.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
