package main

import (
	"os"
	"os/exec"
	"strconv"

	"sinew/test/latency"
)

// asProbe is the argument, before a real-time priority, that makes this program the
// probe.
const asProbe = "probe"

// startProbe begins to sleep with the real-time priority of the node's loop, where
// that is permitted.
func startProbe(priority int) (*latency.Probe, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return latency.Start(exec.Command(self, asProbe, strconv.Itoa(priority)))
}
