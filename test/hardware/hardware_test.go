package main

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// shared is where other people's recordings lie beside the repository.
const shared = "../../../shared/golden/opencr_sysid_v4"

func recorded(t *testing.T) recordings {
	t.Helper()
	r, err := readRecordings(shared)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the recordings of the robot are missing: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func committed(t *testing.T) *robotfile.Continuum {
	t.Helper()
	f, err := readRobot("ftdcr_v4.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The robot as committed, on motions that were not fitted: all three segments at
// once, of which the fit has seen at most two.
func TestValidation(t *testing.T) {
	r, f := recorded(t), committed(t)
	p, err := predict(f, r.val, all(r.val))
	if err != nil {
		t.Fatal(err)
	}
	e := errorsOf(p, r.val, all(r.val))
	t.Log(summary(e, f.Rod.Length))
	const reached = 5.6e-3 // m
	if got := rms(e); got > reached {
		t.Errorf("rms error %.3f mm, want at most %.3f mm", 1e3*got, 1e3*reached)
	}
}

// The baseline that the recordings come with.
func TestLinearBaseline(t *testing.T) {
	r := recorded(t)
	p, err := linear(r.train, r.val)
	if err != nil {
		t.Fatal(err)
	}
	if got := 1e3 * rms(errorsOf(p, r.val, all(r.val))); math.Abs(got-27.4) > 0.05 {
		t.Errorf("rms error of the linear baseline %.2f mm, want 27.4 mm", got)
	}
}

func TestServoAt(t *testing.T) {
	rows := []row{{time: 0}, {time: 1}, {time: 2}, {time: 9}}
	for i := range rows {
		rows[i].servo[0] = float64(i * i)
	}
	for _, c := range []struct {
		i             int
		latency, want float64
	}{
		{2, 0, 4}, {2, 0.25, 3.25}, {2, 1.5, 0.5}, {2, 5, 0}, // never before the first row
		{3, 0.5, 9},  // nor across a gap
		{1, -0.5, 1}, // nor into the future
	} {
		if got := servoAt(rows, c.i, c.latency)[0]; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("row %d, %g s before: %g, want %g", c.i, c.latency, got, c.want)
		}
	}
}

func TestReadRowsRefuses(t *testing.T) {
	header := "timestamp,pattern_label,a,b,c,d,e,f,g,h,i,tip_x,tip_y,tip_z\n"
	good := "1,p,0,0,0,0,0,0,0,0,0,1,2,3\n"
	for name, c := range map[string]struct{ text, want string }{
		"no file":        {"", "no header"},
		"one row":        {header + good, "at least 2"},
		"not a number":   {header + good + "2,p,0,0,0,x,0,0,0,0,0,1,2,3\n", `:3:11: "x" is not a number`},
		"not finite":     {header + good + "2,p,0,0,0,0,0,0,0,0,0,1,2,NaN\n", "not a number"},
		"backward time":  {header + good + good, "does not follow"},
		"missing column": {header + good + "2,p,0\n", "wrong number of fields"},
	} {
		file := filepath.Join(t.TempDir(), "rows.csv")
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := readRows(file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.want)
		}
	}
}
