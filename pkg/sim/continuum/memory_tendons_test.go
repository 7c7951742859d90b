package continuum_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// rubbing are robots whose tendons have friction, by their route.
func rubbing() map[string]*robotfile.Continuum {
	all := map[string]*robotfile.Continuum{}
	for _, route := range []string{"parallel", "converging", "helical"} {
		f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
		f.Rod.Order = 4
		for i := range f.Tendons {
			d := &f.Tendons[i]
			d.Stiffness, d.Friction = 1e4, 0.3
			d.FrictionSprings = []robotfile.FrictionSpring{{Share: 1, Displacement: 1e-5}, {Share: 2, Displacement: 4e-5}, {Share: 1, Displacement: 1e-4}}
			switch route {
			case "converging":
				for j := range d.Disks.Count {
					part := 1 - 0.06*float64(j)
					d.Offsets = append(d.Offsets, [2]float64{part * d.Offset[0], part * d.Offset[1]})
				}
			case "helical":
				d.Twist = 6
			}
		}
		all[route] = f
	}
	return all
}

// control is what of tendons is commanded, and whether they pull or push.
type control struct {
	mode force.ControlMode
	sign float64 // −1: all push
}

// controls are all kinds of commands.
var controls = map[string]control{
	"tension": {force.TensionControl, 1}, "length": {force.LengthControl, 1},
	"pushing tension": {force.TensionControl, -1}, "pushing length": {force.LengthControl, -1},
}

// forRoutes runs a test with robots of all routes under all kinds of commands.
func forRoutes(t *testing.T, test func(t *testing.T, f *robotfile.Continuum, by control)) {
	for name, by := range controls {
		for route, f := range rubbing() {
			if by.sign < 0 {
				for k := range f.Tendons {
					f.Tendons[k].MinTension = -20
				}
			}
			t.Run(route+", "+name, func(t *testing.T) { test(t, f, by) })
		}
	}
}

// commandedBy are commands of a number for each tendon from 0 to 1.
func commandedBy(by control, commands ...float64) *inputs {
	in := pulling(make([]float64, len(commands))...)
	for k, c := range commands {
		opposite := commands[(k+2)%len(commands)]
		in.Setpoints[k] = force.Setpoint{Mode: by.mode, Tension: by.sign * 3 * c, Pull: by.sign*2e-4 + 3e-3*(c-opposite)}
		if by.mode == force.LengthControl {
			in.Setpoints[k].Tension = 0
		}
	}
	return in
}

// TestTendonsReturnToTheirTurns pulls a tendon to and fro through inner loops from equilibrium to equilibrium. Where it
// alone has friction and is commanded its length, and comes back to a turn, the robot is where it was then. Limits that follow
// tension and bend, and others that move to and fro meanwhile, leave next to nothing of the width of the loop.
func TestTendonsReturnToTheirTurns(t *testing.T) { forRoutes(t, testTendonsReturn) }

func testTendonsReturn(t *testing.T, f *robotfile.Continuum, by control) {
	g := *f
	g.Tendons = slices.Clone(f.Tendons)
	for i := range g.Tendons[1:] {
		g.Tendons[i+1].Friction, g.Tendons[i+1].FrictionSprings = 0, nil
	}
	alone, width := offAtTurns(t, &g, by)
	all, _ := offAtTurns(t, f, by)
	t.Logf("%.3g m from the turns, with friction of all %.3g, loop %.3g m wide", alone, all, width)
	near := 1e-9
	if by.mode == force.TensionControl {
		near = 1e-4 * width
	}
	if !(alone < near && all < 5e-3*width && width > 1e-4) {
		t.Errorf("%g m from the turns, with friction of all %g m, loop %g m wide", alone, all, width)
	}
}

// offAtTurns is how far a tip is from its turns when the way comes back to them, and how far the ways up
// and down are apart in the end, m.
func offAtTurns(t *testing.T, f *robotfile.Continuum, by control) (off, width float64) {
	t.Helper()
	e := implicitOf(t, f)
	var at []spatial.Vec
	move := func(from, to float64) {
		for i := 1; i <= 10; i++ {
			equilibrate(t, e, commandedBy(by, from+float64(i)/10*(to-from), 0.2, 0.1, 0.15))
		}
		at = append(at, vecOf(tip(e)))
	}
	way := []float64{0.2, 0.9, 0.3, 0.7, 0.6, 0.65, 0.6, 0.7, 0.3, 0.9, 0.6}
	for i, to := range way {
		move(way[max(i-1, 0)], to)
	}
	for _, pair := range [][2]int{{6, 4}, {7, 3}, {8, 2}, {9, 1}} {
		off = max(off, at[pair[0]].Sub(at[pair[1]]).Norm())
	}
	return off, at[10].Sub(at[6]).Norm()
}

func vecOf(x []float64) spatial.Vec { return spatial.Vec{X: x[0], Y: x[1], Z: x[2]} }

// TestTendonPathsArePassive moves a robot with friction on random ways by commands and a force at its tip and back to
// where they began, in small and large moves: no closed way gives energy. What the springs lengthen the way of a tendon by is
// part of the work of its motor.
func TestTendonPathsArePassive(t *testing.T) { forRoutes(t, testTendonPathsArePassive) }

func testTendonPathsArePassive(t *testing.T, f *robotfile.Continuum, by control) {
	for _, size := range []float64{1, 0.1, 0.01} {
		e := implicitOf(t, f)
		random := rand.New(rand.NewPCG(3, 0))
		middle := []float64{0.4, 0.3, 0.2, 0.3}
		var in *inputs
		lengths := func() (all [4]float64) {
			for k := range all {
				all[k], _ = e.Tendon(k)
				all[k] += e.Tendons.StoredLength(k)
			}
			return all
		}
		stored := func() (sum float64) {
			_, sum = e.Energy()
			for i := range e.System.State.Pose {
				sum -= e.System.State.NodeMass(i) * f.Gravity.Dot(e.System.State.Pose[i].P)
			}
			return sum
		}
		n := e.System.Rod.Elements
		var from, last [7]float64 // commands and force
		place := func(x [7]float64) {
			in = commandedBy(by, middle[0]+size*x[0], middle[1]+size*x[1], middle[2]+size*x[2], middle[3]+size*x[3])
			in.Tip.Force = spatial.Vec{X: x[4], Y: x[5], Z: x[6]}.Scale(0.05 * size)
			equilibrate(t, e, in)
		}
		place(from)
		place(from) // the first equilibrium has no memory
		tension := func(k int) float64 { return e.Tension(k, in.Setpoints[k]) }
		least, total := math.Inf(1), 0.0
		for range 5 { // closed ways
			before, work := stored(), 0.0
			for corner := range 4 {
				var to [7]float64
				if corner < 3 {
					for i := range to {
						to[i] = 0.2 * (2*random.Float64() - 1)
					}
				}
				for i := 1; i <= 12; i++ {
					var x [7]float64
					for j := range x {
						x[j] = last[j] + float64(i)/12*(to[j]-last[j])
					}
					l, p, pull, force := lengths(), e.NodePose(n).P, [4]float64{}, in.Tip.Force
					for k := range pull {
						pull[k] = tension(k)
					}
					place(x)
					for k, now := range lengths() {
						work -= 0.5 * (pull[k] + tension(k)) * (now - l[k])
					}
					work += force.Add(in.Tip.Force).Scale(0.5).Dot(e.NodePose(n).P.Sub(p))
				}
				last = to
			}
			lost := work - (stored() - before)
			least, total = min(least, lost), total+lost
		}
		t.Logf("size %g: %.3g J are lost, at least %.3g J on a way", size, total, least)
		if !(least > -1e-3*total && (size < 0.05 || least > 0)) { // the rule of trapezes is off by as much
			t.Errorf("size %g: a closed way gives %g J, all together take %g J", size, -least, total)
		}
	}
}

// TestPathIsSlowMotion plays commands slowly and compares the motion with the way of equilibria: the slower, the nearer.
func TestPathIsSlowMotion(t *testing.T) {
	testsize.SkipInShort(t)
	t.Parallel()
	f := rubbing()["converging"]
	for _, name := range []string{"tension", "length"} {
		by := controls[name]
		t.Run(name, func(t *testing.T) {
			fast, width := offSlowMotion(t, f, by, 100)
			slow, _ := offSlowMotion(t, f, by, 400)
			t.Logf("off by %.3g and, at a quarter of the speed, %.3g of the width of the loop, %.3g m", fast/width, slow/width, width)
			if !(slow < 0.05*width && slow < 0.4*fast) {
				t.Errorf("off by %g m and, at a quarter of the speed, by %g m; the loop is %g m wide", fast, slow, width)
			}
		})
	}
}

// offSlowMotion is by how much the tip of a robot that moves on a loop, a row of it in so many steps of a millisecond,
// is off the equilibria, and how wide the loop is, m.
func offSlowMotion(t *testing.T, f *robotfile.Continuum, by control, steps int) (off, width float64) {
	t.Helper()
	const half = 20
	g := *f
	g.Rod.Damping.KelvinVoigt = 0.02
	moving, resting := implicitOf(t, &g), implicitOf(t, f)
	in := commandedBy(by, 0.2, 0.2, 0.1, 0.15)
	equilibrate(t, moving, in)
	equilibrate(t, resting, in)
	var at []spatial.Vec
	for i := range 2 * half {
		was := in
		in = commandedBy(by, 0.8-0.6*math.Abs(float64(i+1)/half-1), 0.2, 0.1, 0.15)
		for n := 1; n <= steps; n++ {
			part := float64(n) / float64(steps)
			now := &inputs{Setpoints: slices.Clone(in.Setpoints)}
			for k := range now.Setpoints {
				d, w := &now.Setpoints[k], &was.Setpoints[k]
				d.Tension, d.Pull = w.Tension+part*(d.Tension-w.Tension), w.Pull+part*(d.Pull-w.Pull)
			}
			if err := moving.Step(1e-3, now); err != nil {
				t.Fatal(err)
			}
		}
		equilibrate(t, resting, in)
		at = append(at, vecOf(tip(resting)))
		off = max(off, vecOf(tip(moving)).Sub(at[i]).Norm())
	}
	for i := range half - 1 {
		width = max(width, at[i].Sub(at[2*half-2-i]).Norm())
	}
	return off, width
}

// TestMotorsWithPlayRemember turns a pair of tendons by a motor with backlash to and fro: play and friction are both in the
// width of the loop, and a closed one closes.
func TestMotorsWithPlayRemember(t *testing.T) {
	loop := func(friction, backlash float64) float64 {
		f := rubbing()["parallel"]
		f.Tendons = []robotfile.Tendon{f.Tendons[0], f.Tendons[2]}
		for i := range f.Tendons {
			f.Tendons[i].Friction = friction
			f.Tendons[i].Stiffness = 2000
		}
		f.Drives.Joints = []robotfile.Joint{{
			Name: "m", Pulley: 0.01, Gain: 1, Backlash: backlash,
			Tendons: []robotfile.DrivenTendon{{Name: f.Tendons[0].Name, Gain: 1, RestPull: 4e-4}, {Name: f.Tendons[1].Name, Gain: -1, RestPull: 4e-4}},
			Limits:  robotfile.JointLimits{Min: -1, Max: 1, MaxRate: 100},
		}}
		m := newModel(t, f)
		input := port(t, m, "servo_jp")
		var at []spatial.Vec
		for i := range 61 {
			m.Command(input, []float64{0.3 * math.Sin(float64(i)*math.Pi/10)})
			if err := m.Equilibrate(); err != nil {
				t.Fatal(err)
			}
			at = append(at, tipPose(m).P)
		}
		if d := at[60].Sub(at[40]).Norm(); !(d < 1e-7) {
			t.Errorf("friction %g, backlash %g: the loop is %g m from closed", friction, backlash, d)
		}
		return at[50].Sub(at[40]).Norm()
	}
	none, rubs, plays, both := loop(0, 0), loop(0.3, 0), loop(0, 0.05), loop(0.3, 0.05)
	t.Logf("width: %.3g m, with friction %.3g, with play %.3g, with both %.3g", none, rubs, plays, both)
	if !(none < 1e-7 && rubs > 1e-4 && plays > 1e-4 && math.Abs(both-plays) > 1e-4) {
		t.Errorf("width %g m, with friction %g m, with play %g m, with both %g m", none, rubs, plays, both)
	}
}
