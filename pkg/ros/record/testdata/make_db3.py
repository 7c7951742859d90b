"""Writes the databases beside it with SQLite's own library, in the tables that rosbag2 makes: python3 make_db3.py"""

import os
import sqlite3
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
START = 1_700_000_000_000_000_000  # ns since 1970


def header(at):
    return struct.pack("<iI", at // 10**9, at % 10**9) + struct.pack("<I", 6) + b"world\0"


def aligned(b, n):
    return b + bytes(-len(b) % n)


def pose(i):
    return struct.pack("<7d", i, 0.5, 0.25, 0, 0, 0, 1)


def pose_stamped(i, at):
    return b"\0\1\0\0" + aligned(header(at), 8) + pose(i)


def pose_array(n, at):
    return b"\0\1\0\0" + aligned(aligned(header(at), 4) + struct.pack("<I", n), 8) + b"".join(pose(k) for k in range(n))


def database(name, first, count):
    """Small pages, so that the table has interior pages and long rows go on in others."""
    path = os.path.join(HERE, name)
    for old in (path, path + "-wal", path + "-shm"):
        if os.path.exists(old):
            os.remove(old)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    db = sqlite3.connect(path)
    db.execute("PRAGMA page_size = 512")
    db.execute("CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,serialization_format TEXT NOT NULL,offered_qos_profiles TEXT NOT NULL)")
    db.execute("CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,timestamp INTEGER NOT NULL, data BLOB NOT NULL)")
    db.execute("CREATE INDEX timestamp_idx ON messages (timestamp ASC)")
    for topic in ((1, "/cam/pose", "geometry_msgs/msg/PoseStamped"), (2, "/cam/line", "geometry_msgs/msg/PoseArray"), (3, "/cam/image", "sensor_msgs/msg/Unknown")):
        db.execute("INSERT INTO topics VALUES (?, ?, ?, 'cdr', '')", topic)
    add(db, first, count)
    return db


def add(db, first, count):
    for i in range(first, first + count):
        at = START + 10_000_000 * i
        db.execute("INSERT INTO messages (topic_id, timestamp, data) VALUES (1, ?, ?)", (at, pose_stamped(i, at)))
        if i % 20 == 0:
            db.execute("INSERT INTO messages (topic_id, timestamp, data) VALUES (2, ?, ?)", (at + 1, pose_array(30, at)))
            db.execute("INSERT INTO messages (topic_id, timestamp, data) VALUES (3, ?, ?)", (at + 2, bytes(100)))
    db.commit()


database("folder/run_0.db3", 0, 60).close()
database("folder/run_1.db3", 60, 20).close()

# a recorder that was killed leaves its last messages in the log
db = database("killed.db3", 0, 30)
db.execute("PRAGMA journal_mode = WAL")
db.execute("PRAGMA wal_autocheckpoint = 0")
add(db, 30, 10)
for name in ("killed.db3", "killed.db3-wal"):
    with open(os.path.join(HERE, name), "rb") as f:
        data = f.read()
    with open(os.path.join(HERE, name + ".copy"), "wb") as f:
        f.write(data)
db.close()
for name in ("killed.db3", "killed.db3-wal"):
    os.replace(os.path.join(HERE, name + ".copy"), os.path.join(HERE, name))

with open(os.path.join(HERE, "folder", "metadata.yaml"), "w") as f:
    f.write(
        "rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: sqlite3\n"
        "  relative_file_paths:\n    - run_0.db3\n    - run_1.db3\n  message_count: 88\n"
    )
