// Package master is a ROS 1 master inside the program: Master API and Parameter
// Server, so that nothing but the simulator needs to run.
//
// It serves the methods that ROS tools and client libraries call (see methods),
// with the meaning that rosmaster of ros_comm 1.15 gives them, and with two
// differences. A node that comes back under its name at another address
// replaces the old one completely, and subscribers are told so. And everything
// that peers make it store is bounded (limits.go).
//
// One lock guards the whole state and is never held during network traffic:
// parameters are persistent trees, which a reply can still encode after they
// were replaced, and slaves are told about changes by one goroutine each, in
// order, skipping states that are already superseded (notify.go). So neither a
// slow node nor a dead one delays anybody else.
//
// Like every ROS 1 master it trusts whoever can connect; hence it listens on
// the loopback interface unless told otherwise.
package master
