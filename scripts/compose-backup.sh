#!/bin/sh
# Writes a backup of the database of docker-compose.yml to the folder that BACKUP_DIRECTORY names, in the environment or
# in .env (default: backups), and prints its path. Deletes backups that are older than two weeks. It works with the
# containers of the previous release too: it reads the program of the backup from this checkout.

set -eu
umask 077

usage() {
  printf '%s\n' 'Usage: scripts/compose-backup.sh' '' \
    'Writes a backup of the database of docker-compose.yml to BACKUP_DIRECTORY and prints its path.'
}

case ${1-} in
  '') ;;
  -h | --help)
    usage
    exit 0
    ;;
  *)
    usage >&2
    exit 1
    ;;
esac

cd -- "$(dirname -- "$0")/.."
directory=${BACKUP_DIRECTORY:-$(sed -n 's/^BACKUP_DIRECTORY=//p' .env 2>/dev/null | tail -n 1)}
directory=${directory:-backups}
file=$directory/$(date -u +%Y-%m-%dT%H-%M-%SZ).dump

fail() {
  # Docker writes some of its errors to standard output, so they are in the file.
  if [ -s "$file.partial" ] && [ "$(head -c 5 "$file.partial")" != PGDMP ]; then head -c 1000 "$file.partial" >&2; fi
  rm -f -- "$file.partial"
  printf '%s\n' "compose-backup: no backup was made in $directory. The reason is above." >&2
  exit 1
}

docker compose exec -T postgres sh -s -- --username backup studio <scripts/dump-database.sh >"$file.partial" || fail
sync "$file.partial"
mv -- "$file.partial" "$file"
find "$directory" -maxdepth 1 '(' -name '*.dump' -o -name '*.dump.partial' ')' -mtime +14 -delete
printf '%s\n' "$file"
