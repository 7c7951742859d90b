package magnetics

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"sinew/pkg/sim/spatial"
)

func Vec(v [3]float64) spatial.Vec { return spatial.Vec{X: v[0], Y: v[1], Z: v[2]} }

// Read decodes a golden file.
func Read(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

func NearVec(t *testing.T, what string, got, want spatial.Vec, tol float64) {
	t.Helper()
	if d := got.Sub(want).Norm(); !(d <= tol) {
		t.Errorf("%s: %v, want %v: off by %.3g, tolerance %.3g", what, got, want, d, tol)
	}
}

func NearMat(t *testing.T, what string, got, want spatial.Mat3, tol float64) {
	t.Helper()
	d := got.Sub(want)
	for _, row := range []spatial.Vec{d.T().Col1(), d.T().Col2(), d.T().Col3()} {
		if !(row.Norm() <= tol) {
			t.Errorf("%s: %v, want %v: off by %.3g, tolerance %.3g", what, got, want, row.Norm(), tol)
			return
		}
	}
}

// RandomDipoles returns n dipoles of 1e-10 A m² some millimetres apart.
func RandomDipoles(r *rand.Rand, n int) (x, m []spatial.Vec) {
	random := func(s float64) spatial.Vec {
		return spatial.Vec{X: s * r.NormFloat64(), Y: s * r.NormFloat64(), Z: s * r.NormFloat64()}
	}
	for range n {
		x, m = append(x, random(1e-3)), append(m, random(1e-10))
	}
	return x, m
}

// Kernels are those of the golden file of magnetic rods.
type Kernels struct {
	Kernels []struct {
		Name  string
		Field struct {
			Uniform  [3]float64 `json:"uniform_t"`
			Gradient [5]float64 `json:"gradient_t_per_m"`
			Center   [3]float64 `json:"gradient_center_m"`
			Dipoles  []goldenDipole
		}
		Dipole goldenDipole
		Source []struct {
			Position  [3]float64 `json:"position_m"`
			Direction [3]float64
			A         []float64 `json:"a_coeff"`
			B         []float64 `json:"b_coeff"`
		}
		Point          [3]float64  `json:"point_m"`
		B              [3]float64  `json:"B_t"`
		BPer           [3]float64  `json:"B_t_per_a"`
		G              [9]float64  `json:"G_row_major"`
		H              [27]float64 `json:"H_ijk_row_major"`
		RotationVector [3]float64  `json:"rotation_vector"`
		At             [3]float64  `json:"position_m"`
		Moment         [3]float64  `json:"moment_a_m2"`
		Energy         float64     `json:"energy_j"`
		Wrench         [6]float64  `json:"wrench_body"`
		K              [36]float64 `json:"K_row_major"`
	}
}

type goldenDipole struct {
	Position [3]float64 `json:"position_m"`
	Moment   [3]float64 `json:"moment_a_m2"`
}

func (d goldenDipole) Dipole() Dipole {
	return Dipole{Position: Vec(d.Position), Moment: Vec(d.Moment)}
}

// Axes are the unit vectors.
var Axes = [3]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}
