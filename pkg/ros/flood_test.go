package ros

import (
	"testing"
	"time"

	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
)

// A flood of emergency stops on state_command is done with when it ends: it does not
// take a control period each, nor stop what is enabled after it.
func TestFloodOfEStops(t *testing.T) {
	net := NewMemory()
	m := EveryKind()
	b := Live(t, m, Quick, Options{}, net)
	goOn := m.Stop(t)
	net.flood(t, 10_000, "e_stop")
	if b.sim.State() != sim.Fault {
		t.Errorf("%v", b.sim.State())
	}
	goOn()
	if r := b.sim.Do(sim.Request{Verb: sim.Enable}); !r.OK || stateWithin(b.sim, sim.Fault, 50*time.Millisecond) != sim.Enabled {
		t.Errorf("%+v, %v", r, b.sim.State())
	}
}

// A flood of texts that stop the robot neither keeps the network waiting nor an e_stop after it.
func TestFloodOfStops(t *testing.T) {
	for _, word := range []string{"disable", "pause"} {
		net := NewMemory()
		m := EveryKind()
		b := Live(t, m, Quick, Options{}, net)
		m.Stop(t)
		net.flood(t, 10_000, word)
		net.flood(t, 1, "e_stop")
		if b.sim.State() != sim.Fault {
			t.Errorf("after %s and e_stop: %v", word, b.sim.State())
		}
	}
}

// flood has a text arrive n times, none of which may wait for a control period: there is none.
func (m *Memory) flood(t *testing.T, n int, text string) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range n {
			m.Receive(t, "/lab/left/state_command", Received{Message: &std_msgs.String{Data: text}})
		}
	}()
	select {
	case <-done:
	case <-time.After(Patience):
		t.Fatalf("%d times %s: the network waits for the loop", n, text)
	}
}
