"""Prints as JSON what a launch file would start: resolve.py FILE [NAME:=VALUE]..."""
import json
import sys

import launch

given = launch.Context(argument.split(':=', 1) for argument in sys.argv[2:])
print(json.dumps(launch.resolve(launch.load(sys.argv[1]), given)))
