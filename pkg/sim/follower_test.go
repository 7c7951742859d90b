package sim_test

import (
	"slices"
	"testing"
	"time"

	"sinew/pkg/sim"
)

// Commands grow old in the time that is followed, however fast that passes.
func TestFollowTimeout(t *testing.T) {
	s, _, c := sim.NewFollowing(t)
	sim.Follow(s, sim.BagTime)
	s.Post(sim.Source{Name: "a"}, sim.PortForce, []float64{3, 3})
	sim.Follow(s, sim.BagTime+sim.FakePeriod)
	c.Pass(time.Hour)
	if st := s.Stats(); st.Groups[0].TimedOut || s.Post(sim.Source{Name: "b"}, sim.PortForce, []float64{1, 1}) != sim.NotInCommand {
		t.Errorf("time stood: %+v", st.Groups[0])
	}
	sim.Follow(s, sim.BagTime+40*sim.FakePeriod)
	if st := s.Stats(); !st.Groups[0].TimedOut || st.Groups[0].Commander != "" || s.Post(sim.Source{Name: "b"}, sim.PortForce, []float64{1, 1}) != sim.Accepted {
		t.Errorf("after the time-out: %+v", st.Groups[0])
	}
}

// A reader that is slower than a loop that catches up gets every snapshot.
func TestFollowSparesTheReader(t *testing.T) {
	s, _, c := sim.NewFollowing(t)
	var stamps []time.Duration
	shot := s.NewSnapshot()
	c.Slept = func(int) { // as long as the loop sleeps, the reader reads
		for range 2 {
			if s.Next(shot) {
				stamps = append(stamps, shot.Stamp)
			}
		}
	}
	const n = 4 * sim.RingSize
	sim.Follow(s, sim.BagTime)
	sim.Follow(s, sim.BagTime+n*sim.FakePeriod)
	for _, shot := range sim.Drain(s) {
		stamps = append(stamps, shot.Stamp)
	}
	if len(stamps) != n+1 || !slices.IsSorted(stamps) || s.Missed() != 0 {
		t.Errorf("%d snapshots of %d, %d missed", len(stamps), n+1, s.Missed())
	}
}

// Only one thing advances time.
func TestFollowOrLockstep(t *testing.T) {
	o := sim.FakeOptions()
	o.Follow, o.Lockstep = true, true
	if _, err := sim.NewSimulator(&sim.FakeModel{}, &sim.FakeClock{}, o); err == nil {
		t.Error("both are accepted")
	}
}
