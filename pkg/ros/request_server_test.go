package ros

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

// answer is what all service responses have in common.
func answer(t *testing.T, m msgs.Message) (ok bool, message string) {
	t.Helper()
	switch r := m.(type) {
	case *std_srvs.TriggerResponse:
		return r.Success, r.Message
	case *std_srvs.SetBoolResponse:
		return r.Success, r.Message
	case *sinew_msgs.StepResponse:
		return r.Success, r.Message
	}
	t.Fatalf("response of type %s", m.Type().Name)
	return false, ""
}

// The requests of one session, in order, each with its answer and the state that
// it leaves.
func TestServices(t *testing.T) {
	m, net := everyKind(), newMemory()
	b := live(t, m, quick, Options{}, net)
	trigger, pause := &std_srvs.TriggerRequest{}, func(on bool) msgs.Message { return &std_srvs.SetBoolRequest{Data: on} }
	for i, c := range []struct {
		service string
		request msgs.Message
		ok      bool
		message string
		state   sim.OperatingState
	}{
		{"step", &sinew_msgs.StepRequest{Steps: 1}, false, "only works while PAUSED", sim.Enabled},
		{"restore_state", trigger, false, "no state was saved", sim.Enabled},
		{"pause", pause(true), true, "PAUSED", sim.Paused},
		{"step", &sinew_msgs.StepRequest{Steps: 10}, true, "10 periods", sim.Paused},
		{"step", &sinew_msgs.StepRequest{}, false, "from 1 to", sim.Paused},
		{"save_state", trigger, true, "saved", sim.Paused},
		{"enable", trigger, false, "resume", sim.Paused},
		{"pause", pause(false), true, "ENABLED", sim.Enabled},
		{"disable", trigger, true, "DISABLED", sim.Disabled},
		{"pause", pause(true), false, "enable first", sim.Disabled},
		{"restore_state", trigger, true, "restored", sim.Disabled},
		{"enable", trigger, true, "ENABLED", sim.Enabled},
		{"e_stop", trigger, true, "FAULT", sim.Fault},
		{"disable", trigger, false, "only enable", sim.Fault},
		{"reset", trigger, true, "initial state", sim.Fault},
		{"enable", trigger, true, "ENABLED", sim.Enabled},
	} {
		response := net.call(t, "/lab/left/"+c.service, c.request)
		ok, message := answer(t, response)
		if ok != c.ok || !strings.Contains(message, c.message) {
			t.Errorf("%d: %s answered %v %q, want %v and %q", i, c.service, ok, message, c.ok, c.message)
		}
		if got := b.sim.State(); got != c.state {
			t.Errorf("%d: after %s the state is %v, want %v", i, c.service, got, c.state)
		}
		if r, isStep := response.(*sinew_msgs.StepResponse); isStep && r.Success && r.SimTime <= 0 {
			t.Errorf("%d: step answered time %v", i, r.SimTime)
		}
	}
}

func TestStateCommandIsTheSameInText(t *testing.T) {
	log, logged := observed()
	net := newMemory()
	b := live(t, everyKind(), quick, Options{Log: log}, net)
	for _, c := range []struct {
		text string
		want sim.OperatingState
	}{
		{"pause", sim.Paused}, {"step 10", sim.Paused}, {"resume", sim.Enabled}, {"disable", sim.Disabled},
		{"nonsense", sim.Disabled}, {"enable", sim.Enabled}, {"e_stop", sim.Fault}, {"reset", sim.Fault},
	} {
		net.arrive(t, "/lab/left/state_command", &std_msgs.String{Data: c.text})
		if got := stateWithin(b.sim, c.want, patience); got != c.want {
			t.Errorf("after %q the state is %v, want %v", c.text, got, c.want)
		}
	}
	if n := logged.FilterMessage("state_command refused").Len(); n != 1 {
		t.Errorf("nonsense was complained of %d times, want once", n)
	}
}

// stateWithin waits for a state and returns the last one seen.
func stateWithin(s *sim.Simulator, want sim.OperatingState, d time.Duration) sim.OperatingState {
	for end := time.Now().Add(d); s.State() != want && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return s.State()
}

// A stop on state_command does not wait for the step before it, and what waits
// behind that step is forgotten.
func TestStopOvertakesSteps(t *testing.T) {
	net := newMemory()
	log, logged := observed()
	m := everyKind()
	b := live(t, m, quick, Options{Log: log}, net)
	say := func(text string) { net.arrive(t, "/lab/left/state_command", &std_msgs.String{Data: text}) }
	say("pause")
	for range 5 {
		say(fmt.Sprintf("step %d", int(50*b.sim.Options().ControlHz)))
	}
	eventually(t, "it is paused", func() bool { return logged.FilterField(zap.String("message", "PAUSED")).Len() == 1 })
	m.stop(t) // in the first of them: none of the others can be done before it is forgotten
	say("e_stop")
	if got := b.sim.State(); got != sim.Fault {
		t.Errorf("after e_stop the state is %v", got)
	}
	if n := logged.FilterMessage("state_command forgotten").Len(); n != 4 {
		t.Errorf("%d waiting steps were forgotten, want all but the first of 5", n)
	}
}

// The last word holds where it stops the robot, however soon it follows another.
func TestLastStopHolds(t *testing.T) {
	net := newMemory()
	log, logged := observed()
	b := live(t, everyKind(), quick, Options{Log: log}, net)
	say := func(text string) { net.arrive(t, "/lab/left/state_command", &std_msgs.String{Data: text}) }
	saved := func() int { return logged.FilterField(zap.String("message", "state saved")).Len() }
	for _, c := range []struct {
		before, stop string
		want         sim.OperatingState
	}{{"enable", "e_stop", sim.Fault}, {"enable", "disable", sim.Disabled}, {"resume", "pause", sim.Paused}} {
		for i := range 50 {
			say(c.before)
			say(c.stop)
			before := saved()
			say("save_state") // comes after both
			for end := time.Now().Add(patience); saved() == before && time.Now().Before(end); {
				time.Sleep(100 * time.Microsecond)
			}
			if got := b.sim.State(); got != c.want {
				t.Errorf("%s, %s the %d. time: %v", c.before, c.stop, i, got)
				break
			}
		}
		say(map[bool]string{true: "resume", false: "enable"}[c.want == sim.Paused])
		stateWithin(b.sim, sim.Enabled, patience)
	}
}

func TestTooManyRequestsWait(t *testing.T) {
	net := newMemory()
	log, logged := observed()
	s := newSimulator(t, everyKind(), wallclock.New(), quick)
	if _, err := newBridge(s, testNames(), []Transport{net}, Options{Log: log}); err != nil { // nobody does what waits
		t.Fatal(err)
	}
	for range maxTexts + 3 {
		net.arrive(t, "/lab/left/state_command", &std_msgs.String{Data: "step 1"})
	}
	if n := logged.FilterMessage("state_command refused: too many wait").Len(); n != 3 {
		t.Errorf("%d refused, want 3", n)
	}
}
