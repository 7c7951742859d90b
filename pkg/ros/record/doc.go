// Package record writes and reads recordings of topics: .mcap files of the profile "ros2" (CDR) and
// .bag files of ROS 1, format 2.0.
//
// A Recorder is a ros.Transport to a file: it records every message that a bridge publishes and,
// through ros.Options.Received, every message that arrives. It never blocks a publisher; messages
// that it cannot write in time are dropped and counted. A Writer writes synchronously and drops
// nothing.
//
// At least twice a second everything is handed to the operating system together with the end of the
// file, index included, which the next messages overwrite. A process that is killed thus loses less
// than a second and leaves a file that any reader opens. Only when it dies during the writing
// itself, which takes a millisecond, the end is missing. Read does not need it, nor do "rosbag
// reindex" and "mcap recover".
//
// The log time of messages is that of the loop, never that of the writing: for a published message
// the stamp of its snapshot, for a received one its arrival.
//
// Read returns the messages of a file of either format, of a .db3 file of rosbag2, or of the files of its
// folder, from any program, in the order of time; Topics returns its topics. Both accept damaged and hostile
// files: memory is bounded, and of a truncated file they read the complete part.
//
// Formats: https://mcap.dev/spec, http://wiki.ros.org/Bags/Format/2.0, https://www.sqlite.org/fileformat2.html.
package record
