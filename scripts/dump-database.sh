#!/bin/sh
# Writes a backup of the database in pg_dump's custom format, for pg_restore. The arguments are pg_dump's, e.g. --file=FILE
# and the database; without a file the backup goes to standard output.
#
# It leaves out the rows that no backup contains (db/src/schema/tables.ts) and the queue, because the sweep creates its
# jobs again. It also leaves out owners and rights, because the migration grants the rights.

set -eu
exec pg_dump --format=custom --no-owner --no-privileges --lock-wait-timeout=10s --exclude-schema=bullmq \
  --exclude-table-data=public.sessions --exclude-table-data=public.pending_sign_ins \
  --exclude-table-data=public.pending_emails \
  --exclude-table-data=public.known_devices --exclude-table-data=public.device_failures \
  --exclude-table-data=public.rate_limits --exclude-table-data=public.recent_emails \
  --exclude-table-data=public.bulk_requests "$@"
