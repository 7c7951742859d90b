package ros_test

import (
	"strings"
	"testing"

	"sinew/pkg/ros"
	"sinew/pkg/sim"
)

func TestFramesThatDoNotLeadToTheWorldAreRefused(t *testing.T) {
	pose := func(child, parent string) sim.Port {
		return sim.Port{Name: child, Kind: sim.Pose, Direction: sim.Out, Child: child, Parent: parent}
	}
	for name, ports := range map[string][]sim.Port{
		"unknown parent": {pose("tip", "bose")},
		"a circle":       {pose("a", "b"), pose("b", "a")},
		"placed twice":   {pose("tip", "world"), pose("tip", "world")},
		"unknown frame":  {{Name: "tip", Kind: sim.Pose, Frames: []string{"bose"}, Child: "tip", Parent: "world"}},
		"the world":      {pose("world", "world")},
	} {
		if _, err := ros.NewFrameTree(ports, ros.Names().Frame); err == nil || !strings.Contains(err.Error(), `port "`+ports[0].Child) &&
			!strings.Contains(err.Error(), `port "`+ports[len(ports)-1].Child) {
			t.Errorf("%s: error %v, want one that names the port", name, err)
		}
	}
}
