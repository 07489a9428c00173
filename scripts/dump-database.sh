#!/bin/sh
# Writes a backup of the database in pg_dump's custom format, for pg_restore. The arguments are pg_dump's, e.g. --file=FILE
# and the database; without a file the backup goes to standard output.
#
# Sessions are left out, because a restore must not sign anyone in; what the limits counted; and the queue, whose jobs the
# sweep creates again.

set -eu
exec pg_dump --format=custom --no-owner --lock-wait-timeout=10s --exclude-schema=bullmq \
  --exclude-table-data=public.sessions --exclude-table-data=public.rate_limits "$@"
