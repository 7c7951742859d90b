package ros_test

import (
	"testing"

	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/wallclock"
)

func TestTooManyRequestsWait(t *testing.T) {
	net := ros.NewMemory()
	log, logged := ros.Observed()
	s := ros.NewSimulator(t, ros.EveryKind(), wallclock.New(), ros.Quick)
	if _, err := ros.NewBridgeInTest(s, ros.Names(), []ros.Transport{net}, ros.Options{Log: log}); err != nil { // no loop does what waits
		t.Fatal(err)
	}
	for range ros.MaxTexts + 3 {
		net.Arrive(t, "/lab/left/state_command", &std_msgs.String{Data: "step 1"})
	}
	if n := logged.FilterMessage("state_command refused: the queue is full; call the services, which answer").Len(); n != 3 {
		t.Errorf("%d refused, want 3", n)
	}
}
