package shape_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// goldenShape is a shape as robot files name it.
type goldenShape struct {
	Plane *struct {
		Point  [3]float64 `json:"point_m"`
		Normal [3]float64 `json:"normal"`
	} `json:"plane"`
	Sphere *struct {
		Center [3]float64 `json:"center_m"`
		Radius float64    `json:"radius_m"`
	} `json:"sphere"`
	Capsule *struct {
		From   [3]float64 `json:"from_m"`
		To     [3]float64 `json:"to_m"`
		Radius float64    `json:"radius_m"`
	} `json:"capsule"`
	Tube *struct {
		Points [][3]float64 `json:"points_m"`
		Radius float64      `json:"radius_m"`
	} `json:"tube"`
}

func (g *goldenShape) build() (shape.Shape, error) {
	switch {
	case g.Plane != nil:
		return shape.NewPlane(shape.Vec(g.Plane.Point), shape.Vec(g.Plane.Normal))
	case g.Sphere != nil:
		return shape.NewSphere(shape.Vec(g.Sphere.Center), g.Sphere.Radius)
	case g.Capsule != nil:
		return shape.NewCapsule(shape.Vec(g.Capsule.From), shape.Vec(g.Capsule.To), g.Capsule.Radius)
	}
	points := make([]spatial.Vec, len(g.Tube.Points))
	for i, p := range g.Tube.Points {
		points[i] = shape.Vec(p)
	}
	return shape.NewTube(points, []float64{g.Tube.Radius}, false)
}

// TestGoldenDistances compares with testdata/distances.json, which names its source. Its
// numbers have 13 digits.
func TestGoldenDistances(t *testing.T) {
	text, err := os.ReadFile("testdata/distances.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Rows []struct {
			Shape    goldenShape `json:"shape"`
			Point    [3]float64  `json:"point_m"`
			Distance float64     `json:"distance_m"`
			Normal   [3]float64  `json:"normal"`
			Hessian  [9]float64  `json:"hessian_row_major"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Rows) != 4 {
		t.Fatalf("%d rows, want 4", len(golden.Rows))
	}
	const (
		absolute = 1e-14 // m, the tolerance of the source
		digits   = 2e-12 // relative, of Hessians that are printed with 13 digits
	)
	for i, row := range golden.Rows {
		s, err := row.Shape.build()
		if err != nil {
			t.Fatal(err)
		}
		at, ok := s.At(shape.Vec(row.Point), new(shape.Hint))
		if !ok {
			t.Fatalf("row %d: no contact is possible", i)
		}
		if diff := math.Abs(at.D - row.Distance); diff > absolute {
			t.Errorf("row %d: distance differs by %g m", i, diff)
		}
		if diff := at.N.Sub(shape.Vec(row.Normal)).Norm(); diff > 1e-12 {
			t.Errorf("row %d: normal differs by %g", i, diff)
		}
		w := shape.Entries(at.W)
		for k := range w {
			if diff := math.Abs(w[k] - row.Hessian[k]); diff > digits*(1+shape.Norm(at.W)) {
				t.Errorf("row %d: entry %d of the Hessian is %g, want %g", i, k, w[k], row.Hessian[k])
			}
		}
	}
}
