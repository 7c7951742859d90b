package integrate

import "sinew/pkg/sim/spatial"

// MultiBodyKinematics is a first-order system of interacting bodies.
type MultiBodyKinematics interface {
	// Velocities writes the velocity of each body at x at time t, as Kinematics.Velocity does: of
	// the reference point in world axes to v, and angular in body axes to w. All slices have one
	// element per body.
	Velocities(t float64, x []Placement, v, w []spatial.Vec)
}

// MultiBody is the scratch of methods that step many bodies at once. The methods are those for one
// body, where each stage advances all bodies. They change x, which has at most as many bodies as
// the scratch.
type MultiBody struct {
	stage []Placement
	v, w  [4][]spatial.Vec
}

// NewMultiBody returns the scratch for up to n bodies.
func NewMultiBody(n int) *MultiBody {
	m := &MultiBody{stage: make([]Placement, n)}
	for i := range m.v {
		m.v[i], m.w[i] = make([]spatial.Vec, n), make([]spatial.Vec, n)
	}
	return m
}

// LieEuler is the function LieEuler for many bodies.
func (m *MultiBody) LieEuler(s MultiBodyKinematics, t, h float64, x []Placement) {
	m.evaluate(s, 0, t, x)
	m.move(x, x, h, 0)
	normalize(x)
}

// LieMidpoint is the function LieMidpoint for many bodies.
func (m *MultiBody) LieMidpoint(s MultiBodyKinematics, t, h float64, x []Placement) {
	stage := m.stage[:len(x)]
	m.evaluate(s, 0, t, x)
	m.move(stage, x, h/2, 0)
	m.evaluate(s, 1, t+h/2, stage)
	m.move(x, x, h, 1)
	normalize(x)
}

// RKMK4 is the function RKMK4 for many bodies.
func (m *MultiBody) RKMK4(s MultiBodyKinematics, t, h float64, x []Placement) {
	reach := [4]float64{h / 2, h / 2, h} // of the stages after the first
	stage := m.stage[:len(x)]
	m.evaluate(s, 0, t, x)
	for k := 1; k < 4; k++ {
		m.move(stage, x, reach[k-1], k-1)
		m.evaluate(s, k, t+reach[k-1], stage)
		w, before := m.w[k][:len(x)], m.w[k-1]
		for i := range w {
			w[i] = dexpInv(before[i].Scale(reach[k-1]), w[i])
		}
	}
	for _, d := range []*[4][]spatial.Vec{&m.v, &m.w} {
		a, b, c, e := d[0][:len(x)], d[1][:len(x)], d[2][:len(x)], d[3][:len(x)]
		for i := range a {
			a[i] = weightedSum(h/6, a[i], b[i], c[i], e[i])
		}
	}
	m.move(x, x, 1, 0)
	normalize(x)
}

// evaluate sets the velocities of stage k to those at x.
func (m *MultiBody) evaluate(s MultiBodyKinematics, k int, t float64, x []Placement) {
	s.Velocities(t, x, m.v[k][:len(x)], m.w[k][:len(x)])
}

// move sets dst to x after h seconds with the velocities of stage k. Quat.Mul is inlined by hand,
// since a call takes longer than the product.
func (m *MultiBody) move(dst, x []Placement, h float64, k int) {
	dst, v, w := dst[:len(x)], m.v[k][:len(x)], m.w[k][:len(x)]
	for i := range x {
		u, q := w[i].Scale(h), x[i].Q
		s := 0.25 * u.Norm2()
		if !(s < tinySeriesMax) {
			dst[i] = x[i].displaced(v[i].Scale(h), u)
			continue
		}
		a := expTiny(u, s)
		dst[i].Q = spatial.Quat{
			W: q.W*a.W - q.X*a.X - q.Y*a.Y - q.Z*a.Z,
			X: q.W*a.X + q.X*a.W + q.Y*a.Z - q.Z*a.Y,
			Y: q.W*a.Y - q.X*a.Z + q.Y*a.W + q.Z*a.X,
			Z: q.W*a.Z + q.X*a.Y - q.Y*a.X + q.Z*a.W,
		}
		dst[i].P = x[i].P.AddScaled(h, v[i])
	}
}

func normalize(x []Placement) {
	for i := range x {
		x[i].Q = x[i].Q.Normalized()
	}
}
