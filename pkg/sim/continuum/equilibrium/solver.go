package equilibrium

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
)

// Solver searches for equilibria of one rod.
type Solver struct {
	system      *equations.System
	mesh        *rod.Rod
	report      integrate.Report // of the last Newton iteration, with the iterations of the whole search
	attempts    []Attempt        // of the search, the failed ones
	escaped     []Saddle         // saddles that the search has escaped
	escapePoint equations.Point  // where it has escaped the last of them
	start       equations.Point  // of the search

	factor   float64  // of the load
	disabled []string // strategies

	strainDisplacement strain.StrainDisplacement // of the last tangent
	// skipFriction is how many more iterations of the search leave friction and transverse forces out of the tangent.
	skipFriction      int
	countsEigenvalues bool // the present tangent serves to count eigenvalues only
	transient         bool // the equations are those of a step of pseudo-transient continuation

	keepsReference    bool            // the tangent of equilibria is kept for robots nearby
	hasReference      bool            // the tangent that is kept is that of the last equilibrium
	referenceResidual equations.Input // residual there

	secants     integrate.BroydenUpdate // since the last tangent
	increment   []float64               // the present one as a list
	addedSecant bool                    // the last Move has added a secant
}

// New makes a solver of equations.
func New(s *equations.System) *Solver { return &Solver{system: s, mesh: s.Rod} }

// Saddle is an unstable equilibrium that a search has escaped, to the side of less energy; both sides may be alike.
type Saddle struct {
	Unstable int     // number of modes that grow
	Mode     Mode    // along which the search has escaped it
	Load     float64 // share of the load
}

// EscapedSaddles are those of the last search.
func (s *Solver) EscapedSaddles() []Saddle { return s.escaped }

// Report is that of the last search.
func (s *Solver) Report() integrate.Report { return s.report }

// Errors, in the sense of errors.Is, of a search, besides those of package integrate. The error is an *Error.
var (
	// ErrUnstable: the rod is in balance but would leave this shape.
	ErrUnstable = errors.New("the equilibrium that was found is unstable")
	// ErrBuckledBetweenDisks: the tendons press so hard that the rod buckles between two disks.
	ErrBuckledBetweenDisks = errors.New("the rod buckles between two disks")
)

// Attempt is a strategy of a search that failed, with its error.
type Attempt struct {
	Strategy string
	Err      error
}

// Error is the error of a search.
type Error struct {
	Cause          error
	Load           float64 // share of the load that could not be borne
	Iterations     int
	Residual       float64    // N
	ArcLength      float64    // of the node that is farthest out of balance, m
	Negative       int        // number of negative eigenvalues of the stiffness
	EulerLoadRatio float64    // largest total tension in a gap between disks over the Euler load of the rod there
	Gap            [2]float64 // arc lengths of the ends of that gap, m
	Tried          []Attempt  // the strategies of the search that failed
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%v at load factor %.3g after %d iterations: residual %.3g N, largest at arc length %.4g m, %d negative eigenvalues", e.Cause, e.Load, e.Iterations, e.Residual, e.ArcLength, e.Negative)
	if e.EulerLoadRatio > 0 {
		s += fmt.Sprintf("; largest total tension %.3g of the Euler load, between the disks at %.4g m and %.4g m", e.EulerLoadRatio, e.Gap[0], e.Gap[1])
	}
	if len(e.Tried) > 0 {
		var all []string
		for _, a := range e.Tried {
			all = append(all, a.String())
		}
		s += "; tried " + strings.Join(all, ", ")
	}
	switch {
	case errors.Is(e.Cause, ErrBuckledBetweenDisks):
		s += "; use less tension or more disks"
	case errors.Is(e.Cause, integrate.ErrNotConverged):
		s += "; use smaller loads, more elements, or simulate with damping until the robot rests"
	case errors.Is(e.Cause, ErrUnstable):
		s += "; use smaller loads, or simulate with damping until the robot rests"
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// String names the strategy and the residual at its end.
func (a *Attempt) String() string {
	if e, ok := errors.AsType[*Error](a.Err); ok {
		return fmt.Sprintf("%s (%v, residual %.3g N at load factor %.3g)", a.Strategy, e.Cause, e.Residual, e.Load)
	}
	return fmt.Sprintf("%s (%v)", a.Strategy, a.Err)
}

// Solve makes the iterate the equilibrium under the present commands. The
// error is an *Error, or that of an element that refuses the shape; the iterate is then any.
func (s *Solver) Solve() error {
	s.begin()
	err := s.search()
	s.setLoadFactor(1)
	s.system.UpdateKinematics()
	if s.keepsReference && err == nil {
		s.keepReference()
	}
	return err
}

// search tries the strategies.
func (s *Solver) search() error {
	s.system.PresentIn(&s.start)
	s.attempts = s.attempts[:0]
	for i := range strategies {
		x := &strategies[i]
		if s.isDisabled(x.Name) || !x.Applies(s) {
			continue
		}
		switch err := x.Try(s); err {
		case nil:
			return nil
		case errDeclined:
			continue
		default:
			s.attempts = append(s.attempts, Attempt{x.Name, err})
		}
		s.system.MoveTo(s.start)
	}
	if len(s.attempts) == 0 { // no strategy had anything to do
		return s.failure(integrate.ErrNotConverged)
	}
	err := s.attempts[len(s.attempts)-1].Err
	if e, ok := errors.AsType[*Error](err); ok {
		e.Tried = slices.Clone(s.attempts)
	}
	return err
}

// Disable leaves strategies out of all searches, by name: for measuring which of them are needed.
func (s *Solver) Disable(names ...string) { s.disabled = names }

func (s *Solver) isDisabled(name string) bool { return slices.Contains(s.disabled, name) }

// errDeclined is the error of a strategy that has nothing to do and does not change the shape.
var errDeclined = errors.New("declined")

// isInconclusive reports whether an error leaves it undecided whether there is an equilibrium.
func isInconclusive(err error) bool { return err != nil && !errors.Is(err, ErrUnstable) }

const (
	// newtonCap bounds the linear solves of an iteration.
	newtonCap = 100
	// A residual below residualTolerance of EI/L² ends the iteration; so does, of the largest stiffness, residualRoundoff,
	// which round-off leaves, and residualFloor, which it leaves at worst, beside stiff walls contactFloor.
	residualTolerance = 1e-10
	residualRoundoff  = 20 * 0x1p-52
	residualFloor     = 1000 * 0x1p-52
	contactFloor      = 20 * residualFloor
	// kinkBacktrack is how often an increment is halved where wrenches have kinks.
	kinkBacktrack = 5
	// Above a share buckled of the Euler load, what does not converge has buckled.
	buckled = 0.9
	// skippedTangents is how many tangents leave out sliding friction: as many as most equilibria need. Of history-dependent
	// friction laggedTangents leave out how it follows the bend; bristles that stick are too stiff to be left out.
	skippedTangents, laggedTangents = 20, 5
	// maxIterations bounds a search, besides those of its last step. Equilibria of the tests take up to 1415, by pseudo-transient
	// continuation beside walls.
	maxIterations = 5000
)

// errExhausted is the error of a search that has taken maxIterations.
var errExhausted = fmt.Errorf("%w: the search exceeded its limit of %d iterations", integrate.ErrNotConverged, maxIterations)

// isExhausted reports whether the search has taken all its iterations.
func (s *Solver) isExhausted() bool { return s.report.Iterations >= maxIterations }

// begin starts a search.
func (s *Solver) begin() {
	s.report, s.factor, s.skipFriction, s.hasReference = integrate.Report{}, 1, skippedTangents, false
	s.escaped = s.escaped[:0]
	s.system.State.BeginStatic()
	s.system.BeginEquilibrium()
	if s.system.FollowsHistory() {
		s.skipFriction = laggedTangents
	}
}

// straighten makes the robot stress-free.
func (s *Solver) straighten() {
	s.system.State.SetStressFree()
	s.system.ClearMultipliers()
	s.system.UpdateKinematics()
}

// solve finds the equilibrium at a share of the load from the present shape, in so many iterations at most. Without a potential
// the symmetric part of the tangent may be indefinite on the way to a stable equilibrium, and a shift may keep the iteration from it: it
// is taken only where the iteration without does not converge, or ends in an equilibrium that is unstable.
func (s *Solver) solve(load float64, most int) error {
	if s.system.HasPotential() {
		return s.descend(load, most, true)
	}
	start, skip := s.system.Present(), s.skipFriction
	err := s.descend(load, most, false)
	if err == nil {
		return nil
	}
	end := s.system.Present()
	s.system.MoveTo(start)
	s.skipFriction = skip
	if s.descend(load, most, true) == nil {
		return nil
	}
	s.system.MoveTo(end)
	return err
}

// descend is solve by one iteration, with tangents that are made positive definite without a potential too, or not.
func (s *Solver) descend(load float64, most int, requiresDescent bool) error {
	s.setLoadFactor(load)
	method := s.method(most)
	method.RequiresDescent = requiresDescent
	r := method.Solve(s)
	r.Iterations += s.report.Iterations
	r.Chords += s.report.Chords
	r.Rejects += s.report.Rejects
	s.report = r
	switch {
	case r.Cause == integrate.Singular:
		return s.failure(integrate.ErrSingularTangent)
	case r.Cause == integrate.NonFinite:
		return s.failure(integrate.ErrNonFinite)
	case !r.Converged():
		return s.failure(integrate.ErrNotConverged)
	case r.Negative > 0:
		return s.checkStability()
	}
	return nil
}

// checkStability refuses an equilibrium in which the symmetric part of the tangent has negative eigenvalues, if it is unstable or of
// unknown stability. Without a potential that part alone decides nothing.
func (s *Solver) checkStability() error {
	if s.system.HasPotential() {
		return s.failure(ErrUnstable)
	}
	switch mode, err := s.stability(false); {
	case err != nil:
		return s.failure(fmt.Errorf("the stability of the equilibrium is unknown: %w", err))
	case mode.Stability == Divergence: // damping may suppress flutter
		return s.failure(ErrUnstable)
	}
	return nil
}

// setLoadFactor makes a share of the load act.
func (s *Solver) setLoadFactor(factor float64) {
	s.factor = factor
	s.system.SetLoadFactor(factor)
}

// method is how an equilibrium is found, in so many iterations at most.
func (s *Solver) method(most int) integrate.Descent {
	k, l := s.mesh.Stiffness, s.mesh.Length
	stiffest := s.system.MaxStiffness()
	floor := residualFloor
	if s.hasWalls() {
		floor = contactFloor
	}
	return integrate.Descent{
		ResidualTol:   max(residualTolerance*k.Bend.X/(l*l), residualRoundoff*stiffest),
		ResidualFloor: floor * stiffest,
		HasPotential:  s.system.HasPotential(),
		FirstShift:    s.system.LowestUnloadedEigenvalue(),
		NeutralShift:  s.neutral(),
		MeritScale:    s.system.BendingEnergy(),
		Cap:           most,
	}
}

// failure makes the error of the present iterate.
func (s *Solver) failure(cause error) error {
	ratio, gap := s.system.EulerLoadRatio()
	if ratio > buckled && (cause == ErrUnstable || errors.Is(cause, integrate.ErrNotConverged)) {
		cause = ErrBuckledBetweenDisks
	}
	at := s.mesh.ArcLengths
	worst, _ := s.system.LargestResidual()
	return &Error{
		Cause: cause, Load: s.factor, ArcLength: at[worst],
		Iterations: s.report.Iterations, Residual: s.report.Residual, Negative: s.report.Negative,
		EulerLoadRatio: ratio, Gap: [2]float64{at[gap[0]], at[gap[1]]},
	}
}

// Explain adds to the error of a search that walls were in the way of the stress-free rod, if they were, and returns the error
// of a base inside a wall, which no search moves.
func (s *Solver) Explain(err error, time float64) error {
	for _, o := range s.system.Obstacles() {
		if in := o.CheckBasePenetration(s.system.State, time); in != nil {
			return in
		}
	}
	if len(s.system.Obstacles()) == 0 {
		return err
	}
	s.straighten()
	if in := s.checkInside(); in != nil {
		return fmt.Errorf("%w; in its stress-free shape %w", err, in)
	}
	return err
}

// checkInside refuses a rod that is inside a wall.
func (s *Solver) checkInside() error {
	for _, o := range s.system.Obstacles() {
		if err := o.CheckPenetration(s.system.State, 0); err != nil {
			return err
		}
	}
	return nil
}

// Check refuses an equilibrium, found at a time (s), with a shape beyond the model.
func (s *Solver) Check(time float64) error {
	if err := s.system.Check(time, true); err != nil {
		return err
	}
	for _, o := range s.system.Obstacles() {
		if err := o.CheckPenetration(s.system.State, time); err != nil {
			return err
		}
	}
	return s.system.CheckMesh(time)
}
