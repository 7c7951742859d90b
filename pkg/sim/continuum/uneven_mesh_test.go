package continuum_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// meshes are coarse and uneven meshes: numbers of elements, and nodes as shares of the length.
var meshes = []struct {
	elements int
	nodes    []float64
}{
	{1, nil}, {2, nil}, {3, nil}, {4, nil}, {10, nil},
	{2, []float64{0.03}}, {2, []float64{0.97}}, {3, []float64{0.1, 0.97}}, {3, []float64{0.5, 0.50005}}, {4, []float64{0.2, 0.7}},
	{5, []float64{0.01, 0.35, 0.9999}}, {10, []float64{0.00005}}, {10, []float64{0.43}},
}

// meshed is the robot of f with such a mesh.
func meshed(f *robotfile.Continuum, nodes []float64) *robotfile.Continuum {
	for _, s := range nodes {
		f.Loads = append(f.Loads, robotfile.RodLoad{At: s * f.Rod.Length, Frame: robotfile.WorldAxes, Until: math.Inf(1)})
	}
	return f
}

// The sag of a stiff cantilever under its weight is w L⁴/8 EI + w L²/2 GA for elements of any lengths and both orders.
func TestSagOnCoarseAndUnevenMeshes(t *testing.T) {
	const length, shear, bending, weight = 2, 1e8, 1e6, 9.80665
	const tolerance = 1e-8 // the sag is 1e-5 of the length, and the shear of one element 7e-4 of the sag
	want := weight*math.Pow(length, 4)/8/bending + weight*length*length/2/shear
	for _, c := range meshes {
		for _, order := range orders() {
			f := meshed(bare(length, c.elements, shear, 1e11, bending, 1e6), c.nodes)
			f.Rod.Order, f.Gravity = order, spatial.Vec{X: -weight}
			e := implicitOf(t, f)
			equilibrate(t, e, pulling())
			got := -tipAt(e).X
			t.Logf("%d elements, nodes %v, order %d: sag off by %.2g", c.elements, c.nodes, order, got/want-1)
			if !(math.Abs(got/want-1) < tolerance) {
				t.Errorf("%d elements, nodes %v, order %d: sag %.10g m, want %.10g", c.elements, c.nodes, order, got, want)
			}
		}
	}
}

// Under large weights, elements of order 4 have smaller errors than those of order 2 on every mesh.
func TestLargeSagOnCoarseAndUnevenMeshes(t *testing.T) {
	for _, c := range []struct {
		name string
		file func(n int) *robotfile.Continuum
	}{
		{"slender", func(n int) *robotfile.Continuum {
			f := wire(n, 0, sideways)
			f.Rod.YoungsModulus /= 300
			f.Rod.ShearModulus /= 300
			return f
		}},
		{"thick", func(n int) *robotfile.Continuum {
			f := bare(0.2, n, 100, 300, 0.02, 0.02)
			f.Rod.Density, f.Gravity = 2, sideways
			return f
		}},
	} {
		tipOf := func(n, order int, nodes []float64) spatial.Vec {
			f := meshed(c.file(n), nodes)
			f.Rod.Order = order
			e := implicitOf(t, f)
			equilibrate(t, e, pulling())
			return tipAt(e)
		}
		limit, length := tipOf(160, 4, nil), c.file(1).Rod.Length
		t.Logf("%s: tip %v", c.name, limit)
		for _, m := range meshes {
			second, fourth := tipOf(m.elements, 2, m.nodes).Sub(limit).Norm()/length, tipOf(m.elements, 4, m.nodes).Sub(limit).Norm()/length
			at := fmt.Sprintf("%s, %d elements, nodes %v: order 4 %.2g L, order 2 %.2g L off", c.name, m.elements, m.nodes, fourth, second)
			t.Log(at)
			if !(fourth < second) {
				t.Error(at)
			}
		}
	}
}

// The first natural frequency of a slender cantilever is 1.8751² √(EI/m L⁴): elements of order 4 have smaller errors than those of
// order 2 on every mesh, also where one is the whole rod.
func TestFrequencyOnCoarseAndUnevenMeshes(t *testing.T) {
	const beta, whole = 1.87510406871, 0.02 // the error of one element
	f := wire(1, 0, spatial.Vec{})
	r := f.Rod.Radius
	want := beta * beta / (2 * math.Pi * f.Rod.Length * f.Rod.Length) * math.Sqrt(f.Rod.YoungsModulus*r*r/4/f.Rod.Density)
	for _, m := range meshes {
		var errors [2]float64
		for k, order := range []int{2, 4} {
			f := meshed(wire(m.elements, 0, spatial.Vec{}), m.nodes)
			f.Rod.Order = order
			errors[k] = math.Abs(frequencies(t, implicitOf(t, f), 1)[0]/want - 1)
		}
		t.Logf("%d elements, nodes %v: order 4 %.2g, order 2 %.2g off", m.elements, m.nodes, errors[1], errors[0])
		if !(errors[1] < errors[0]) || !(errors[1] < whole) {
			t.Errorf("%d elements, nodes %v: frequency %.3g off with order 4, %.3g with order 2", m.elements, m.nodes, errors[1], errors[0])
		}
	}
}
