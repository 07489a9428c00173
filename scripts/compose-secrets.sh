#!/bin/sh
# Makes the files that docker-compose.yml takes its secrets from, those that are not there yet, with random values.
#
# The directory is its owner's alone. The files in it can be read by anyone who gets that far, because Docker hands them
# to the containers with the mode they have, and those do not run as their owner.

set -eu
umask 077

usage() {
  printf '%s\n' 'Usage: scripts/compose-secrets.sh [DIRECTORY]' '' \
    'Makes the secrets of docker-compose.yml in that folder, or in deploy/secrets; those that are there stay.'
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

directory=${1:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)/deploy/secrets}
mkdir -p -- "$directory"
chmod 700 -- "$directory"
cd -- "$directory"

random() { od -An -N 24 -tx1 /dev/urandom | tr -d ' \n'; }

keep() {
  if [ -e "$1" ]; then return 0; fi
  printf '%s\n' "$2" >"$1.new"
  chmod 644 "$1.new"
  mv "$1.new" "$1"
  printf 'Made %s/%s\n' "$directory" "$1"
}

keep postgres-password "$(random)"
keep database-url "postgres://studio:$(cat postgres-password)@postgres:5432/studio"
keep redis-password.conf "requirepass $(random)"
keep redis-url "redis://:$(sed 's/^requirepass //' redis-password.conf)@redis:6379"
keep session-keys "$(random)"
keep admin-password "$(random)"
# The inbox of the compose file; put your mail server's address in its place.
keep smtp-url 'smtp://mailpit:1025'
