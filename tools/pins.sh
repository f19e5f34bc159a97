#!/usr/bin/env bash
# Compile pyproject.toml and requirements/*.in into exact versions with hashes, for every Python
# and platform that the project runs on. Pins that still fit stay; `--upgrade` moves to the newest,
# `--upgrade-package NAME` moves one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${1:?usage: tools/pins.sh PYTHON [options of uv pip compile]}
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$python" -m venv "$scratch/venv"
"$scratch/venv/bin/python" -m pip install --quiet 'uv==0.13.9'

# --universal, and the oldest Python: a list frozen on one machine lacks what another needs (redis
# wants async-timeout before 3.11.3, Debian 12 has 3.11.2). --no-config and the rest keep the index
# and the paths of this machine out of the lists. Later lists keep to the versions of earlier ones,
# because all three are installed into one environment.
compile() {
    "$scratch/venv/bin/uv" pip compile --quiet --no-config --system-certs --cache-dir "$scratch/cache" \
        --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --custom-compile-command 'make pins' "$@"
}

compile "$@" --output-file requirements/build.txt requirements/build.in
compile "$@" --output-file requirements/runtime.txt \
    --constraints requirements/build.txt pyproject.toml
compile "$@" --output-file requirements/dev.txt \
    --constraints requirements/build.txt --constraints requirements/runtime.txt \
    --extra dev pyproject.toml
compile "$@" --output-file requirements/fast.txt \
    --constraints requirements/build.txt --constraints requirements/dev.txt requirements/fast.in
