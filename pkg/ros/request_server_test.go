package ros_test

import (
	"testing"

	"sinew/msgs/std_msgs"
	"sinew/msgs/std_srvs"
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

// The requests that stop the robot are known by their services and by what they ask.
func TestStops(t *testing.T) {
	trigger := &std_srvs.TriggerRequest{}
	for service, stops := range map[string]bool{"e_stop": true, "disable": true, "enable": false, "reset": false, "restore_state": false, "take_command": false, "demo": false} {
		if got := ros.Stops(ros.Names(), "/lab/left/"+service, trigger); got != stops {
			t.Errorf("%s stops the robot: %v", service, got)
		}
	}
	if ros.Stops(ros.Names(), "/lab/right/e_stop", trigger) {
		t.Error("a service of another robot stops this one")
	}
	for _, pause := range []bool{true, false} {
		if ros.Stops(ros.Names(), "/lab/left/pause", &std_srvs.SetBoolRequest{Data: pause}) != pause {
			t.Errorf("pause of %v", pause)
		}
	}
}
