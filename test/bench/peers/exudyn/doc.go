// Command exudyn measures the rigid bodies of sinew beside Exudyn (pip) in one run on one
// machine: the same free body and heavy top, time per step and error of both, and the
// ratio of times at equal accuracy. compare.sh installs Exudyn in a scratch environment and
// calls it; it needs the network and is no part of the tests.
package main
