#!/bin/sh
# Prepares the mount namespace of `make docker-check` and runs a command in it. As the first process of the PID
# namespace, it reaps processes whose parents have ended.
#
#   prepare-namespaces.sh COMMAND [ARGUMENT…]

set -eu

# The engine keeps its sockets and states in /run, where another engine of the machine may run.
resolver=$(readlink -f /etc/resolv.conf)
mount -t tmpfs tmpfs /run
mkdir -p "$(dirname "$resolver")"
[ -e "$resolver" ] || : >"$resolver"
# The resolver of slirp4netns forwards to the machine's resolver, even to one on the loopback address.
echo 'nameserver 10.0.2.3' >/run/resolv.conf
mount --bind /run/resolv.conf "$resolver"

# node-exporter mounts the root with the mounts that follow, which only a shared mount allows, as on a machine with systemd.
mount --make-rshared /

status=0
"$@" || status=$?
exit "$status"
