package strain

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/spatial"
)

// TransferWrenches converts wrenches of stresses at one shape to those of the same stresses at
// another.
func TestTransferredWrenchesKeepStresses(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	number := func() float64 { return 2*random.Float64() - 1 }
	vec := func() spatial.Vec { return spatial.Vec{X: number(), Y: number(), Z: number()} }
	const n = 7
	shape := func() StrainDisplacement {
		c := StrainDisplacement{strain: make([]spatial.Twist, n), even: make([]spatial.Even, n)}
		for e := range n {
			c.strain[e] = spatial.Twist{Linear: vec().Add(spatial.Vec{Z: 3}), Angular: vec()}
			c.even[e] = spatial.EvenOf(c.strain[e])
		}
		return c
	}
	here, there := shape(), shape()
	s := &State{Strain: here.strain, evenParts: here.even}
	force, moment := make([]spatial.Vec, n), make([]spatial.Vec, n)
	for e := range n {
		force[e], moment[e] = vec(), vec()
	}
	wrenches := func(c *StrainDisplacement) []spatial.Vec6 {
		all := make([]spatial.Wrench, n+1)
		for e := range n {
			a, b := nodalWrenches(&c.even[e], &c.strain[e], force[e], moment[e])
			all[e].Force, all[e].Moment = all[e].Force.Add(a.Force), all[e].Moment.Add(a.Moment)
			all[e+1].Force, all[e+1].Moment = all[e+1].Force.Add(b.Force), all[e+1].Moment.Add(b.Moment)
		}
		x := make([]spatial.Vec6, n)
		for i := range x {
			x[i] = spatial.Vec6Of(all[i+1].Force, all[i+1].Moment)
		}
		return x
	}
	got, want := wrenches(&here), wrenches(&there)
	there.TransferWrenches(s, got)
	for i := range want {
		for j := range want[i] {
			if !(math.Abs(got[i][j]-want[i][j]) < 1e-12) {
				t.Errorf("node %d: component %d is %v, want %v", i+1, j, got[i][j], want[i][j])
			}
		}
	}
}
