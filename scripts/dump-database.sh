#!/bin/sh
# Writes a backup of the database in pg_dump's custom format, for pg_restore. The arguments are pg_dump's, e.g. --file=FILE
# and the database; without a file the backup goes to standard output.
#
# Left out are sessions, because a restore must not sign anyone in, the counts of the rate limits, and the queue, because
# the sweep creates its jobs again. Owners and rights are left out too: the migration grants the rights.

set -eu
exec pg_dump --format=custom --no-owner --no-privileges --lock-wait-timeout=10s --exclude-schema=bullmq \
  --exclude-table-data=public.sessions --exclude-table-data=public.rate_limits "$@"
