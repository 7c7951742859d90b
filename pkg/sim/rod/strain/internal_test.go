package strain

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

// along returns the inextensible coordinates of x as a slice.
func along(x spatial.Twist) []float64 {
	p := inextensibleCoordsOf(&x)
	return []float64{p.x, p.y, p.q, p.angular.X, p.angular.Y, p.angular.Z}
}

// somewhere is an element of 0.1 m that is bent, sheared, stretched and twisted by up to size.
func somewhere(random *rand.Rand, size float64) spatial.Twist {
	d := spatial.Twist{}
	for _, x := range []*float64{&d.Linear.X, &d.Linear.Y, &d.Linear.Z, &d.Angular.X, &d.Angular.Y, &d.Angular.Z} {
		*x = size * (2*random.Float64() - 1)
	}
	d.Linear = d.Linear.Scale(0.1)
	return d
}

// An increment in inextensible coordinates starts at x, has the increment as its derivative there,
// and is linear in the coordinates.
func TestInextensibleIncrements(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		x, d := somewhere(random, 0.4), somewhere(random, 0.4)
		x.Linear.Z += 0.1
		p := inextensibleCoordsOf(&x)
		Within(t, "x of its path", sixOf(p.strain()), sixOf(x), 1e-14)
		const h = 1e-6
		a, b := addInextensible(&x, &d, h), addInextensible(&x, &d, -h)
		Within(t, "beginning of the path", sixOf(spatial.Twist{
			Linear: a.Linear.Sub(b.Linear).Scale(1 / (2 * h)), Angular: a.Angular.Sub(b.Angular).Scale(1 / (2 * h)),
		}), sixOf(d), 1e-8)
		whole, half, start := along(addInextensible(&x, &d, 1)), along(addInextensible(&x, &d, 0.5)), along(x)
		y := addInextensible(&x, &d, 1)
		z := addInextensible(&x, &d, -0.7)
		on := along(extrapolateCoords([]*spatial.Twist{&y, &x, &z}, []float64{0.5, -0.25})) // 1 + 0.5 − 0.25 · 0.7
		for i := range whole {
			Within(t, "coordinate half-way", []float64{half[i]}, []float64{(whole[i] + start[i]) / 2}, 1e-12)
			Within(t, "coordinate a third as far again", []float64{on[i]}, []float64{1.325*whole[i] - 0.325*start[i]}, 1e-12)
		}
	}
}

// Where an element has its rest strain but for the slope, an increment of the slope in these
// coordinates does not stretch it, and one in x stretches it with its square.
func TestInextensibleIncrementsDoNotStretch(t *testing.T) {
	mean := func(x spatial.Twist, slope spatial.Vec) float64 {
		y := newLinearStrain(&x, &spatial.Twist{Angular: slope})
		return y.mean.Linear.Sub(spatial.Vec{Z: 0.1}).Norm() / 0.1
	}
	x := spatial.Twist{Linear: spatial.Vec{Z: 0.1}}
	d := spatial.Twist{Linear: spatial.Vec{X: 0.001, Y: -0.002}, Angular: spatial.Vec{X: 0.3, Y: 0.2, Z: 0.1}}
	slope := spatial.Vec{X: -0.24, Y: -0.12} // slope for which the mean is (0, 0, 0.1) along the increment
	if s := mean(addInextensible(&x, &d, 1), slope); !(s < 1e-15) {
		t.Errorf("the path stretches or shears by %.3g", s)
	}
	line := spatial.Twist{Linear: x.Linear.Add(d.Linear), Angular: d.Angular}
	if s := mean(line, slope); !(math.Abs(s-5e-4) < 1e-5) {
		t.Errorf("a straight line stretches by %.3g, want 5e-4", s)
	}
}

func sixOf(x spatial.Twist) []float64 {
	return Wrench6(spatial.Wrench{Force: x.Linear, Moment: x.Angular})
}

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
			stress := Wrench6(spatial.Wrench{Force: n, Moment: m})
			full := spatial.Blocks6(stiff.k11, stiff.k21.T(), stiff.k21, stiff.k22)
			for k := range 6 {
				up, down := nudged(x, k, h), nudged(x, k, -h)
				slope := (potential(up) - potential(down)) / (2 * h)
				if !(math.Abs(slope-stress[k]) < 1e-7) {
					t.Errorf("damping %g: stress %d is %.9g, the energy rises by %.9g", damping, k, stress[k], slope)
				}
				nu, mu := bend(up, &other)
				nd, md := bend(down, &other)
				rise := Wrench6(spatial.Wrench{Force: nu.Sub(nd).Scale(0.5 / h), Moment: mu.Sub(md).Scale(0.5 / h)})
				column := make([]float64, 6)
				for i := range column {
					column[i] = full[6*i+k]
				}
				Within(t, "column of the stiffness", column, rise, 1e-7)
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

// derivative returns that of f at 0, from central differences with Richardson's extrapolation.
func derivative(f func(h float64) float64) float64 {
	const h = 0.02
	var d [4]float64
	for i := range d {
		x := h / float64(int(1)<<i)
		d[i] = (f(x) - f(-x)) / (2 * x)
		factor := 1.0
		for k := i - 1; k >= 0; k-- {
			factor *= 4
			d[k] = d[k+1] + (d[k+1]-d[k])/(factor-1)
		}
	}
	return d[0]
}

// With midpoint loads wrenches are minus the gradient of the potential to 1e-9, and the tangent is
// the derivative of the wrenches, for soft elements that bend by half a radian.
func TestMidpointLoadsAreDerivatives(t *testing.T) {
	for _, order := range []int{4, tapered} {
		for _, o := range []Options{Magnetised(), {MidpointLoads: Magnetised().MidpointLoads}} {
			s := New(soft(t, order), o)
			random := rand.New(rand.NewPCG(22, 0))
			s.BeginStatic()
			for e := range s.Strain {
				s.Strain[e].Linear = s.Strain[e].Linear.Add(some(random, 0.01))
				s.Strain[e].Angular = s.Strain[e].Angular.Add(some(random, 0.5))
			}
			s.UpdatePoses()
			q := Assembled(s)
			at := func(eta []spatial.Vec6, h float64, f func() float64) float64 {
				s.MoveNodes(eta, h)
				defer s.Undo()
				return f()
			}
			for range 5 {
				eta, other := Increments(random, 4, 1), Increments(random, 4, 1)
				work, size := workOf(q, eta)
				got := -derivative(func(h float64) float64 { return at(eta, h, s.Potential) })
				if !(math.Abs(got-work) < 1e-9*size) {
					t.Errorf("order %d: work %.12g J, the potential falls by %.12g J", order, work, got)
				}
				want, scale := 0.0, 0.0
				for i, r := range q.resistance(eta) {
					for k := range r {
						want += r[k] * other[i][k]
						scale += math.Abs(r[k] * other[i][k])
					}
				}
				fall := -derivative(func(h float64) float64 {
					return at(eta, h, func() float64 { w, _ := workOf(Assembled(s), other); return w })
				})
				if !(math.Abs(fall-want) < 1e-8*scale) {
					t.Errorf("order %d: tangent %.12g, differences give %.12g", order, want, fall)
				}
			}
			bare := New(soft(t, order), Options{})
			copy(bare.Strain, s.Strain)
			bare.BeginStatic()
			bare.UpdatePoses()
			a, b := Assembled(s).Wrench[1], Assembled(bare).Wrench[1]
			if d := a.Moment.Sub(b.Moment).Norm(); !(d > 0.01) {
				t.Errorf("order %d: loads change a moment by %g N m: the test shows little", order, d)
			}
		}
	}
}

// workOf returns the work of the wrenches along increments, and the sum of the magnitudes of its
// terms.
func workOf(q *Equations, eta []spatial.Vec6) (work, size float64) {
	for i := range eta {
		w := spatial.Vec6Of(q.Wrench[i+1].Force, q.Wrench[i+1].Moment)
		for k := range w {
			work += w[k] * eta[i][k]
			size += math.Abs(w[k] * eta[i][k])
		}
	}
	return work, size
}

// The wrenches of a midpoint load on the ends of its element have the moment of the load about any
// point, for any bend of the element; the base has its part.
func TestMidpointLoadsBalance(t *testing.T) {
	s := Between(t, 4, Magnetised(), 24)
	s.Commit()
	at := s.midpointPose(0)
	l := s.opt.MidpointLoads.Load(0, s.CommittedLoadPlacement())
	h := newMidpointMap(&s.Strain[0])
	a, b := h.endWrenches(&l.Wrench)
	f, m := Total([]spatial.Pose{s.Pose[0], s.Pose[1]}, []spatial.Wrench{a, b})
	wantF, wantM := Total([]spatial.Pose{at}, []spatial.Wrench{l.Wrench})
	Within(t, "force", Wrench6(spatial.Wrench{Force: f}), Wrench6(spatial.Wrench{Force: wantF}), 1e-12)
	Within(t, "moment", Wrench6(spatial.Wrench{Force: m}), Wrench6(spatial.Wrench{Force: wantM}), 1e-12)
	Within(t, "share of the base", Wrench6(s.MidpointBaseWrench()), Wrench6(a), 1e-14)
	if s.opt.MidpointLoads = nil; New(s.rod, s.opt).MidpointBaseWrench() != (spatial.Wrench{}) {
		t.Error("without loads the base has a share")
	}
}
