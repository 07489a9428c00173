#!/bin/sh
# Builds the images of docker-compose.yml from this checkout and writes their tag to .env as IMAGE_TAG, so that every later
# `docker compose up` starts them. The tag is the version and the commit, e.g. 0.3.0-12be1d2b, so the images of an earlier
# release stay. IMAGE in .env or in the environment is the first part of the name (default: dune-and-tide). Each image has
# the commit in the label org.opencontainers.image.revision, and its bill of materials at /app/sbom.cdx.json.

set -eu

case ${1-} in
  '') ;;
  *)
    usage='Usage: scripts/compose-images.sh

Builds the images of docker-compose.yml and writes their tag, the version and the commit, to .env as IMAGE_TAG.'
    case $1 in
      -h | --help) printf '%s\n' "$usage" ;;
      *)
        printf '%s\n' "$usage" >&2
        exit 1
        ;;
    esac
    exit 0
    ;;
esac

cd -- "$(dirname -- "$0")/.."
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
COMMIT=$(git rev-parse HEAD)
IMAGE_TAG=$version-$(git describe --always --exclude='*' --abbrev=8 --dirty)
export COMMIT IMAGE_TAG
docker compose build

# The file is created if it is missing, and keeps its owner and mode.
touch .env
settings=$(grep -v '^IMAGE_TAG=' .env || true)
printf '%s\n' ${settings:+"$settings"} "IMAGE_TAG=$IMAGE_TAG" >.env
printf '%s\n' "IMAGE_TAG=$IMAGE_TAG"
