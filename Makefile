# `make help` lists what there is. Everything lives in .venv, .tools and build; nothing is installed outside this folder.
.DEFAULT_GOAL := help
.PHONY: help setup build proto demo test test-fast lint bench docs hostile tools lock clean

BIN := .venv/bin
PXD := $(shell find engines -name '*.pxd')
SOURCES := setup.py $(PXD) $(PXD:.pxd=.py) $(shell find proto -name '*.proto')
STARTED := $(shell date +%s)

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name about; do \
		printf '  make %-10s %s\n' "$$name" "$$about"; done

.venv/.run: requirements/run.txt pyproject.toml scripts/setup
	@scripts/setup run

.venv/.dev: .venv/.run requirements/dev.txt
	@scripts/setup dev

.venv/.built: .venv/.run $(SOURCES)
	@scripts/build

setup: .venv/.built ## Make .venv and build the engines (compiled where there is a C compiler)

build: .venv/.run ## Generate the contract's modules and compile the engines again
	@scripts/build

proto: .venv/.run ## Generate the contract's modules only
	@PAPAMU_BUILD=pure $(BIN)/python setup.py -q build_ext --inplace

demo: .venv/.built ## Play a ladder of 200 Tiki games, from nothing to standings, in under three minutes
	@$(BIN)/papamu demo --started $(STARTED)

test: .venv/.dev .venv/.built ## Run all tests, the fast ones first
	@$(BIN)/pytest

test-fast: .venv/.dev .venv/.built ## Run the fast tests (under a minute)
	@$(BIN)/pytest -n auto -m "not slow"

lint: .venv/.dev .venv/.built ## Check style, types, contract and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/buf lint
	$(BIN)/lint-imports

bench: .venv/.built ## Measure the engines
	@$(BIN)/papamu bench

hostile: .venv/.dev .venv/.built ## Send the rules service a million hostile messages from a new seed (SEED=n repeats a run)
	@PAPAMU_HOSTILE_SEED=$${SEED:-$(STARTED)} PAPAMU_HOSTILE_COUNT=1000000 $(BIN)/pytest -s tests/hostile

docs: .venv/.built ## Write the pages and the dashboard that are made from the code
	@$(BIN)/python scripts/reference.py
	@$(BIN)/python deploy/grafana/dashboard.py

tools: ## Fetch what some tests need beyond Python packages (Redis, Prometheus, ...) into .tools or by apt-get
	@scripts/tools

lock: .venv/.run ## Pin what pyproject.toml asks for anew (scripts/lock --upgrade: the newest of it)
	@scripts/lock

clean: ## Remove everything that these commands made
	@rm -rf .venv .tools build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find engines -name '*.so' -delete
	@find proto \( -name '*_pb2.py' -o -name '*_pb2.pyi' -o -name '*_pb2_grpc.py' \) -delete
	@find . -name __pycache__ -prune -exec rm -rf {} +
