package continuum_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// ended is where a step from the start of s has led, solved to round-off: poses and velocities of the nodes, and the tip.
type ended struct {
	poses  []spatial.Pose
	twists []spatial.Twist // angular velocities in body axes
	bounds string          // which tendons are slack or yield
}

// exactStep is a step of a robot from a given state, solved to round-off.
type exactStep struct {
	*continuumtest.Robot
	dt    float64
	in    *inputs
	loads []force.PointLoad
	start []float64      // state of the stepper
	walls []spatial.Pose // at the end
}

// newExactStep makes the next step of e.
func newExactStep(t *testing.T, e *continuumtest.Robot, dt float64) *exactStep {
	t.Helper()
	s := &exactStep{Robot: e, dt: dt, start: e.StepperState()}
	if e.Contact != nil {
		before := e.State()
		if err := e.Model.Step(dt); err != nil {
			t.Fatal(err)
		}
		for w := range e.Contact.Walls {
			s.walls = append(s.walls, e.Contact.WallPose(w))
		}
		if err := e.Restore(before); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// begin returns to the start of the step, under inputs.
func (s *exactStep) begin(in *inputs) {
	s.Stepper.Restore(s.start)
	s.System.State.Target = s.System.State.Base
	s.setWallTargets()
	now := *in
	now.Setpoints = slices.Clone(in.Setpoints)
	s.in, s.loads = &now, loadsOf(s.Model)
}

// setWallTargets sends the walls where they are at the end.
func (s *exactStep) setWallTargets() {
	for w := range s.walls {
		s.Contact.SetWallTarget(w, s.walls[w])
	}
}

// end makes the step with the state and the inputs as they are.
func (s *exactStep) end() (r ended, err error) {
	act(s.Robot, s.in, s.loads)
	if err := s.Stepper.StepExactly(0, s.dt); err != nil {
		return r, err
	}
	n := s.Tendons.MaxRows()
	low, high := make([]float64, n), make([]float64, n)
	s.Tendons.AddBounds(low, high, 1)
	for k, f := range s.Tendons.Multipliers() {
		if s.in.Setpoints[k].Mode == force.LengthControl {
			r.bounds += fmt.Sprint(f <= low[k], f >= high[k])
		}
	}
	rod := s.System.State
	for i := range rod.Pose {
		v := rod.NodeTwist(i)
		v.Angular = rod.Pose[i].R.ApplyT(v.Angular)
		r.poses, r.twists = append(r.poses, rod.Pose[i]), append(r.twists, v)
	}
	return r, nil
}

// from returns poses and velocities of all nodes but the base against those of another end, as in a state, and the tip in world axes.
func (r *ended) from(o *ended) (x []float64, tip [6]float64) {
	put := func(v spatial.Twist) {
		for _, w := range [...]spatial.Vec{v.Linear, v.Angular} {
			x = append(x, w.X, w.Y, w.Z)
		}
	}
	for i := range r.poses[1:] {
		put(o.poses[i+1].Inv().Mul(r.poses[i+1]).Log())
	}
	for i := range r.twists[1:] {
		a, b := r.twists[i+1], o.twists[i+1]
		put(spatial.Twist{Linear: a.Linear.Sub(b.Linear), Angular: a.Angular.Sub(b.Angular)})
	}
	n := len(r.poses) - 1
	r.poses[n].P.Sub(o.poses[n].P).Put(tip[:])
	r.poses[n].R.MulT(o.poses[n].R).Log().Put(tip[3:])
	return x, tip
}

// change moves one coordinate of the state, or an input, by h at the start of s.
func (s *exactStep) change(l *sim.Linearisation, column int, h float64) {
	n := len(s.System.X)
	if column < len(l.States) {
		var of [4][]spatial.Vec6
		for p := range of {
			of[p] = make([]spatial.Vec6, n)
		}
		of[column/(6*n)][column/6%n][column%6] = h
		s.System.State.AddLevelIncrements(&strain.LevelIncrement{Pose: of[0], Velocity: of[1]}, &strain.LevelIncrement{Pose: of[2], Velocity: of[3]})
		s.System.CommitAtRest() // with what presses there
		s.setWallTargets()
		return
	}
	kind, name, _ := strings.Cut(l.Inputs[column-len(l.States)], ".")
	var v [6]float64
	switch kind {
	case "tension":
		s.in.Setpoints[name[0]-'a'].Tension += h
	case "pull":
		s.in.Setpoints[name[0]-'a'].Pull += h
	case "base":
		v[strings.Index("x y z rxryrz", name)/2] = h
		b := s.System.State.Target
		s.System.State.Target = spatial.Pose{R: spatial.ExpRot(spatial.VecAt(v[3:])).Mul(b.R), P: b.P.Add(spatial.VecAt(v[:]))}
	case "tip_force", "tip_moment":
		v[strings.Index("xyz", name)] = h
		w := force.PointLoad{At: s.System.Rod.Length, Axes: force.WorldAxes}
		if w.Force = spatial.VecAt(v[:]); kind == "tip_moment" {
			w.Force, w.Moment = spatial.Vec{}, w.Force
		}
		s.loads = append(s.loads, w)
	}
}

// TestLinearisationAgainstDifferences compares the linearised steps of random robots in motion with differences of steps.
func TestLinearisationAgainstDifferences(t *testing.T) {
	linearisedAsDifferences(t, frictionless)
}

// linearisedAsDifferences does that with robots that are drawn, and given the commands of begin at the start of the step.
func linearisedAsDifferences(t *testing.T, random func(*testing.T, *rand.Rand) (*continuumtest.Robot, *inputs), begin ...func(*continuum.Model)) {
	t.Helper()
	robots, wanted, numbers, left, worst := 0, testsize.Of(4, 15, 50), 0, 0, 0.0
	const dt = 1e-3
	for seed := uint64(0); robots < wanted && seed < 6*uint64(wanted); seed++ {
		r := rand.New(rand.NewPCG(seed, 37))
		e, in := random(t, r)
		m, f := e.Model, e.Robot().File()
		for range r.IntN(30) {
			if m.Step(dt) != nil {
				break
			}
		}
		for _, command := range begin {
			command(m)
		}
		l, err := m.Linearise(dt)
		if divided := new(continuum.NotConvergedError); errors.As(err, &divided) && e.Contact != nil {
			continue // a step that is taken in parts
		}
		if errors.Is(err, sim.ErrNoLinearisation) || err != nil && m.Step(dt) != nil {
			continue // or it has come to where the model ends
		}
		if err != nil {
			t.Fatalf("robot %d: %v", seed, err)
		}
		robots++
		s := newExactStep(t, e, dt)
		step := func(column int, h float64) (ended, error) {
			s.begin(in)
			input := ""
			if column >= len(l.States) {
				input = l.Inputs[column-len(l.States)]
			}
			if err := surrounded(e, &f, input, h); err != nil {
				return ended{}, err
			}
			if h != 0 {
				s.change(l, column, h)
			}
			return s.end()
		}
		at, err := step(0, 0)
		if err != nil {
			t.Fatalf("robot %d: %v", seed, err)
		}
		n := len(at.poses) - 1
		most := len(l.States) + len(l.Inputs)
		for range 30 {
			column := r.IntN(most)
			if r.IntN(3) == 0 {
				column = len(l.States) + r.IntN(len(l.Inputs))
			}
			matrix, k, names := l.A, column, l.States
			if column >= len(l.States) {
				matrix, k, names = l.B, column-len(l.States), l.Inputs
			}
			name, length, turn := names[k], e.System.Rod.ElementLength, 1e-7 // rad by one unit
			for i := range 6 * n {
				turn = max(turn, math.Abs(matrix[i][k])/[...]float64{length, 1}[i%6/3])
			}
			if strings.HasPrefix(name, "pose") { // what turns on the way to the next step
				turn = max(turn, [...]float64{1 / length, 1}[column%6/3])
			}
			h, least := 1e-4/turn, 0.0
			if f.Rod.Damping.QuadraticDrag > 0 {
				h = 1e-5 / turn // which has a kink at rest
			}
			if e.Contact != nil {
				h = min(h, besideWalls(e, name, matrix, k))
			}
			if strings.HasPrefix(name, "magnet") { // whose field is no polynomial of where it is
				unit := l.InputUnits[k]
				h = min(h, 1e-2*map[string]float64{"m": e.System.Rod.Length, "rad": 1}[unit])
			}
			if strings.HasPrefix(name, "pose") {
				least = 1e-2 * [...]float64{1, length}[column%6/3] // what hardly follows counts as a hundredth of what moved: poses have round-off
			}
			if e.Contact != nil { // so much is round-off of poses over such an h
				least = max(least, 1e-15*e.System.Rod.Length/h/1e-6)
			}
			x, tip, beyond := make([]float64, 12*n), [6]float64{}, false
			for _, side := range [...][2]float64{{1, 8. / 12}, {-1, -8. / 12}, {2, -1. / 12}, {-2, 1. / 12}} {
				end, err := step(column, side[0]*h)
				if beyond = err != nil || end.bounds != at.bounds; beyond { // a kink is between
					break
				}
				y, z := end.from(&at)
				for i := range y {
					x[i] += side[1] * y[i] / h
				}
				for i := range z {
					tip[i] += side[1] * z[i] / h
				}
			}
			if beyond {
				left++
				continue
			}
			size := [4]float64{least, 0, least / dt} // by part and by translation and rotation
			kind := func(i int) int { return i/(6*n)*2 + i%6/3 }
			for i := range x {
				size[kind(i)] = max(size[kind(i)], math.Abs(x[i]))
			}
			for p := 0; p < 4; p += 2 {
				size[p] = max(size[p], size[p+1]*length)
				size[p+1] = max(size[p+1], size[p]/length)
			}
			var y6 [6]float64
			for i, v := range x {
				numbers++
				if d := math.Abs(matrix[i][k]-v) / size[kind(i)]; d > worst {
					worst = d
					t.Logf("robot %d: %s by %s is %.9g, by differences %.9g: %.2g", seed, l.States[i], name, matrix[i][k], v, d)
				}
				for row := range y6 {
					y6[row] += l.C[row][i] * matrix[i][k]
				}
			}
			for row := range y6 {
				if d := math.Abs(y6[row]-tip[row]) / size[row/3]; d > 1e-6 {
					t.Errorf("robot %d: %s by %s: off by %.2g", seed, l.Outputs[row], name, d)
				}
			}
		}
	}
	t.Logf("%d robots, %d numbers, %d columns beside a kink, worst %.2g", robots, numbers, left, worst)
	if robots < wanted || left > 2*wanted || worst > 1e-6 {
		t.Errorf("%d robots, %d numbers, %d columns beside a kink, worst %.2g", robots, numbers, left, worst)
	}
}

// TestLineariseLeavesTheState linearises a model in motion, which continues as one that is not, and says of which robots it cannot.
func TestLineariseLeavesTheState(t *testing.T) {
	f := wire(12, 0, spatial.Vec{Z: -9.81}, 0, math.Pi)
	a, b := newModel(t, f), newModel(t, f)
	var _ sim.Linearisable = a
	for i := range 40 {
		if i%10 == 5 {
			if _, err := a.Linearise(1e-3); err != nil {
				t.Fatal(err)
			}
		}
		for _, m := range []*continuum.Model{a, b} {
			m.Command(0, []float64{1 + 0.01*float64(i), 0.2})
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
		}
	}
	x, y := make([]float64, a.StateLen()), make([]float64, b.StateLen())
	a.Save(x)
	b.Save(y)
	if !slices.Equal(x, y) {
		t.Error("the motion is another one")
	}
	for what, change := range map[string]func(*robotfile.Continuum){
		"transverse": func(f *robotfile.Continuum) { f.DiskForce = robotfile.TransverseDiskForce },
		"walls have f": func(f *robotfile.Continuum) {
			f.Environment.Shapes = []robotfile.EnvironmentShape{{Name: "far", Friction: 0.1, Sphere: &robotfile.Sphere{Center: spatial.Vec{X: 1}, Radius: 0.01}}}
		},
		"touch itself": func(f *robotfile.Continuum) { f.Environment.SelfContact = true },
		"friction":     func(f *robotfile.Continuum) { f.Tendons[0].Friction = 0.1 },
		"order 4":      func(f *robotfile.Continuum) { f.Rod.Order, f.Rod.Damping.KelvinVoigt = 4, 1e-3 },
		"implicit":     func(f *robotfile.Continuum) { f.Solver.Method, f.Solver.Step = robotfile.Explicit, 1e-7 },
		"off its cent": func(f *robotfile.Continuum) { f.Tip = robotfile.Tip{Mass: 0.01, Center: spatial.Vec{X: 0.01}} },
	} {
		g := wire(12, 0, spatial.Vec{Z: -9.81}, 0, math.Pi)
		change(g)
		if _, err := newModel(t, g).Linearise(1e-3); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
