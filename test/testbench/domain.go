package testbench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"sinew/test/peer/ddspeer"
)

// Tests of a package that run side by side have different domains.
const firstDomain, domains = 170, 60

var nextDomain = func() *atomic.Uint32 {
	n := new(atomic.Uint32)
	n.Store(rand.Uint32N(domains))
	return n
}()

// NewROS2Network is a ROS 1 network, which may have no master, and a ROS 2 domain
// of its own.
func NewROS2Network(t *testing.T) (n *Network, domain int) {
	t.Helper()
	domain = firstDomain + int(nextDomain.Add(1))%domains
	n = NewNetwork(t, "http://127.0.0.1:"+strconv.Itoa(FreePort(t))+"/")
	return n.With("ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST", "ROS_DOMAIN_ID="+strconv.Itoa(domain)), domain
}

// sample is a pose as a tool shows it: of which time, and where.
type sample struct {
	Stamp    string // s, with nine digits after the point
	Position [3]float64
}

// Poses are those that a peer has printed.
func Poses(t *testing.T, p *ddspeer.Peer) (all []sample) {
	t.Helper()
	for _, line := range p.Lines("pose ") {
		var s sample
		var frame string
		if _, err := fmt.Sscanf(line, "pose %s %s %g %g %g", &s.Stamp, &frame, &s.Position[0], &s.Position[1], &s.Position[2]); err != nil || frame != "world" {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, s)
	}
	return all
}

// WaitForRest waits until the peer sees the tip rest at a point.
func (n *Network) WaitForRest(p *ddspeer.Peer, what string, want [3]float64) {
	n.T.Helper()
	n.WaitFor(what, func() bool {
		all := Poses(n.T, p)
		if len(all) == 0 {
			return false
		}
		at := all[len(all)-1].Position
		return math.Hypot(math.Hypot(at[0]-want[0], at[1]-want[1]), at[2]-want[2]) < TipTolerance
	})
}

// PoseOfRow reads a row of rostopic echo -p: time, seq, stamp (ns), frame, x, y, z.
func PoseOfRow(t *testing.T, row string) (s sample) {
	t.Helper()
	fields := strings.Split(row, ",")
	if len(fields) < 7 || len(fields[2]) < 10 {
		t.Fatalf("row %q", row)
	}
	cut := len(fields[2]) - 9
	s.Stamp = fields[2][:cut] + "." + fields[2][cut:]
	for i := range s.Position {
		var err error
		if s.Position[i], err = strconv.ParseFloat(fields[4+i], 64); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// SimTime is the simulated time that a peer saw last (s).
func SimTime(t *testing.T, p *ddspeer.Peer) float64 {
	t.Helper()
	all := simTimes(t, p)
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1]
}

// simTimes are all that it saw, once a second.
func simTimes(t *testing.T, p *ddspeer.Peer) (all []float64) {
	t.Helper()
	for _, line := range p.Lines("stats ") {
		var s float64
		if _, err := fmt.Sscanf(line, "stats %g", &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// WaitForStandstill waits until the peer has been told twice of the same simulated time.
func (n *Network) WaitForStandstill(p *ddspeer.Peer) float64 {
	n.T.Helper()
	n.WaitFor("standstill", func() bool {
		all := simTimes(n.T, p)
		return len(all) > 1 && all[len(all)-1] == all[len(all)-2]
	})
	return SimTime(n.T, p)
}

// MedianPeriod is the usual time between two of the last poses (s).
func MedianPeriod(t *testing.T, all []sample) float64 {
	t.Helper()
	var stamps, periods []float64
	for _, s := range all[max(0, len(all)-101):] {
		seconds, err := strconv.ParseFloat(s.Stamp[5:], 64) // the first digits do not change
		if err != nil {
			t.Fatal(err)
		}
		if n := len(stamps); n > 0 {
			periods = append(periods, seconds-stamps[n-1])
		}
		stamps = append(stamps, seconds)
	}
	slices.Sort(periods)
	return periods[len(periods)/2]
}
