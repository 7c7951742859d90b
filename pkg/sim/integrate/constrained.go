package integrate

// Sizes of a Constrained system.
const (
	MaxVelocities  = 7 // position and four Euler parameters
	MaxConstraints = 4 // a spherical joint and the norm of Euler parameters
	maxUnknowns    = MaxVelocities + MaxConstraints
)

// Constrained is a second-order system with constraints Φ(q) = 0,
//
//	M(q) v̇ + g(q, v) − f + Bᵀ λ = 0,   B v = Φ̇,
//
// which Newmark steps. Its coordinates q have n velocities v: their derivatives or, on a Lie group,
// the velocities that Advance expects.
type Constrained interface {
	// Size returns the numbers n of velocities and m of constraints.
	Size() (n, m int)
	// SetPoint sets q and v of p to those of the motion x.
	SetPoint(x Motion, p *Point)
	// MotionOf returns the motion with q and v of p.
	MotionOf(p *Point) Motion
	// Advance sets p.Q to from ⊕ d.
	Advance(from, d *[MaxVelocities]float64, p *Point)
	// Assemble computes e at p and time t. d is the increment that led to p.Q; the tangents are
	// with respect to it. It returns an error at a singularity of the coordinates.
	Assemble(t float64, p *Point, d *[MaxVelocities]float64, e *Equations) error
}

// Point is a state of a Constrained system.
type Point struct {
	Q      [MaxVelocities]float64  // coordinates q
	V      [MaxVelocities]float64  // velocities v
	A      [MaxVelocities]float64  // accelerations v̇
	Lambda [MaxConstraints]float64 // multipliers λ
}

// Equations are the equations of motion at a Point and their derivatives. Matrices are row-major
// with rows of MaxVelocities.
type Equations struct {
	Residual [MaxVelocities]float64  // M v̇ + g − f + Bᵀ λ
	Phi      [MaxConstraints]float64 // Φ
	PhiRate  [MaxConstraints]float64 // B v
	PhiCurve [MaxConstraints]float64 // Φ̈ − B v̇
	// M, C and K are the derivatives of the residual with respect to v̇, v and the increment. C and
	// K may omit terms that are small over a step.
	M, C, K [MaxVelocities * MaxVelocities]float64
	// B is the derivative of B v with respect to v, and BT that of Φ with respect to the increment.
	B, BT [MaxConstraints * MaxVelocities]float64
}
