#!/usr/bin/env bash
# Makes the golden numbers of pkg/sim/hil/testdata/evo with evo 1.38.1: every tenth
# sample of launch/examples/hil as two trajectories, and what evo says of them. Needs
# python3 and the network; installs into a scratch environment that is removed
# afterwards, or kept and used again where PEERS_VENV says.
#
#   test/bench/peers/evo/make.sh
set -euo pipefail
cd "$(dirname "$0")/../../../.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
venv=${PEERS_VENV:-$scratch/venv}
if [ ! -x "$venv/bin/python" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet evo==1.38.1
fi
out=pkg/sim/hil/testdata/evo
go run ./cmd/tendonsim compare launch/examples/hil/bench.mcap --latency none --out "$scratch"
for f in sim hw; do
  awk 'NR % 10 == 1' "$scratch/$f.tum" > "$out/$f.tum"
done
HOME=$scratch "$venv/bin/python" test/bench/peers/evo/ape.py "$out/hw.tum" "$out/sim.tum" > "$out/ape.json"
# the trajectories of a whole comparison must give the numbers that it says itself
go run ./cmd/tendonsim compare launch/examples/hil/bench.mcap --align se3 --out "$scratch"
HOME=$scratch "$venv/bin/python" test/bench/peers/evo/ape.py "$scratch/hw.tum" "$scratch/sim.tum" "$scratch/metrics.json"
