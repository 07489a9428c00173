#!/bin/bash
# Stands in for Mailpit's program. `readyz` does not start Node.js, because it runs every ten seconds.

set -eu
if [ "${1-}" = readyz ]; then exec 3<>/dev/tcp/127.0.0.1/8025; exit; fi
exec /usr/local/bin/node /opt/mailpit/mailpit.ts
