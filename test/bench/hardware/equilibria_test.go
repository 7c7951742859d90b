package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

// Rows of the fitted motions that were not fitted, and motions of another day.
func TestTrunk(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates ten minutes of motion")
	}
	p := predicted(t, recorded(t, &trunk))
	atMost(t, "0 g, t >= 100 s", errorsOf(p.tipOf(trunkFree, trunkFitted)), 8.2e-3)
	atMost(t, "100 g, t >= 100 s", errorsOf(p.tipOf(trunkLoaded, trunkFitted)), 8.9e-3)
	atMost(t, "circles", errorsOf(p.tipOf(trunkCircles, trunkBegin)), 24.2e-3)
	atMost(t, "steps", errorsOf(p.tipOf(trunkSteps, trunkBegin)), 33.8e-3)
	atMost(t, "equilibria", errorsOf(p.tipOf(trunkEquilibria, 0)), 15.6e-3)
	page(t, &trunk, p)
}

// A tip that swings as a damped oscillator does to its new place.
func TestResponsesOf(t *testing.T) {
	const period, decay, way = 0.5, 0.4, 0.1
	var points []point
	for i := range 2000 {
		at := 0.01 * float64(i)
		since := math.Mod(at, trunkStep)
		swing := way * (1 - math.Exp(-since/decay)*math.Cos(2*math.Pi*since/period))
		if int(at/trunkStep)%2 == 0 {
			swing = way - swing
		}
		points = append(points, point{t: at, measured: spatial.Vec{X: 3, Y: swing}})
	}
	for _, r := range responsesOf(points, func(q *point) spatial.Vec { return q.measured }) {
		beyond := way * math.Exp(-0.245/decay)
		if r.count < 1 || math.Abs(r.way-way) > 1e-5 || math.Abs(r.period-period) > 0.01 || math.Abs(r.overshoot/beyond-1) > 0.03 {
			t.Errorf("%+v, want a way of %g m, %.4g m beyond it, a period of %g s", r, way, beyond, period)
		}
	}
}

func TestReadTrunkRows(t *testing.T) {
	header := "t_s,phi_age_s,ok"
	for _, group := range []string{"u%_deg", "phi%_deg"} {
		for _, k := range []string{"1", "2", "3", "4", "5", "6"} {
			header += "," + strings.Replace(group, "%", k, 1)
		}
	}
	header += ",x1_m,y1_m,z1_m,x2_m,y2_m,z2_m,x3_m,y3_m,z3_m\n"
	row := func(start, phi string) string {
		return start + ",0,0,0,0,0,0," + phi + ",0,0,0,0,0,1,2,3,4,5,6,7,8,9\n"
	}
	file := filepath.Join(t.TempDir(), "rows.csv")
	read := func(text string) ([]trunkRow, error) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return readTrunkRows(file)
	}
	// held angles lie on the line between readings, those behind the last one stay
	rows, err := read(header + row("0,0,1", "180") + row("1,0.1,0", "180") + row("2,0,1", "0") + row("3,0.1,1", "0"))
	if err != nil || len(rows) != 4 || math.Abs(rows[1].shaft[0]-math.Pi/2) > 1e-12 || rows[1].ok || rows[3].shaft[0] != 0 || rows[0].disks[2] != (spatial.Vec{X: 7, Y: 8, Z: 9}) {
		t.Errorf("%+v, %v", rows, err)
	}
	if _, err := read("t_s,ok\n1,1\n"); err == nil || !strings.Contains(err.Error(), "no column phi_age_s") {
		t.Errorf("a missing column: %v", err)
	}
	if _, err := read(header + row("0,0,1", "x")); err == nil || !strings.Contains(err.Error(), ":2") {
		t.Errorf("no number: %v", err)
	}
}

// A row in sixty of the fitted time counts as an equilibrium, of its shafts and without its time.
func TestStillRows(t *testing.T) {
	var rows []trunkRow
	for i := range 7000 {
		rows = append(rows, trunkRow{t: 0.02 * float64(i), ok: i != 100})
		rows[i].shaft[0] = float64(i)
	}
	still := sparse(rows)
	if len(still) != 82 || still[0].t != rows[101].t || still[81].t >= trunkFitted {
		t.Fatalf("%d rows from %g s", len(still), still[0].t)
	}
	file := filepath.Join(t.TempDir(), "still.csv")
	if err := writeTrunkRows(file, still, true); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if lines := strings.Split(string(text), "\n"); err != nil || !strings.HasPrefix(lines[0], "m1:shaft_rad,") || !strings.HasPrefix(lines[1], "101,") {
		t.Errorf("%.200s, %v", text, err)
	}
}

// Each equilibrium, as a fit to all others predicts it.
func TestTentacle(t *testing.T) {
	if testing.Short() {
		t.Skip("fits eleven times")
	}
	b := recorded(t, &tentacle)
	p := predicted(t, b)
	if err := b.leaveOut(p); err != nil {
		t.Fatal(err)
	}
	atMost(t, "tip, fitted", p.tentacleMarker("end", false), 15.8e-3)
	atMost(t, "tip, left out", p.tentacleMarker("end", true), 17.4e-3)
	page(t, &tentacle, p)
}
