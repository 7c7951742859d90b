#!/usr/bin/env bash
# Measures mechanisms in sinew beside MuJoCo, Exudyn and PyElastica, on one core of this machine.
# Needs python3.11 and the network; installs into a scratch environment that is removed
# afterwards, or kept and used again where MECHANISMS_VENV says.
#
#   test/bench/peers/mechanisms.sh [flags of test/bench/peers/mechanisms, such as -rounds 9]
set -euo pipefail
cd "$(dirname "$0")/../../.."

venv=${MECHANISMS_VENV:-}
if [ -z "$venv" ]; then
  venv=$(mktemp -d)
  trap 'rm -rf "$venv"' EXIT
fi
if [ ! -x "$venv/bin/python" ]; then
  python3.11 -m venv "$venv"
  "$venv/bin/pip" install --quiet -r test/bench/peers/mechanisms/requirements.txt
fi
go build -o "$venv/mechanisms" ./test/bench/peers/mechanisms
export OMP_NUM_THREADS=1 GOMAXPROCS=1
taskset --cpu-list 0 "$venv/mechanisms" -python "$venv/bin/python" "$@"
