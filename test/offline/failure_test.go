package offline_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/record"
	"sinew/test/testbench"
)

// farTooMuch pulls a tendon of the nitinol robot far beyond what its disks leave room
// for, and lets it go. The row of 50 N is in line 4.
const farTooMuch = "# note\nt,tendon_1\n0,0\n0.1,50\n0.5,0\n"

// nitinol are the arguments of the nitinol robot whose motors pull with anything.
func nitinol(more ...string) []string {
	args := []string{"--config", testbench.RobotFiles + "nitinol_robot.yaml"}
	for _, k := range []string{"1", "2", "3", "4"} {
		args = append(args, "_tendons/tendon_"+k+"/limits/max_tension_n:=1000")
	}
	return append(args, more...)
}

// meeting is the error of disks that collide, of which the first group is the time.
var meeting = regexp.MustCompile(`(?m)^tendonsim: (?:.* the first: )?the disks at [0-9.]+ m and [0-9.]+ m collide at the hole of tendon tendon_1 at t = ([0-9.]+) s: .*; use less tension`)

// statistics reads the JSON of --stats.
func statistics(t *testing.T, file string) (s map[string]float64) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSimEndsAtAFailedStep: before steps failed, this robot went on in any shape and the
// program ended with 0.
func TestSimEndsAtAFailedStep(t *testing.T) {
	pulls, stats := testbench.WriteFile(t, "pulls.csv", farTooMuch), filepath.Join(t.TempDir(), "stats.json")
	out, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), append([]string{"sim", "--duration", "1s", "--commands", pulls, "--stats", stats}, nitinol()...)...)
	found := meeting.FindStringSubmatch(errs)
	if code != 1 || found == nil || !strings.Contains(errs, "(commands of "+pulls+":4)") {
		t.Fatalf("exit code %d, want 1: %s", code, errs)
	}
	at, _ := strconv.ParseFloat(found[1], 64)
	_, rows := testbench.ParseCSV(t, out)
	if last := rows[len(rows)-1][0]; !strings.HasSuffix(out, "\n") || last > at || last < at-0.01 {
		t.Errorf("the last row is of %g s, the failure of %g s", last, at)
	}
	s := statistics(t, stats)
	if s["unconverged_steps"] != 1 || !(s["divided_steps"] >= 1) || s["steps"] != float64(int(at*1000)) {
		t.Errorf("statistics %v of a failure at %g s", s, at)
	}
	for _, want := range []string{
		"warning: disk_approach reached 0.9", "two disks come near one another", "(at t = 0.1",
		"steps did not converge as a whole and were divided",
	} {
		if !strings.Contains(errs, want) {
			t.Errorf("nothing is said of %q: %s", want, errs)
		}
	}
}

// TestSimKeepsGoing: the tail of the simulation is there, time and commands go on, and
// the exit code says that it is not all there.
func TestSimKeepsGoing(t *testing.T) {
	soon := strings.Replace(farTooMuch, "0.5,0", "0.2,0", 1) // until then no step succeeds: 50 N leave the rod no shape
	pulls, stats := testbench.WriteFile(t, "pulls.csv", soon), filepath.Join(t.TempDir(), "stats.json")
	out, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), append([]string{"sim", "--duration", "1s", "--commands", pulls, "--stats", stats, "--keep-going"}, nitinol()...)...)
	s := statistics(t, stats)
	failed := strconv.Itoa(int(s["unconverged_steps"]))
	if code != 1 || !meeting.MatchString(errs) || !strings.Contains(errs, "tendonsim: "+failed+" of 1000 steps failed and left the robot where it was, the first: ") || !strings.Contains(errs, ":4)") {
		t.Errorf("exit code %d, want 1: %s", code, errs)
	}
	_, rows := testbench.ParseCSV(t, out)
	last := rows[len(rows)-1]
	if len(rows) != 101 || last[0] != 1 || s["steps"] != 1000 || !(s["unconverged_steps"] >= 1 && s["unconverged_steps"] < 100) {
		t.Errorf("%d rows to %g s, statistics %v", len(rows), last[0], s)
	}
	if tip := last[3]; !(tip > 0.1) { // m: upright again without tension
		t.Errorf("tip at %g m, want it to spring back", tip)
	}
	if !regexp.MustCompile(`warning: .*\(at t = 0\.[1-9]`).MatchString(errs) {
		t.Errorf("no warning with its time: %s", errs)
	}
}

// TestReplayEndsAtAFailedStep, as sim does, with what its Simulator has as the reason of FAULT.
func TestReplayEndsAtAFailedStep(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	pulls, recording := testbench.WriteFile(t, "pulls.csv", farTooMuch), filepath.Join(t.TempDir(), "x.mcap")
	if _, errs, code := testbench.Run(t, program, "sim", "--duration", "1s", "--commands", pulls, "--out", recording, "--config", testbench.RobotFiles+"nitinol_robot.yaml"); code != 0 {
		t.Fatal(errs) // its motors do not pull with 50 N
	}
	replay := append([]string{"replay", recording, "_command_timeout_s:=.inf"}, nitinol()...)
	out, errs, code := testbench.Run(t, program, replay...)
	found := meeting.FindStringSubmatch(errs)
	if code != 1 || found == nil {
		t.Fatalf("exit code %d, want 1: %s", code, errs)
	}
	at, _ := strconv.ParseFloat(found[1], 64)
	_, rows := testbench.ParseCSV(t, out)
	if last := rows[len(rows)-1][0]; last > at || last < at-0.011 {
		t.Errorf("the last row is of %g s, the failure of %g s", last, at)
	}
	if !strings.Contains(errs, "warning: disk_approach reached 0.9") {
		t.Errorf("no warning: %s", errs)
	}
	out, errs, code = testbench.Run(t, program, append(replay, "--keep-going")...)
	_, rows = testbench.ParseCSV(t, out)
	if last := rows[len(rows)-1]; code != 1 || !meeting.MatchString(errs) || !strings.Contains(errs, " of 1000 steps failed") || last[0] != 1 || !(last[3] > 0.1) {
		t.Errorf("exit code %d, want 1; last row %v: %s", code, last, errs)
	}
}

// TestStaticFails where there is no equilibrium that the model knows, and warns of one that
// is near such.
func TestStaticFails(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	out, errs, code := testbench.Run(t, program, append([]string{"static"}, nitinol("_tendons/tendon_1/tension_n:=500")...)...)
	if code != 1 || !strings.Contains(errs, "tendonsim: no equilibrium: ") || out != "" {
		t.Errorf("exit code %d, want 1: %s%s", code, errs, out)
	}
	_, errs, code = testbench.Run(t, program, append([]string{"static"}, nitinol("_tendons/tendon_1/tension_n:=45")...)...) // of 48 N on disks meet
	if code != 0 || !strings.Contains(errs, "warning: disk_approach reached 0.9") {
		t.Errorf("exit code %d, want 0 and a warning: %s", code, errs)
	}
}

// TestSimWarnsOfWhatYields: the pull is far beyond the range of the motor.
func TestSimWarnsOfWhatYields(t *testing.T) {
	args := []string{"sim", "--duration", "0.5s", "--commands", testbench.WriteFile(t, "pulls.csv", "t,long_up:m\n0,0\n0.1,0.06\n"), "--config", testbench.RobotFiles + "silicone_robot.yaml"}
	for _, k := range []string{"long_up", "long_left", "short_down", "short_right"} {
		args = append(args, "_tendons/"+k+"/stiffness_n_per_m:=1e5", "_tendons/"+k+"/limits/max_rate_m_per_s:=1")
	}
	_, errs, code := testbench.Run(t, testbench.BuildTendonsim(t), args...)
	if code != 0 || !strings.Contains(errs, "warning: tendons_at_max_tension reached 1, above 0.5: their pulls would take more than max_tension_n (at t = 0.") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// TestMicrorobotFails in the same way: without drag, a strong field swings it too fast.
func TestMicrorobotFails(t *testing.T) {
	program := testbench.BuildMicrorobot(t)
	robot := testbench.WriteFile(t, "body.yaml", "{dynamics: inertial, fluid: {viscosity_pa_s: 0}, body: {shape: {sphere_m: 1e-6}, magnet: {moment_a_m2: [1e-12, 0, 0]}}}\n")
	fields := testbench.WriteFile(t, "fields.csv", "t,bx,by,bz\n0,0,0,0\n0.05,0,0.9,0\n")
	sim := []string{"sim", "--config", robot, "--duration", "0.1s", "--commands", fields}
	out, errs, code := testbench.Run(t, program, sim...)
	if code != 1 || !strings.Contains(errs, "microrobot: at t = 0.05 s the body answers the field within ") || !strings.Contains(errs, "(commands of "+fields+":3)") {
		t.Errorf("exit code %d, want 1: %s", code, errs)
	}
	if _, rows := testbench.ParseCSV(t, out); rows[len(rows)-1][0] != 0.05 {
		t.Errorf("rows %s", out)
	}
	out, errs, code = testbench.Run(t, program, append(sim, "--keep-going")...)
	if _, rows := testbench.ParseCSV(t, out); code != 1 || len(rows) != 11 || !strings.Contains(errs, "50 of 100 steps failed") {
		t.Errorf("exit code %d, want 1; %d rows: %s", code, len(rows), errs)
	}
}

// health is what a recording of run tells of its solver.
type health struct {
	faults      []string // reasons of FAULT
	worst       map[string]byte
	messages    map[string]string // of the worst levels
	unconverged uint64
}

// recordedRun runs the node for a moment and reads what it tells.
func recordedRun(t *testing.T, args ...string) (h health, stdout, stderr string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.mcap")
	stdout, stderr, code := testbench.Run(t, testbench.BuildTendonsim(t), append([]string{"run", "--ros", "off", "--no-demo", "--duration", "2.6s", "--record", file}, args...)...)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	h.worst, h.messages = map[string]byte{}, map[string]string{}
	if err := record.Read(file, nil, func(m record.Message) error {
		switch m := m.Message.(type) {
		case *sinew_msgs.OperatingState:
			if m.State == "FAULT" {
				h.faults = append(h.faults, m.Reason)
			}
		case *sinew_msgs.SimStats:
			h.unconverged = m.Unconverged
		case *diagnostic_msgs.DiagnosticArray:
			for _, s := range m.Status {
				if s.Level >= h.worst[s.Name] {
					h.worst[s.Name], h.messages[s.Name] = s.Level, s.Message
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return h, stdout, stderr
}

// TestRunFaultsAtAFailedStep tells the reason wherever somebody may look.
func TestRunFaultsAtAFailedStep(t *testing.T) {
	h, out, errs := recordedRun(t, nitinol("_tendons/tendon_1/tension_n:=50")...)
	h.faults = slices.Compact(h.faults) // the state is repeated once a second
	if len(h.faults) != 1 || !meeting.MatchString("tendonsim: "+h.faults[0]) {
		t.Fatalf("FAULT because of %q", h.faults)
	}
	const critical = diagnostic_msgs.DiagnosticStatusError
	reason := h.faults[0]
	if h.worst["tendonsim: solver"] != critical || h.messages["tendonsim: solver"] != reason {
		t.Errorf("solver: %d %q", h.worst["tendonsim: solver"], h.messages["tendonsim: solver"])
	}
	if h.worst["tendonsim: step loop"] != critical || h.messages["tendonsim: step loop"] != "FAULT: "+reason+"; call ~enable to continue" {
		t.Errorf("step loop: %d %q", h.worst["tendonsim: step loop"], h.messages["tendonsim: step loop"])
	}
	divided := regexp.MustCompile(`divided ([0-9]+) `).FindStringSubmatch(out)
	if divided == nil || !strings.Contains(out, "FAULT  ") || !strings.Contains(out, reason+"; call ~enable to continue\n") {
		t.Fatalf("status lines:\n%s", out)
	}
	if n, _ := strconv.Atoi(divided[1]); n < 1 || h.unconverged != uint64(n)+1 {
		t.Errorf("unconverged %d with %s divided steps, want one more", h.unconverged, divided[1])
	}
	if !strings.Contains(errs, `ERROR operating state {"state": "FAULT", "reason": "the disks at `) {
		t.Errorf("log:\n%s", errs)
	}
}

// TestRunWarnsOfDividedSteps from the first on.
func TestRunWarnsOfDividedSteps(t *testing.T) {
	h, out, _ := recordedRun(t, nitinol("_tendons/tendon_1/tension_n:=16", "_tendons/tendon_1/friction_coefficient:=0.1")...)
	if len(h.faults) > 0 || h.unconverged < 1 {
		t.Fatalf("FAULT %q; %d steps divided, want some", h.faults, h.unconverged)
	}
	n := strconv.FormatUint(h.unconverged, 10)
	if !strings.Contains(out, "  divided "+n+" ") || !strings.Contains(out, ", "+n+" divided\n") {
		t.Errorf("%s steps divided, and the status says\n%s", n, out)
	}
	if h.worst["tendonsim: solver"] != diagnostic_msgs.DiagnosticStatusWarn || !strings.Contains(h.messages["tendonsim: solver"], "divided_steps reached "+n+", above 0.5: ") {
		t.Errorf("solver: %d %q", h.worst["tendonsim: solver"], h.messages["tendonsim: solver"])
	}
}
