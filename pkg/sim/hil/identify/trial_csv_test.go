package identify

import (
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/trajectory"
)

// rodLayout is the layout of trials of a robot with three tendons.
func rodLayout() *trajectory.Layout {
	labels := []string{"up", "side", "helix"}
	return &trajectory.Layout{
		Ports: []sim.Port{
			{Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Labels: labels, Group: "tendons", Unit: "N", Max: []float64{20, 20, 20}},
			{Name: "servo_jp", Kind: sim.TendonLength, Direction: sim.In, Labels: labels, Group: "tendons", Unit: "m"},
		},
		Pose: []string{"tip_x", "tip_y", "tip_z", "tip_qx", "tip_qy", "tip_qz", "tip_qw"},
	}
}

// TestRowsWithGaps leaves cells empty: nothing commanded, or nothing measured.
func TestRowsWithGaps(t *testing.T) {
	const text = "t,up,side,tip_x,tip_y,tip_z\n5,1,,,,\n5.1,,2,0.25,0,0\n"
	tr, err := readText("gaps.csv", text, rodLayout(), Markers{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := tr.rows[0], tr.rows[1]
	if a.measured || !b.measured || a.t != 0 || b.t < 0.0999 || b.t > 0.1001 {
		t.Errorf("rows %+v", tr.rows)
	}
	if v := a.commands[0]; v[0] != 1 || !sim.IsKeep(v[1]) || !sim.IsKeep(v[2]) {
		t.Errorf("first commands %v", v)
	}
	if v := b.commands[0]; !sim.IsKeep(v[0]) || v[1] != 2 {
		t.Errorf("second commands %v", v)
	}
}

// TestRowsThatAreNotOkShowNothing leaves out a marker that jumps: neither the row nor the speed beside it
// has it.
func TestRowsThatAreNotOkShowNothing(t *testing.T) {
	ring := Markers{Names: []string{"ring"}, Weights: []float64{1}}
	const text = "t,ok,ring_x,ring_y,ring_z\n0,1,0,0,0\n0.1,0,1,0,0\n0.2,1,0.001,0,0\n"
	tr, err := readText("jump.csv", text, rodLayout(), ring)
	if err != nil {
		t.Fatal(err)
	}
	if row := tr.rows[1]; row.measured || row.markers[0].IsFinite() {
		t.Errorf("the row that is not ok has %+v", row)
	}
	if v := tr.speed(2, false); !(v < 0.02) {
		t.Errorf("the speed beside it is %g m/s", v)
	}
}

// FuzzTrial reads anything: an error or a trial that can be predicted, no panic.
func FuzzTrial(f *testing.F) {
	for _, text := range []string{
		"t,up,tip_x,tip_y,tip_z\n0,1,0.2,0,0\n1,,,,\n", "up,side,tip_x,tip_y,tip_z,tip_qx,tip_qy,tip_qz,tip_qw\n0,1,0.2,0,0,0,0,0,1\n",
		"# note\ntip_x,tip_y,tip_z\n1e308,-1e308,0\n", "t,up,tip_x,tip_y,tip_z\n-1,1,0,0,0\n-1,1,0,0,0\n", "\xff,\"\n",
	} {
		f.Add(text)
	}
	layout := rodLayout()
	f.Fuzz(func(t *testing.T, text string) {
		tr, err := readText("trial.csv", text, layout, Markers{})
		if err != nil {
			return
		}
		for i, row := range tr.rows {
			if !(row.t >= 0) || i > 0 && row.t < tr.rows[i-1].t || row.measured && row.pose.p.Dot(row.pose.p) != row.pose.p.Dot(row.pose.p) {
				t.Errorf("row %d: %+v", i, row)
			}
		}
	})
}

// Of a row that is not to be used nothing is read but what it commands.
func TestRowsNotToBeUsedAreNotRead(t *testing.T) {
	tr := readTrial(t, "t,push,x,y,z,ok\n0,1,0,0,0,1\n0.1,2,NaN,,lost,0\n0.2,3,0,0,0,\n")
	if r := tr.rows[1]; r.measured || r.posed || r.commands[1][0] != 2 || !tr.rows[0].measured || !tr.rows[2].measured {
		t.Errorf("%+v", tr.rows)
	}
}
