#!/bin/sh
# Replaces the containers of a service of docker-compose.yml one by one, after an upgrade or a change of its settings or
# secrets. A new container starts and receives requests before an old one stops, so no request fails. Run it in the folder
# of docker-compose.yml.

set -eu

usage() {
  printf '%s\n' 'Usage: scripts/compose-replace.sh SERVICE…' '' \
    'Replaces the containers of each service one by one, e.g. scripts/compose-replace.sh api worker.' \
    'The number of containers stays the same. If a new one does not become healthy, it is removed and the old ones stay.'
}

case ${1-} in
  -h | --help)
    usage
    exit 0
    ;;
  '' | -*)
    usage >&2
    exit 1
    ;;
esac

# The time that front needs to find the address of a new container (1 s), check it (2 s) and send it requests.
settle=5

containers() { docker compose ps --all --quiet "$1"; }

# Starts one container more than there are. Not with --no-deps: Compose 2.26 takes a container that was started so for
# a changed one, and the next plain `up` would replace it. The migration runs again and finds nothing to do.
add() {
  before=$(containers "$1")
  if docker compose up --detach --wait --no-recreate --scale "$1=$(($2 + 1))" "$1"; then return; fi
  printf '%s\n' "compose-replace: the new container of $1 did not become healthy. Its last lines:" >&2
  for container in $(containers "$1"); do
    case $before in
      *"$container"*) ;;
      *)
        docker logs --tail 20 "$container" >&2 || true
        docker rm --force "$container" >/dev/null
        ;;
    esac
  done
  exit 1
}

replace() {
  old=$(containers "$1")
  if [ -z "$old" ]; then
    printf '%s\n' "compose-replace: $1 has no container. Start it with docker compose up." >&2
    exit 1
  fi
  count=$(printf '%s\n' "$old" | wc -l)
  for container in $old; do
    add "$1" "$count"
    sleep "$settle"
    docker stop "$container" >/dev/null
    docker rm "$container" >/dev/null
    printf '%s\n' "Replaced a container of $1"
  done
}

for service in "$@"; do replace "$service"; done
