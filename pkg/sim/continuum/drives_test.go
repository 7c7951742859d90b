package continuum_test

import (
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

const (
	pulley    = 0.01 // m
	stiffness = 1e4  // N/m
)

// driven is the nitinol wire with four elastic tendons, wound as two antagonistic pairs.
func driven() *robotfile.Continuum {
	f := wire(10, 0.0005, sideways, 0, 90, 180, 270)
	for i := range f.Tendons {
		f.Tendons[i].Stiffness = stiffness
		f.Tendons[i].Limits.MaxTension = 200
	}
	f.Rod.Damping.KelvinVoigt = 0.01
	f.Rates.Control = 1000
	f.Drives.Joints = []robotfile.Joint{pair("bend", "a", "c"), pair("lean", "b", "d")}
	return f
}

// pair is a joint with two tendons wound against one another, each under some 2 N.
func pair(name, one, other string) robotfile.Joint {
	return robotfile.Joint{
		Name: name, Pulley: pulley, Gain: 1, Limits: robotfile.JointLimits{Min: -3, Max: 3, MaxRate: 10},
		Tendons: []robotfile.DrivenTendon{{Name: one, Gain: 1, RestPull: 2e-4}, {Name: other, Gain: -1, RestPull: 2e-4}},
	}
}

func turn(t testing.TB, m *continuum.Model, angles ...float64) {
	t.Helper()
	command(t, m, "servo_jp", angles...)
}

// tensions are those of the tendons, which measured_js shows before those of the joints.
func tensionsOf(t testing.TB, m *continuum.Model) []float64 {
	js := value(t, m, "measured_js")
	n := len(js) / 3
	return js[2*n : 2*n+len(m.Robot().File().Tendons)]
}

// Joints that do at once what they are commanded are length control: to the last bit, with the
// pulls that the pulleys make.
func TestPlainJointsAreLengthControl(t *testing.T) {
	f := driven()
	a := newModel(t, f)
	g := *f
	g.Drives = robotfile.Drives{}
	g.Tendons = slices.Clone(f.Tendons)
	b := newModel(t, &g)
	servo := port(t, b, "servo_jp")
	for n := range 60 {
		x, y := 0.6*math.Sin(0.1*float64(n)), 0.3*math.Sin(0.07*float64(n))
		turn(t, a, x, y)
		const rest = 2e-4
		b.Command(servo, []float64{pulley*x + rest, pulley*y + rest, -pulley*x + rest, -pulley*y + rest})
		step(t, a, 1e-3, 1)
		step(t, b, 1e-3, 1)
		if x, y := value(t, a, "backbone"), value(t, b, "backbone"); !slices.Equal(x, y) {
			t.Fatalf("step %d: other shapes", n)
		}
	}
	js, n := value(t, a, "measured_js"), 6
	tension := js[2*n:]
	if want := pulley * (tension[0] - tension[2]); math.Abs(tension[4]-want) > 1e-12 || tension[0] == tension[2] {
		t.Errorf("torque %g, want %g", tension[4], want)
	}
	if want := []string{"a", "b", "c", "d", "bend", "lean"}; !slices.Equal(a.Ports()[port(t, a, "measured_js")].Labels, want) {
		t.Errorf("joint state of %v", a.Ports()[port(t, a, "measured_js")].Labels)
	}
	at := value(t, a, "setpoint_js")
	if want := 0.6 * math.Sin(5.9); at[4] != want || js[4] != want || math.Abs(js[n+4]-(want-0.6*math.Sin(5.8))/1e-3) > 1e-9 {
		t.Errorf("joint at %g, set to %g, at %g rad/s, want %g", js[4], at[4], js[n+4], want)
	}
}

// Tendons that no joint moves keep their tensions, by name, and the joints theirs.
func TestTendonsBesideJoints(t *testing.T) {
	f := driven()
	f.Drives.Joints = f.Drives.Joints[:1]
	f.Tendons[3].Tension = 0.5
	m := newModel(t, f)
	p := m.Ports()[port(t, m, "servo_jf")]
	if !slices.Equal(p.Labels, []string{"b", "d"}) {
		t.Fatalf("servo_jf of %v", p.Labels)
	}
	m.Command(port(t, m, "servo_jf"), []float64{1.5, sim.Keep})
	turn(t, m, 0.1)
	step(t, m, 1e-3, 3)
	if got := tensionsOf(t, m); got[1] != 1.5 || got[3] != 0.5 || got[0] <= 0 {
		t.Errorf("tensions %v", got)
	}
	now := make([]float64, 2)
	if m.Setpoint(port(t, m, "servo_jf"), now); now[0] != 1.5 || now[1] != 0.5 {
		t.Errorf("setpoints %v", now)
	}
}

// yielding is the driven wire in which everything gives way.
func yielding() *robotfile.Continuum {
	f := driven()
	f.Drives.SharedCompliance = 3e-5
	for i := range f.Drives.Joints {
		j := &f.Drives.Joints[i]
		j.Compliance, j.Lag, j.DeadTime, j.Gain, j.Backlash = 0.4+0.2*float64(i), 0.02, 0.0053, 0.9, 0.03
	}
	return f
}

// held checks that every tendon is as long as spring, joint and plate let it be under the
// tensions of all: s = T/k + Σ c T where it is taut, and at most that where it is slack.
func held(t *testing.T, m *continuum.Model) {
	t.Helper()
	f, tension, shortened := m.Robot().File(), tensionsOf(t, m), value(t, m, "measured_js")
	tendon := func(name string) int {
		return slices.IndexFunc(f.Tendons, func(x robotfile.Tendon) bool { return x.Name == name })
	}
	for i, j := range f.Drives.Joints {
		torque := 0.0
		for _, w := range j.Tendons {
			torque += w.Gain * j.Pulley * tension[tendon(w.Name)]
		}
		for _, w := range j.Tendons {
			sum := 0.0
			for _, x := range tension {
				sum += x
			}
			k := tendon(w.Name)
			pulled := w.Gain*j.Pulley*(partsOf(m).Drives[i].Pulley()-j.Compliance*torque) + w.RestPull - f.Drives.SharedCompliance*sum - shortened[k]
			gap := pulled - tension[k]/stiffness
			if x := tension[k]; x < 0 || x > 0 && math.Abs(gap) > 1e-10 || x == 0 && gap > 1e-10 {
				t.Errorf("tendon %d: stretched by %g m, which is %g too far for its tension of %g N", k, pulled, gap, x)
			}
		}
	}
}

// Spring, shaft and plate give way as they should in every step and in equilibria, slack and
// taut, and slack tendons do not push.
func TestJointsGiveWay(t *testing.T) {
	f := yielding()
	m := newModel(t, f)
	slack := false
	for n := range 600 {
		turn(t, m, 1.2*math.Sin(0.01*float64(n)), 0.8*math.Sin(0.017*float64(n)))
		step(t, m, 1e-3, 1)
		held(t, m)
		slack = slack || slices.Contains(tensionsOf(t, m), 0)
	}
	if !slack {
		t.Error("no tendon was ever slack")
	}
	for _, angle := range []float64{0, 0.2, -0.4, 1.5} {
		turn(t, m, angle, -angle/2)
		if err := m.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		held(t, m)
		shape := value(t, m, "backbone")
		step(t, m, 1e-3, 5)
		if _, far := farthest(shape, value(t, m, "backbone")); far > 1e-8 {
			t.Errorf("the equilibrium at %g rad moves by %g m", angle, far)
		}
	}
}

// farthest is how far two lists of numbers are apart at most.
func farthest(a, b []float64) (at int, far float64) {
	for i := range a {
		if d := math.Abs(a[i] - b[i]); d > far {
			at, far = i, d
		}
	}
	return at, far
}

// On a plate that gives way, tendons side by side share by their stiffness: of a rod that does
// not give way, T_i = k_i p/(1 + c Σk).
func TestPlateSharesByStiffness(t *testing.T) {
	f := wire(10, 0, spatial.Vec{}, 0, 90, 180)
	f.Rod.Radius, f.Rod.YoungsModulus, f.Rod.ShearModulus = 0.01, 1e13, 1e13/2.6
	f.Drives.SharedCompliance = 2e-4
	const angle = 0.1
	sum := 0.0
	for i := range f.Tendons {
		f.Tendons[i].Stiffness, f.Tendons[i].Limits.MaxTension = 1e3*float64(1+2*i), 1e4
		sum += f.Tendons[i].Stiffness
		f.Drives.Joints = append(f.Drives.Joints, robotfile.Joint{
			Name: "m" + f.Tendons[i].Name, Pulley: pulley, Gain: 1, Angle: angle, Tendons: []robotfile.DrivenTendon{{Name: f.Tendons[i].Name, Gain: 1}},
		})
	}
	m := newModel(t, f)
	if err := m.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	for i, got := range tensionsOf(t, m) {
		want := f.Tendons[i].Stiffness * pulley * angle / (1 + f.Drives.SharedCompliance*sum)
		if math.Abs(got-want) > 1e-5*want {
			t.Errorf("tendon %d holds %g N, want %g", i, got, want)
		}
	}
}

// The work of slow motors on a way that closes is nothing: what tendons do to one another is
// from a potential. Each side of the rectangle is integrated by Simpson's rule.
func TestWorkOfSlowMotorsOnAClosedWay(t *testing.T) {
	f := yielding()
	f.Gravity = sideways
	for i := range f.Drives.Joints {
		f.Drives.Joints[i].Backlash, f.Drives.Joints[i].Gain = 0, 1
	}
	m := newModel(t, f)
	work, size := 0.0, 0.0
	corners := [][2]float64{{0, 0}, {0.12, 0}, {0.12, 0.1}, {0, 0.1}, {0, 0}}
	for c := range corners[1:] {
		from, to := corners[c], corners[c+1]
		const parts = 8
		for k := range parts + 1 {
			x := float64(k) / parts
			turn(t, m, from[0]+x*(to[0]-from[0]), from[1]+x*(to[1]-from[1]))
			if err := m.Equilibrate(); err != nil {
				t.Fatal(err)
			}
			weight := []float64{2, 4}[k%2]
			if k == 0 || k == parts {
				weight = 1
			}
			torque := value(t, m, "measured_js")[2*6+4:]
			part := (torque[0]*(to[0]-from[0]) + torque[1]*(to[1]-from[1])) * weight / (3 * parts)
			work += part
			size += math.Abs(part)
		}
	}
	if math.Abs(work) > 1e-6*size {
		t.Errorf("the motors do %g J on the way, of %g J there and back", work, size)
	}
}

// Equilibria remember the side of the play that the pulley was left on, and nothing else.
func TestBacklashOfEquilibria(t *testing.T) {
	f := driven()
	f.Drives.Joints[0].Backlash = 0.1
	m := newModel(t, f)
	visit := func(angle float64) []float64 {
		turn(t, m, angle, 0)
		if err := m.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		return slices.Clone(value(t, m, "backbone"))
	}
	visit(0.5)
	fromAbove := visit(0.3)
	visit(-0.5)
	fromBelow := visit(0.3)
	visit(0.5)
	again := visit(0.3)
	if _, far := farthest(fromAbove, again); far > 1e-9 {
		t.Errorf("the same visit ends %g m elsewhere", far)
	}
	if _, far := farthest(fromAbove, fromBelow); far < 1e-4 {
		t.Errorf("from above and below: only %g m apart", far)
	}
	f.Drives.Joints[0].Backlash = 0
	m = newModel(t, f)
	if _, far := farthest(fromAbove, visit(0.35)); far > 1e-9 {
		t.Errorf("half of the play behind: off by %g m", far)
	}
}

// A shaft that is measured has given way already, and lags no more.
func TestMeasuredShafts(t *testing.T) {
	f := yielding()
	m := newModel(t, f)
	shafts := port(t, m, "shaft_jp")
	m.Command(shafts, []float64{0.3, sim.Keep})
	step(t, m, 1e-3, 1)
	js := value(t, m, "measured_js")
	turned := partsOf(m).Drives[0].Pulley()
	if js[4] != 0.3 || math.Abs(turned-(0.3-0.015)) > 1e-15 {
		t.Errorf("shaft at %g, pulley at %g", js[4], turned)
	}
	tension := tensionsOf(t, m)
	sum := tension[0] + tension[1] + tension[2] + tension[3]
	want := pulley*turned + 2e-4 - f.Drives.SharedCompliance*sum - js[0]
	if math.Abs(tension[0]/stiffness-want) > 1e-10 {
		t.Errorf("tension %g N, want %g", tension[0], want*stiffness)
	}
	now := make([]float64, 2)
	if m.Setpoint(shafts, now); now[0] != 0.3 {
		t.Errorf("setpoint %v", now)
	}
}

// Whoever measures the shafts where they are, or commands them to stay, moves nothing.
func TestHandingOver(t *testing.T) {
	m := newModel(t, yielding())
	for range 3000 {
		turn(t, m, 0.4, -0.2)
		step(t, m, 1e-3, 1)
	}
	held := tensionsOf(t, m)
	now := make([]float64, 2)
	for _, name := range []string{"shaft_jp", "servo_jp"} {
		i := port(t, m, name)
		m.Setpoint(i, now)
		m.Command(i, now)
		step(t, m, 1e-3, 100)
		for k, x := range tensionsOf(t, m) {
			if math.Abs(x-held[k]) > 1e-6 {
				t.Errorf("%s takes tendon %d from %g to %g N", name, k, held[k], x)
			}
		}
	}
}

// What turns without an equilibrium takes the pulleys along as one with does.
func TestJointsSettleWithoutTheRod(t *testing.T) {
	f := driven()
	f.Drives.Joints[0].Backlash = 0.2
	f.Drives.Joints[0].Lag = 0.05
	a, b := newModel(t, f), newModel(t, f)
	for _, angle := range []float64{0.8, 0.65} { // the way back is within the play
		for _, m := range []*continuum.Model{a, b} {
			turn(t, m, angle, 0)
		}
		if a.SettleJoints(); angle == 0.65 {
			if err := a.Equilibrate(); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Equilibrate(); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := partsOf(a).Drives[0].Pulley(), partsOf(b).Drives[0].Pulley(); got != want || math.Abs(want-0.7) > 1e-12 {
		t.Errorf("pulley at %g rad, with equilibria on the way at %g", got, want)
	}
}
