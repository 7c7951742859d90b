package sim_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim"
)

func TestParseRequest(t *testing.T) {
	good := map[string]sim.Request{
		"enable": {Verb: sim.Enable}, "disable": {Verb: sim.Disable}, "pause": {Verb: sim.Pause}, "resume": {Verb: sim.Resume},
		"reset": {Verb: sim.Reset}, "e_stop": {Verb: sim.EStop}, "save_state": {Verb: sim.SaveState},
		"restore_state": {Verb: sim.RestoreState}, "step 10": {Verb: sim.Step, Steps: 10},
		" \tstep   1\n": {Verb: sim.Step, Steps: 1}, "step 1000000000": {Verb: sim.Step, Steps: sim.MaxSteps},
	}
	for text, want := range good {
		if got, err := sim.ParseRequest(text); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	bad := map[string]string{
		"": "empty", " ": "empty", "fly": `unknown request "fly"; known are enable, disable`,
		"Enable": "unknown request", "step": "number of control periods", "step 0": `got "0"`,
		"step -1": `got "-1"`, "step 1.5": `got "1.5"`, "step 1000000001": "from 1 to 1000000000",
		"step 99999999999999999999": "got", "step 1 2": "number of control periods",
		"pause now": `pause takes no argument, got "now"`, strings.Repeat("x", 1<<20): "1048576 bytes",
	}
	for text, want := range bad {
		if _, err := sim.ParseRequest(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for v := range sim.CommandStatus(sim.NumCommandStatuses) {
		if name := v.String(); name == "" || seen[name] {
			t.Errorf("verdict %d is called %q", v, name)
		}
		seen[v.String()] = true
		if v.OK() != (v.Err() == nil) {
			t.Errorf("%v: %v", v, v.Err())
		}
	}
	for _, beyond := range []interface{ String() string }{sim.CommandStatus(sim.NumCommandStatuses), sim.OperatingState(9), sim.Verb(0), sim.Verb(99)} {
		if beyond.String() == "" {
			t.Errorf("%T beyond the last has no name", beyond)
		}
	}
	if sim.CommandStatus(sim.NumCommandStatuses).Err() == nil {
		t.Error("an unknown verdict is no error")
	}
}
