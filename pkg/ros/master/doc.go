// Package master is a ROS 1 master inside the program: Master API and Parameter Server, so that the
// simulator needs no other process.
//
// It serves the methods that ROS tools and client libraries call (see methods), with the meaning of
// rosmaster in ros_comm 1.15, with two differences. A node that registers again under its name at
// another address replaces the old one completely, and subscribers are notified. And everything
// that peers make it store is bounded (limits.go).
//
// One lock guards the whole state and is never held during network traffic: parameters are
// persistent trees, which a reply can still encode after they were replaced, and slaves are
// notified of changes by one goroutine each, in order, skipping states that are already superseded
// (notify.go). Thus neither a slow node nor a dead one delays others.
//
// Like every ROS 1 master it has no access control; hence it listens on the loopback interface by
// default.
package master
