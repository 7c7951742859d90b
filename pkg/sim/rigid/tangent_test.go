package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
)

// formulations are those of implicit steps.
func formulations[L rigid.Loads](b *rigid.Body, l L, anchor spatial.Vec) map[string]integrate.Constrained {
	return map[string]integrate.Constrained{
		"inertial":         rigid.Inertial[L]{b, l, anchor},
		"rotation vector":  rigid.NewRotationVector(b, l, anchor),
		"Euler parameters": rigid.NewEulerParameters(b, l, anchor),
		"Tait-Bryan":       rigid.NewTaitBryan(b, l, anchor),
	}
}

// The tangents are the derivatives of the residual and of the constraints, by central
// differences: M, C and B of all formulations, BT on a step that turns the body far, and
// K of Kynema's, which it has in full.
func TestTangents(t *testing.T) {
	const h, tolerance = 1e-5, 1e-8
	p := rigid.Asymmetric()
	p.Pivot = &spatial.Vec{X: 0.1, Y: -0.2, Z: 0.15}
	b := rigid.MustBody(t, p)
	anchor := spatial.Vec{X: 1, Y: 2, Z: 3}
	for name, s := range formulations(b, newViscous(b, 2), anchor) {
		if name == "inertial" { // K leaves out what loads and joints depend on attitude
			free := rigid.Asymmetric()
			checkTangents(t, "K of "+name, rigid.Inertial[weightless]{rigid.MustBody(t, free), weightless{}, anchor}, h, tolerance, true)
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
	s.SetPoint(rigid.Tumble(), &start)
	d := [integrate.MaxVelocities]float64{0.1, -0.2, 0.05, 0.3, -0.4, 0.2}
	if n == 7 { // keep the norm, so that the matrix of a quaternion is a rotation
		d = [integrate.MaxVelocities]float64{0.1, -0.2, 0.05}
	}
	at = start
	s.Advance(&start.Q, &d, &at)
	at.A = [integrate.MaxVelocities]float64{1, -2, 0.5, 0.7, 0.3, -0.9, 0.2}
	assemble := func(p integrate.Point, d [integrate.MaxVelocities]float64) integrate.Equations {
		var e integrate.Equations
		if err := s.Assemble(0, &p, &d, &e); err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := assemble(at, d)
	var moved [integrate.MaxConstraints][integrate.MaxVelocities]float64
	for j := range n {
		pair := func(change func(p *integrate.Point, d *[integrate.MaxVelocities]float64, by float64)) (up, down integrate.Equations) {
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
		byA, fromA := pair(func(p *integrate.Point, _ *[integrate.MaxVelocities]float64, by float64) { p.A[j] += by })
		byV, fromV := pair(func(p *integrate.Point, _ *[integrate.MaxVelocities]float64, by float64) { p.V[j] += by })
		byD, fromD := pair(func(p *integrate.Point, d *[integrate.MaxVelocities]float64, by float64) {
			d[j] += by
			s.Advance(&start.Q, d, p)
		})
		for i := range n {
			what := fmt.Sprintf("%s [%d][%d]", name, i, j)
			rigid.Near(t, what+" M", e.M[i*integrate.MaxVelocities+j], (byA.Residual[i]-fromA.Residual[i])/(2*h), tolerance)
			rigid.Near(t, what+" C", e.C[i*integrate.MaxVelocities+j], (byV.Residual[i]-fromV.Residual[i])/(2*h), tolerance)
			if stiffness {
				rigid.Near(t, what+" K", e.K[i*integrate.MaxVelocities+j], (byD.Residual[i]-fromD.Residual[i])/(2*h), tolerance)
			}
		}
		for i := range m {
			what := fmt.Sprintf("%s [%d][%d]", name, i, j)
			rigid.Near(t, what+" B", e.B[i*integrate.MaxVelocities+j], (byV.PhiRate[i]-fromV.PhiRate[i])/(2*h), tolerance)
			moved[i][j] = (byD.Phi[i] - fromD.Phi[i]) / (2 * h)
		}
	}
	for i := range m {
		if n == 7 && i < 3 { // off the unit sphere a quaternion's matrix is no rotation
			removeRadial(&moved[i], &at.Q)
		}
		for j := range n {
			rigid.Near(t, fmt.Sprintf("%s [%d][%d] BT", name, i, j), e.BT[i*integrate.MaxVelocities+j], moved[i][j], tolerance)
		}
	}
}

// removeRadial takes the part along the quaternion of q out of the gradient g.
func removeRadial(g, q *[integrate.MaxVelocities]float64) {
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
		p := rigid.Asymmetric()
		p.Pivot = pivot
		b := rigid.MustBody(t, p)
		v, anchor := newViscous(b, 2), spatial.Vec{X: 1, Y: 2, Z: 3}
		x := b.Hold(rigid.Tumble(), anchor)
		a := b.Acceleration(x.V, v.Wrench(0, x))
		r := x.Q.Rot()
		linear, angular := r.Apply(a.Linear.Add(x.V.Angular.Cross(x.V.Linear))), a.Angular
		for name, s := range formulations(b, v, anchor) {
			m := integrate.NewTrapezoidal(s)
			if err := m.Begin(0, x); err != nil {
				t.Fatal(err)
			}
			q := m.Point()
			rigid.NearVec(t, name+" acceleration", spatial.VecAt(q.A[:]), linear, 1e-11)
			// the next velocities after a moment are those of these accelerations
			const h = 1e-6
			next := q
			for i := range integrate.MaxVelocities {
				next.V[i] += h * q.A[i]
			}
			d := q.V
			for i := range d {
				d[i] *= h
			}
			s.Advance(&q.Q, &d, &next)
			w := s.MotionOf(&next).V.Angular.Sub(x.V.Angular).Scale(1 / h)
			rigid.NearVec(t, name+" angular acceleration", w, angular, 2e-4)
		}
	}
}

// pulsing is a load that changes with time, turning with the body and in the world.
type pulsing struct{ *rigid.Constant }

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
	b := rigid.MustBody(t, rigid.Diagonal(2, [3]float64{0.5, 0.7, 0.9}))
	load := pulsing{&rigid.Constant{Body: b, World: spatial.Wrench{Force: spatial.Vec{X: 3, Y: -2}}, Fixed: spatial.Wrench{Moment: spatial.Vec{Z: 4}}}}
	sin, cos := math.Sincos(7 * duration)
	spin := 4 * sin / 7 / 0.9                                         // ∫ 4 cos 7t/J
	way := load.World.Force.Scale((duration/7 - sin/49) / 2)          // ∬ F sin 7t/m
	want := spatial.ExpQuat(spatial.Vec{Z: 4 * (1 - cos) / 49 / 0.9}) // ∬ of the first
	run := func(o rigid.Options, n int) float64 {
		m, err := rigid.NewStepper(o, b, load, spatial.Vec{})
		if err != nil {
			t.Fatal(err)
		}
		x := rigid.March(t, m, duration/float64(n), n, rigid.Still())
		return math.Max(x.P.Sub(way).Norm(), math.Max(rigid.Angle(x.Q, want), math.Abs(x.V.Angular.Z-spin)))
	}
	for o, order := range map[rigid.Options]float64{
		{Method: rigid.LieEuler}: 1, {Method: rigid.Splitting}: 2, {Method: rigid.RKMK4}: 4, {Method: rigid.CG4}: 4,
		{Method: rigid.GeneralizedAlpha, Parametrization: rigid.RotationVectorXYZ, SpectralRadius: 0.9}: 2,
		{Method: rigid.Trapezoidal, Parametrization: rigid.QuaternionCoordinates}:                       2,
	} {
		coarse, fine := run(o, 40), run(o, 80)
		if got := math.Log2(coarse / fine); math.Abs(got-order) > 0.2 {
			t.Errorf("%s: %.3g, then %.3g: order %.2f, want %g", o.Method, coarse, fine, got, order)
		}
	}
}

// A constant force and moment that turn with the body, about axes of inertia.
func TestFixedLoad(t *testing.T) {
	b := rigid.MustBody(t, rigid.Diagonal(2, [3]float64{0.5, 0.7, 0.9}))
	load := &rigid.Constant{Body: b, Fixed: spatial.Wrench{Force: spatial.Vec{Z: 3}, Moment: spatial.Vec{Z: 4}}}
	x := rigid.March(t, integrate.NewRKMK4(rigid.System[*rigid.Constant]{b, load}), 0.01, 100, rigid.Still())
	rigid.NearVec(t, "position", x.P, spatial.Vec{Z: 3. / 2 / 2}, 1e-12)
	rigid.NearVec(t, "angular velocity", x.V.Angular, spatial.Vec{Z: 4 / 0.9}, 1e-12)
}
