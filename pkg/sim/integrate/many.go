package integrate

import "sinew/pkg/sim/spatial"

// ManyKinematics is a first-order system of bodies that act on one another.
type ManyKinematics interface {
	// Velocities writes the velocity of each body at x at time t as
	// Kinematics.Velocity does: of the reference point in world axes to v, and in
	// body axes to w. All slices have one element per body.
	Velocities(t float64, x []Placement, v, w []spatial.Vec)
}

// Many is the scratch of methods that step many bodies at once. The methods are those
// for one body, with every stage taken by all bodies together; they change x.
type Many struct {
	stage []Placement
	v, w  [4][]spatial.Vec
}

// NewMany returns the scratch for n bodies.
func NewMany(n int) *Many {
	m := &Many{stage: make([]Placement, n)}
	for i := range m.v {
		m.v[i], m.w[i] = make([]spatial.Vec, n), make([]spatial.Vec, n)
	}
	return m
}

// LieEuler is the method of that name.
func (m *Many) LieEuler(s ManyKinematics, t, h float64, x []Placement) {
	s.Velocities(t, x, m.v[0], m.w[0])
	m.move(x, x, h, 0)
	normalize(x)
}

// LieMidpoint is the method of that name.
func (m *Many) LieMidpoint(s ManyKinematics, t, h float64, x []Placement) {
	s.Velocities(t, x, m.v[0], m.w[0])
	m.move(m.stage, x, h/2, 0)
	s.Velocities(t+h/2, m.stage, m.v[1], m.w[1])
	m.move(x, x, h, 1)
	normalize(x)
}

// RKMK4 is the method of that name.
func (m *Many) RKMK4(s ManyKinematics, t, h float64, x []Placement) {
	reach := [4]float64{h / 2, h / 2, h} // of the stages after the first
	s.Velocities(t, x, m.v[0], m.w[0])
	for k := 1; k < 4; k++ {
		m.move(m.stage, x, reach[k-1], k-1)
		s.Velocities(t+reach[k-1], m.stage, m.v[k], m.w[k])
		w, before := m.w[k], m.w[k-1]
		for i := range w {
			w[i] = dexpInv(before[i].Scale(reach[k-1]), w[i])
		}
	}
	for i := range x {
		x[i] = x[i].moved(weighted(h/6, m.v[0][i], m.v[1][i], m.v[2][i], m.v[3][i]),
			weighted(h/6, m.w[0][i], m.w[1][i], m.w[2][i], m.w[3][i]))
	}
	normalize(x)
}

// move sets dst to x after h seconds with the velocities of stage k.
func (m *Many) move(dst, x []Placement, h float64, k int) {
	v, w := m.v[k], m.w[k]
	for i := range x {
		dst[i] = x[i].moved(v[i].Scale(h), w[i].Scale(h))
	}
}

func normalize(x []Placement) {
	for i := range x {
		x[i].Q = x[i].Q.Normalized()
	}
}
