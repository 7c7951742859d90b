package continuum

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

// silicone is a soft robot of the explicit method: disks every tenth of its
// length, the last one at the tip.
func silicone(elements int) *robotfile.Continuum {
	disks := robotfile.Disks{Count: 10, First: 0.025, Last: 0.25}
	limits := robotfile.TendonLimits{MaxTension: 20, MaxRate: 1000, MaxPullRate: 0.1}
	f := &robotfile.Continuum{
		Rod: robotfile.Rod{
			Length: 0.25, Radius: 0.0055, Density: 997.7, YoungsModulus: 16598637, ShearModulus: 7216880,
			ShearCorrection: 27.0 / 28, Elements: elements, MaterialLaw: robotfile.Linear,
		},
		Base:         robotfile.Base{Direction: spatial.Vec{X: 1}, Normal: spatial.Vec{Z: 1}},
		Gravity:      spatial.Vec{Z: -9.80665},
		DiskForce:    robotfile.FullDiskForce,
		InitialState: robotfile.Straight,
		Solver:       robotfile.RodSolver{Method: robotfile.Explicit, Step: 1e-5},
		Tendons: []robotfile.Tendon{
			{Name: "up", Offset: [2]float64{0.015, 0}, Disks: disks, Limits: limits},
			{Name: "left", Offset: [2]float64{0, -0.012}, Disks: disks, Limits: limits},
		},
	}
	f.Tendons[0].Disks.Mass = 0.002
	return f
}

// skipInShort skips what takes many seconds with -race.
func skipInShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("tens of thousands of steps: not with -short")
	}
}

func step(t testing.TB, m *Model, dt float64, steps int) {
	t.Helper()
	for range steps {
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
}

// tipPose returns the tip pose of the model.
func tipPose(m *Model) spatial.Pose { return m.engine.NodePose(m.robot.rod.Elements) }

// command sends values to the named port.
func command(t testing.TB, m *Model, name string, v ...float64) {
	t.Helper()
	m.Command(port(t, m, name), v)
}

func port(t testing.TB, m *Model, name string) int {
	t.Helper()
	for i, p := range m.Ports() {
		if p.Name == name {
			return i
		}
	}
	t.Fatalf("no port %s", name)
	return 0
}

func value(t testing.TB, m *Model, name string) []float64 {
	t.Helper()
	i := port(t, m, name)
	dst := make([]float64, m.Ports()[i].Width())
	m.Value(i, dst)
	return dst
}

// begin starts a step of dt seconds, after one as long, by the formula of an order, from the present shape. The angular velocity in the
// gyroscopic moment is extrapolated by spin times its last change.
func begin(e *implicit, in *inputs, dt float64, order int, spin float64) {
	e.command(in)
	extra := e.system.BeginStep(equations.Step{Time: in.Time, Dt: dt, Whole: in.Time})
	e.system.Rod.Begin(integrate.NewBDF(order, dt, dt), spin, extra)
	e.system.UpdateKinematics()
}

// converged makes e iterate until nothing is left but round-off, as the recordings did.
func converged(e *implicit) { e.stepper.Refine(1e-12, 3) }

// moved returns the tip of the silicone robot after tensions have risen over 0.1 s
// and acted until 0.4 s.
func moved(t *testing.T, method robotfile.RodMethod, elements int, dt float64) spatial.Vec {
	f := silicone(elements)
	f.Solver = robotfile.RodSolver{Method: method, Step: dt}
	r, err := NewRobot(f)
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.NewModel()
	if err != nil {
		t.Fatal(err)
	}
	const span = 0.4
	n := int(math.Round(span / dt))
	// a step acts with its loads in its middle, or at its end
	at := map[robotfile.RodMethod]float64{robotfile.Explicit: 0.5, robotfile.Implicit: 1}[method]
	for i := range n {
		rise := math.Min((float64(i)+at)*dt/0.1, 1)
		rise = rise * rise * (3 - 2*rise)
		command(t, m, "servo_jf", 3*rise, 1.5*rise)
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
	return tipPose(m).P
}

// Tolerances of the checkpoints, as their source states them.
const (
	convergedTolerance = 1e-9 // relative: converged states
	traceTolerance     = 1e-8 // relative: Newton traces
)

// within fails unless got is want to tol of the largest entry of want.
func within(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	scale, worst := 0.0, 0.0
	for i := range want {
		scale = math.Max(scale, math.Abs(want[i]))
		if d := math.Abs(got[i] - want[i]); !(d <= worst) {
			worst = d
		}
	}
	if !(worst <= tol*scale) {
		t.Errorf("%s = %.15g, want %.15g: off by %.3g, tolerance %.3g", what, got, want, worst, tol*scale)
	}
}

func numbers(v spatial.Vec) []float64 { return []float64{v.X, v.Y, v.Z} }

// wire is the nitinol robot of the checkpoints: a tendon at each of the given
// angles (deg) through the base plate and ten disks, rod along +z.
func wire(elements int, disks float64, gravity spatial.Vec, angles ...float64) *robotfile.Continuum {
	f := &robotfile.Continuum{
		Rod: robotfile.Rod{
			Length: 0.2, Radius: 0.0005, Density: 6450, YoungsModulus: 60e9, ShearModulus: 60e9 / 2.6,
			ShearCorrection: 27. / 28, Elements: elements, MaterialLaw: robotfile.Linear,
		},
		Base:      robotfile.Base{Direction: spatial.Vec{Z: 1}, Normal: spatial.Vec{X: 1}},
		Gravity:   gravity,
		DiskForce: robotfile.FullDiskForce,
		Solver:    robotfile.RodSolver{Method: robotfile.Implicit, Step: 1e-3},
	}
	for i, a := range angles {
		sin, cos := math.Sincos(a * math.Pi / 180)
		t := robotfile.Tendon{
			Name: string(rune('a' + i)), Offset: [2]float64{0.008 * math.Round(cos), 0.008 * math.Round(sin)},
			Disks:  robotfile.Disks{Count: 10, First: 0.02, Last: 0.2},
			Limits: robotfile.TendonLimits{MaxTension: 20},
		}
		if i == 0 {
			t.Disks.Mass = disks
		}
		f.Tendons = append(f.Tendons, t)
	}
	return f
}

// sideways is gravity across the rod.
var sideways = spatial.Vec{X: -9.80665}

// implicitOf makes the engine of a robot file.
func implicitOf(t testing.TB, f *robotfile.Continuum) *implicit {
	t.Helper()
	r, err := NewRobot(f)
	if err != nil {
		t.Fatal(err)
	}
	e, err := newImplicit(r)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// pulling are inputs of tension control.
func pulling(tensions ...float64) *inputs {
	in := &inputs{}
	for _, t := range tensions {
		in.Setpoints = append(in.Setpoints, force.Setpoint{Tension: t})
	}
	return in
}

func tip(e *implicit) []float64 { return numbers(e.NodePose(e.system.Mesh.Elements).P) }

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

// thesisFile is the robot of contract/silicone_robot.yaml, whose long tendons skip
// disks of the short ones.
func thesisFile() *robotfile.Continuum {
	f := &robotfile.Continuum{
		Rod: robotfile.Rod{
			Length: 0.25, Radius: 0.0055, Density: 997.7, YoungsModulus: 16598637, ShearModulus: 7216880,
			ShearCorrection: 27. / 28, Elements: 20, MaterialLaw: robotfile.Linear,
			Damping: robotfile.Damping{KelvinVoigt: 0.01, Drag: 0.5},
		},
		Base:    robotfile.Base{Direction: spatial.Vec{X: 1}, Normal: spatial.Vec{Z: 1}},
		Gravity: spatial.Vec{Z: -9.80665}, DiskForce: robotfile.FullDiskForce,
		Solver: robotfile.RodSolver{Method: robotfile.Implicit, Step: 5e-4},
	}
	for i, o := range [][2]float64{{0.015, 0}, {0, -0.015}, {-0.008, 0}, {0, 0.008}} {
		d := robotfile.Disks{Count: 6, First: 0.0125, Last: 0.2375}
		if i >= 2 {
			d.Last = 0.075
		}
		if i%2 == 0 {
			d.Mass = 0.002 / float64(1+i/2)
		}
		f.Tendons = append(f.Tendons, robotfile.Tendon{
			Name: string(rune('a' + i)), Offset: o, Disks: d, Limits: robotfile.TendonLimits{MaxTension: 8},
		})
	}
	return f
}

// randomRobot draws a robot with anything that the implicit method knows, and
// inputs to it.
func randomRobot(r *rand.Rand) (*robotfile.Continuum, *inputs) {
	vector := func(scale float64) spatial.Vec {
		return spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(scale)
	}
	sometimes := func(x float64) float64 { return x * float64(r.IntN(2)) }
	n := 2 + r.IntN(30)
	f := wire(n, 0, vector(5))
	if r.IntN(2) == 0 { // soft
		f.Rod.Radius, f.Rod.YoungsModulus, f.Rod.ShearModulus, f.Rod.Density = 0.005, 1e6, 3e5, 1000
	}
	f.Rod.Damping = robotfile.Damping{KelvinVoigt: sometimes(1e-3), Drag: sometimes(2), QuadraticDrag: sometimes(1)}
	f.Rod.Precurvature = vector(sometimes(3))
	f.Tip = robotfile.Tip{Mass: sometimes(0.01), Inertia: spatial.Vec{X: 1e-7, Y: 1e-7, Z: 1e-7}}
	if r.IntN(4) == 0 {
		f.DiskForce = robotfile.TransverseDiskForce
	}
	in := &inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Force: vector(sometimes(0.02)), Moment: vector(sometimes(0.002))}, Axes: force.Axes(r.IntN(2))}}
	if r.IntN(2) == 0 {
		in.Loads = []force.PointLoad{{At: 0.2 * r.Float64(), Wrench: spatial.Wrench{Force: vector(0.05), Moment: vector(0.001)}, Axes: force.Axes(r.IntN(2))}}
	}
	for k := range r.IntN(6) {
		var nodes []float64
		for i := 1; i <= n; i++ {
			if r.IntN(3) == 0 || (i == n && nodes == nil) {
				nodes = append(nodes, 0.2*float64(i)/float64(n))
			}
		}
		f.Tendons = append(f.Tendons, robotfile.Tendon{
			Name: string(rune('a' + k)), Offset: [2]float64{0.01 * r.NormFloat64(), 0.01 * r.NormFloat64()}, Twist: sometimes(10),
			Disks: robotfile.Disks{Positions: nodes, Mass: sometimes(0.001)}, Limits: robotfile.TendonLimits{MaxTension: 10},
			Stiffness: 1000, Friction: sometimes(0.3),
		})
		in.Setpoints = append(in.Setpoints, force.Setpoint{Mode: force.ControlMode(r.IntN(2)), Tension: r.Float64(), Pull: 0.003 * r.NormFloat64()})
	}
	return f, in
}

// bare is a rod along +z without tendons, of section area 1 and given products of
// stiffness.
func bare(length float64, elements int, ga, ea, ei, gj float64) *robotfile.Continuum {
	f := wire(elements, 0, spatial.Vec{})
	f.Rod = robotfile.Rod{
		Length: length, Density: 1, YoungsModulus: ea, ShearModulus: ga, ShearCorrection: 1,
		Section:  &robotfile.Section{Area: 1, I1: ei / ea, I2: ei / ea, J: gj / ga},
		Elements: elements, MaterialLaw: robotfile.Linear,
	}
	return f
}

func equilibrate(t testing.TB, e *implicit, in *inputs) {
	t.Helper()
	if err := e.Equilibrate(in); err != nil {
		t.Fatal(err)
	}
}

// insertable is a rod whose base points along (0, 0.6, 0.8), with its inputs and the number of
// its port servo_insertion.
func insertable(t *testing.T) (m *Model, in *sim.Inputs, joints int) {
	t.Helper()
	m = newModel(t, parse(t, `{rod: {length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 1500, youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, elements: 8, damping: {drag_per_s: 20, kelvin_voigt_s: 0.002}},
base: {position_m: [1, 2, 3], direction: [0, 0.6, 0.8], normal: [1, 0, 0]}, gravity_m_per_s2: [0, 0, 0], solver: {step_s: 0.001}}`))
	return m, sim.NewInputs(m), port(t, m, "servo_insertion")
}

// stepFor steps for so many milliseconds and returns the base.
func stepFor(t *testing.T, m *Model, in *sim.Inputs, steps int) spatial.Pose {
	t.Helper()
	for range steps {
		in.Advance(1e-3)
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	return m.basePose()
}

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

// bendingStiffness is EI of the rod, N m².
func bendingStiffness(f *robotfile.Continuum) float64 {
	return f.Rod.YoungsModulus * math.Pi / 4 * math.Pow(f.Rod.Radius, 4)
}

// angle is by how much the tip has turned about y.
func angle(e *implicit) float64 {
	z := e.NodePose(e.system.Mesh.Elements).R.Col3()
	return math.Atan2(z.X, z.Z)
}

// forOrders runs a test with elements of both orders.
func forOrders(t *testing.T, test func(t *testing.T, order int)) {
	for _, order := range []int{2, 4} {
		t.Run(fmt.Sprintf("order %d", order), func(t *testing.T) { test(t, order) })
	}
}

// remembering is a robot with all that remembers, in sections.
func remembering(order int) *robotfile.Continuum {
	f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
	f.Rod.Order = order
	f.Rod.Damping.RotationalDrag = 1e-7
	f.Rod.Viscoelasticity = []robotfile.MaxwellBranch{{ModulusRatio: 0.2, RelaxationTime: 0.02}, {ModulusRatio: 0.1, RelaxationTime: 1}}
	k := bendingStiffness(f)
	for i := range 4 { // a tenth of the stiffness, slipping from 1 to 8 /m
		s := k / 40
		f.Rod.BendingFriction = append(f.Rod.BendingFriction, robotfile.ElastoplasticSpring{Stiffness: s, Limit: s * float64(int(1)<<i)})
	}
	return f
}

// plain is that robot without memory.
func plain(order int) *robotfile.Continuum {
	f := remembering(order)
	f.Rod.Damping, f.Rod.Viscoelasticity, f.Rod.BendingFriction = robotfile.Damping{}, nil, nil
	return f
}

// pulled is the silicone robot with elastic tendons.
func pulled(elements int) *robotfile.Continuum {
	f := silicone(elements)
	for i := range f.Tendons {
		f.Tendons[i].Stiffness = 500
	}
	f.Rod.Damping.Drag = 5
	return f
}

// testedMethods are robots of both engines of this file, in motion.
func testedMethods(t *testing.T) map[string]*Model {
	reference := readRun(t, "soft_n20").file()
	all := map[string]*Model{"reference": newModel(t, reference), "explicit": newModel(t, pulled(20))}
	for _, m := range all {
		command(t, m, "external_wrench", 0.1, 0.05, 0, 0, 0, 0.001, 1)
		step(t, m, 2e-5, 100)
	}
	return all
}

func save(m *Model) []float64 {
	s := make([]float64, m.StateLen())
	m.Save(s)
	return s
}

// gaugeOf measures a gauge of a model.
func gaugeOf(m *Model, key string) float64 {
	values := make([]float64, len(m.Gauges()))
	m.Measure(values)
	return values[slices.IndexFunc(m.Gauges(), func(g sim.Gauge) bool { return g.Key == key })]
}

// pyelasticaRun is a run of PyElastica 0.3.2 with TendonForces in testdata.
type pyelasticaRun struct {
	Source string
	Params struct {
		Elements int     `json:"n_elements"`
		Length   float64 `json:"base_length"`
		Radius   float64 `json:"base_radius"`
		Density  float64 `json:"density"`
		E        float64 `json:"youngs_modulus"`
		G        float64 `json:"shear_modulus"`
		Damping  float64 `json:"damping_constant"`
		Final    float64 `json:"final_time"`
		Gravity  [3]float64
		Tendons  []struct {
			Height      float64    `json:"vertebra_height"`
			Orientation [3]float64 `json:"vertebra_height_orientation"`
			Count       int        `json:"num_vertebrae"`
			First       int        `json:"first_vertebra_node"`
			Last        int        `json:"final_vertebra_node"`
			Mass        float64    `json:"vertebra_mass"`
			Tension     float64    `json:"tension"`
		}
	}
	Steps       int
	NominalStep float64      `json:"nominal_step"`
	Nodes       [][]int      // of the disks, by tendon
	Samples     [][4]float64 // step, tip
	Mid         [][4]float64 // step, node n/2
	Position    [][3]float64 // final, every node or every tenth
}

// file is the robot file of the run.
func (r *pyelasticaRun) file() *robotfile.Continuum {
	p := &r.Params
	f := &robotfile.Continuum{
		Rod: robotfile.Rod{
			Length: p.Length, Radius: p.Radius, Density: p.Density, YoungsModulus: p.E, ShearModulus: p.G,
			ShearCorrection: 27.0 / 28, Elements: p.Elements, MaterialLaw: robotfile.Linear,
			Damping: robotfile.Damping{PyElasticaNu: p.Damping},
		},
		Base:         robotfile.Base{Direction: spatial.Vec{X: 1}, Normal: spatial.Vec{Z: 1}},
		Gravity:      spatial.Vec{X: p.Gravity[0], Y: p.Gravity[1], Z: p.Gravity[2]},
		DiskForce:    robotfile.FullDiskForce,
		InitialState: robotfile.Straight,
		Solver:       robotfile.RodSolver{Method: robotfile.Reference, Step: r.NominalStep},
	}
	l := p.Length / float64(p.Elements)
	for _, t := range p.Tendons {
		f.Tendons = append(f.Tendons, robotfile.Tendon{
			Name:   "tendon",
			Offset: [2]float64{t.Height * t.Orientation[0], t.Height * t.Orientation[1]},
			Disks:  robotfile.Disks{Count: t.Count, First: float64(t.First) * l, Last: float64(t.Last) * l, Mass: t.Mass},
			Limits: robotfile.TendonLimits{MaxTension: 20, MaxRate: 1000, MaxPullRate: 0.1},

			Tension: t.Tension,
		})
	}
	return f
}

func readRun(t testing.TB, name string) *pyelasticaRun {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	r := new(pyelasticaRun)
	if err := json.Unmarshal(data, r); err != nil {
		t.Fatal(err)
	}
	return r
}

func newModel(t testing.TB, f *robotfile.Continuum) *Model {
	t.Helper()
	m, err := New(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// reproduction is the greatest distance from the original, of the rod's length.
// The largest seen is 1.4e-11, over 111 111 steps; more would be a new error.
const reproduction = 1e-10

func checkNodes(t *testing.T, got, want []int) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("disks at nodes %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("disks at nodes %v, want %v", got, want)
		}
	}
}

func saveOf(m *Model) []float64 {
	dst := make([]float64, m.StateLen())
	m.Save(dst)
	return dst
}

// sameBits tells 0 from -0.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// near reports whether points are the same but for round-off.
func near(a, b []spatial.Vec) bool {
	for i := range b {
		if len(a) != len(b) || !(a[i].Sub(b[i]).Norm() <= 1e-14) {
			return false
		}
	}
	return len(a) == len(b)
}

// segments are those of the centre line, so many for each element: the cubics of contact.
func segments(m *Model, each int) (points []spatial.Vec) {
	r := m.robot.rod
	for e, l := range r.Lengths {
		a, b := m.engine.NodePose(e), m.engine.NodePose(e+1)
		for i := range each {
			x := float64(i) / float64(each)
			y := 1 - x
			points = append(points, a.P.Scale(y*y*(1+2*x)).AddScaled(x*x*(1+2*y), b.P).
				AddScaled(l*x*y*y, a.R.Col3()).AddScaled(-l*x*x*y, b.R.Col3()))
		}
	}
	return append(points, m.engine.NodePose(r.Elements).P)
}

var nothing = []float64{0, 0, 0}

func distance(a, b []float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

func scaled(v []float64, s float64) []float64 { return []float64{s * v[0], s * v[1], s * v[2]} }

// contractFolder is beside the repository where it was developed, for what was measured there. Other
// tests take the vessel of ownFolder.
const contractFolder, ownFolder = "../../../../shared/contract", "../../../launch/worlds"

// nitinolCatheter is 0.4 m long and pushed into a vessel.
const nitinolCatheter = `
rod: {elements: 40, length_m: 0.4, radius_m: 0.00025, density_kg_per_m3: 6450, youngs_modulus_pa: 60.0e9, shear_modulus_pa: 23.0e9, damping: {kelvin_voigt_s: 0.0005, drag_per_s: 20}}
base: {position_m: [-0.39, 0, 0], direction: [1, 0, 0], normal: [0, 0, 1], velocity_m_per_s: [0.02, 0, 0], until_s: 3}
environment:
  friction_coefficient: 0.1
  shapes:
    - {name: introducer, tube: {points_m: [[-0.35, 0, 0], [0.004, 0, 0]], radius_m: 0.0026}, friction_coefficient: 0.02}
    - {name: vessel, mesh: {file: vessel.stl, inside: true, scale: 1}}
solver: {method: implicit, step_s: 0.001}`

// inVessel is the model of a robot file in the folder of its vessel.
func inVessel(t testing.TB, folder string, text []byte) *Model {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Continuum]("f", text)
	if err != nil {
		t.Fatal(err)
	}
	stl, err := os.ReadFile(filepath.Join(folder, "vessel.stl"))
	if err != nil {
		t.Fatal(err)
	}
	triangles, err := mesh.ReadSTL(stl)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRobotWith(f, Files{Meshes: map[robotfile.FileName]*mesh.STL{"vessel.stl": triangles}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.NewModel()
	if err != nil {
		t.Fatal(err)
	}
	return m
}
