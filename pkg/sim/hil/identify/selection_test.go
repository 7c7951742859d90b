package identify

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

// kept names the rows of a trial that are fitted.
func kept(tr *Trial) (rows string) {
	for i := range tr.rows {
		if tr.rows[i].fitted() {
			rows += fmt.Sprint(i)
		}
	}
	return rows
}

// Rows are selected by number, speed and then every n-th; the trial itself stays whole.
func TestSelect(t *testing.T) {
	// 0.1 m/s, then at rest; nothing is measured in row 4
	tr := ReadTrial(t, "t,push,x,y,z\n0,1,0,0,0\n1,1,0.1,0,0\n2,1,0.2,0,0\n3,1,0.3,0,0\n4,1,,,\n5,1,0.3,0,0\n6,1,0.3,0,0\n7,1,0.3,0,0\n")
	for _, c := range []struct {
		s    Selection
		want string
	}{
		{Selection{}, "0123567"},
		{Selection{Every: 2}, "0257"},
		{Selection{First: 1, End: 6}, "1235"},
		{Selection{First: 1, Every: 3}, "15"},
		{Selection{MaxSpeed: 0.06}, "3567"},
		{Selection{MaxSpeed: 0.06, Every: 2}, "36"},
	} {
		got, err := tr.Select(c.s)
		if err != nil || kept(got) != c.want || len(got.rows) != 8 {
			t.Errorf("%+v: rows %s, %v; want %s", c.s, kept(got), err, c.want)
		}
	}
	if kept(tr) != "0123567" {
		t.Errorf("the trial itself has %s", kept(tr))
	}
	if w, _ := tr.Select(Selection{Weight: 2}); w.weight() != 2 || tr.weight() != 1 {
		t.Errorf("weights %g and %g", w.weight(), tr.weight())
	}
	static := ReadTrial(t, "push,x,y,z\n1,0,0,0\n1,0,0,0\n")
	for want, c := range map[string]struct {
		tr *Trial
		s  Selection
	}{
		"rows 8:0; allowed: within the 8 of the file": {tr, Selection{First: 8}},
		"rows 0:9; allowed: within the 8":             {tr, Selection{End: 9}},
		"no measured row is selected":                 {tr, Selection{First: 4, End: 5}},
		"there is no t, so that rows have no speed":   {static, Selection{MaxSpeed: 0.1}},
		"no measured row is selected ":                {tr, Selection{MaxSpeed: 1e-9, End: 2}},
	} {
		if _, err := c.tr.Select(c.s); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%+v: %v, want %s", c.s, err, want)
		}
	}
}

// The speed of a trial of markers alone is that of a marker, of one that is in both rows.
func TestSelectMarkersBySpeed(t *testing.T) {
	at := func(x ...float64) (points []spatial.Vec) {
		for _, v := range x {
			points = append(points, spatial.Vec{X: v})
		}
		return points
	}
	nan := math.NaN()
	tr := &Trial{Name: "m.csv"}
	// 0.1 m/s, then at rest; the second marker is a metre beyond the first, and seen now and then
	for i, p := range [][]spatial.Vec{at(0, nan), at(0.1, 1.1), at(0.2, nan), at(0.3, 1.3), at(0.3, nan), at(0.3, 1.3), at(0.3, nan)} {
		tr.rows = append(tr.rows, trialRow{t: float64(i), measured: true, markers: p})
	}
	got, err := tr.Select(Selection{MaxSpeed: 0.06})
	if err != nil || kept(got) != "3456" {
		t.Errorf("rows %s, %v; want 3456", kept(got), err)
	}
	mixed := &Trial{Name: "both.csv", rows: []trialRow{
		{t: 0, measured: true, posed: true}, {t: 1, measured: true, markers: at(5)}, {t: 2, measured: true, posed: true}, {t: 3, measured: true, markers: at(5)},
	}}
	if got, err := mixed.Select(Selection{MaxSpeed: 0.06}); err != nil || kept(got) != "012" {
		t.Errorf("beside rows of the tip: rows %s, %v; want 012", kept(got), err)
	}
}

// Where rows of the tip and of a marker take turns, every second row is of both, and so is a half
// that is held out.
func TestSelectRowsThatTakeTurns(t *testing.T) {
	tr := &Trial{Name: "turns.csv"}
	for i := range 8 {
		row := trialRow{t: float64(i), measured: true, posed: i%2 == 0, markers: []spatial.Vec{unseen}}
		if !row.posed {
			row.markers[0] = spatial.Vec{}
		}
		tr.rows = append(tr.rows, row)
	}
	got, err := tr.Select(Selection{Every: 2})
	if err != nil || kept(got) != "0145" {
		t.Errorf("rows %s, %v; want 0145", kept(got), err)
	}
	if tr.Hold(0.5); kept(tr) != "0145" {
		t.Errorf("fitted are %s; want 0145", kept(tr))
	}
}

// FuzzRequest reads any text; what is accepted has bounds and a prior that make sense.
func FuzzRequest(f *testing.F) {
	for _, text := range []string{"youngs_modulus_pa", "a=1:2:log", "a=+-10%", "a=1:2+-1:3", "a=±1", "a=-1e-3+-1e-3:lin", "base_pose.*=1:2", "=:"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseRequest(text)
		if err != nil {
			return
		}
		if r.name == "" || r.bounded && !(r.min < r.max) || r.prior != nil && !(r.prior.sigma > 0) {
			t.Errorf("%q: %+v, %+v", text, r, r.prior)
		}
	})
}
