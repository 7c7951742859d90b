package continuum_test

import (
	"encoding/json"
	"math"
	"os"
	"sort"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

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

// reproduction is the greatest distance from the original, of the rod's length.
// The largest seen is 1.4e-11, over 111 111 steps; more would be a new error.
const reproduction = 1e-10

func TestReferenceReproducesPyElastica(t *testing.T) {
	for _, c := range []struct {
		name string
		slow bool
	}{
		{"tf_two_tendons_small_n20", false},
		{"soft_n20", false},
		{"soft_n50", false},
		{"tf_gui_default_4p5N", true},
		{"tendon_planar_nograv_1N_static", true},
		{"gravity_cantilever_static", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.slow && testing.Short() {
				t.Skip("more than 100 000 steps of 100 elements: not with -short")
			}
			t.Parallel()
			checkRun(t, readRun(t, c.name))
		})
	}
}

func checkRun(t *testing.T, r *pyelasticaRun) {
	m := newModel(t, r.file())
	for i, nodes := range r.Nodes {
		checkNodes(t, diskNodes(m, i), nodes)
	}
	dt := r.NominalStep
	if r.Params.Final > 0 {
		dt = r.Params.Final / float64(r.Steps)
	}
	n := r.Params.Elements
	worst := 0.0
	compare := func(step, node int, want [3]float64) {
		d := positionOf(t, m, node).Sub(spatial.Vec{X: want[0], Y: want[1], Z: want[2]}).Norm() / r.Params.Length
		worst = math.Max(worst, d)
		if d > reproduction {
			t.Fatalf("step %d, node %d: off by %.3g of the length", step, node, d)
		}
	}
	tip, mid := r.Samples, r.Mid
	for step := 0; step <= r.Steps; step++ {
		for ; len(tip) > 0 && int(tip[0][0]) == step; tip = tip[1:] {
			compare(step, n, [3]float64(tip[0][1:]))
		}
		for ; len(mid) > 0 && int(mid[0][0]) == step; mid = mid[1:] {
			compare(step, n/2, [3]float64(mid[0][1:]))
		}
		if step == r.Steps {
			break
		}
		if err := m.Step(dt); err != nil {
			t.Fatal(err)
		}
	}
	if len(tip)+len(mid) > 0 {
		t.Fatalf("%d samples beyond the last step", len(tip)+len(mid))
	}
	for i, p := range r.Position {
		compare(r.Steps, i*n/(len(r.Position)-1), p)
	}
	t.Logf("%d steps, worst distance %.3g of the length", r.Steps, worst)
}

// diskNodes are the nodes of the disks that tendon k of a straight robot passes.
func diskNodes(m *continuum.Model, k int) (nodes []int) {
	var s sim.Scene
	m.Draw(&s)
	at := m.Robot().ArcLengths()
	base := basePose(m)
	for _, hole := range s.Polylines[k].Points[1:] {
		z := hole.Sub(base.P).Dot(base.R.Col3())
		i := sort.SearchFloat64s(at, z)
		if i == len(at) || i > 0 && z-at[i-1] < at[i]-z {
			i--
		}
		nodes = append(nodes, i)
	}
	return nodes
}

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
