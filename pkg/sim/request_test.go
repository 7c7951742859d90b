package sim

import (
	"strings"
	"testing"
)

func TestParseRequest(t *testing.T) {
	good := map[string]Request{
		"enable": {Verb: Enable}, "disable": {Verb: Disable}, "pause": {Verb: Pause}, "resume": {Verb: Resume},
		"reset": {Verb: Reset}, "e_stop": {Verb: EStop}, "save_state": {Verb: SaveState},
		"restore_state": {Verb: RestoreState}, "step 10": {Verb: Step, Steps: 10},
		" \tstep   1\n": {Verb: Step, Steps: 1}, "step 1000000000": {Verb: Step, Steps: MaxSteps},
	}
	for text, want := range good {
		if got, err := ParseRequest(text); err != nil || got != want {
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
		if _, err := ParseRequest(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseRequest(f *testing.F) {
	for _, text := range []string{"enable", "step 10", "step -1", "", "restore_state \x00", "step 18446744073709551616"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRequest(text)
		if err != nil {
			if r != (Request{}) || len(err.Error()) > 500 {
				t.Errorf("%q: %v with error %v", text, r, err)
			}
			return
		}
		if r.check() != nil {
			t.Errorf("%q: parsed to %v, which is refused: %v", text, r, r.check())
		}
		if again, err := ParseRequest(r.String()); err != nil || again != r {
			t.Errorf("%q: %v is written %q, which is %v, %v", text, r, r.String(), again, err)
		}
	})
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for v := range CommandStatus(NumCommandStatuses) {
		if name := v.String(); name == "" || seen[name] {
			t.Errorf("verdict %d is called %q", v, name)
		}
		seen[v.String()] = true
		if v.OK() != (v.Err() == nil) {
			t.Errorf("%v: %v", v, v.Err())
		}
	}
	for _, beyond := range []interface{ String() string }{CommandStatus(NumCommandStatuses), OperatingState(9), Verb(0), Verb(99)} {
		if beyond.String() == "" {
			t.Errorf("%T beyond the last has no name", beyond)
		}
	}
	if CommandStatus(NumCommandStatuses).Err() == nil {
		t.Error("an unknown verdict is no error")
	}
}
