#!/usr/bin/env bash
# Measures the rigid bodies of sinew beside Exudyn 1.13.6 on this machine. Needs
# python3.11 and the network; installs into a scratch environment that is removed
# afterwards, or kept and used again where EXUDYN_VENV says.
#
#   test/bench/peers/exudyn/compare.sh [flags of test/bench/peers/exudyn, such as -rounds 9]
set -euo pipefail
cd "$(dirname "$0")/../../../.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
venv=${EXUDYN_VENV:-$scratch/venv}
if [ ! -x "$venv/bin/python" ]; then
  python3.11 -m venv "$venv"
  "$venv/bin/pip" install --quiet exudyn==1.13.6 numpy
fi
go build -o "$scratch/exudyn" ./test/bench/peers/exudyn
"$scratch/exudyn" -python "$venv/bin/python" "$@"
