package main

import (
	"os"
	"os/exec"
	"strconv"

	"sinew/test/latency"
)

// asSleeper is the argument, before a real-time priority, that makes this program the
// sleeper.
const asSleeper = "sleeper"

// startSleeper begins to sleep with the real-time priority of the node's loop, where
// that is permitted.
func startSleeper(priority int) (*latency.Sleeper, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return latency.Start(exec.Command(self, asSleeper, strconv.Itoa(priority)))
}
