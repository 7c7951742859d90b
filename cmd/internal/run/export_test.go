package run

import (
	"fmt"
	"testing"

	"sinew/pkg/ros/naming"
)

// Unexported names for the external tests.
const (
	DefaultEffortN = defaultEffortN
	Everywhere     = everywhere
)

var (
	CleanEnd             = cleanEnd
	Description          = description
	ErrNetwork           = errNetwork
	FindMaster           = findMaster
	Flatten              = flatten
	MasterAddress        = masterAddress
	MechanismDescription = mechanismDescription
	ParseRealtime        = parseRealtime
	ProcessStatus        = processStatus
)

// NamesAt are the names of a node whose master is at a port of this machine.
func NamesAt(t *testing.T, host string, port int) *naming.Names {
	t.Helper()
	uri := fmt.Sprintf("http://%s:%d", host, port)
	n, err := naming.NewNames("robot", naming.Args{}, environment("ROS_MASTER_URI", uri))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// environment has one variable.
func environment(name, value string) func(string) (string, bool) {
	return func(key string) (string, bool) {
		if key == name {
			return value, true
		}
		return "", false
	}
}
