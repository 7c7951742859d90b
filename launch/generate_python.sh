#!/usr/bin/env bash
# Generates the ROS 1 Python classes of sinew_msgs, which rostopic and rosservice
# need to print our messages and to call ~step. Needs genpy, no catkin and no
# installed message definitions: the field lists of msgs/ are complete.
#
# usage: launch/generate_python.sh [OUTPUT_DIRECTORY]    (default: launch/python)
set -euo pipefail

launch=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lists=$launch/../msgs
out=${1:-$launch/python}
package=sinew_msgs

# find_tool prints the path of one of genpy's generators: from PATH, else from
# where Debian and the ROS distributions install it.
find_tool() {
	local path
	path=$(command -v "$1" || true)
	if [[ -n $path ]]; then
		echo "$path"
		return
	fi
	for path in /usr/lib/genpy/"$1" /opt/ros/*/lib/genpy/"$1"; do
		if [[ -f $path ]]; then
			echo "$path"
			return
		fi
	done
	echo "generate_python.sh: $1 not found: install genpy (Debian: apt-get install python3-genpy; ROS: source the distribution's setup.bash)" >&2
	exit 1
}

genmsg=$(find_tool genmsg_py.py)
gensrv=$(find_tool gensrv_py.py)

# The system's Python has the ROS modules; one from pyenv or conda has not.
python=/usr/bin/python3
if [[ ! -x $python ]] || ! "$python" -c 'import genpy' 2>/dev/null; then
	python=python3
fi
if ! "$python" -c 'import genpy' 2>/dev/null; then
	echo "generate_python.sh: $python cannot import genpy (Debian: apt-get install python3-genpy)" >&2
	exit 1
fi

include=()
for directory in "$lists"/*/msg; do
	include+=(-I "$(basename "$(dirname "$directory")"):$directory")
done

mkdir -p "$out/$package"
out=$(cd "$out" && pwd)
: >"$out/$package/__init__.py"

# generate TOOL KIND makes the classes of all field lists of one kind, in a fresh
# directory, so that none outlives its field list.
generate() {
	local target=$out/$package/$2
	rm -rf "$target"
	mkdir -p "$target"
	"$python" "$1" -p "$package" "${include[@]}" -o "$target" "$lists/$package/$2"/*."$2"
	"$python" "$1" --initpy -p "$package" -o "$target"
}

generate "$genmsg" msg
generate "$gensrv" srv

echo "# Python classes of $package are in $out. To use them:"
printf 'export PYTHONPATH=%q${PYTHONPATH:+:$PYTHONPATH}\n' "$out"
