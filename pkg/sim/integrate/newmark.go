package integrate

// Level is the form of the constraints that a step satisfies.
type Level uint8

// The levels of the constraints.
const (
	PositionLevel Level = iota // Φ = 0, index 3
	VelocityLevel              // Φ̇ = 0, index 2
)

// Start selects the accelerations at the start of the first step.
type Start uint8

// The choices of accelerations at the start.
const (
	// ConsistentStart selects the accelerations that fulfil the equations of motion.
	ConsistentStart Start = iota
	// ZeroStart selects zero, which is of first order. It serves comparisons with the examples of
	// Kynema.
	ZeroStart
	// DampedStart selects the accelerations that fulfil the equations of motion with the drag of
	// the end of the step. Where drag stops the body within the step, the acceleration at its start
	// would overshoot by far. Without stiff drag the difference is of first order in the step
	// length.
	DampedStart
)

// Newmark steps a Constrained system with a method of the Newmark family: Algorithm 1 of Kynema,
// the Lie-group method of Brüls, Cardona and Arnold (Mech. Mach. Theory 48 (2012) 121-137). It is
// not safe for concurrent use.
type Newmark[S Constrained] struct {
	System S
	Params NewmarkParams
	Level  Level
	Start  Start
	// AbsTol is the absolute tolerance of increments (m, rad) and multipliers (N). It is far below
	// the increments and multipliers of a step.
	AbsTol float64
	// RelTol is the tolerance relative to the increment of the step and to the multiplier.
	RelTol  float64
	MaxIter int // largest number of linear solves per step

	n, m    int                                // numbers of velocities and of constraints
	started bool                               // point, a and last are known
	point   Point                              // at the end of the last step
	a       [MaxVelocities]float64             // acceleration a of the method
	last    Motion                             // motion at the end of the last step
	trial   Point                              // at the end of the step that is being solved
	d       [MaxVelocities]float64             // increment of the step over h
	hd      [MaxVelocities]float64             // increment of the step
	eq      Equations                          // at trial
	s       [maxUnknowns * maxUnknowns]float64 // matrix of the linear solve
	rhs     [maxUnknowns]float64               // right-hand side and solution
}

// Tolerances of NewGeneralizedAlpha and NewTrapezoidal. Newton's method converges quadratically, so
// the increment after the last one would be near round-off.
const (
	defaultAbsTol  = 1e-12
	defaultRelTol  = 1e-8
	defaultMaxIter = 50
)

func newNewmark[S Constrained](s S, k NewmarkParams, level Level) *Newmark[S] {
	p := &Newmark[S]{System: s, Params: k, Level: level,
		AbsTol: defaultAbsTol, RelTol: defaultRelTol, MaxIter: defaultMaxIter}
	p.n, p.m = s.Size()
	return p
}

// Restart implements Stepper. The next step starts with the accelerations that Start selects.
func (p *Newmark[S]) Restart() { p.started = false }

// Point returns the state at the end of the last step with v̇ and the multipliers.
func (p *Newmark[S]) Point() Point { return p.point }

// Step implements Stepper. It returns ErrNotConverged, ErrSingularTangent, ErrNonFinite if
// the new state is not finite, or an error of the system. A motion other than the one at
// the end of the last step restarts the method.
func (p *Newmark[S]) Step(t, h float64, x *Motion) (Solve, error) {
	if !p.started || *x != p.last {
		if err := p.begin(t, h, *x); err != nil {
			return Solve{}, err
		}
	}
	p.predict(h)
	report, err := p.iterate(t+h, h)
	if err != nil {
		p.started = false
		return report, err
	}
	k := p.Params
	for i := range p.n {
		p.a[i] += (1 - k.AlphaF) / (1 - k.AlphaM) * p.trial.A[i]
	}
	next := p.System.MotionOf(&p.trial)
	if !next.IsFinite() {
		p.started = false
		return report, ErrNonFinite
	}
	p.point, p.last, *x = p.trial, next, next
	return report, nil
}

// Begin makes x, at time t, the start of the next step. It returns ErrSingularTangent if
// the accelerations there are not determined, or an error of the system.
func (p *Newmark[S]) Begin(t float64, x Motion) error { return p.begin(t, 0, x) }

// begin is Begin for a step of h seconds that follows.
func (p *Newmark[S]) begin(t, h float64, x Motion) error {
	p.point = Point{}
	p.System.SetPoint(x, &p.point)
	if p.Start != DampedStart {
		h = 0
	}
	if p.Start != ZeroStart {
		if err := p.accelerations(t, h); err != nil {
			return err
		}
	}
	p.a = p.point.A
	p.last, p.started = x, true
	return nil
}

// accelerations solves (M + h C) v̇ + Bᵀ λ = f − g, B v̇ = −(Φ̈ − B v̇) at the start.
func (p *Newmark[S]) accelerations(t, h float64) error {
	var none [MaxVelocities]float64
	p.hd = none
	if err := p.System.Assemble(t, &p.point, &p.hd, &p.eq); err != nil {
		return err
	}
	size := p.fillMatrix(1, h, 0)
	for i := range p.n {
		p.rhs[i] = -p.eq.Residual[i]
	}
	for j := range p.m {
		p.rhs[p.n+j] = -p.eq.PhiCurve[j]
		for i := range p.n {
			p.s[(p.n+j)*size+i] = p.eq.B[j*MaxVelocities+i]
		}
	}
	if !SolveDense(p.s[:size*size], p.rhs[:size]) {
		return ErrSingularTangent
	}
	copy(p.point.A[:p.n], p.rhs[:p.n])
	copy(p.point.Lambda[:p.m], p.rhs[p.n:size])
	return nil
}

// StateLen implements Stepper.
func (p *Newmark[S]) StateLen() int { return 1 + 4*MaxVelocities + MaxConstraints }

// Save implements Stepper.
func (p *Newmark[S]) Save(dst []float64) {
	dst[0] = 0
	if p.started {
		dst[0] = 1
	}
	k := 1
	for _, part := range p.savedParts() {
		k += copy(dst[k:], part)
	}
}

// Restore implements Stepper.
func (p *Newmark[S]) Restore(src []float64, x Motion) {
	p.started, p.last = src[0] != 0, x
	k := 1
	for _, part := range p.savedParts() {
		k += copy(part, src[k:])
	}
}

// savedParts returns the state that one step passes to the next.
func (p *Newmark[S]) savedParts() [5][]float64 {
	return [...][]float64{p.point.Q[:], p.point.V[:], p.point.A[:], p.a[:], p.point.Lambda[:]}
}
