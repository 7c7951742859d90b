package strain

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/spatial"
)

// magnetic are dipoles at the midpoints of all elements but the third, in the field that is the
// gradient of a polynomial of third degree.
type magnetic []spatial.Vec

func (m magnetic) HasLoad(e int) bool { return e != 2 }

// field returns the field at p and its gradient.
func (m magnetic) field(p spatial.Vec) (b spatial.Vec, g spatial.Mat3) {
	g = spatial.Mat3{XX: 2 + 2*p.X, XY: 1 - 2*p.Y, XZ: -1, YX: 1 - 2*p.Y, YY: -3 - 2*p.X, YZ: 2, ZX: -1, ZY: 2, ZZ: 1}
	linear := spatial.Mat3{XX: 2, XY: 1, XZ: -1, YX: 1, YY: -3, YZ: 2, ZX: -1, ZY: 2, ZZ: 1}
	b = spatial.Vec{X: 0.5, Y: -1, Z: 0.8}.Add(linear.Apply(p)).Add(spatial.Vec{X: p.X*p.X - p.Y*p.Y, Y: -2 * p.X * p.Y})
	return b, g
}

func (m magnetic) IsCoupled() bool { return false }

func (m magnetic) Torque(e int, placed *LoadPlacement) (spatial.Vec, float64) {
	at := &placed.Midpoints[e]
	b, _ := m.field(at.P)
	b = at.R.ApplyT(b)
	return m[e].Cross(b), -m[e].Dot(b)
}

func (m magnetic) Load(e int, placed *LoadPlacement) (l MidpointLoad) {
	at, turn := &placed.Midpoints[e], placed.SlopeRotations[e]
	b, g := m.field(at.P)
	b, g = at.R.ApplyT(b), at.R.TMul(g.Mul(at.R))
	a := m[e].Add(turn.Cross(m[e]))
	w := at.R.Apply(a)
	slope := at.R.TMul(spatial.Mat3{XX: 2 * w.X, XY: -2 * w.Y, YX: -2 * w.Y, YY: -2 * w.X}.Mul(at.R))
	l.Wrench = spatial.Wrench{Force: g.Apply(a), Moment: a.Cross(b)}
	l.LinLin = lowerOf(&slope)
	l.LinLin = spatial.Lower3{XX: -l.LinLin.XX, YX: -l.LinLin.YX, YY: -l.LinLin.YY, ZX: -l.LinLin.ZX, ZY: -l.LinLin.ZY, ZZ: -l.LinLin.ZZ}
	l.RotLin = spatial.Skew(l.Wrench.Force.Scale(0.5)).Sub(spatial.Skew(a).Mul(g))
	turning := spatial.Diag3(spatial.Vec{X: a.Dot(b), Y: a.Dot(b), Z: a.Dot(b)})
	half, b2 := a.Scale(-0.5), b.Scale(-0.5)
	turning.AddOuter(&half, &b)
	turning.AddOuter(&b2, &a)
	l.RotRot = lowerOf(&turning)
	l.TorqueByDisplacement, l.TorqueByRotation = spatial.Skew(m[e]).Mul(g), spatial.Skew(m[e]).Mul(spatial.Skew(b))
	return l
}

// magnetised returns options with midpoint loads as large as the other bending loads.
func magnetised() Options {
	random := rand.New(rand.NewPCG(21, 0))
	moments := make(magnetic, 4)
	for e := range moments {
		moments[e] = some(random, 0.2)
	}
	o := everything
	o.MidpointLoads = moments
	return o
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
		for _, o := range []Options{magnetised(), {MidpointLoads: magnetised().MidpointLoads}} {
			s := New(soft(t, order), o)
			random := rand.New(rand.NewPCG(22, 0))
			s.BeginStatic()
			for e := range s.Strain {
				s.Strain[e].Linear = s.Strain[e].Linear.Add(some(random, 0.01))
				s.Strain[e].Angular = s.Strain[e].Angular.Add(some(random, 0.5))
			}
			s.UpdatePoses()
			q := assembled(s)
			at := func(eta []spatial.Vec6, h float64, f func() float64) float64 {
				s.MoveNodes(eta, h)
				defer s.Undo()
				return f()
			}
			for range 5 {
				eta, other := increments(random, 4, 1), increments(random, 4, 1)
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
					return at(eta, h, func() float64 { w, _ := workOf(assembled(s), other); return w })
				})
				if !(math.Abs(fall-want) < 1e-8*scale) {
					t.Errorf("order %d: tangent %.12g, differences give %.12g", order, want, fall)
				}
			}
			bare := New(soft(t, order), Options{})
			copy(bare.Strain, s.Strain)
			bare.BeginStatic()
			bare.UpdatePoses()
			a, b := assembled(s).Wrench[1], assembled(bare).Wrench[1]
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

// AssembleElementWrenches gives the wrenches of AssembleElements with midpoint loads.
func TestElementWrenchesWithMidpointLoads(t *testing.T) {
	s := between(t, 4, magnetised(), 23)
	want := assembled(s)
	got := make([]spatial.Wrench, len(s.Pose))
	s.AssembleElementWrenches(got)
	s.AssembleElements(want)
	for i := range got {
		within(t, "wrench", wrench6(got[i]), wrench6(want.Wrench[i]), 1e-13)
	}
}

// The wrenches of a midpoint load on the ends of its element have the moment of the load about any
// point, for any bend of the element; the base has its part.
func TestMidpointLoadsBalance(t *testing.T) {
	s := between(t, 4, magnetised(), 24)
	s.Commit()
	at := s.midpointPose(0)
	l := s.opt.MidpointLoads.Load(0, s.CommittedLoadPlacement())
	h := newMidpointMap(&s.Strain[0])
	a, b := h.endWrenches(&l.Wrench)
	f, m := total([]spatial.Pose{s.Pose[0], s.Pose[1]}, []spatial.Wrench{a, b})
	wantF, wantM := total([]spatial.Pose{at}, []spatial.Wrench{l.Wrench})
	within(t, "force", wrench6(spatial.Wrench{Force: f}), wrench6(spatial.Wrench{Force: wantF}), 1e-12)
	within(t, "moment", wrench6(spatial.Wrench{Force: m}), wrench6(spatial.Wrench{Force: wantM}), 1e-12)
	within(t, "share of the base", wrench6(s.MidpointBaseWrench()), wrench6(a), 1e-14)
	if s.opt.MidpointLoads = nil; New(s.rod, s.opt).MidpointBaseWrench() != (spatial.Wrench{}) {
		t.Error("without loads the base has a share")
	}
}
