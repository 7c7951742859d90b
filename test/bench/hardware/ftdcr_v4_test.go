package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Motions that were not fitted: all three segments at once, of which the fit has seen at
// most two.
func TestFtdcrV4(t *testing.T) {
	p := predicted(t, recorded(t, &ftdcrV4))
	e := lessMean(errorsOf(p.where(func(q *point) bool { return q.file == threeSegments })))
	atMost(t, "three segments", e, 5e-3)
	page(t, &ftdcrV4, p)
	train, val, err := readServoRecordings(p.from)
	if err != nil {
		t.Fatal(err)
	}
	baseline, err := linearErrors(train, val)
	if err != nil {
		t.Fatal(err)
	}
	if got := 1e3 * rms(baseline); math.Abs(got-27.4) > 0.05 { // as the recordings say
		t.Errorf("rms error of the linear baseline %.2f mm, want 27.4 mm", got)
	}
}

func TestServoAt(t *testing.T) {
	rows := []servoRow{{time: 0}, {time: 1}, {time: 2}, {time: 9}}
	for i := range rows {
		rows[i].pull[0] = float64(i * i)
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

func TestReadServoRowsRefuses(t *testing.T) {
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
		_, err := readServoRows(file)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.want)
		}
	}
}
