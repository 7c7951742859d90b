// Package record writes and reads recordings of topics: .mcap files of the
// profile "ros2" (CDR) and .bag files of ROS 1, format 2.0.
//
// A Recorder is a ros.Transport to a file: it takes every message that a bridge
// publishes and, through ros.Options.Received, every message that arrives. It
// never makes anybody wait; what it cannot write in time it drops and counts. A
// Writer writes in the caller's time and drops nothing.
//
// Twice and more in a second everything is handed to the operating system
// together with the end of the file, index included, which the next messages
// overwrite. A process that is killed thus loses less than a second and leaves a
// file that any reader opens. Only when it dies within the writing itself, which
// takes a millisecond, the end is missing: Read does without, and so do
// "rosbag reindex" and "mcap recover".
//
// Messages are logged at the time of the loop, never at that of the writing: a
// published one at the stamp of its snapshot, an arrived one at its arrival.
//
// Read returns the messages of a file of either format, whoever has written it, in the order
// of time; Topics returns its topics. Both accept damaged and hostile files: memory is
// bounded, and of a file that was cut off they read all that is whole.
//
// Formats: https://mcap.dev/spec, http://wiki.ros.org/Bags/Format/2.0.
package record
