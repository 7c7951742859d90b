// Command compare measures the time from writing a sample in one program to
// having it in another, beside Cyclone DDS and Fast DDS in the same run:
//
//	go run ./test/bench/dds/compare [-seconds 10] [-rounds 3] [-rates 1000,10000]
//
// It builds the programs of test/peer/dds and runs them in pairs on the loopback
// interface. Samples have the size of a geometry_msgs/PoseStamped, 84 bytes of
// CDR, and carry the monotonic clock; both sides are reliable, keep-last 1000.
// The rounds take turns so that a busy moment of the machine hits all pairs;
// each number is the median over the rounds. CPU is the share of one core, from
// the first sample to the last.
package main
