#!/bin/sh
# Starts Prometheus of docker-compose.yml. Its configuration cannot read the environment, so this script writes the
# address of the site and the number of containers to files that docker.yml includes.

set -eu
printf '[{ "targets": ["%s"] }]\n' "$PUBLIC_URL" >/tmp/site.json
cat >/tmp/configured.yml <<END
groups:
  - name: configured
    rules:
      - { record: configured_containers, expr: vector($API_CONTAINERS), labels: { job: api } }
      - { record: configured_containers, expr: vector($WORKER_CONTAINERS), labels: { job: worker } }
END
exec prometheus --config.file=/etc/prometheus/prometheus.yml --storage.tsdb.path=/prometheus --storage.tsdb.retention.time=90d
