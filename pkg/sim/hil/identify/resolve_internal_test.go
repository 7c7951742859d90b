package identify

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Tests of what has no exported name.

// TestFreeNames resolves names in all their forms.
func TestFreeNames(t *testing.T) {
	n := NumbersOf(t, NamesFile)
	for _, c := range []struct {
		free  string
		names string // of the parameters
		set   string // paths that they decide about
	}{
		{"youngs_modulus_pa", "rod.youngs_modulus_pa", "rod.youngs_modulus_pa"},
		{"rod/youngs_modulus_pa", "rod.youngs_modulus_pa", "rod.youngs_modulus_pa"},
		{"youngs_modulus", "rod.youngs_modulus_pa", "rod.youngs_modulus_pa"},
		{"damping.drag=0:1", "rod.damping.drag_per_s", "rod.damping.drag_per_s"},
		{"damping.kelvin_voigt_s=0:0.1", "rod.damping.kelvin_voigt_s", "rod.damping.kelvin_voigt_s"},
		{"stiffness_n_per_m", "tendons.stiffness_n_per_m", "tendons[0].stiffness_n_per_m tendons[1].stiffness_n_per_m"},
		{"tendons.*.stiffness_n_per_m", "tendons.up.stiffness_n_per_m tendons.side.stiffness_n_per_m", "tendons[0].stiffness_n_per_m tendons[1].stiffness_n_per_m"},
		{"tendons[*].friction_coefficient", "tendons.up.friction_coefficient tendons.side.friction_coefficient", "tendons[0].friction_coefficient tendons[1].friction_coefficient"},
		{"*.stiffness_n_per_m", "", ""},
		{"tendons[1].friction_coefficient", "tendons.side.friction_coefficient", "tendons[1].friction_coefficient"},
		{"tendons.side.friction_coefficient", "tendons.side.friction_coefficient", "tendons[1].friction_coefficient"},
		{"side.friction_coefficient", "tendons.side.friction_coefficient", "tendons[1].friction_coefficient"},
		{"up/offset_m[0]", "tendons.up.offset_m[0]", "tendons[0].offset_m[0]"},
		{"ide.friction_coefficient", "", ""},
		{"tendons/up/friction", "", ""},
		{"tendons[0].offset_m[0]", "tendons.up.offset_m[0]", "tendons[0].offset_m[0]"},
		{"base.position_m=-1:1", "base.position_m[0] base.position_m[1] base.position_m[2]", "base.position_m[0] base.position_m[1] base.position_m[2]"},
		{"base.position_m[0]", "base.position_m[0]", "base.position_m[0]"},
		{"base_pose.rx", "base_pose.rx", "base.position_m base.direction base.normal"},
		{"latency_s", "latency_s", "hardware.latency_s"},
		{"tendon_offsets.side.azimuth_rad", "tendon_offsets.side.azimuth_rad", "tendons[1].offset_m"},
	} {
		frees, err := Resolve([]string{c.free}, n, 0.25)
		if c.names == "" {
			if err == nil {
				t.Errorf("%s is found", c.free)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.free, err)
			continue
		}
		var names, paths []string
		for _, f := range frees {
			x := make([]float64, len(f.Parameters))
			for i, p := range f.Parameters {
				names, x[i] = append(names, p.Name), (p.Min+p.Max)/2+0.01
			}
			for _, a := range f.assign(x) {
				paths = append(paths, a.path)
			}
		}
		if got := strings.Join(names, " "); got != c.names {
			t.Errorf("%s: parameters %s", c.free, got)
		}
		if got := strings.Join(paths, " "); got != c.set {
			t.Errorf("%s: sets %s", c.free, got)
		}
	}
}

// TestOtherModulusIsToldToStay also of sections, once where they have that of the rod.
func TestOtherModulusIsToldToStay(t *testing.T) {
	const cure = "; where the material is not certain or the motion leaves a plane, free it, too: Poisson's ratio is E/2G - 1"
	const sections = "rod: {youngs_modulus_pa: 2e6, shear_modulus_pa: 7e5, sections: [{length_m: 0.1, radius_m: 0.01}, {length_m: 0.15, radius_m: 0.01, youngs_modulus_pa: 1e6, shear_modulus_pa: 4e5}]}"
	for free, want := range map[string]string{
		"sections[1].youngs_modulus_pa": "rod.sections[1].shear_modulus_pa is not free and stays at 400000 Pa",
		"sections[1].shear_modulus_pa":  "rod.sections[1].youngs_modulus_pa is not free and stays at 1e+06 Pa",
		"rod.youngs_modulus_pa":         "rod.shear_modulus_pa is not free and stays at 700000 Pa",
	} {
		frees, err := Resolve([]string{free}, NumbersOf(t, sections), 0.25)
		if err != nil {
			t.Fatal(err)
		}
		p := &Problem{free: frees}
		p.noteModuli(NumbersOf(t, sections))
		if got := strings.Join(p.Notes, "; "); got != want+cure {
			t.Errorf("%s: %q instead of %q", free, got, want+cure)
		}
	}
}

// TestBasePoseIsAMotion checks that the base moves rigidly: rx turns about the
// world's x through the base.
func TestBasePoseIsAMotion(t *testing.T) {
	n := NumbersOf(t, NamesFile)
	frees, err := Resolve([]string{"base_pose"}, n, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	var d robotfile.Draft[robotfile.Continuum]
	d.Merge("robot.yaml", []byte(NamesFile))
	for _, a := range frees[0].assign([]float64{0.01, 0.02, 0.03, 0.1, 0, 0}) {
		d.Set(a.path, a.value, "test")
	}
	f, err := d.Robot()
	if err != nil {
		t.Fatal(err)
	}
	near := func(a, b spatial.Vec) bool { return a.Sub(b).Norm() < 1e-12 }
	sin, cos := math.Sincos(0.1)
	if b := f.Base; !near(b.Position, spatial.Vec{X: 0.11, Y: 0.02, Z: 0.03}) || !near(b.Direction, spatial.Vec{X: 1}) || !near(b.Normal, spatial.Vec{Y: -sin, Z: cos}) {
		t.Errorf("%+v", b)
	}
}

// Distances of 3, 4 and 5 m, and angles of 0.3 and 0.4 rad.
func TestErrorsByHand(t *testing.T) {
	var e Errors
	if !math.IsNaN(e.RMS()) || !math.IsNaN(e.RotationRMS()) {
		t.Errorf("without poses: %g m, %g rad", e.RMS(), e.RotationRMS())
	}
	e.add(&deviation{p: spatial.Vec{Y: 3}, r: spatial.Vec{X: 0.3}}, true)
	e.add(&deviation{p: spatial.Vec{X: 3, Z: -4}, r: spatial.Vec{Y: 0.4}}, true)
	e.add(&deviation{p: spatial.Vec{X: 4}, r: spatial.Vec{Y: 7}}, false)
	if e.Poses != 3 || e.Rotations != 2 || e.MaxM != 5 {
		t.Errorf("%+v", e)
	}
	if want := math.Sqrt(50. / 3); !(math.Abs(e.RMS()-want) < 1e-14) {
		t.Errorf("RMS %g m, want %g", e.RMS(), want)
	}
	if want := math.Sqrt(0.125); !(math.Abs(e.RotationRMS()-want) < 1e-15) {
		t.Errorf("RMS %g rad, want %g", e.RotationRMS(), want)
	}
}

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
	tr, err := ReadText("gaps.csv", text, rodLayout(), Markers{})
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
	tr, err := ReadText("jump.csv", text, rodLayout(), ring)
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
		tr, err := ReadText("trial.csv", text, layout, Markers{})
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
	tr := ReadTrial(t, "t,push,x,y,z,ok\n0,1,0,0,0,1\n0.1,2,NaN,,lost,0\n0.2,3,0,0,0,\n")
	if r := tr.rows[1]; r.measured || r.posed || r.commands[1][0] != 2 || !tr.rows[0].measured || !tr.rows[2].measured {
		t.Errorf("%+v", tr.rows)
	}
}

// A trial of recorded poses begins at 0, and has rotations where the recording has.
func TestRecordedTrial(t *testing.T) {
	turn := spatial.ExpRot(spatial.Vec{Z: 0.1})
	poses := trajectory.Poses{T: []float64{-0.1, 0, 0.1}, Pose: []spatial.Pose{{R: turn}, {R: turn, P: spatial.Vec{X: 1}}, {R: turn, P: spatial.Vec{X: 2}}}}
	for _, rotations := range []bool{false, true} {
		poses.Rotations = rotations
		tr, err := NewTrial(&trajectory.Trajectory{File: "recording", Stamped: true, Tip: poses, Commands: &trajectory.Commands{}}, Markers{})
		if err != nil || len(tr.rows) != 2 || tr.rotations != rotations || tr.Static {
			t.Fatalf("%+v, %v", tr, err)
		}
		for i, row := range tr.rows {
			want := measuredPose{p: poses.Pose[i+1].P}
			if rotations {
				want.r = turn
			}
			if row.pose != want || row.t != poses.T[i+1] || !row.measured {
				t.Errorf("row %d: %+v", i, row)
			}
		}
	}
	poses.T = []float64{-3, -2, -1}
	if _, err := NewTrial(&trajectory.Trajectory{File: "recording", Stamped: true, Tip: poses, Commands: &trajectory.Commands{}}, Markers{}); err == nil || !strings.Contains(err.Error(), "recording: nothing was measured") {
		t.Errorf("a recording that ends before the robot moves: %v", err)
	}
}

// Every fourth measured row is held out of the fit with a share of a quarter.
func TestHoldOut(t *testing.T) {
	tr := ReadTrial(t, "push,x,y,z\n"+strings.Repeat("1,0,0,0\n", 5)+"1,,,\n"+strings.Repeat("1,0,0,0\n", 5))
	tr.Hold(0.25)
	var held []int
	for i := range tr.rows {
		if tr.rows[i].held {
			held = append(held, i)
		}
	}
	if len(held) != 2 || held[0] != 3 || held[1] != 8 {
		t.Errorf("rows %v are held out", held)
	}
	tr.Hold(0.1)
	if tr.Hold(1); !tr.rows[0].held || tr.rows[5].held {
		t.Error("a share of 1 holds out all that was measured, and nothing else")
	}
}

// Commands of a file of their own have the clock of the data, which begin at 5 s.
func TestCommandsOnTheClockOfTheData(t *testing.T) {
	tr := ReadTrial(t, "t,push,x,y,z\n5,0,0,0,0\n5.1,0,0,0,0\n5.2,0,0,0,0\n")
	own := &trajectory.Commands{}
	own.Add(5.1, trajectory.Row{1: {4}})
	tr.SetCommands(own)
	got := deviations(t, Carriages(t, "", nil, tr), stretch)[0]
	for k, want := range []float64{startX, startX * 0.75, startX*0.75 + (4./stretch-startX*0.75)/4} {
		if !near(got[k].p, spatial.Vec{X: want}) {
			t.Errorf("row %d: off by %v, want %g", k, got[k].p, want)
		}
	}
}
