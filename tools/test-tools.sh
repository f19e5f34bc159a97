#!/bin/sh
# Install what tests start besides Python: nginx, and a browser with Chinese letters, where that takes
# no questions. `make test` calls this first; on other machines the tests behind nginx or in a browser
# are left out, with a line that says so.
set -eu

PATH=$PATH:/usr/sbin:/usr/local/sbin
say() { printf '%s\n' "guandan: $*" >&2; }

missing=
command -v nginx >/dev/null || missing=nginx
command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
    missing="$missing chromium fonts-noto-cjk"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    say "not here, and this is not root on Debian or Ubuntu: ${missing# }; tests that need it are left out"
    exit 0
fi

# Ubuntu's chromium is only a door to a snap, which containers cannot open.
. /etc/os-release
if [ "${ID:-}" = ubuntu ]; then
    case $missing in
        nginx*) missing=nginx ;;
        *) exit 0 ;;
    esac
fi

say "installing for the tests: ${missing# }"
# Installed, not started: policy-rc.d is how Debian is told so.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
    trap 'rm -f "$policy"' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
# Word by word on purpose: they are names of packages.
install="apt-get install --yes --quiet --no-install-recommends -o DPkg::Lock::Timeout=60 $missing"
# The list of packages may be missing or old; only then does it have to be fetched.
$install >/dev/null 2>&1 || { apt-get update --quiet >/dev/null && $install >/dev/null; } ||
    say "installing failed: ${missing# }; tests that need it are left out"
