package ros_test

import (
	"testing"
	"time"

	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// Clocks that are not synchronised are the user's choice, latched commands are not.
func TestAnyStamps(t *testing.T) {
	net := ros.NewMemory()
	b := ros.Live(t, ros.EveryKind(), ros.Quick, ros.Options{AnyStamps: true}, net)
	net.Arrive(t, ros.JointTopic, ros.Pulling(b, 1000*time.Hour))
	net.Receive(t, ros.JointTopic, ros.Received{Message: ros.Pulling(b, 0), Latched: true})
	if got := ros.Verdicts(b); got[sim.Accepted] != 1 || got[sim.Stale] != 1 {
		t.Errorf("%v", got)
	}
}

// A recording holds what was judged by its content alone: not a request that was kept from
// before, nor a command that a queue had no room for.
func TestRefusedIsNotRecorded(t *testing.T) {
	net := ros.NewMemory()
	var recorded []string
	o := ros.Patient()
	o.Lockstep = true
	s := ros.NewSimulator(t, ros.EveryKind(), wallclock.New(), o)
	b, err := ros.NewBridgeInTest(s, ros.Names(), []ros.Transport{net}, ros.Options{Received: func(topic ros.Topic, _ *ros.Sample) { recorded = append(recorded, topic.Name) }})
	if err != nil {
		t.Fatal(err)
	}
	const text = "/lab/left/state_command"
	net.Receive(t, text, ros.Received{Message: &std_msgs.String{Data: "save_state"}, Latched: true})
	if len(recorded) != 0 {
		t.Errorf("recorded %v of a latched request", recorded)
	}
	for range ros.MaxTexts + 5 {
		net.Receive(t, text, ros.Received{Message: &std_msgs.String{Data: "save_state"}})
	}
	if len(recorded) != ros.MaxTexts {
		t.Errorf("recorded %d requests, of which %d were taken", len(recorded), ros.MaxTexts)
	}
	recorded = nil
	for ros.Verdicts(b)[sim.Overflow] < 3 {
		net.Receive(t, ros.JointTopic, ros.Received{Message: ros.Pulling(b, 0), Sender: ros.Sender{Node: "/lab/a"}})
	}
	if got := ros.Verdicts(b); uint64(len(recorded)) != got[sim.Accepted] {
		t.Errorf("recorded %d commands: %v", len(recorded), got)
	}
}
