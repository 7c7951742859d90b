package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMain is a helper when the test runs itself as such.
func TestMain(m *testing.M) {
	if is, err := helper(os.Args[1:]); is {
		exit(err)
	}
	os.Exit(m.Run())
}

func TestMeasure(t *testing.T) {
	program := testProgram(t)
	t.Run("smoke", func(t *testing.T) { testSmoke(t, program) })
	t.Run("hostile", func(t *testing.T) { testHostile(t, program) })
	t.Run("failure", func(t *testing.T) { testFailure(t, program) })
	t.Run("recording", func(t *testing.T) { testRecording(t, program) })
}

// testSmoke measures for a few seconds that all of it works. The bounds hold on a
// machine that is busy with other tests; judging the node needs an idle one.
func testSmoke(t *testing.T, program string) {
	r, err := measure(t.Context(), options{program: program, commands: 100, soak: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var table, asJSON bytes.Buffer
	if err := r.writeTable(&table); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &table)
	if err := r.writeJSON(&asJSON); err != nil || !json.Valid(asJSON.Bytes()) {
		t.Errorf("JSON: %v\n%s", err, &asJSON)
	}
	if len(r.Phases) != 2 || r.Latency == nil || r.Soak == nil {
		t.Fatalf("%d phases, latency %v, soak %v", len(r.Phases), r.Latency, r.Soak)
	}
	for _, p := range r.Phases {
		within(t, p.Name+": real-time factor", p.RealTimeFactor, 0.5, 1.05)
		within(t, p.Name+": lateness, us", p.LatenessP50, 0.1, 1e4)
		within(t, p.Name+": step, us", p.StepP50, 0.1, 1e3)
		within(t, p.Name+": memory, MiB", p.Memory.Max, 5, 200)
		within(t, p.Name+": latency probe, us", p.Probe.Max, 0.1, 1e6)
		within(t, p.Name+": processor, %", p.CPU, 1, 200)
	}
	l, s := r.Latency, r.Soak
	within(t, "answered commands", float64(l.Pose.Count), 95, 100)
	within(t, "latency, ms", l.Pose.P50, l.Transport.P50, 20)
	within(t, "transport, ms", l.Transport.P50, 1e-3, 10)
	within(t, "messages of a second", float64(s.Received+s.Gaps), 500, 2000)
	within(t, "stamp interval, ms", s.Interval.P50, 0.9, 1.1)
	within(t, "messages to the frozen subscriber", float64(s.FrozenSent), 1, float64(s.Received)+200)
}

// testHostile runs the hostile phase just long enough to kill a master.
func testHostile(t *testing.T, program string) {
	r, err := measure(t.Context(), options{program: program, hostile: masterLife + 2*time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := r.writeTable(&table); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &table)
	h, s := r.Hostile, r.HostileSoak
	within(t, "masters killed", float64(h.MastersKilled), 1, 1)
	within(t, "floods", float64(h.Floods), 10, 1e5)
	within(t, "messages", float64(s.Received+s.Gaps), 3000, 10000)
}

// testRecording measures for a moment that it works.
func testRecording(t *testing.T, program string) {
	r, err := measure(t.Context(), options{program: program, loop: 200 * time.Millisecond, record: "mcap", rounds: 1})
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := r.writeTable(&table); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &table)
	within(t, "lateness with a recording, us", r.Recording.RecordedP99, 1, 1e5)
	within(t, "lateness without, us", r.Recording.PlainP99, 1, 1e5)
	within(t, "file, MB/s", r.Recording.Rate, 0.2, 50)
}

func testFailure(t *testing.T, program string) {
	_, err := measure(t.Context(), options{program: program, config: "missing.yaml", commands: 1})
	if err == nil || !strings.Contains(err.Error(), "missing.yaml") {
		t.Errorf("error %v does not say what the node said", err)
	}
}

// testProgram builds the node, where the tests can run at all.
func testProgram(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the node is not run with -short")
	}
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skipf("no /proc: %v", err)
	}
	program, err := build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func within(t *testing.T, what string, x, least, most float64) {
	t.Helper()
	if !(x >= least && x <= most) {
		t.Errorf("%s: %g, want %g…%g", what, x, least, most)
	}
}

func TestSummaries(t *testing.T) {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = float64((i*7919)%1000 + 1) // 1…1000, shuffled: 7919 and 1000 have no common factor
	}
	if got, want := spread(x), (Spread{Count: 1000, P50: 501, P90: 901, P99: 991, P999: 1000, Max: 1000}); got != want {
		t.Errorf("spread %+v, want %+v", got, want)
	}
	begin := time.Unix(1e9, 0)
	at, y := []time.Time{}, []float64{}
	for i := range 10 {
		at, y = append(at, begin.Add(time.Duration(i)*30*time.Second)), append(y, 20+1.5*float64(i))
	}
	if got := slope(at, y); math.Abs(got-3) > 1e-9 {
		t.Errorf("slope %g per minute, want 3", got)
	}
}
