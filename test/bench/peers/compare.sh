#!/usr/bin/env bash
# Measures sinew beside PyElastica 0.3.2 on this machine. Needs python3.11 and the
# network; installs into a scratch environment that is removed afterwards, or kept
# and used again where PEERS_VENV says.
#
#   test/bench/peers/compare.sh [flags of test/bench/peers, such as -rounds 9]
set -euo pipefail
cd "$(dirname "$0")/../../.."

venv=${PEERS_VENV:-}
if [ -z "$venv" ]; then
  venv=$(mktemp -d)
  trap 'rm -rf "$venv"' EXIT
fi
if [ ! -x "$venv/bin/python" ]; then
  python3.11 -m venv "$venv"
  "$venv/bin/pip" install --quiet pyelastica==0.3.2 numpy==1.24.4 numba==0.57.1
fi
export NUMBA_CACHE_DIR="$venv/numba"
go build -o "$venv/peers" ./test/bench/peers
"$venv/peers" -python "$venv/bin/python" "$@"
