package rigid

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// formulations are those of implicit steps.
func formulations[L Loads](b *Body, l L, anchor spatial.Vec) map[string]integrate.Constrained {
	return map[string]integrate.Constrained{
		"inertial":         Inertial[L]{b, l, anchor},
		"rotation vector":  NewRotationVector(b, l, anchor),
		"Euler parameters": NewEulerParameters(b, l, anchor),
		"Tait-Bryan":       NewTaitBryan(b, l, anchor),
	}
}

// The tangents are the derivatives of the residual and of the constraints, by central
// differences: M, C and B of all formulations, BT on a step that turns the body far, and
// K of Kynema's, which it has in full.
func TestTangents(t *testing.T) {
	const h, tolerance = 1e-5, 1e-8
	p := asymmetric()
	p.Pivot = &spatial.Vec{X: 0.1, Y: -0.2, Z: 0.15}
	b := mustBody(t, p)
	anchor := spatial.Vec{X: 1, Y: 2, Z: 3}
	for name, s := range formulations(b, newViscous(b, 2), anchor) {
		if name == "inertial" { // K leaves out what loads and joints depend on attitude
			free := asymmetric()
			checkTangents(t, "K of "+name, Inertial[weightless]{mustBody(t, free), weightless{}, anchor}, h, tolerance, true)
		}
		checkTangents(t, name, s, h, tolerance, false)
	}
}

type weightless struct{}

func (weightless) Wrench(float64, integrate.Motion) (f spatial.Wrench)              { return f }
func (weightless) Damping(float64, integrate.Motion) (d spatial.Mat6, worthIt bool) { return d, false }
func (weightless) VelocityIndependent() bool                                        { return true }

// checkTangents compares the tangents at a point somewhere after a step.
func checkTangents(t *testing.T, name string, s integrate.Constrained, h, tolerance float64, stiffness bool) {
	t.Helper()
	n, m := s.Size()
	var start, at integrate.Point
	s.SetPoint(tumble(), &start)
	d := [row]float64{0.1, -0.2, 0.05, 0.3, -0.4, 0.2}
	if n == 7 { // keep the norm, so that the matrix of a quaternion is a rotation
		d = [row]float64{0.1, -0.2, 0.05}
	}
	at = start
	s.Advance(&start.Q, &d, &at)
	at.A = [row]float64{1, -2, 0.5, 0.7, 0.3, -0.9, 0.2}
	assemble := func(p integrate.Point, d [row]float64) integrate.Equations {
		var e integrate.Equations
		if err := s.Assemble(0, &p, &d, &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := assemble(at, d)
	var moved [integrate.MaxConstraints][row]float64
	for j := range n {
		pair := func(change func(p *integrate.Point, d *[row]float64, by float64)) (up, down integrate.Equations) {
			for i, by := range [2]float64{h, -h} {
				p, moved := at, d
				change(&p, &moved, by)
				if i == 0 {
					up = assemble(p, moved)
				} else {
					down = assemble(p, moved)
				}
			}
			return up, down
		}
		byA, fromA := pair(func(p *integrate.Point, _ *[row]float64, by float64) { p.A[j] += by })
		byV, fromV := pair(func(p *integrate.Point, _ *[row]float64, by float64) { p.V[j] += by })
		byD, fromD := pair(func(p *integrate.Point, d *[row]float64, by float64) {
			d[j] += by
			s.Advance(&start.Q, d, p)
		})
		for i := range n {
			what := fmt.Sprintf("%s [%d][%d]", name, i, j)
			near(t, what+" M", e.M[i*row+j], (byA.Residual[i]-fromA.Residual[i])/(2*h), tolerance)
			near(t, what+" C", e.C[i*row+j], (byV.Residual[i]-fromV.Residual[i])/(2*h), tolerance)
			if stiffness {
				near(t, what+" K", e.K[i*row+j], (byD.Residual[i]-fromD.Residual[i])/(2*h), tolerance)
			}
		}
		for i := range m {
			what := fmt.Sprintf("%s [%d][%d]", name, i, j)
			near(t, what+" B", e.B[i*row+j], (byV.PhiRate[i]-fromV.PhiRate[i])/(2*h), tolerance)
			moved[i][j] = (byD.Phi[i] - fromD.Phi[i]) / (2 * h)
		}
	}
	for i := range m {
		if n == 7 && i < 3 { // off the unit sphere a quaternion's matrix is no rotation
			removeRadial(&moved[i], &at.Q)
		}
		for j := range n {
			near(t, fmt.Sprintf("%s [%d][%d] BT", name, i, j), e.BT[i*row+j], moved[i][j], tolerance)
		}
	}
}

// removeRadial takes the part along the quaternion of q out of the gradient g.
func removeRadial(g, q *[row]float64) {
	along := 0.0
	for j := 3; j < 7; j++ {
		along += g[j] * q[j]
	}
	for j := 3; j < 7; j++ {
		g[j] -= along * q[j]
	}
}

// The accelerations that implicit methods start with are those of Newton and Euler, and
// the reaction of the joint balances them.
func TestConsistentAccelerations(t *testing.T) {
	for _, pivot := range []*spatial.Vec{nil, {X: 0.1, Y: -0.2, Z: 0.15}} {
		p := asymmetric()
		p.Pivot = pivot
		b := mustBody(t, p)
		v, anchor := newViscous(b, 2), spatial.Vec{X: 1, Y: 2, Z: 3}
		x := b.Hold(tumble(), anchor)
		a := b.Acceleration(x.V, v.Wrench(0, x))
		r := x.Q.Rot()
		linear, angular := r.Apply(a.Linear.Add(x.V.Angular.Cross(x.V.Linear))), a.Angular
		for name, s := range formulations(b, v, anchor) {
			m := integrate.NewTrapezoidal(s)
			if err := m.Begin(0, x); err != nil {
				t.Fatal(err)
			}
			q := m.Point()
			nearVec(t, name+" acceleration", spatial.VecAt(q.A[:]), linear, 1e-11)
			// the next velocities after a moment are those of these accelerations
			const h = 1e-6
			next := q
			for i := range row {
				next.V[i] += h * q.A[i]
			}
			d := q.V
			for i := range d {
				d[i] *= h
			}
			s.Advance(&q.Q, &d, &next)
			w := s.MotionOf(&next).V.Angular.Sub(x.V.Angular).Scale(1 / h)
			nearVec(t, name+" angular acceleration", w, angular, 2e-4)
		}
	}
}

// pulsing is a load that changes with time, turning with the body and in the world.
type pulsing struct{ *Constant }

func (p pulsing) Wrench(t float64, x integrate.Motion) spatial.Wrench {
	sin, cos := math.Sincos(7 * t)
	now := *p.Constant
	now.Fixed.Moment = now.Fixed.Moment.Scale(cos)
	now.World.Force = now.World.Force.Scale(sin)
	return now.Wrench(t, x)
}

// Loads that change with time are taken at the right times: order by halving, against
// RKMK4 with a fine step. A force on the centre of mass and a moment about the body's axis
// have closed forms.
func TestLoadsOfTime(t *testing.T) {
	const duration = 0.5
	b := mustBody(t, diagonal(2, [3]float64{0.5, 0.7, 0.9}))
	load := pulsing{&Constant{Body: b, World: spatial.Wrench{Force: spatial.Vec{X: 3, Y: -2}}, Fixed: spatial.Wrench{Moment: spatial.Vec{Z: 4}}}}
	sin, cos := math.Sincos(7 * duration)
	spin := 4 * sin / 7 / 0.9                                         // ∫ 4 cos 7t/J
	way := load.World.Force.Scale((duration/7 - sin/49) / 2)          // ∬ F sin 7t/m
	want := spatial.ExpQuat(spatial.Vec{Z: 4 * (1 - cos) / 49 / 0.9}) // ∬ of the first
	run := func(o Options, n int) float64 {
		m, err := NewStepper(o, b, load, spatial.Vec{})
		if err != nil {
			t.Fatal(err)
		}
		x := march(t, m, duration/float64(n), n, still())
		return math.Max(x.P.Sub(way).Norm(), math.Max(angle(x.Q, want), math.Abs(x.V.Angular.Z-spin)))
	}
	for o, order := range map[Options]float64{
		{Method: LieEuler}: 1, {Method: Splitting}: 2, {Method: RKMK4}: 4, {Method: CG4}: 4,
		{Method: GeneralizedAlpha, Parametrization: RotationVectorXYZ, SpectralRadius: 0.9}: 2,
		{Method: Trapezoidal, Parametrization: QuaternionCoordinates}:                       2,
	} {
		coarse, fine := run(o, 40), run(o, 80)
		if got := math.Log2(coarse / fine); math.Abs(got-order) > 0.2 {
			t.Errorf("%s: %.3g, then %.3g: order %.2f, want %g", o.Method, coarse, fine, got, order)
		}
	}
}

// A constant force and moment that turn with the body, about axes of inertia.
func TestFixedLoad(t *testing.T) {
	b := mustBody(t, diagonal(2, [3]float64{0.5, 0.7, 0.9}))
	load := &Constant{Body: b, Fixed: spatial.Wrench{Force: spatial.Vec{Z: 3}, Moment: spatial.Vec{Z: 4}}}
	x := march(t, integrate.NewRKMK4(System[*Constant]{b, load}), 0.01, 100, still())
	nearVec(t, "position", x.P, spatial.Vec{Z: 3. / 2 / 2}, 1e-12)
	nearVec(t, "angular velocity", x.V.Angular, spatial.Vec{Z: 4 / 0.9}, 1e-12)
}
