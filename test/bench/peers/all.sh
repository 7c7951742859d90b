#!/usr/bin/env bash
# Measures sinew beside PyElastica, MuJoCo, SoRoMoX, Exudyn and Cyclone DDS on this machine and
# writes the table of docs/performance.md. Leave the machine alone meanwhile: it takes a quarter
# of an hour for each round. Needs python3.11, Debian's cyclonedds-dev and libfastrtps-dev, and the
# network; the other programs are installed into a folder that is kept and used again.
#
#   test/bench/peers/all.sh [ROUNDS [FOLDER]]
set -euo pipefail
cd "$(dirname "$0")/../../.."

rounds=${1:-5}
folder=${2:-${TMPDIR:-/tmp}/sinew-peers}
mkdir -p "$folder"
rows=$folder/rows.jsonl
rm -f "$rows"

python3.11 -m venv "$folder/learning"
"$folder/learning/bin/pip" install --quiet ./python
PEERS_VENV=$folder/pyelastica test/bench/peers/compare.sh -rounds "$rounds" -rows "$rows" -learning "$folder/learning/bin/python"
for robot in soft nitinol floor settling; do
  PEERS_VENV=$folder/accuracy test/bench/peers/accuracy.sh -robot "$robot" -rounds "$rounds" -rows "$rows"
done
EXUDYN_VENV=$folder/exudyn test/bench/peers/exudyn/compare.sh -rounds "$rounds" -rows "$rows"
go run ./test/bench/dds/compare -seconds 2 -rounds "$rounds" -rates 1000 -rows "$rows"

go run ./test/bench/peers/page "$rows" docs/performance.md peers
{ grep -m1 'model name' /proc/cpuinfo; uptime; go version; } | tee "$folder/machine.txt"
