package strain

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// someStiffness is the stiffness of an element with an arbitrary section: a compliance of two
// values with a random share of the length for the first.
func someStiffness(random *rand.Rand) rod.LinearStrainStiffness {
	one := func() (k, c, s float64) {
		share, a, b := 0.3+0.4*random.Float64(), 1+random.Float64(), 1+random.Float64()
		c0 := share*a + (1-share)*b
		c1 := (a - b) * share * (share - 1) / 2
		third := func(x float64) float64 { return math.Pow(x-0.5, 3) / 3 }
		c2 := a*(third(share)-third(0)) + b*(third(1)-third(share))
		d := c0*c2 - c1*c1
		return c2 / d, -c1 / d, c0 / (12 * d)
	}
	var w rod.LinearStrainStiffness
	w.Mean.X, w.Coupling.X, w.Slope.X = one()
	w.Mean.Y, w.Coupling.Y, w.Slope.Y = one()
	w.Mean.Z, w.Coupling.Z, w.Slope.Z = one()
	return w
}

// someElement is an element of order 4 with all its terms of one magnitude, and the reference
// strain of its damping.
func someElement(t *testing.T, random *rand.Rand, damping float64) (element, linearStrain) {
	t.Helper()
	r := soft(t, 4)
	r.Properties[1].Shear, r.Properties[1].Bend = someStiffness(random), someStiffness(random)
	e := newElement(r, 1, damping)
	pair := func(size float64) spatial.Twist {
		return spatial.Twist{Linear: some(random, size), Angular: some(random, size)}
	}
	e.rest = pair(0.5)
	e.restForce, e.restMoment = e.linear.Mul(e.rest.Linear), e.angular.Mul(e.rest.Angular)
	return e, linearStrain{pair(0.5), pair(0.5)}
}

// nudged returns x with its component k increased by h.
func nudged(x spatial.Twist, k int, h float64) spatial.Twist {
	v := [6]float64{x.Linear.X, x.Linear.Y, x.Linear.Z, x.Angular.X, x.Angular.Y, x.Angular.Z}
	v[k] += h
	return twist(v)
}

// The energy of an element of any section is smallest at its slope, the stress is the gradient of
// that energy, and the stiffness the derivative of the stress.
func TestSlopeOfLeastEnergy(t *testing.T) {
	const h, gamma = 1e-5, 7.0
	random := rand.New(rand.NewPCG(11, 0))
	for _, damping := range []float64{0, 0.1} {
		for range 5 {
			e, hat := someElement(t, random, damping)
			x := spatial.Twist{Linear: some(random, 0.8), Angular: some(random, 0.8)}
			var o condensedElement
			e.condenseSlope(&x, &hat, gamma*damping, &o)
			at := func(slope spatial.Twist) float64 {
				y := newLinearStrain(&x, &slope)
				return e.elasticEnergy(&y) + gamma*damping*e.quadraticForm(y.minus(&hat.mean, &hat.slope))
			}
			least := at(o.slope)
			potential := func(x spatial.Twist) float64 {
				var o condensedElement
				e.condenseSlope(&x, &hat, gamma*damping, &o)
				return e.potential(&x, &hat, gamma*damping, &o)
			}
			bend := func(x spatial.Twist, k *stiffness) (n, m spatial.Vec) {
				var o condensedElement
				e.condenseSlope(&x, &hat, gamma*damping, &o)
				return e.stressAndStiffness(&x, &hat, gamma*damping, &o, k)
			}
			if p := potential(x); !(math.Abs(p-least) < 1e-12*math.Abs(least)) {
				t.Errorf("damping %g: potential %.15g J, want %.15g", damping, p, least)
			}
			for k := range 6 {
				up, down := at(nudged(o.slope, k, h)), at(nudged(o.slope, k, -h))
				if !(math.Abs(up-down) < 2*h*1e-6) || !(up > least) || !(down > least) {
					t.Errorf("damping %g: component %d of the slope is not that of least energy: %g J below, %g J above", damping, k, down-least, up-least)
				}
			}
			var stiff, other stiffness
			n, m := bend(x, &stiff)
			stress := wrench6(spatial.Wrench{Force: n, Moment: m})
			full := spatial.Blocks6(stiff.k11, stiff.k21.T(), stiff.k21, stiff.k22)
			for k := range 6 {
				up, down := nudged(x, k, h), nudged(x, k, -h)
				slope := (potential(up) - potential(down)) / (2 * h)
				if !(math.Abs(slope-stress[k]) < 1e-7) {
					t.Errorf("damping %g: stress %d is %.9g, the energy rises by %.9g", damping, k, stress[k], slope)
				}
				nu, mu := bend(up, &other)
				nd, md := bend(down, &other)
				rise := wrench6(spatial.Wrench{Force: nu.Sub(nd).Scale(0.5 / h), Moment: mu.Sub(md).Scale(0.5 / h)})
				column := make([]float64, 6)
				for i := range column {
					column[i] = full[6*i+k]
				}
				within(t, "column of the stiffness", column, rise, 1e-7)
			}
		}
	}
}

// The largest strain is that at the ends of elements, for shear and stretch as for curvature.
func TestMaxStrainOfSlopes(t *testing.T) {
	r := soft(t, 4)
	s := New(r, Options{KelvinVoigt: make([]float64, r.Elements)})
	s.hasDamping = true // so that slopes are state
	for _, c := range []struct {
		slope spatial.Twist
		want  float64
	}{
		{spatial.Twist{Linear: spatial.Vec{X: 0.006, Y: 0.008}}, 0.05}, {spatial.Twist{Linear: spatial.Vec{Z: -0.03}}, 0.15},
		{spatial.Twist{Angular: spatial.Vec{X: 0.6, Y: 0.8}}, 0.02 * 5}, {spatial.Twist{Angular: spatial.Vec{Z: -2}}, 0.02 * 10},
	} {
		s.Reset()
		s.slope[2] = c.slope
		// x for which the mean is that at rest
		rest := s.elements[2].rest
		y := newLinearStrain(&s.Strain[2], &s.slope[2])
		for range 50 {
			d := y.minus(&rest, &spatial.Twist{})
			s.Strain[2].Linear, s.Strain[2].Angular = s.Strain[2].Linear.Sub(d.mean.Linear), s.Strain[2].Angular.Sub(d.mean.Angular)
			y = newLinearStrain(&s.Strain[2], &s.slope[2])
		}
		if got := s.MaxStrain(); !(math.Abs(got-c.want) < 1e-9) {
			t.Errorf("slope %v: largest strain %.12g, want %g", c.slope, got, c.want)
		}
	}
}

// Begin invalidates the slopes of damped elements, since the reference strain of damping changes.
func TestBeginCondensesDampedElements(t *testing.T) {
	s := between(t, 4, everything, 6)
	s.Commit()
	s.Begin(integrate.NewBDF(2, 0.002, 0.01), 0, make([]spatial.Wrench, len(s.Pose)))
	got := s.Potential()
	s.UpdateKinematics()
	if want := s.Potential(); got != want {
		t.Errorf("potential at the beginning of a step %.17g J, of the same strains %.17g J", got, want)
	}
}
