#!/bin/sh
# Creates the roles of the product in the database of docker-compose.yml and sets their passwords to those in the
# secrets (docs/RUNBOOK.md, "Database roles"). It can be run again while the product is running.

set -eu

# The password in a URL that scripts/compose-secrets.sh made. It has only letters and digits.
password_in() { sed 's|^[^:]*://[^:]*:\([0-9A-Za-z]*\)@.*$|\1|' "$1"; }

PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
export PGPASSWORD
database() { psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --host postgres --username studio --dbname studio "$@"; }

database --file /usr/local/share/roles.sql
# The passwords are passed on standard input, because every user of the machine can read arguments.
database <<END
alter role migrate password '$(password_in "$MIGRATION_DATABASE_URL_FILE")';
alter role app password '$(password_in "$DATABASE_URL_FILE")';
END
