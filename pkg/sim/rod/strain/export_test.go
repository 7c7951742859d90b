package strain

import (
	"math/rand/v2"

	"sinew/pkg/sim/spatial"
)

// Unexported names for the external tests.
var MaxAbs = maxAbs

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

// Magnetised returns options with midpoint loads as large as the other bending loads.
func Magnetised() Options {
	random := rand.New(rand.NewPCG(21, 0))
	moments := make(magnetic, 4)
	for e := range moments {
		moments[e] = some(random, 0.2)
	}
	o := Everything
	o.MidpointLoads = moments
	return o
}

// Total returns force and moment about the origin of wrenches in body axes.
func Total(pose []spatial.Pose, w []spatial.Wrench) (f, m spatial.Vec) {
	for i, g := range pose {
		force := g.R.Apply(w[i].Force)
		f, m = f.Add(force), m.Add(g.P.Cross(force)).Add(g.R.Apply(w[i].Moment))
	}
	return f, m
}
