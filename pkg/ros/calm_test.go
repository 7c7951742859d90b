package ros

import (
	"testing"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
)

// views is a transport of viewers.
type views struct{ *memory }

func (views) ViewsScenes() {}
func (views) CanWait()     {}

// Where only viewers listen nobody waits for the next snapshot; they get it with those that follow, and none is lost. Who listens on
// a network to what is made of each waits, and who listens to what comes once a second does not.
func TestAwaited(t *testing.T) {
	network, screen := newMemory(), views{newMemory()}
	b := live(t, everyKind(), patient(), Options{}, network, screen)
	if !b.awaited() {
		t.Error("somebody listens on a network, and nobody waits")
	}
	network.unwanteden()
	if b.awaited() {
		t.Error("viewers alone listen, and somebody waits")
	}
	for name, want := range map[string]bool{
		"~out_pose": true, "~operating_state": true, "/tf": true, "~sim_stats": false, "/diagnostics": false, "~markers": false,
	} {
		name, err := b.names.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		p := network.topic(t, name)
		p.unwanted.Store(false)
		if b.awaited() != want {
			t.Errorf("somebody listens to %s, and waits: %t", name, !want)
		}
		p.unwanted.Store(true)
	}
	name, _ := b.names.Resolve("~out_pose")
	seen := 0
	eventually(t, "many poses for viewers", func() bool {
		seen += len(screen.topic(t, name).take())
		return seen > 300
	})
	if n := b.sim.Missed(); n > 0 {
		t.Errorf("%d snapshots are lost", n)
	}
}

// Hardware that a robot might have makes nobody wait; what it measures of joints is compared with the newest snapshot, so that
// from its first message on each matters.
func TestHardwareIsAwaitedOnceItMeasures(t *testing.T) {
	network := newMemory()
	b, _ := still(t, everyKind(), Options{Hardware: beside(geometry_msgs.PoseStampedType)}, network)
	network.unwanteden()
	if b.awaited() {
		t.Error("hardware that has said nothing makes somebody wait")
	}
	network.arrive(t, "/lab/left/hardware/measured_js", &sensor_msgs.JointState{Position: []float64{1, 2}})
	if !b.awaited() {
		t.Error("hardware measures, and nobody waits")
	}
}
