"""Decodes messages with genpy and encodes them again.

Each line of the input is a JSON object {name, definition, hex}. genpy builds the
class from the definition text alone, as rosbag and rostopic do for types that
are not installed. Each line of the output is the class's checksum and the hex of
what it serialises after parsing.
"""
import binascii
import io
import json
import sys

import genpy.dynamic

classes = {}
for line in sys.stdin:
    given = json.loads(line)
    name = given["name"]
    if name not in classes:
        classes[name] = genpy.dynamic.generate_dynamic(name, given["definition"])[name]
    message = classes[name]()
    message.deserialize(binascii.unhexlify(given["hex"]))
    out = io.BytesIO()
    message.serialize(out)
    print(message._md5sum, binascii.hexlify(out.getvalue()).decode())
