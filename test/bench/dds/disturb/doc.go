// Command disturb measures whether the network can disturb the control loop of
// tendonsim:
//
//	go run ./test/bench/dds/disturb [-seconds 15] [-rate 20000]
//
// It starts tendonsim on ROS 2 in a domain of its own, on this host, and reads
// how late its control periods begin from its topic sim_stats: alone, with four
// subscribers of its pose, and with a hostile flood (see test/peer/dds/flood) beside
// them. It prints one row per phase: the medians over the seconds of the median
// and of the 99th percentile, and the worst 99th percentile.
package main
