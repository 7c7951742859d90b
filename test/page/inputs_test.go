package page_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"testing"

	"sinew/test/testbench"
)

type inputsSeen struct {
	Fault                   string
	Foreign, Errors         []string
	Rotating                []string // numbers of a field that the robot file gives
	Followed                []bool
	Wrench, Frame, Currents bool

	Outside, Inside string  // the insertion, before and after, mm
	Still, Moved    float64 // way of the tip within a second without and with the demo, m

	Labels           []string // of all inputs, with their units
	Title            string
	Turned           bool
	Link             bool     // the force on a link that this page commands is shown by another one
	Note             string   // what the card says then
	Pushed, Released []string // efforts
}

func useInputs(t *testing.T, program, task string, files ...string) (v inputsSeen) {
	t.Helper()
	testbench.NeedChromium(t)
	args := []string{testbench.Absolute(t, testbench.PageClient+"/inputs.js"), program, task}
	for _, f := range files {
		args = append(args, testbench.Absolute(t, f))
	}
	out, err := exec.Command("node", args...).Output()
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" || len(v.Foreign)+len(v.Errors) > 0 {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	return v
}

// TestPageShowsAppliedInputs: inputs of fields, wrenches and currents begin at what the robot has, and follow it while others
// command; a wrench is shown in the frame in which it is applied.
func TestPageShowsAppliedInputs(t *testing.T) {
	v := useInputs(t, testbench.BuildMicrorobot(t), "fields", "../../launch/robots/swarm.yaml", "../../launch/examples/coils/robot.yaml")
	if want := []string{"5.00", "1.00", "0.00", "90.0", "0.00"}; !slices.Equal(v.Rotating, want) { // mT, Hz, °, °, mT
		t.Errorf("the field of the robot file is shown as %q, want %q", v.Rotating, want)
	}
	if !slices.Equal(v.Followed, []bool{true, true}) || !v.Wrench || !v.Frame || !v.Currents {
		t.Errorf("what another page commands: field %v, wrench %v, its frame %v, currents %v", v.Followed, v.Wrench, v.Frame, v.Currents)
	}
}

// TestPageInsertsAndDemonstrates: a number pushes a guidewire in, which a page that comes later shows; a button starts and stops the
// demo.
func TestPageInsertsAndDemonstrates(t *testing.T) {
	v := useInputs(t, testbench.BuildTendonsim(t), "rods", "../../launch/worlds/guidewire.yaml")
	if v.Outside != "0.00" || v.Inside != "20.0" {
		t.Errorf("inserted by %q mm at first, and then by %q", v.Outside, v.Inside)
	}
	if v.Still > 0.005 || v.Moved < 0.02 {
		t.Errorf("within a second the tip moves by %g m without the demo, by %g with it", v.Still, v.Moved)
	}
}

// TestPageMotors: efforts and positions of motors are in N and m where they slide, in N m and rad where they turn; efforts go both
// ways, and the stick, which pulls tendons, makes motors do nothing. Every link that can be pushed has a force.
func TestPageMotors(t *testing.T) {
	v := useInputs(t, testbench.BuildTendonsim(t), "motors", "../testdata/page/motors.yaml")
	want := []string{"flexor, N", "push, N", "turn, N m", "rail, mm", "wrist, rad", "tilt, rad"}
	const links = 6
	if want = append(want, slices.Repeat([]string{"Fx, N", "Fy, N", "Fz, N"}, links)...); !slices.Equal(v.Labels, want) {
		t.Errorf("inputs %q, want %q", v.Labels, want)
	}
	if !v.Link {
		t.Error("a force on the end of a rod is not applied")
	}
	if v.Title != "Effort" || !v.Turned {
		t.Errorf("card %q, a torque of -1.5 N m is applied: %v; it says %q", v.Title, v.Turned, v.Note)
	}
	if none := []string{"0.00", "0.00"}; len(v.Pushed) != 3 || v.Pushed[0] == "0.00" || !slices.Equal(v.Pushed[1:], none) || v.Released[0] != "0.00" || !slices.Equal(v.Released[1:], none) {
		t.Errorf("the stick commands %q, let go %q", v.Pushed, v.Released)
	}
}
