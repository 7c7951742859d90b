package integrate

// Solve describes the solution of one step. An explicit step has no iterations.
type Solve struct {
	Iterations int     // number of linear solves
	Error      float64 // weighted size of the last increment; at most 1 when converged
}

// Stepper is a method together with the system that it steps. The interface call is once per step,
// and the stages of the step need none.
type Stepper interface {
	// Step advances x by h > 0 seconds from time t. After an error x is unchanged.
	Step(t, h float64, x *Motion) (Solve, error)
	// Restart clears the history of the method. A step from a motion other than the end of the last
	// step does the same.
	Restart()
	// StateLen returns the number of values of the method's history.
	StateLen() int
	// Save writes the history to dst.
	Save(dst []float64)
	// Restore makes src, which Save wrote after a step that ended at x, the history. Further steps
	// then give the same bits.
	Restore(src []float64, x Motion)
}

// Explicit is the Stepper of a one-step method without history.
type Explicit[S Dynamics] struct {
	stateless
	System S
	Method func(s S, t, h float64, x Motion) Motion
}

// NewCG4 returns the Stepper of s with the tableau m, &CG4 or &CG4Rational.
func NewCG4[S Dynamics](m *CrouchGrossman, s S) *Explicit[S] {
	method := func(s S, t, h float64, x Motion) Motion { return CG4Motion(m, s, t, h, x) }
	return &Explicit[S]{System: s, Method: method}
}

// NewLieEuler returns the Stepper of s with LieEulerMotion.
func NewLieEuler[S Dynamics](s S) *Explicit[S] {
	return &Explicit[S]{System: s, Method: LieEulerMotion[S]}
}

// Step implements Stepper. It returns ErrNonFinite if the new state is not finite.
func (e *Explicit[S]) Step(t, h float64, x *Motion) (Solve, error) {
	next := e.Method(e.System, t, h, *x)
	if !next.IsFinite() {
		return Solve{}, ErrNonFinite
	}
	*x = next
	return Solve{}, nil
}

// stateless is the part of Stepper of a one-step method without history.
type stateless struct{}

// Restart implements Stepper. It does nothing.
func (stateless) Restart() {}

// StateLen implements Stepper. It returns 0.
func (stateless) StateLen() int { return 0 }

// Save implements Stepper. It writes nothing.
func (stateless) Save([]float64) {}

// Restore implements Stepper. It reads nothing.
func (stateless) Restore([]float64, Motion) {}
