package continuum_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// Tolerances of the checkpoints, as their source states them.
const (
	convergedTolerance = 1e-9 // relative: converged states
	traceTolerance     = 1e-8 // relative: Newton traces
)

// What tests of other packages share.
type inputs = continuumtest.Inputs

var (
	implicitOf  = continuumtest.New
	parse       = continuumtest.Parse
	pulling     = continuumtest.Pulling
	randomRobot = continuumtest.RandomRobot
	numbers     = continuumtest.Numbers
	within      = continuumtest.Within
	wire        = continuumtest.Wire
	sweep       = continuumtest.Sweep
	varied      = continuumtest.Vary
	sideways    = continuumtest.Sideways
)

func tip(e *continuumtest.Robot) []float64 { return e.Tip() }

func equilibrate(t testing.TB, e *continuumtest.Robot, in *inputs) {
	t.Helper()
	if err := e.Equilibrate(in); err != nil {
		t.Fatal(err)
	}
}

func newModel(t testing.TB, f *robotfile.Continuum) *continuum.Model {
	t.Helper()
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func modelOf(text string) (*continuum.Model, error) {
	f, err := robotfile.Parse[robotfile.Continuum]("f", []byte(text))
	if err != nil {
		return nil, err
	}
	return continuum.New(f)
}

func mustModelOf(t testing.TB, text string) *continuum.Model {
	t.Helper()
	m, err := modelOf(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// step makes steps of dt seconds.
func step(t testing.TB, m *continuum.Model, dt float64, steps int) {
	t.Helper()
	for range steps {
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
}

// command sends values to the named port.
func command(t testing.TB, m *continuum.Model, name string, v ...float64) {
	t.Helper()
	m.Command(port(t, m, name), v)
}

func port(t testing.TB, m *continuum.Model, name string) int {
	t.Helper()
	for i, p := range m.Ports() {
		if p.Name == name {
			return i
		}
	}
	t.Fatalf("no port %s", name)
	return 0
}

func value(t testing.TB, m *continuum.Model, name string) []float64 {
	t.Helper()
	i := port(t, m, name)
	dst := make([]float64, m.Ports()[i].Width())
	m.Value(i, dst)
	return dst
}

// poseAt is the pose laid out in v as a port of kind sim.Pose does.
func poseAt(v []float64) spatial.Pose {
	return spatial.Pose{P: spatial.VecAt(v), R: spatial.QuatAt(v[3:]).Rot()}
}

// poseValues lays g out as a port of kind sim.Pose does.
func poseValues(g spatial.Pose) []float64 {
	v := make([]float64, 7)
	g.P.Put(v)
	g.R.Quat().Put(v[3:])
	return v
}

// tipPose returns the pose of the tip of the model, basePose that of its base.
func tipPose(m *continuum.Model) spatial.Pose  { return portPose(m, "measured_cp") }
func basePose(m *continuum.Model) spatial.Pose { return portPose(m, "base") }

func portPose(m *continuum.Model, name string) spatial.Pose {
	var v [7]float64
	for i, p := range m.Ports() {
		if p.Name == name {
			m.Value(i, v[:])
		}
	}
	return poseAt(v[:])
}

// partsOf returns the parts of a model of method implicit.
func partsOf(m *continuum.Model) continuum.Parts {
	p, _ := m.Parts()
	return p
}

// measured are the values of an output of a model.
func measured(m *continuum.Model, name string) []float64 {
	i := slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == name })
	v := make([]float64, m.Ports()[i].Width())
	m.Value(i, v)
	return v
}

// tipTwist is the velocity of the last node, and the angular velocity of the cross-section there, world axes.
func tipTwist(m *continuum.Model) spatial.Twist {
	v := measured(m, "measured_cv")
	return spatial.Twist{Linear: spatial.VecAt(v), Angular: spatial.VecAt(v[3:])}
}

// baseWrench is that of the base on the robot, axes of the base.
func baseWrench(m *continuum.Model) spatial.Wrench {
	v := measured(m, "measured_cf")
	return spatial.Wrench{Force: spatial.VecAt(v), Moment: spatial.VecAt(v[3:])}
}

// nodePoses are those of all nodes of the rod.
func nodePoses(t testing.TB, m *continuum.Model) (all []spatial.Pose) {
	t.Helper()
	v := value(t, m, "backbone")
	for ; len(v) > 0; v = v[7:] {
		all = append(all, poseAt(v))
	}
	return all
}

// elementsOf is the number of elements of the rod.
func elementsOf(m *continuum.Model) int { return len(m.Robot().ArcLengths()) - 1 }

// positionOf is the position of a node.
func positionOf(t testing.TB, m *continuum.Model, node int) spatial.Vec {
	t.Helper()
	return spatial.VecAt(value(t, m, "backbone")[7*node:])
}

// energy is all that the robot has, in its weight and contacts too, J.
func energy(t testing.TB, m *continuum.Model, gravity spatial.Vec) float64 {
	t.Helper()
	e := continuumtest.Of(t, m)
	kinetic, elastic := e.Energy()
	sum := kinetic + elastic + e.Contact.Energy()
	for i := range e.System.State.Pose {
		g := &e.System.State.Pose[i]
		sum -= gravity.Dot(g.P.Scale(e.System.State.NodeMass(i)).AddScaled(e.System.State.NodeFirstMoment(i), g.R.Col3()))
	}
	return sum
}

// baseForce is the force of the base on the robot, world axes, N.
func baseForce(t testing.TB, m *continuum.Model) spatial.Vec {
	t.Helper()
	return basePose(m).R.Apply(spatial.VecAt(value(t, m, "measured_cf")))
}

// run steps a model for so many seconds, by 1 ms.
func run(t testing.TB, m *continuum.Model, seconds float64) {
	t.Helper()
	dt := m.Robot().File().Solver.Step
	step(t, m, dt, int(math.Round(seconds/dt)))
}

func wantSameContacts(t *testing.T, a, b *continuum.Model) {
	t.Helper()
	x, y := continuumtest.Of(t, a).Contact.ListContacts(nil, 100), continuumtest.Of(t, b).Contact.ListContacts(nil, 100)
	if len(x) != len(y) {
		t.Fatalf("%d contacts, restored %d", len(x), len(y))
	}
	for i := range x {
		if x[i] != y[i] {
			t.Fatalf("contact %+v, restored %+v", x[i], y[i])
		}
	}
}

// mounted is the nitinol robot of the checkpoints under commands at 1 kHz.
func mounted(t testing.TB) *continuumtest.Robot {
	t.Helper()
	f := wire(10, 0.0005, sideways, 0, 90, 180, 270)
	f.Rod.Damping.KelvinVoigt = 1e-4
	f.Rates.Control = 1000
	for i := range f.Tendons {
		f.Tendons[i].Limits.MaxRate, f.Tendons[i].Limits.MaxPullRate = 1000, 0.1
	}
	return implicitOf(t, f)
}

// answer is pose of the tip, against a pose, and tensions of an equilibrium.
func answer(e *continuumtest.Robot, from spatial.Pose) []float64 {
	out := make([]float64, 6, 6+len(e.Tendons.Multipliers()))
	tip := e.NodePose(len(e.System.State.Pose) - 1)
	tip.P.Sub(from.P).Put(out)
	tip.R.MulT(from.R).Log().Put(out[3:])
	return append(out, e.Tendons.Multipliers()...)
}

// sizes are what counts as large in a column of a Jacobian: in translations, rotations and tensions.
func sizes(e *continuumtest.Robot, column []float64) (size [3]float64) {
	l, ei := e.System.Rod.Length, e.System.Rod.Stiffness.Bend.X
	for i, x := range column {
		size[min(i/3, 2)] = max(size[min(i/3, 2)], math.Abs(x))
	}
	size[0] = max(size[0], size[1]*l)
	size[1] = max(size[1], size[0]/l)
	size[2] = max(size[2], size[0]*ei/(l*l*l))
	return size
}

// polish iterates an equilibrium to round-off: by two increments of the exact tangent.
func polish(e *continuumtest.Robot) error {
	s := e.System
	s.State.BeginStatic()
	s.BeginEquilibrium()
	for range 2 {
		s.Assemble(0)
		if _, ok := s.Factor(); !ok {
			return integrate.ErrSingularTangent
		}
		s.AddColumns(equations.EquilibriumScope)
		if !s.Solve(0) {
			return integrate.ErrSingularTangent
		}
		s.TakeIncrement()
		s.Move(1)
	}
	return nil
}

func save(m *continuum.Model) []float64 {
	s := make([]float64, m.StateLen())
	m.Save(s)
	return s
}

type implicitGolden struct {
	Mini3 struct {
		T1 struct {
			Step1, Step2 []float64
		} `json:"t1"`
		Steps []struct {
			TipAfter []float64   `json:"tip_after"`
			XiAfter  [][]float64 `json:"xi_after"`
			First    struct {
				Eta, Residual [][]float64
				Phi           float64 `json:"phi_before"`
				Norm          float64 `json:"res_norm"`
			}
		}
	}
	Statics  json.RawMessage
	Dynamics struct {
		Tips map[string][][]float64
	}
}

func readGolden(t *testing.T) (g implicitGolden) {
	t.Helper()
	b, err := os.ReadFile("testdata/implicit.json")
	if err == nil {
		err = json.Unmarshal(b, &g)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// testDocument fails unless the document has the text.
func testDocument(t *testing.T, file, text string) {
	t.Helper()
	if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), text) {
		t.Errorf("%s does not say %q: %v", file, text, err)
	}
}

// orders are those of the elements that a test is made with: both, and the higher one with -short.
func orders() []int { return testsize.Of([]int{4}, []int{2, 4}, []int{2, 4}) }

// apart is how far two poses are from one another: metres or radians, whichever
// is more.
func apart(a, b spatial.Pose) float64 {
	return math.Max(a.P.Sub(b.P).Norm(), a.R.TMul(b.R).Log().Norm())
}

// turnedWorld is the file with everything in it turned and shifted.
func turnedWorld(f *robotfile.Continuum, turn spatial.Mat3, shift spatial.Vec) *robotfile.Continuum {
	place := func(p spatial.Vec) spatial.Vec { return turn.Apply(p).Add(shift) }
	t := *f
	b := &t.Base
	b.Position, b.Direction, b.Normal, b.Velocity = place(b.Position), turn.Apply(b.Direction), turn.Apply(b.Normal), turn.Apply(b.Velocity)
	t.Gravity, t.Field.Uniform = turn.Apply(f.Gravity), turn.Apply(f.Field.Uniform)
	g := f.Field.Gradient
	m := turn.Mul(spatial.Mat3{XX: g[0], XY: g[1], XZ: g[2], YX: g[1], YY: g[3], YZ: g[4], ZX: g[2], ZY: g[4], ZZ: -g[0] - g[3]}).MulT(turn)
	t.Field.Gradient, t.Field.GradientCenter = [5]float64{m.XX, m.XY, m.XZ, m.YY, m.YZ}, place(f.Field.GradientCenter)
	t.Field.Dipoles = append([]robotfile.Dipole(nil), f.Field.Dipoles...)
	for i := range t.Field.Dipoles {
		d := &t.Field.Dipoles[i]
		d.Position, d.Moment = place(d.Position), turn.Apply(d.Moment)
	}
	t.Environment.Shapes = nil
	for _, s := range f.Environment.Shapes {
		switch {
		case s.Plane != nil:
			s.Plane = &robotfile.HalfSpace{Point: place(s.Plane.Point), Normal: turn.Apply(s.Plane.Normal)}
		case s.Sphere != nil:
			s.Sphere = &robotfile.Sphere{Center: place(s.Sphere.Center), Radius: s.Sphere.Radius}
		case s.Capsule != nil:
			s.Capsule = &robotfile.Capsule{From: place(s.Capsule.From), To: place(s.Capsule.To), Radius: s.Capsule.Radius}
		case s.Tube != nil:
			lumen := robotfile.Tube{Radius: s.Tube.Radius}
			for _, p := range s.Tube.Points {
				lumen.Points = append(lumen.Points, place(p))
			}
			s.Tube = &lumen
		}
		t.Environment.Shapes = append(t.Environment.Shapes, s)
	}
	return &t
}
