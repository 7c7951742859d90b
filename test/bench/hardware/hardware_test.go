package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

// recorded is the bench of a robot, whose recordings lie beside the repository.
func recorded(t *testing.T, r *robot) *bench {
	t.Helper()
	from := filepath.Join("../../../../shared/golden", r.data)
	if _, err := os.Stat(from); err != nil {
		t.Skipf("the recordings of %s are missing: %v", r.name, err)
	}
	b, err := newBench(r, "../../..", from, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// predicted is what the robot file in the repository predicts.
func predicted(t *testing.T, b *bench) *prediction {
	t.Helper()
	p, err := b.predict()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// page fails the test where docs/hardware.md has another table than the robot file gives.
func page(t *testing.T, r *robot, p *prediction) {
	t.Helper()
	text, err := os.ReadFile("../../../docs/hardware.md")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := r.table(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if !strings.Contains(string(text), l.markdown()+"\n") {
			t.Errorf("docs/hardware.md lacks this line of the table of %s:\n%s", r.name, l.markdown())
		}
	}
}

// atMost fails the test where errors (m) are larger than what was reached.
func atMost(t *testing.T, what string, e []spatial.Vec, reached float64) {
	t.Helper()
	t.Logf("%s: %d points, rms %.3f mm", what, len(e), 1e3*rms(e))
	if got := rms(e); !(got <= reached) {
		t.Errorf("%s: rms error %.3f mm, want at most %.3f mm", what, 1e3*got, 1e3*reached)
	}
}

func TestMissingRecordingsAreTold(t *testing.T) {
	err := run([]string{"-shared", t.TempDir(), "ftdcr_v4"}, new(strings.Builder))
	if err == nil || !strings.Contains(err.Error(), "the recordings of ftdcr_v4 are missing") {
		t.Errorf("%v", err)
	}
}

func TestErrorsLine(t *testing.T) {
	l := errorsLine("a", []spatial.Vec{{X: 3e-3}, {Y: 4e-3}, {Z: -5e-3}}, 0.1)
	if want := "| a | 3 | 4.08 mm | 4.08 % | 4.00 mm | 5.0 mm |"; l.markdown() != want {
		t.Errorf("%s, want %s", l.markdown(), want)
	}
	for _, v := range lessMean([]spatial.Vec{{X: 1}, {X: 3}}) {
		if math.Abs(v.X) != 1 {
			t.Errorf("%v left of 1 and 3 less their mean", v)
		}
	}
}
