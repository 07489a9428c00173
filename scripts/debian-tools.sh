#!/bin/sh
# Finds Chromium, Redis, promtool, LibreOffice, HAProxy and what `make docker-check` needs for tests and benchmarks, and
# gets missing ones from Debian's packages.
#
#   scripts/debian-tools.sh [--env FILE] chromium redis-server promtool soffice haproxy dockerd slirp4netns debootstrap
#
# Prints one line for each tool, e.g. REDIS_SERVER=/path, or writes the lines to FILE. Progress is printed on standard
# error. It uses the first of these:
#   1. the path in the tool's variable, if it is set;
#   2. the tool on PATH, if it works;
#   3. the tool that an earlier run unpacked into .data/debian;
#   4. as root: the package, which it installs;
#   5. as another user: the package and its missing libraries, which it unpacks into .data/debian without changing the
#      system.
# If a tool cannot be obtained, it prints the reason in one line and exits with a non-zero status.

set -eu

project=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
private=$project/.data/debian
unpacked=$private/root
log=$private/apt.log
work=
policy=

# dpkg needs these, and `su` without a login shell leaves them out.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

known='chromium, redis-server, promtool, soffice, haproxy, dockerd, slirp4netns and debootstrap'
package_attempts=3
pause=5
update_limit=300
install_limit=900
start_limit=90

say() { printf 'debian-tools: %s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

clean_up() {
  if [ -n "$work" ]; then rm -rf -- "$work"; fi
  if [ -n "$policy" ]; then rm -f -- "$policy"; fi
}

variable_of() {
  case $1 in
    chromium) echo CHROMIUM ;;
    redis-server) echo REDIS_SERVER ;;
    promtool) echo PROMTOOL ;;
    soffice) echo SOFFICE ;;
    haproxy) echo HAPROXY ;;
    dockerd) echo DOCKERD ;;
    slirp4netns) echo SLIRP4NETNS ;;
    debootstrap) echo DEBOOTSTRAP ;;
    *) fail "unknown tool '$1': only $known are known" ;;
  esac
}

# The headless shell takes a seventh less processor time for the same tests than Chromium, and fewer packages. It has no
# fonts.
packages_of() {
  case $1 in
    chromium) echo chromium-headless-shell fonts-liberation ;;
    promtool) echo prometheus ;;
    soffice) echo libreoffice-calc-nogui ;;
    # dockerd needs iptables, which its package only recommends.
    dockerd) echo docker.io iptables ;;
    *) echo "$1" ;;
  esac
}

unpacked_binary_of() {
  case $1 in
    chromium) echo usr/lib/chromium/chromium-headless-shell ;;
    soffice) echo usr/lib/libreoffice/program/soffice ;;
    haproxy | dockerd | debootstrap) echo "usr/sbin/$1" ;;
    *) echo "usr/bin/$1" ;;
  esac
}

# --- Checking a tool -------------------------------------------------------------------------------------------------

# Runs a program with a time limit and stores its output.
try() {
  timeout -k 5 "$start_limit" "$@" >"$work/check.out" 2>"$work/check.err" </dev/null || {
    status=$?
    if [ "$status" -eq 124 ]; then echo "no response within $start_limit s" >>"$work/check.err"; fi
    return "$status"
  }
}

chromium_works() {
  profile=$(mktemp -d "$work/profile.XXXXXX")
  try "$1" --headless --no-sandbox --disable-gpu --disable-quic --disable-dev-shm-usage --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync --user-data-dir="$profile" \
    --dump-dom 'data:text/html,it-works' && grep -q it-works "$work/check.out"
}

# Also sets `version`.
works() {
  case $1 in
    haproxy) try "$2" -v ;;
    *) try "$2" --version ;;
  esac || return 1
  version=$(head -n 1 "$work/check.out")
  if [ "$1" = chromium ]; then chromium_works "$2"; fi
}

system_has_fonts() {
  for folder in /usr/share/fonts /usr/local/share/fonts "${HOME:-/nonexistent}/.fonts" \
    "${HOME:-/nonexistent}/.local/share/fonts"; do
    if [ -d "$folder" ] && [ -n "$(find -L "$folder" \( -name '*.[to]tf' -o -name '*.ttc' \) -print 2>/dev/null | head -n 1)" ]; then
      return 0
    fi
  done
  return 1
}

# Sets `path` to the tool on PATH, if it works and has fonts.
find_on_path() {
  path=
  if [ "$1" = chromium ]; then path=$(command -v chromium-headless-shell) || path=; fi
  [ -n "$path" ] || path=$(command -v "$1") || return 1
  if [ "$1" = chromium ] && ! system_has_fonts; then
    say "found chromium at $path, but no font is installed"
    return 1
  fi
  if ! works "$1" "$path"; then
    say "found $1 at $path, but it does not start: $(reason)"
    return 1
  fi
}

# Prints the last line of a tool's output.
reason() {
  cat "$work/check.out" "$work/check.err" 2>/dev/null | grep -v '^[[:space:]]*$' | tail -n 1 | cut -c 1-200
}

# --- Getting packages ------------------------------------------------------------------------------------------------

apt_run() {
  limit=$1
  shift
  DEBIAN_FRONTEND=noninteractive LC_ALL=C timeout -k 10 "$limit" apt-get -q -y \
    -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o DPkg::Lock::Timeout=120 \
    "$@" >>"$log" 2>&1 </dev/null
}

# A failure is only reported: the missing list may be one of a third-party source that is not needed.
update_lists_with() {
  say 'fetching package lists'
  "$1" "$update_limit" update || say "some package lists could not be fetched ($(apt_reason))"
}

known_packages() {
  for package in "$@"; do
    LC_ALL=C apt-cache policy "$package" 2>/dev/null | grep -q 'Candidate: [^(]' || return 1
  done
}

# Prints apt-get's last error. A list that was not fetched is often why a package is unknown.
apt_reason() {
  for complaint in '^W: Failed to fetch ' '^E: '; do grep "$complaint" "$log" | tail -n 1; done |
    tr -s '\n ' ' ' | sed 's/ $//' | cut -c 1-300
}

# Prevents Debian from starting Redis, Prometheus, HAProxy or Docker as a service that would keep running.
forbid_services() {
  if [ -d /usr/sbin ] && [ ! -e /usr/sbin/policy-rc.d ]; then
    policy=/usr/sbin/policy-rc.d
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
  fi
}

allow_services() {
  if [ -n "$policy" ]; then rm -f -- "$policy"; fi
  policy=
}

install_packages() {
  say "installing $*"
  forbid_services
  attempt=1
  if ! known_packages "$@"; then update_lists_with apt_run; fi
  until apt_run "$install_limit" install --no-install-recommends "$@"; do
    if [ "$attempt" -ge "$package_attempts" ]; then
      allow_services
      return 1
    fi
    attempt=$((attempt + 1))
    say "failed ($(apt_reason)); attempt $attempt of $package_attempts"
    sleep "$pause"
    update_lists_with apt_run
  done
  allow_services
}

# --- Unpacking packages without root ---------------------------------------------------------------------------------

# Runs apt-get with its own lists and downloads. It reads the system's package state and does not change it.
private_apt() {
  limit=$1
  shift
  apt_run "$limit" -o Dir::State="$private/apt/state" -o Dir::State::status="$installed" \
    -o Dir::Cache="$private/apt/cache" -o Dir::Log="$private/apt/log" -o Debug::NoLocking=1 \
    -o APT::Sandbox::User="$(id -un)" "$@"
}

unpack_packages() {
  say "unpacking $* into $private"
  mkdir -p "$private/apt/state/lists/partial" "$private/apt/cache/archives/partial" "$private/apt/log" "$unpacked"
  installed=/var/lib/dpkg/status
  attempt=1
  until
    update_lists_with private_apt
    private_apt "$install_limit" install --download-only --no-install-recommends --reinstall "$@"
  do
    if [ "$attempt" -ge "$package_attempts" ]; then return 1; fi
    attempt=$((attempt + 1))
    say "failed ($(apt_reason)); attempt $attempt of $package_attempts"
    sleep "$pause"
    # apt may refuse because the system's packages are inconsistent: fetch every library instead.
    installed=$private/apt/nothing-installed
    : >"$installed"
  done
  for archive in "$private"/apt/cache/archives/*.deb; do
    # Programs crash with a C library that differs from their loader's.
    case ${archive##*/} in libc6_*) continue ;; esac
    dpkg-deb -x "$archive" "$unpacked" >>"$log" 2>&1 || return 1
  done
  rm -rf -- "$private/apt"
}

write_font_settings() {
  cat >"$private/fonts.conf" <<'FONTS'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">root/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>sans-serif</family><prefer><family>Liberation Sans</family></prefer></alias>
  <alias><family>serif</family><prefer><family>Liberation Serif</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>Liberation Mono</family></prefer></alias>
  <match><edit name="family" mode="append_last"><string>Liberation Sans</string></edit></match>
  <alias binding="same"><family>Arial</family><accept><family>Liberation Sans</family></accept></alias>
  <alias binding="same"><family>Times New Roman</family><accept><family>Liberation Serif</family></accept></alias>
  <alias binding="same"><family>Courier New</family><accept><family>Liberation Mono</family></accept></alias>
</fontconfig>
FONTS
}

# LibreOffice's settings name its folders in /usr and /etc.
arguments_of() {
  case $1 in
    soffice)
      echo '"-env:BRAND_BASE_DIR=file://$here/root/usr/lib/libreoffice"' \
        '"-env:CONFIGURATION_LAYERS=xcsxcu:\${BRAND_BASE_DIR}/share/.registry res:\${BRAND_BASE_DIR}/share/.registry' \
        'user:!\${\$BRAND_BASE_DIR/program/bootstraprc:UserInstallation}/user/registrymodifications.xcu"'
      ;;
  esac
}

# Writes a script that starts the unpacked program with the unpacked libraries and fonts.
write_launcher() {
  mkdir -p "$private/bin"
  triplet=
  for folder in "$unpacked"/usr/lib/*-linux-gnu*; do triplet=${folder##*/}; done
  cat >"$private/bin/$1.new" <<LAUNCHER
#!/bin/sh
here=\$(CDPATH='' cd -- "\$(dirname -- "\$0")/.." && pwd -P)
libraries=\$here/root/usr/lib/$triplet
# First, because LibreOffice looks for its files beside the libraries that it loads.
LD_LIBRARY_PATH=\$here/root/usr/lib/libreoffice/program:\$libraries:\$here/root/lib/$triplet:\$libraries/pulseaudio:\$libraries/nss\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
FONTCONFIG_FILE=\$here/fonts.conf
export LD_LIBRARY_PATH FONTCONFIG_FILE
exec "\$here/root/$(unpacked_binary_of "$1")" $(arguments_of "$1") "\$@"
LAUNCHER
  chmod 755 "$private/bin/$1.new"
  mv -f -- "$private/bin/$1.new" "$private/bin/$1"
}

# --- Finding and obtaining -------------------------------------------------------------------------------------------

is_debian() { [ -e /etc/debian_version ] && command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null; }

# Sets `path` to a working tool, or leaves it empty.
find_tool() {
  eval "path=\${$(variable_of "$1"):-}"
  if [ -n "$path" ]; then
    works "$1" "$path" || fail "$(variable_of "$1")=$path does not start: $(reason)"
    path=$(command -v "$path")
    return
  fi
  if find_on_path "$1"; then return; fi
  path=$private/bin/$1
  if [ ! -e "$path" ] || ! works "$1" "$path"; then path=; fi
}

# Adds the lines of the tools that were found to `lines`, and the names of the others to `missing`.
find_tools() {
  missing=
  for tool in "$@"; do
    find_tool "$tool"
    if [ -z "$path" ]; then
      missing="$missing $tool"
    else
      say "$tool: $path ($version)"
      lines="$lines$(variable_of "$tool")=$(quoted "$path")
"
    fi
  done
}

quoted() {
  case $1 in
    *[!A-Za-z0-9_./+:@%-]*) printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")" ;;
    *) printf %s "$1" ;;
  esac
}

# Installs or unpacks all tools together.
obtain_tools() {
  : >"$log"
  packages=
  for tool in "$@"; do packages="$packages $(packages_of "$tool")"; done
  if [ "$(id -u)" -eq 0 ]; then
    # shellcheck disable=SC2086 # a list of package names
    if install_packages $packages && all_on_path "$@"; then return; fi
    say "the installation failed ($(apt_reason)); unpacking instead"
  fi
  # shellcheck disable=SC2086 # a list of package names
  unpack_packages $packages || fail "cannot fetch$packages: $(apt_reason) (full log: $log)"
  write_font_settings
  for tool in "$@"; do
    write_launcher "$tool"
    works "$tool" "$private/bin/$tool" || fail "$tool was unpacked into $private, but does not start: $(reason)"
  done
}

all_on_path() {
  for tool in "$@"; do find_on_path "$tool" || return 1; done
}

env_file=
if [ "${1:-}" = --env ]; then
  env_file=${2:?--env needs a file}
  shift 2
fi
[ $# -gt 0 ] || fail "usage: debian-tools.sh [--env FILE] TOOL…, one or more of $known"

trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
work=$(mktemp -d)

for name in "$@"; do variable_of "$name" >/dev/null; done
lines=
find_tools "$@"
if [ -n "$missing" ]; then
  is_debian || fail "missing:$missing. Install them with the package manager, or set their variables, e.g. REDIS_SERVER=/path"
  mkdir -p "$private" 2>/dev/null || fail "missing:$missing. Cannot write to $private"
  # Concurrent runs would overwrite each other: the second waits, and then finds the tools of the first.
  exec 9>"$private/lock"
  flock -w "$install_limit" 9 || fail "another run is using $private"
  # shellcheck disable=SC2086 # a list of tools
  find_tools $missing
  if [ -n "$missing" ]; then
    # shellcheck disable=SC2086 # a list of tools
    obtain_tools $missing
    # shellcheck disable=SC2086 # a list of tools
    find_tools $missing
  fi
  exec 9>&-
fi

if [ -n "$env_file" ]; then
  printf %s "$lines" >"$env_file.new"
  mv -f -- "$env_file.new" "$env_file"
else
  printf %s "$lines"
fi
