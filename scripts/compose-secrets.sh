#!/bin/sh
# Creates the secret files of docker-compose.yml with random values. Existing files are kept.
#
# Only the owner can open the directory. The files in it are readable by all users, because Docker mounts them with
# their mode, and the containers run as other users. For the same reason, the files that the containers mount from the
# checkout are made readable: in a checkout made with umask 077, only their owner can read them.

set -eu
umask 077

usage() {
  printf '%s\n' 'Usage: scripts/compose-secrets.sh [DIRECTORY]' '' \
    'Creates the secrets of docker-compose.yml in DIRECTORY (default: deploy/secrets). Existing files are kept.' \
    'Makes the files that the containers mount readable for them, and creates the folder of the backups.'
}

case ${1-} in
  -h | --help)
    usage
    exit 0
    ;;
  -*)
    usage >&2
    exit 1
    ;;
esac
if [ $# -gt 1 ]; then
  usage >&2
  exit 1
fi

project=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
chmod a+rX -- "$project"/deploy/compose/* "$project"/deploy/grafana/* "$project"/deploy/prometheus/* "$project/db/roles.sql" "$project/scripts/dump-database.sh" "$project/scripts/database-roles.sh"

# If the folder of the backups were missing, Docker would create it for root. The API reads only the names of its files.
backups=${BACKUP_DIRECTORY:-$(sed -n 's/^BACKUP_DIRECTORY=//p' "$project/.env" 2>/dev/null | tail -n 1)}
(cd -- "$project" && if [ ! -d "${backups:=backups}" ]; then mkdir -m 755 -- "$backups"; fi)

directory=${1:-$project/deploy/secrets}
mkdir -p -- "$directory"
chmod 700 -- "$directory"
cd -- "$directory"

random() { od -An -N 24 -tx1 /dev/urandom | tr -d ' \n'; }

keep() {
  if [ -e "$1" ]; then return 0; fi
  printf '%s\n' "$2" >"$1.new"
  chmod 644 "$1.new"
  mv "$1.new" "$1"
  printf 'Created %s/%s\n' "$directory" "$1"
}

keep postgres-password "$(random)"
keep database-url "postgres://app:$(random)@postgres:5432/studio"
case $(cat database-url) in
  *@postgres:5432/studio) keep migration-database-url "postgres://migrate:$(random)@postgres:5432/studio" ;;
  *) keep migration-database-url "$(cat database-url)" ;;
esac
keep redis-password.conf "requirepass $(random)"
keep redis-url "redis://:$(sed 's/^requirepass //' redis-password.conf)@redis:6379"
keep session-keys "$(random)"
keep admin-password "$(random)"
# Signs webhooks, if WEBHOOK_URL is set. The receiver needs it too.
keep webhook-secret "whsec_$(head -c 24 /dev/urandom | base64)"
# Mailpit of the compose file. Replace it with the URL of your mail server.
keep smtp-url 'smtp://mailpit:1025'
keep grafana-password "$(random)"
# Sends the alerts to Mailpit. Name your mail server and address in it, as deploy/prometheus/alertmanager.yml does.
keep alertmanager.yml "$(sed -e 's/^  smtp_smarthost: .*/  smtp_smarthost: mailpit:1025\n  smtp_require_tls: false/' -e '/^ *#/d' \
  -e '/^  smtp_auth/d' "$project/deploy/prometheus/alertmanager.yml")"
