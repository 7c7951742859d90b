package continuum_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// pulled is the silicone robot with elastic tendons.
func pulled(elements int) *robotfile.Continuum {
	f := silicone(elements)
	for i := range f.Tendons {
		f.Tendons[i].Stiffness = 500
	}
	f.Rod.Damping.Drag = 5
	return f
}

func TestPorts(t *testing.T) {
	m := newModel(t, pulled(10))
	in := sim.NewInputs(m) // checks limits and widths
	_ = in
	var got []string
	for _, p := range m.Ports() {
		got = append(got, p.Name)
	}
	want := []string{"servo_jf", "servo_jp", "external_wrench", "measured_cp", "measured_cv", "measured_js", "setpoint_js", "measured_cf", "backbone", "tip_path", "base"}
	if !slices.Equal(got, want) {
		t.Errorf("ports %v, want %v", got, want)
	}
	if p := m.Ports()[0]; p.Plain != "tensions" || p.Max[1] != 20 || p.MaxRate[1] != 1000 {
		t.Errorf("servo_jf is %+v", p)
	}
	f := silicone(10)
	if names := newModel(t, f).Ports(); names[1].Name == "servo_jp" {
		t.Error("length control without a stiffness")
	}
	f.Tendons = nil
	for _, p := range newModel(t, f).Ports() {
		if p.Width() == 0 || strings.HasSuffix(p.Name, "_js") {
			t.Errorf("a robot without tendons has port %s of width %d", p.Name, p.Width())
		}
	}
}

func TestValuesOfTheStraightRobot(t *testing.T) {
	m := newModel(t, pulled(10))
	s := math.Sqrt2 / 2
	// d1 = z, d2 = −y, d3 = x: half a turn about (x+z)/√2
	for name, want := range map[string][]float64{
		"measured_cp": {0.25, 0, 0, s, 0, s, 0},
		"base":        {0, 0, 0, s, 0, s, 0},
		"measured_cv": {0, 0, 0, 0, 0, 0},
		"measured_js": {0, 0, 0, 0, 0, 0},
	} {
		got := value(t, m, name)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-15 {
				t.Errorf("%s is %v, want %v", name, got, want)
				break
			}
		}
	}
	if b := value(t, m, "backbone"); len(b) != 77 || math.Abs(b[7*4]-0.1) > 1e-15 {
		t.Errorf("backbone %v", b)
	}
}

// A tendon under length control settles at T = k (L − (L0 − pull)).
func TestLengthControl(t *testing.T) {
	f := pulled(10)
	pull := 0.01
	f.Tendons[0].Pull = &pull
	f.InitialState = robotfile.Equilibrium
	m := newModel(t, f)
	js, set := value(t, m, "measured_js"), value(t, m, "setpoint_js")
	tension, shortened := js[4], js[0]
	if want := 500 * (pull - shortened); math.Abs(tension-want) > 1e-9 || tension < 1 {
		t.Errorf("tension %.9g N, want %.9g", tension, want)
	}
	if set[0] != pull || set[2] != tension {
		t.Errorf("setpoints %v with tension %g", set, tension)
	}
	before := tipPose(m).P
	// the same tension, then the pull that gives it, change nothing
	for _, name := range []string{"servo_jf", "servo_jp"} {
		v := make([]float64, 2)
		m.Setpoint(port(t, m, name), v)
		command(t, m, name, v...)
		step(t, m, 2e-5, 1000)
		if d := tipPose(m).P.Sub(before).Norm(); d > 1e-7 {
			t.Errorf("%s of its own setpoint moves the tip by %.3g m", name, d)
		}
	}
	// a motor that pays out slackens the tendon, which does not push
	command(t, m, "servo_jp", -0.05, sim.Keep)
	step(t, m, 2e-5, 1)
	if js := value(t, m, "measured_js"); js[4] != 0 {
		t.Errorf("a slack tendon has a tension of %g N", js[4])
	}
}

func TestKeepLeavesATendonAlone(t *testing.T) {
	m := newModel(t, pulled(10))
	command(t, m, "servo_jf", 1, 2)
	command(t, m, "servo_jf", sim.Keep, 3)
	got := make([]float64, 2)
	m.Setpoint(port(t, m, "servo_jf"), got)
	if got[0] != 1 || got[1] != 3 {
		t.Errorf("setpoints %v, want 1 and 3", got)
	}
}

// A wrench on the tip in world axes, in tip axes of a straight rod, and as a load
// of the robot file at the end are the same at first; later the tip's turns.
func TestTipWrenchFrames(t *testing.T) {
	run := func(set func(*continuum.Model)) spatial.Vec {
		f := silicone(10)
		f.Gravity = spatial.Vec{}
		m := newModel(t, f)
		set(m)
		step(t, m, 2e-5, 2000)
		return tipPose(m).P
	}
	world := run(func(m *continuum.Model) { command(t, m, "external_wrench", 0, 0, 0.3, 0, 0.001, 0, 0) })
	// tip x is world z, tip y is world −y
	body := run(func(m *continuum.Model) { command(t, m, "external_wrench", 0.3, 0, 0, 0, -0.001, 0, 1) })
	file := silicone(10)
	file.Gravity = spatial.Vec{}
	file.Loads = []robotfile.RodLoad{{At: 0.25, Force: spatial.Vec{Z: 0.3}, Moment: spatial.Vec{Y: 0.001}, Until: math.Inf(1)}}
	m := newModel(t, file)
	step(t, m, 2e-5, 2000)
	if d := tipPose(m).P.Sub(world).Norm(); d > 1e-13 {
		t.Errorf("load of the file and port differ by %.3g m", d)
	}
	if d := body.Sub(world).Norm(); d < 1e-5 || d > 0.05*(world.Z) {
		t.Errorf("dead and follower wrench differ by %.3g m after bending by %.3g m", d, world.Z)
	}
}

// testedMethods are robots of all methods in motion, that of method implicit with all that it knows.
func testedMethods(t *testing.T) map[string]*continuum.Model {
	reference := readRun(t, "soft_n20").file()
	f, in := everything()
	e := implicitOf(t, f)
	e.Command(in)
	all := map[string]*continuum.Model{"reference": newModel(t, reference), "explicit": newModel(t, pulled(20)), "implicit": e.Model}
	for _, m := range all {
		command(t, m, "external_wrench", 0.1, 0.05, 0, 0, 0, 0.001, 1)
		step(t, m, 2e-5, 100)
	}
	return all
}

func TestRestoreRefusesForeignStates(t *testing.T) {
	m := newModel(t, pulled(10))
	good := save(m)
	for name, bad := range map[string][]float64{
		"short": good[1:],
		"NaN":   append(slices.Clone(good[:len(good)-1]), math.NaN()),
		"mode":  slices.Concat(good[:1], []float64{7}, good[2:]),
	} {
		if err := m.Restore(bad); !errors.Is(err, continuum.ErrBadState) {
			t.Errorf("%s: error %v", name, err)
		}
		if !slices.Equal(save(m), good) {
			t.Errorf("%s: a refused state changed the present one", name)
		}
	}
}

func TestScene(t *testing.T) {
	m := newModel(t, pulled(20))
	command(t, m, "servo_jf", 10, 0)
	command(t, m, "external_wrench", 0, 0, 0.01, 0, 0, 0, 0)
	s := new(sim.Scene)
	m.Draw(s)
	if len(s.Tubes) != 1 || len(s.Tubes[0].Points) != 21 || s.Tubes[0].Radius != 0.0055 {
		t.Errorf("tubes %+v", s.Tubes)
	}
	if len(s.Disks) != 10 || math.Abs(s.Disks[9].Radius-0.01875) > 1e-15 || s.Disks[9].Pose.P.X != 0.25 {
		t.Errorf("disks %+v", s.Disks)
	}
	if len(s.Polylines) != 2 || len(s.Polylines[0].Points) != 11 || math.Abs(s.Polylines[0].Points[0].Z-0.015) > 1e-15 {
		t.Errorf("tendons %+v", s.Polylines)
	}
	if s.Polylines[0].Color == s.Polylines[1].Color {
		t.Error("a taut tendon has the colour of a slack one")
	}
	if a := s.Arrows[0]; !(a.To.Z > 0) || a.From.X != 0.25 {
		t.Errorf("arrow %+v", a)
	}
}
