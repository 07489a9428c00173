SHELL := /bin/sh
.DEFAULT_GOAL := help

# The inputs of the build.
SOURCES := $(shell find domain db platform api worker ops local frontend \( -name node_modules -o -name dist -o -name test \) -prune -o -type f -print) \
	package.json tsconfig.json tsconfig.base.json

.PHONY: help run seed staff follow-ups audit-check backup restore erasures migration test faults upgrade-check docker-check images screenshots build clean \
	bench bench-intake bench-follow-ups bench-outage bench-scale bench-lists bench-migration bench-start bench-web

help: ## Show the commands
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /	/' | expand -t 18

# $(call tell,TEXT) prints a text on a terminal only, so that logs stay short.
tell = @if [ -t 2 ]; then echo '$(1)' >&2; fi

# Written after npm ci has succeeded. The name contains everything that the installation depends on, so a partial
# installation, another Node.js version or an older lock file leads to a new installation.
INSTALLED := node_modules/.installed-$(shell cat package-lock.json package.json */package.json | cksum | cut -d ' ' -f 1)-$(shell node -p 'process.version + "-" + process.arch')

# The build needs the development dependencies even with NODE_ENV=production.
$(INSTALLED):
	$(call tell,Installing the packages. This takes one to two minutes.)
	npm ci --include=dev --include=optional --no-audit --no-fund
	@touch $@

.stamps/build: $(INSTALLED) $(SOURCES)
	$(call tell,Building the programs and the site. This takes about a minute.)
	npm run --silent build
	@mkdir -p .stamps && touch $@

# Folders with their own lock file.
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

follow-ups: .stamps/build ## List, retry and cancel emails, e.g. make follow-ups ARGS="list failed"
	@node ops/dist/src/follow-ups.js $(ARGS)

audit-check: .stamps/build ## Check that no entry of the audit log was changed or removed; ARGS=POSITION:HASH checks an earlier result as well
	@node ops/dist/src/audit-check.js $(ARGS)

# make exports its variables. The shell's quotes allow any file name.
backup: .stamps/build ## Export the database to a file, e.g. make backup FILE=monday.sql.gz
	@node ops/dist/src/backup.js $${FILE:+"$$FILE"}

# The erasures of an account that make restore and make erasures leave out.
SKIPPED = $${SKIP_ERASURES_BY:+--skip-by "$$SKIP_ERASURES_BY"} $${SINCE:+--since "$$SINCE"}

restore: .stamps/build ## Import an export into an empty database, e.g. make restore FILE=monday.sql.gz; REPLACE=1 deletes existing data; ERASURES=list.json erases people on that list again; SKIP_ERASURES_BY=NAME SINCE=TIME leaves out the erasures of an account
	@$(if $(filter-out 1,$(REPLACE)),$(error REPLACE must be 1 or unset))node ops/dist/src/restore.js $(if $(REPLACE),--replace) $${ERASURES:+--erasures "$$ERASURES"} $(SKIPPED) $${FILE:+"$$FILE"}

erasures: .stamps/build ## Write the list of erased people to a file, and erase those that only the file lists, e.g. make erasures FILE=erasures.json
	@node ops/dist/src/erasures.js $(SKIPPED) $${FILE:+"$$FILE"}

migration: $(INSTALLED) ## Write a migration for what db/sql changes, e.g. make migration NAME=lead-tags
	@exec node --conditions=source --import tsx scripts/migration/main.ts

test: .stamps/build $(NODE_LINES) ## Install, build and run all checks; SUITES="db api" selects suites, FILES="lead" test files by a part of their names
	@exec node --conditions=source --import tsx scripts/check/main.ts

upgrade-check: .stamps/build ## Upgrade from the previous release and go back to it, both with visitors; takes about five minutes
	@exec node --conditions=source --import tsx e2e/src/upgrade-check/main.ts

faults: .stamps/build ## Inject every fault into a running system and print the result; takes twenty minutes
	@exec node --conditions=source --import tsx e2e/src/faults/main.ts

docker-check: $(INSTALLED) $(NODE_LINES) ## As root, install a container engine from Debian, run docker-compose.yml in it, and check upgrades, a restore and more; DOCKER_CHECK_FOLDER keeps base images
	@exec node --conditions=source --import tsx e2e/src/docker-check/main.ts

images: ## Build the images of docker-compose.yml under the version and the commit, and write IMAGE_TAG to .env
	@exec scripts/compose-images.sh

screenshots: .stamps/build ## Build, and take screenshots of every page and state into screenshots/; ONLY=careers selects some
	@exec node --conditions=source --import tsx e2e/src/screenshots/main.ts

bench: bench-intake bench-follow-ups bench-scale bench-lists bench-migration bench-start bench-web ## Run all benchmarks; RECORD=1 writes the results to docs/

bench-intake: .stamps/build ## Measure how fast leads are stored; PARTS="throughput lone memory" selects
	@exec node --conditions=source --import tsx bench/src/intake.ts

bench-follow-ups: .stamps/build ## Measure how fast emails and webhooks are sent; PARTS="backlog idle webhooks" selects
	@exec node --conditions=source --import tsx bench/src/follow-ups.ts

bench-outage: .stamps/build ## Measure lines, connections and recovery while a part is down; PARTS="mail webhooks redis postgres" selects
	@exec node --conditions=source --import tsx bench/src/outage.ts

bench-scale: .stamps/build ## Measure several API and worker processes behind one address
	@exec node --conditions=source --import tsx bench/src/scale.ts

bench-lists: .stamps/build ## Measure the lists of staff with 100,000 and with 1,000,000 leads; PARTS="pages search" selects
	@exec node --conditions=source --import tsx bench/src/lists.ts

bench-migration: .stamps/build ## Measure how long visitors wait while 1,000,000 leads are migrated
	@exec node --conditions=source --import tsx bench/src/migration.ts

bench-start: .stamps/build ## Measure the time until make run and the API are ready
	@exec node --conditions=source --import tsx bench/src/start.ts

$(LIGHTHOUSE) $(NODE_LINES):
	$(call tell,Installing the packages of $(dir $(@D)). This takes a minute.)
	cd $(dir $(@D)) && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

bench-web: .stamps/build $(LIGHTHOUSE) ## Run Lighthouse on each public page; takes several minutes
	@exec node --conditions=source --import tsx bench/src/web.ts

clean: ## Remove built files; data is kept
	rm -rf .stamps */dist
