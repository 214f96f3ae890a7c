# `make run` starts the product, `make test` tests it. `make help` lists the other commands.

PYTHON ?= python3
PORT ?= 8000
TLS_PORT ?= 8443
STATE ?= .state

SETUP = $(PYTHON) platform/porchlight_dev/setup/bootstrap.py
CHECKS = .venv/bin/python -m porchlight_dev.checks

.DEFAULT_GOAL := help
.PHONY: help run dev setup check test test-all api-types settings-table zones schema sql-migration lock bench drill mutation clean-state

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## start the whole product on this machine (PORT=8000 STATE=.state; TLS=1 adds https on TLS_PORT=8443)
	@exec $(SETUP) run --port "$(PORT)" --state "$(STATE)" $(if $(filter 1,$(TLS)),--tls-port "$(TLS_PORT)")

dev: ## start the product for development: the API reloads, Vite runs on PORT+6, Next.js on PORT+7
	@exec $(SETUP) dev --port "$(PORT)" --state "$(STATE)"

setup: ## install and build everything without starting it
	@exec $(SETUP) setup

check: ## run the fast checks: format, lint, types, import contracts, laws, RLS catalog, unit tests
	@$(SETUP) setup --dev
	@exec $(CHECKS) check

test: ## run all checks and all tests that decide, browser included
	@$(SETUP) setup --dev
	@exec $(CHECKS) test

test-all: ## make test, sweeps, drills, property tests and six clocks (CLOCK=2027-12-31T18:00:00+00:00: at one instant)
	@$(SETUP) setup --dev
	@exec $(CHECKS) test-all $(if $(CLOCK),--clock "$(CLOCK)")

api-types: ## generate the web's API types from the API
	@exec $(CHECKS) api-types

settings-table: ## write the table of environment variables in docs/operations.md from the settings
	@.venv/bin/python -m porchlight_dev.settings_table

zones: ## write the webs' table of time zones from the pinned tzdata
	@.venv/bin/python -m porchlight_dev.zone_table

schema: ## write platform/porchlight/db/schema.sql from the migrations
	@.venv/bin/python -m porchlight_dev.schema schema

sql-migration: ## a new migration with the changed SQL files (NAME=add_bookings)
	@.venv/bin/python -m porchlight_dev.schema migration "$(NAME)"

# Keeps the versions that are locked already; --upgrade-package NAME in LOCK_FLAGS moves one.
LOCK = .venv/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header $(LOCK_FLAGS)

lock: ## update the Python lock files from pyproject.toml
	@$(LOCK) --extra local --extra model --output-file requirements.lock
	@$(LOCK) --extra local --extra model --extra dev --output-file requirements-dev.lock

bench: ## run the benchmarks and print ratios
	@$(SETUP) setup --dev
	@exec $(CHECKS) bench

drill: ## run the long soak tests, each printing its figure
	@$(SETUP) setup --dev
	@exec $(CHECKS) drill

mutation: ## measure which deliberate faults in the decisions on bookings the tests find
	@$(SETUP) setup --dev
	@exec .venv/bin/python -m porchlight_dev.checks.mutation

clean-state: ## delete the state folder of `make run` with its database
	@exec $(SETUP) clean-state --state "$(STATE)"
