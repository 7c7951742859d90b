package mechanism_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// must returns a shape, whose construction must not fail.
func must(t testing.TB, s shape.Shape, err error) shape.Shape {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shaped returns a body of 0.1 kg with a shape.
func shaped(name string, s shape.Shape, at, turn spatial.Vec) mechanism.Body {
	return mechanism.Body{
		Name: name, Mass: 0.1, Inertia: [6]float64{2e-5, 3e-5, 4e-5}, Friction: 0.4, Shapes: []mechanism.Shape{{Shape: s}},
		Pose: &spatial.Pose{R: spatial.ExpRot(turn), P: at},
	}
}

// shortRod is a rod of two elements with a free start.
func shortRod(name string, at, turn spatial.Vec) mechanism.Rod {
	return mechanism.Rod{
		Name: name, Friction: 0.4, Start: &spatial.Pose{R: spatial.ExpRot(turn), P: at},
		Parameters: rod.Params{
			Length: 0.1, Elements: 2, Order: 4, Section: rod.Circle(0.004),
			Material: rod.Material{YoungsModulus: 1e5, ShearModulus: 4e4, Density: 1000, ShearCorrection: 0.9},
		},
	}
}

// randomIncrements returns increments of nodes: about 1 cm and 1 rad.
func randomIncrements(r *rand.Rand, nodes int) []spatial.Vec6 {
	x := make([]spatial.Vec6, nodes)
	for i := range x {
		for k := range x[i] {
			x[i][k] = r.NormFloat64()
			if k < 3 {
				x[i][k] *= 0.01
			}
		}
	}
	return x
}

// TestContactTangents are the derivatives of the wrenches, for every kind of pair, without friction, where it
// sticks and where it slips.
func TestContactTangents(t *testing.T) {
	sphere := func(r float64) shape.Shape {
		s, err := shape.NewSphere(spatial.Vec{X: 0.001}, r)
		return must(t, s, err)
	}
	s, err := shape.NewCapsule(spatial.Vec{X: -0.03, Z: 0.001}, spatial.Vec{X: 0.03, Y: 0.004}, 0.008)
	capsule := must(t, s, err)
	s, err = mechanism.NewBox(spatial.Vec{X: 0.06, Y: 0.05, Z: 0.04}, spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: 0.1}), P: spatial.Vec{Y: 0.001}})
	box := must(t, s, err)
	s, err = shape.NewPlane(spatial.Vec{Z: -0.0101}, spatial.Vec{X: 0.05, Z: 1})
	plane := must(t, s, err)
	along := spatial.Vec{Y: math.Pi / 2} // d3 along x
	up := spatial.Vec{X: -0.001, Y: 0.002}
	for _, c := range []struct {
		name string
		p    mechanism.Parameters
	}{
		{"sphere on plane", mechanism.Parameters{Bodies: []mechanism.Body{shaped("a", sphere(0.01), spatial.Vec{}, up)}, Walls: []mechanism.Wall{{Name: "floor", Shape: plane, Friction: 1}}}},
		{"sphere on sphere", mechanism.Parameters{Bodies: []mechanism.Body{shaped("a", sphere(0.02), spatial.Vec{Z: 0.029}, up), shaped("b", sphere(0.01), spatial.Vec{X: 0.005, Y: 0.004}, spatial.Vec{Z: 0.4})}}},
		{"sphere on capsule", mechanism.Parameters{Bodies: []mechanism.Body{shaped("a", sphere(0.01), spatial.Vec{X: 0.008, Z: 0.01795}, up), shaped("b", capsule, spatial.Vec{}, spatial.Vec{Z: 0.3})}}},
		{"capsules", mechanism.Parameters{Bodies: []mechanism.Body{shaped("a", capsule, spatial.Vec{Z: 0.01595}, spatial.Vec{Z: 1}), shaped("b", capsule, spatial.Vec{}, up)}}},
		{"sphere on box", mechanism.Parameters{Bodies: []mechanism.Body{shaped("a", sphere(0.01), spatial.Vec{X: 0.005, Z: 0.02998}, up), shaped("b", box, spatial.Vec{}, spatial.Vec{})}}},
		{"sphere on edge", mechanism.Parameters{Bodies: []mechanism.Body{shaped("a", sphere(0.01), spatial.Vec{X: 0.0361, Y: 0.006, Z: 0.02704}, spatial.Vec{}), shaped("b", box, spatial.Vec{}, spatial.Vec{})}}},
		{"capsule over edge", mechanism.Parameters{Bodies: []mechanism.Body{shaped("a", capsule, spatial.Vec{X: 0.0337, Z: 0.0262}, spatial.Vec{Y: 0.7}), shaped("b", box, spatial.Vec{}, spatial.Vec{})}}},
		{"boxes", mechanism.Parameters{Bodies: []mechanism.Body{shaped("a", box, spatial.Vec{X: 0.02, Z: 0.03999}, spatial.Vec{Z: 0.5}), shaped("b", box, spatial.Vec{}, up)}}},
		{"edges", mechanism.Parameters{Bodies: []mechanism.Body{shaped("a", box, spatial.Vec{Z: 0.0672}, spatial.Vec{X: math.Pi / 4}), shaped("b", box, spatial.Vec{}, spatial.Vec{Y: math.Pi / 4})}}},
		{"rods", mechanism.Parameters{Rods: []mechanism.Rod{shortRod("a", spatial.Vec{X: -0.04, Z: 0.008}, along), shortRod("b", spatial.Vec{Y: 0.04}, spatial.Vec{X: math.Pi / 2, Y: 0.1})}}},
		{"sphere on rod", mechanism.Parameters{Rods: []mechanism.Rod{shortRod("a", spatial.Vec{X: -0.04, Z: 0.024}, along)}, Bodies: []mechanism.Body{shaped("b", sphere(0.02), spatial.Vec{}, up)}}},
		{"rod on plane", mechanism.Parameters{Rods: []mechanism.Rod{shortRod("a", spatial.Vec{X: -0.05, Z: -0.0061 + 0.0025}, spatial.Vec{Y: math.Pi/2 + 0.05})}, Walls: []mechanism.Wall{{Name: "floor", Shape: plane, Friction: 1}}}},
		{"rod over edge", mechanism.Parameters{Rods: []mechanism.Rod{shortRod("a", spatial.Vec{X: -0.0085, Z: 0.0465}, spatial.Vec{Y: math.Pi/2 + 0.5})}, Bodies: []mechanism.Body{shaped("b", box, spatial.Vec{}, spatial.Vec{})}}},
	} {
		for _, friction := range []string{"none", "sticks", "slips"} {
			t.Run(c.name+", "+friction, func(t *testing.T) {
				w := mustWorld(t, lowered(t, c.p))
				if len(w.AppendContacts(nil)) == 0 {
					t.Fatal("nothing touches")
				}
				r := rand.New(rand.NewPCG(7, 8))
				nodes := 0
				for i := range c.p.Rods {
					nodes += len(w.NodePoses(i))
				}
				nodes += len(c.p.Bodies)
				direction := func() []spatial.Vec6 { return randomIncrements(r, nodes) }
				if friction != "none" {
					w.BeginContacts(0)
					w.UpdateFriction()
				}
				size := map[string]float64{"none": 0, "sticks": 1e-9, "slips": 1e-4}[friction]
				w.Shift(direction(), size)
				// yᵀ K x for the symmetric part of K = −∂wrench/∂increment
				for range 5 {
					x, y := direction(), direction()
					const d = 1e-7
					bilinear := func(x, y []spatial.Vec6) (sum float64) {
						up, down := w.Perturbed(scaled(x, d)), w.Perturbed(scaled(x, -d))
						for i := range x {
							for k := range x[i] {
								sum -= y[i][k] * (up[i][k] - down[i][k]) / (2 * d)
							}
						}
						return sum
					}
					want := 0.5 * (bilinear(x, y) + bilinear(y, x))
					got, scale := 0.0, 0.0
					kx := w.ContactTangent(x)
					for i := range y {
						for k := range y[i] {
							got += y[i][k] * kx[i][k]
							scale += math.Abs(y[i][k] * kx[i][k])
						}
					}
					if !(math.Abs(got-want) <= 2e-5*scale) {
						t.Errorf("yᵀ K x is %.9g, by differences %.9g", got, want)
					}
				}
			})
		}
	}
}

// lowered returns the mechanism with its first link moved down from above until it is 10 µm within something.
func lowered(t *testing.T, p mechanism.Parameters) mechanism.Parameters {
	p.Bodies, p.Rods = slices.Clone(p.Bodies), slices.Clone(p.Rods)
	var from **spatial.Pose
	if len(p.Rods) > 0 {
		from = &p.Rods[0].Start
	} else {
		from = &p.Bodies[0].Pose
	}
	at := **from
	set := func(z float64) {
		g := at
		g.P.Z += z
		*from = &g
	}
	low, high := -0.004, 0.004
	for range 40 {
		mid := 0.5 * (low + high)
		if set(mid); len(mustWorld(t, p).AppendContacts(nil)) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	set(low - 1e-5)
	return p
}

func scaled(x []spatial.Vec6, s float64) []spatial.Vec6 {
	y := make([]spatial.Vec6, len(x))
	for i := range x {
		for k := range x[i] {
			y[i][k] = s * x[i][k]
		}
	}
	return y
}
