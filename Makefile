# The two commands that matter: `make run` shows the product, `make test` proves it. `make help` lists the others.

PYTHON ?= python3
PORT ?= 8000
TLS_PORT ?= 8443
STATE ?= .state

SETUP = $(PYTHON) platform/porchlight/local/bootstrap.py
VERIFY = .venv/bin/python -m porchlight.local.verify

.DEFAULT_GOAL := help
.PHONY: help run setup test check api-types lock bench drill clean-state

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## the whole product on this machine (PORT=8000 STATE=.state; TLS=1 adds https on TLS_PORT=8443)
	@exec $(SETUP) run --port "$(PORT)" --state "$(STATE)" $(if $(filter 1,$(TLS)),--tls-port "$(TLS_PORT)")

setup: ## install and build everything, start nothing
	@exec $(SETUP) setup

test: ## every test, on real parts, browser included
	@$(SETUP) setup --dev
	@exec $(VERIFY) test

check: ## the fast part: format, lint, types, contracts, catalogue of fences, unit tests
	@$(SETUP) setup --dev
	@exec $(VERIFY) check

api-types: ## generate the web's API types from the API
	@exec $(VERIFY) api-types

# Keeps the versions that are locked already; --upgrade-package NAME in LOCK_FLAGS moves one.
LOCK = .venv/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header $(LOCK_FLAGS)

lock: ## write the Python locks anew from pyproject.toml
	@$(LOCK) --extra local --extra model --output-file requirements.lock
	@$(LOCK) --extra local --extra model --extra dev --output-file requirements-dev.lock

bench: ## the benchmarks, as ratios beside their floors
	@$(SETUP) setup --dev
	@exec $(VERIFY) bench

drill: ## the long drills, each printing its figure
	@$(SETUP) setup --dev
	@exec $(VERIFY) drill

clean-state: ## remove the state folder of `make run` with its database
	@exec $(SETUP) clean-state --state "$(STATE)"
