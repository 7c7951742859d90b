#!/usr/bin/env bash
# Measures what accuracy costs in sinew, MuJoCo, PyElastica and SoRoMoX, on one core of this machine.
# Needs python3.11 and the network; installs into a scratch environment that is removed
# afterwards, or kept and used again where PEERS_VENV says.
#
#   test/bench/peers/accuracy.sh [flags of test/bench/peers/accuracy, such as -rounds 9]
set -euo pipefail
cd "$(dirname "$0")/../../.."

venv=${PEERS_VENV:-}
if [ -z "$venv" ]; then
  venv=$(mktemp -d)
  trap 'rm -rf "$venv"' EXIT
fi
if [ ! -x "$venv/bin/python" ]; then
  python3.11 -m venv "$venv"
  "$venv/bin/pip" install --quiet -r test/bench/peers/accuracy/requirements.txt
fi
go build -o "$venv/accuracy" ./test/bench/peers/accuracy
export OMP_NUM_THREADS=1 GOMAXPROCS=1
taskset --cpu-list 0 "$venv/accuracy" -python "$venv/bin/python" "$@"
