#!/bin/sh
# Make the virtual environment with the first Python that is new enough and able to.
# Usage: tools/venv.sh VENV [PYTHON], from the top of the checkout.
set -eu
venv=$1
wanted=${2:-}

say() { printf '%s\n' "guandan: $*" >&2; }
is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
can_make_venvs() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

# Debian and Ubuntu ship Python without the parts that `venv` needs: one such is no reason to pass
# over the next, but it is worth a line of its own when there is no next.
chosen=
incomplete=
for candidate in ${wanted:+"$wanted"} ${wanted:-python3 python3.14 python3.13 python3.12 python3.11}; do
    is_new_enough "$candidate" || continue
    if can_make_venvs "$candidate"; then
        chosen=$candidate
        break
    fi
    incomplete=${incomplete:-$candidate}
done

if [ -z "$chosen" ] && [ -n "$incomplete" ]; then
    say "$incomplete cannot make virtual environments (no ensurepip); on Debian or Ubuntu: apt-get install python3-venv"
    exit 1
elif [ -z "$chosen" ] && [ -n "$wanted" ]; then
    say "PYTHON=$wanted is not a Python 3.11 or newer"
    exit 1
elif [ -z "$chosen" ]; then
    say "no Python 3.11 or newer found; install one, or name it: make PYTHON=/path/to/python3"
    exit 1
fi

say "making $venv with $("$chosen" --version)"
rm -rf "$venv"
"$chosen" -m venv --prompt guandan "$venv"
# Written last, so that half an environment counts as none. A virtual environment keeps absolute
# paths: the Makefile compares this one and makes a new one for a checkout that was moved or copied.
pwd -P >"$venv/made-in"
