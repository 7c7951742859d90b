package ros_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// observer is a transport that is told when the state of the robot is replaced.
type observer struct {
	*ros.Memory
	restored chan string
}

func (o observer) Restored(node string) { o.restored <- node }

// TestRestoredIsTold: a reset is told once, however little time has passed since the one before, and so is a return to a saved state.
func TestRestoredIsTold(t *testing.T) {
	o := observer{ros.NewMemory(), make(chan string, 9)}
	m := ros.EveryKind()
	s := ros.NewSimulator(t, m, wallclock.New(), ros.Quick)
	b, err := ros.NewBridge(s, ros.Names(), []ros.Transport{o}, ros.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	ros.Start(t, s)
	for _, v := range []sim.Verb{sim.Reset, sim.Reset, sim.SaveState, sim.RestoreState, sim.Pause, sim.Reset} {
		if r := s.Do(sim.Request{Verb: v}); !r.OK {
			t.Fatalf("%v: %s", v, r.Message)
		}
		if v == sim.SaveState || v == sim.Pause {
			continue
		}
		select {
		case node := <-o.restored:
			if node != "/lab/left" {
				t.Errorf("%v: told of %s", v, node)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%v is not told", v)
		}
	}
	b.Close()
	if n := len(o.restored); n > 0 {
		t.Errorf("told %d times more", n)
	}
}

func TestWhatCannotBeOpenedIsNamed(t *testing.T) {
	for _, c := range []struct {
		name, refuse, want string
		change             func(*ros.FakeModel)
	}{
		{"a common topic", "/diagnostics", "/diagnostics", nil},
		{"an Out port", "/lab/left/out_pose", "/lab/left/out_pose", nil},
		{"an In port", "/lab/left/in_pose", "/lab/left/in_pose", nil},
		{"a second name", "/tensions", "/tensions", nil},
		{"the text topic", "/lab/left/state_command", "/lab/left/state_command", nil},
		{"a path as a command", "", `port "way" cannot be commanded`, func(m *ros.FakeModel) {
			m.Add(sim.Port{Name: "way", Kind: sim.Path, Direction: sim.In}, -1)
		}},
		{"an illegal name", "", "a b", func(m *ros.FakeModel) {
			m.Add(sim.Port{Name: "a b", Kind: sim.Pose, Direction: sim.Out}, -1)
		}},
		{"a frame without a parent", "", `frame "hand" under "arm"`, func(m *ros.FakeModel) {
			m.Add(sim.Port{Name: "hand", Kind: sim.Pose, Direction: sim.Out, Child: "hand", Parent: "arm"}, -1)
		}},
	} {
		m, net := ros.EveryKind(), ros.NewMemory()
		net.Refuse = c.refuse
		if c.change != nil {
			c.change(m)
		}
		_, err := ros.NewBridge(ros.NewSimulator(t, m, new(ros.StillClock), ros.Quick), ros.Names(), []ros.Transport{net}, ros.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that contains %q", c.name, err, c.want)
		}
	}
}

func TestCloseLeavesNothingBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		s := ros.NewSimulator(t, ros.EveryKind(), wallclock.New(), ros.Quick)
		b, err := ros.NewBridge(s, ros.Names(), []ros.Transport{ros.NewMemory()}, ros.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b.Close()
		b.Close() // again does nothing
	}
	ros.Eventually(t, "all goroutines have ended", func() bool { return runtime.NumGoroutine() <= before })
}
