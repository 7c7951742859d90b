package joint_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

var types = []joint.Type{joint.Fixed, joint.Revolute, joint.Prismatic, joint.Cylindrical, joint.Universal, joint.Spherical, joint.Planar}

func randomVec(r *rand.Rand, scale float64) spatial.Vec {
	return spatial.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Scale(scale)
}

func mustJoint(t *testing.T, k joint.Type, r *rand.Rand) *joint.Joint {
	t.Helper()
	j, err := joint.New(k, randomVec(r, 1), randomVec(r, 1))
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// moved returns the pose of the child in the parent after increments of both.
func moved(g spatial.Pose, parent, child spatial.Vec6) spatial.Pose {
	exp := func(v spatial.Vec6) spatial.Pose {
		return spatial.Exp(spatial.Twist{Linear: v.Linear(), Angular: v.Angular()})
	}
	return exp(parent).Inv().Mul(g).Mul(exp(child))
}

// ends calls f with increments of size ± step of one component of one frame, 0 for the parent.
func ends(frame, k int, step float64, f func(parent, child spatial.Vec6) float64) float64 {
	var e [2]spatial.Vec6
	e[frame][k] = step
	plus := f(e[0], e[1])
	e[frame][k] = -step
	return (plus - f(e[0], e[1])) / (2 * step)
}

func TestDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range types {
		j := mustJoint(t, k, r)
		g := spatial.Pose{R: spatial.ExpRot(randomVec(r, 0.5)), P: randomVec(r, 1)}
		var rows joint.Rows
		j.Rows(&g, &rows)
		var values [6]float64
		if j.Values(&g, &values); values != rows.Value {
			t.Errorf("%s: values %v, of the rows %v", k, values, rows.Value)
		}
		compare := func(what string, i int, parent, child spatial.Vec6, value func(g *spatial.Pose) float64) {
			for frame, gradient := range []spatial.Vec6{parent, child} {
				for c := range 6 {
					want := ends(frame, c, 1e-5, func(p, q spatial.Vec6) float64 {
						m := moved(g, p, q)
						return value(&m)
					})
					if math.Abs(gradient[c]-want) > 1e-9 {
						t.Errorf("%s: %s %d, frame %d, component %d: %.12g, differences give %.12g", k, what, i, frame, c, gradient[c], want)
					}
				}
			}
		}
		for i := range j.Size() {
			compare("row", i, rows.OnParent[i], rows.OnChild[i], func(g *spatial.Pose) float64 {
				var at joint.Rows
				j.Rows(g, &at)
				return at.Value[i]
			})
		}
		for i := range j.Coordinates() {
			q := j.Coordinate(i, &g, 0)
			parent, child := j.Gradient(i, &g)
			compare("coordinate", i, parent, child, func(g *spatial.Pose) float64 { return j.Coordinate(i, g, q) })
		}
	}
}

// TestCurvature compares with the symmetric part of differences of the gradient. Locked rotations
// have theirs where they are closed, coordinates at any rotation.
func TestCurvature(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, k := range types {
		j := mustJoint(t, k, r)
		g := spatial.Pose{R: spatial.ExpRot(randomVec(r, 0.5)), P: randomVec(r, 1)}
		if k == joint.Fixed || k == joint.Prismatic || k == joint.Spherical {
			g.R = spatial.Identity3()
		}
		var lambda [6]float64
		for i := range lambda {
			lambda[i] = r.NormFloat64()
		}
		var c joint.Curvature
		j.AddCurvature(&g, &lambda, &c)
		checkCurvature(t, fmt.Sprintf("%s: rows", k), g, &c, func(g *spatial.Pose) (parent, child spatial.Vec6) {
			var rows joint.Rows
			j.Rows(g, &rows)
			for i := range j.Size() {
				for n := range 6 {
					parent[n] += lambda[i] * rows.OnParent[i][n]
					child[n] += lambda[i] * rows.OnChild[i][n]
				}
			}
			return parent, child
		})
		if k == joint.Spherical {
			g.R = spatial.ExpRot(randomVec(r, 1.5))
		}
		for i := range j.Coordinates() {
			var c joint.Curvature
			j.AddCoordinateCurvature(i, &g, 1.5, &c)
			checkCurvature(t, fmt.Sprintf("%s: coordinate %d", k, i), g, &c, func(g *spatial.Pose) (parent, child spatial.Vec6) {
				parent, child = j.Gradient(i, g)
				for n := range 6 {
					parent[n] *= 1.5
					child[n] *= 1.5
				}
				return parent, child
			})
		}
	}
}

func checkCurvature(t *testing.T, what string, g spatial.Pose, c *joint.Curvature, gradient func(g *spatial.Pose) (parent, child spatial.Vec6)) {
	t.Helper()
	var full [12][12]float64
	for row := range 12 {
		for column := range 12 {
			full[row][column] = ends(column/6, column%6, 1e-5, func(p, q spatial.Vec6) float64 {
				m := moved(g, p, q)
				parent, child := gradient(&m)
				return [...]spatial.Vec6{parent, child}[row/6][row%6]
			})
		}
	}
	for row := range 12 {
		for column := range 12 {
			var got float64
			switch i, k := row%6, column%6; {
			case row < 6 && column < 6:
				got = c.Parent[6*i+k]
			case row >= 6 && column >= 6:
				got = c.Child[6*i+k]
			case row < 6:
				got = c.ParentChild[6*i+k]
			default:
				got = c.ParentChild[6*k+i]
			}
			if want := (full[row][column] + full[column][row]) / 2; math.Abs(got-want) > 1e-8 {
				t.Errorf("%s, entry (%d, %d): %.12g, differences give %.12g", what, row, column, got, want)
			}
		}
	}
}

// TestPlaceMeetsRowsAndCoordinates: at given coordinates a joint is closed, and has them.
func TestPlaceMeetsRowsAndCoordinates(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, k := range types {
		// the axes of universal joints can be at right angles where both frames coincide
		second := spatial.Vec{X: 1}
		j, err := joint.New(k, spatial.Vec{Y: 2}, second)
		if err != nil {
			t.Fatal(err)
		}
		q := make([]float64, j.Coordinates())
		for i := range q {
			q[i] = r.Float64() - 0.5
		}
		g := j.Place(q)
		var rows joint.Rows
		j.Rows(&g, &rows)
		for i := range j.Size() {
			if math.Abs(rows.Value[i]) > 1e-14 {
				t.Errorf("%s: row %d is %g at the coordinates %v", k, i, rows.Value[i], q)
			}
		}
		for i := range q {
			if got := j.Coordinate(i, &g, 0); math.Abs(got-q[i]) > 1e-14 {
				t.Errorf("%s: coordinate %d is %g, want %g", k, i, got, q[i])
			}
		}
		if got := j.Size() + j.Coordinates(); got != 6 {
			t.Errorf("%s: %d rows and coordinates", k, got)
		}
	}
}

func TestAnglesCountTurns(t *testing.T) {
	j, err := joint.New(joint.Revolute, spatial.Vec{Z: 1}, spatial.Vec{})
	if err != nil {
		t.Fatal(err)
	}
	angle := 0.0
	for step := range 100 {
		g := j.Place([]float64{0.2 * float64(step)})
		angle = j.Coordinate(0, &g, angle)
	}
	if want := 0.2 * 99; math.Abs(angle-want) > 1e-12 {
		t.Errorf("after %.3g rad the angle is %.3g", want, angle)
	}
}

func TestRefuses(t *testing.T) {
	x := spatial.Vec{X: 1}
	for _, c := range []struct {
		kind         joint.Type
		axis, second spatial.Vec
		want         string
	}{
		{"screw", x, x, "allowed are fixed"},
		{joint.Revolute, spatial.Vec{}, x, "no direction"},
		{joint.Universal, x, spatial.Vec{}, "second axis"},
		{joint.Universal, x, spatial.Vec{X: 1, Y: 1e-4}, "enclose"},
		{joint.Planar, spatial.Vec{X: math.NaN()}, x, "no direction"},
	} {
		if _, err := joint.New(c.kind, c.axis, c.second); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.kind, err, c.want)
		}
	}
}
