package continuum

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

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

// testDocument fails unless the document has the text.
func testDocument(t *testing.T, file, text string) {
	t.Helper()
	if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), text) {
		t.Errorf("%s does not say %q: %v", file, text, err)
	}
}
