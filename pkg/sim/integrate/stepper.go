package integrate

// Solve says what a step took. An explicit step takes no iterations.
type Solve struct {
	Iterations int     // number of linear solves
	Error      float64 // weighted size of the last increment; at most 1 when converged
}

// Stepper is a method together with the system that it steps. It is called once per step, so that the stages of the step need no call
// through an interface.
type Stepper interface {
	// Step advances x by h > 0 seconds from time t. On an error x stays as it is.
	Step(t, h float64, x *Motion) (Solve, error)
	// Restart forgets what the method remembers of the steps before. So does a step
	// from a motion other than the one at the end of the last step.
	Restart()
	// MemoryLen returns how many numbers the method remembers besides the motion.
	StateLen() int
	// Save writes these numbers to dst.
	Save(dst []float64)
	// Restore takes the numbers from src, which Save wrote after a step that ended at
	// x. The steps from there are then the same, bit by bit.
	Restore(src []float64, x Motion)
}

// Explicit is the Stepper of a one-step method without memory.
type Explicit[S Dynamics] struct {
	stateless
	System S
	Method func(s S, t, h float64, x Motion) Motion
}

// NewCG4 steps s with the tableau m, &CG4 or &CG4Rational.
func NewCG4[S Dynamics](m *CrouchGrossman, s S) *Explicit[S] {
	method := func(s S, t, h float64, x Motion) Motion { return CG4Motion(m, s, t, h, x) }
	return &Explicit[S]{System: s, Method: method}
}

// NewLieEuler steps s with LieEulerMotion.
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

// memoryless is the part of Stepper of a one-step method that remembers nothing.
type stateless struct{}

// Restart implements Stepper.
func (stateless) Restart() {}

// MemoryLen implements Stepper. It returns 0.
func (stateless) StateLen() int { return 0 }

// Save implements Stepper. It writes nothing.
func (stateless) Save([]float64) {}

// Restore implements Stepper. It reads nothing.
func (stateless) Restore([]float64, Motion) {}
