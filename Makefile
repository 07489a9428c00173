SHELL := /bin/sh
.DEFAULT_GOAL := help

# Everything that the build is made of; a newer file means a new build.
SOURCES := $(shell find domain db platform api worker ops local frontend \( -name node_modules -o -name dist -o -name test \) -prune -o -type f -print) \
	package.json tsconfig.json tsconfig.base.json

.PHONY: help run seed staff follow-ups backup restore test faults screenshots build clean \
	bench bench-intake bench-follow-ups bench-scale bench-lists bench-start bench-web

help: ## Show the commands
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /	/' | expand -t 18

# $(call tell,TEXT) shows a text on a terminal and nothing in a log.
tell = @if [ -t 2 ]; then echo '$(1)' >&2; fi

# Written after npm ci has succeeded. The name holds what the installation depends on, so a partial one, one of another
# Node.js version or one of an older lock file is not taken for complete.
INSTALLED := node_modules/.installed-$(shell cat package-lock.json package.json */package.json | cksum | cut -d ' ' -f 1)-$(shell node -p 'process.version + "-" + process.arch')

# The build needs the development dependencies also with NODE_ENV=production.
$(INSTALLED):
	$(call tell,Installing the packages: this takes a minute or two.)
	npm ci --include=dev --include=optional --no-audit --no-fund
	@touch $@

.stamps/build: $(INSTALLED) $(SOURCES)
	$(call tell,Building the programs and the site: this takes about a minute.)
	npm run --silent build
	@mkdir -p .stamps && touch $@

# Folders with a lock file of their own.
installed = $(1)/node_modules/.installed-$(shell cat $(1)/package*.json | cksum | cut -d ' ' -f 1)
LIGHTHOUSE := $(call installed,bench/lighthouse)
NODE_LINES := $(call installed,e2e/node-lines)

build: .stamps/build ## Install and build

run: .stamps/build ## Install, build and start everything on this machine
	@exec node local/dist/src/main.js

seed: .stamps/build ## Store N made-up leads of the last two years, e.g. N=100000
	@exec node local/dist/src/seed-main.js

staff: .stamps/build ## Manage staff accounts, e.g. make staff ARGS="list"
	@node ops/dist/src/staff.js $(ARGS)

follow-ups: .stamps/build ## See, retry and cancel owed mails, e.g. make follow-ups ARGS="list failed"
	@node ops/dist/src/follow-ups.js $(ARGS)

# make hands its variables on: in quotes of the shell a name may hold anything.
backup: .stamps/build ## Write what the database holds to a file, e.g. make backup FILE=monday.sql.gz
	@node ops/dist/src/backup.js $${FILE:+"$$FILE"}

restore: .stamps/build ## Put a backup into an empty database, e.g. make restore FILE=monday.sql.gz; REPLACE=1 empties it
	@$(if $(filter-out 1,$(REPLACE)),$(error REPLACE is 1, or is not set))node ops/dist/src/restore.js $(if $(REPLACE),--replace) $${FILE:+"$$FILE"}

test: .stamps/build $(NODE_LINES) ## Install, build and run all checks; SUITES="db api" picks some, FILES="lead" test files by a part of their names
	@exec node --conditions=source --import tsx scripts/check/main.ts

faults: .stamps/build ## Inject every fault into a running system and print the outcome; takes twenty minutes
	@exec node --conditions=source --import tsx e2e/src/faults/main.ts

screenshots: .stamps/build ## Build, and take pictures of every page and state into screenshots/; ONLY=careers takes some
	@exec node --conditions=source --import tsx e2e/src/screenshots.ts

bench: bench-intake bench-follow-ups bench-scale bench-lists bench-start bench-web ## Run all benchmarks; RECORD=1 keeps what they find in docs/

bench-intake: .stamps/build ## Measure how fast leads are taken in; PARTS="throughput lone kill memory" picks
	@exec node --conditions=source --import tsx bench/src/intake.ts

bench-follow-ups: .stamps/build ## Measure how fast follow-ups are mailed; PARTS="backlog idle" picks
	@exec node --conditions=source --import tsx bench/src/follow-ups.ts

bench-scale: .stamps/build ## Measure several api and worker processes behind one address; PARTS="together kill" picks
	@exec node --conditions=source --import tsx bench/src/scale.ts

bench-lists: .stamps/build ## Measure the staff's lists with 100,000 and with 1,000,000 leads
	@exec node --conditions=source --import tsx bench/src/lists.ts

bench-start: .stamps/build ## Measure how long make run and the API take until they are ready
	@exec node --conditions=source --import tsx bench/src/start.ts

$(LIGHTHOUSE) $(NODE_LINES):
	$(call tell,Installing the packages of $(dir $(@D)): this takes a minute.)
	cd $(dir $(@D)) && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

bench-web: .stamps/build $(LIGHTHOUSE) ## Run Lighthouse on each public page; takes minutes
	@exec node --conditions=source --import tsx bench/src/web.ts

clean: ## Remove what was built; data is kept
	rm -rf .stamps */dist
