#!/bin/sh
# Install what tests start besides Python: nginx, where that takes no questions. `make test` calls
# this first; on other machines the tests behind nginx are left out, with a line that says so.
set -eu

PATH=$PATH:/usr/sbin:/usr/local/sbin
say() { printf '%s\n' "guandan: $*" >&2; }

command -v nginx >/dev/null && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    say "there is no nginx, and this is not root on Debian or Ubuntu: tests behind it are left out"
    exit 0
fi

say "installing nginx for the tests"
# Installed, not started: policy-rc.d is how Debian is told so.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
    trap 'rm -f "$policy"' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
install="apt-get install --yes --quiet --no-install-recommends -o DPkg::Lock::Timeout=60 nginx"
# The list of packages may be missing or old; only then does it have to be fetched.
$install >/dev/null 2>&1 || { apt-get update --quiet >/dev/null && $install >/dev/null; } ||
    say "installing nginx failed: tests behind it are left out"
