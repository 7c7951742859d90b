// Package testbench is what the end-to-end tests share: the programs under test, networks
// of ROS 1 and domains of ROS 2 with the real tools, robots that run in them, clients of
// the viewer, and readers of what they write. Paths are those of a test in a folder of
// test/.
//
// A package of tests calls Main, or MainInRealTime if it starts nodes: these packages wait
// for one another, so that go test ./... does not run two of them on the same processors.
package testbench
