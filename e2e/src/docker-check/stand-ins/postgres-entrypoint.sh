#!/bin/bash
# Stands in for the entry point of the PostgreSQL image: creates the cluster at the first start from POSTGRES_USER,
# POSTGRES_DB and POSTGRES_PASSWORD_FILE, runs /docker-entrypoint-initdb.d, and starts the server.

set -eu

if [ "$1" != postgres ]; then exec "$@"; fi

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  user=${POSTGRES_USER:-postgres}
  database=${POSTGRES_DB:-$user}
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  initdb --username="$user" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256 --auth-local=trust --encoding=UTF8 --locale=C.UTF-8
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"

  # No client can connect before the scripts have run.
  pg_ctl --options="-c listen_addresses=''" --wait start
  if [ "$database" != postgres ]; then createdb --username="$user" --maintenance-db=postgres "$database"; fi
  for file in /docker-entrypoint-initdb.d/*; do
    case $file in
      *.sh) if [ -x "$file" ]; then "$file"; else . "$file"; fi ;;
      *.sql) psql --set=ON_ERROR_STOP=1 --no-psqlrc --username="$user" --dbname="$database" --file="$file" ;;
    esac
  done
  pg_ctl --mode=fast --wait stop
fi

exec "$@" -c listen_addresses='*'
