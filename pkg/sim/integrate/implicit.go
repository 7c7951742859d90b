package integrate

import (
	"fmt"
	"math"
)

// Level says which form of the constraints a step satisfies.
type Level uint8

// The levels.
const (
	PositionLevel Level = iota // Φ = 0, index 3
	VelocityLevel              // Φ̇ = 0, index 2
)

// Start says which accelerations the first step begins with.
type Start uint8

// The starts.
const (
	ConsistentStart Start = iota // those of the equations of motion
	ZeroStart                    // zero, first order: for comparison with Kynema's examples
	// DampedStart is that of the equations of motion with drag as at the end of the step:
	// where drag stops the body within the step, the acceleration of the start would throw
	// it far, while without stiff drag the difference is of first order in the step.
	DampedStart
)

// Implicit steps a Constrained system with a method of the Newmark family: Algorithm 1 of
// Kynema, the Lie-group method of Brüls, Cardona and Arnold (Mech. Mach. Theory 48 (2012)
// 121-137). It is not safe for concurrent use.
type Implicit[S Constrained] struct {
	System  S
	Scheme  Newmark
	Level   Level
	Start   Start
	AbsTol  float64 // of increments (m, rad) and multipliers (N); far below those of a step
	RelTol  float64 // of the same, relative to the increment of the step and the multiplier
	MaxIter int     // linear solves per step

	n, m    int
	started bool
	point   Point
	a       [MaxVelocities]float64 // the method's acceleration
	left    Motion                 // where the last step ended
	trial   Point
	d       [MaxVelocities]float64 // increment over h
	hd      [MaxVelocities]float64
	eq      Equations
	s       [maxUnknowns * maxUnknowns]float64
	rhs     [maxUnknowns]float64
}

// Tolerances of NewGeneralizedAlpha and NewTrapezoidal. The increment after the last one
// would be far below it, so that errors are near round-off.
const (
	defaultAbsTol  = 1e-12
	defaultRelTol  = 1e-8
	defaultMaxIter = 50
)

func newImplicit[S Constrained](s S, k Newmark, level Level) *Implicit[S] {
	p := &Implicit[S]{System: s, Scheme: k, Level: level,
		AbsTol: defaultAbsTol, RelTol: defaultRelTol, MaxIter: defaultMaxIter}
	p.n, p.m = s.Size()
	return p
}

// Restart is that of Stepper: the next step begins with accelerations as Start says.
func (p *Implicit[S]) Restart() { p.started = false }

// Point returns what the method knows after the last step, v̇ and multipliers among it.
func (p *Implicit[S]) Point() Point { return p.point }

// Step is that of Stepper. It fails with ErrNotConverged, ErrSingularTangent,
// ErrNonFinite or an error of the system. A motion that is not the one that the last step
// left restarts the method.
func (p *Implicit[S]) Step(t, h float64, x *Motion) (Solve, error) {
	if !p.started || *x != p.left {
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
	k := p.Scheme
	for i := range p.n {
		p.a[i] += (1 - k.AlphaF) / (1 - k.AlphaM) * p.trial.A[i]
	}
	next := p.System.Leave(&p.trial)
	if !next.IsFinite() {
		p.started = false
		return report, ErrNonFinite
	}
	p.point, p.left, *x = p.trial, next, next
	return report, nil
}

// Begin makes x, at time t, the start of the next step. It fails with ErrSingularTangent
// when the accelerations there are not determined, or with an error of the system.
func (p *Implicit[S]) Begin(t float64, x Motion) error { return p.begin(t, 0, x) }

// begin is Begin before a step of h seconds.
func (p *Implicit[S]) begin(t, h float64, x Motion) error {
	p.point = Point{}
	p.System.Enter(x, &p.point)
	if p.Start != DampedStart {
		h = 0
	}
	if p.Start != ZeroStart {
		if err := p.accelerations(t, h); err != nil {
			return err
		}
	}
	p.a = p.point.A
	p.left, p.started = x, true
	return nil
}

// accelerations solves (M + h C) v̇ + Bᵀ λ = f − g, B v̇ = −(Φ̈ − B v̇) at the start.
func (p *Implicit[S]) accelerations(t, h float64) error {
	var none [MaxVelocities]float64
	p.hd = none
	if err := p.System.Assemble(t, &p.point, &p.hd, &p.eq); err != nil {
		return err
	}
	size := p.fill(1, h, 0)
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

// MemoryLen is that of Stepper.
func (p *Implicit[S]) MemoryLen() int { return 1 + 4*MaxVelocities + MaxConstraints }

// Save is that of Stepper.
func (p *Implicit[S]) Save(dst []float64) {
	dst[0] = 0
	if p.started {
		dst[0] = 1
	}
	k := 1
	for _, part := range p.memory() {
		k += copy(dst[k:], part)
	}
}

// Restore is that of Stepper.
func (p *Implicit[S]) Restore(src []float64, x Motion) {
	p.started, p.left = src[0] != 0, x
	k := 1
	for _, part := range p.memory() {
		k += copy(part, src[k:])
	}
}

// memory lists what one step hands to the next.
func (p *Implicit[S]) memory() [5][]float64 {
	return [...][]float64{p.point.Q[:], p.point.V[:], p.point.A[:], p.a[:], p.point.Lambda[:]}
}

// predict sets the trial point for v̇ = 0 at the end of a step of h.
func (p *Implicit[S]) predict(h float64) {
	k, from, to := p.Scheme, &p.point, &p.trial
	to.A, to.Lambda = [MaxVelocities]float64{}, [MaxConstraints]float64{}
	for i := range p.n {
		a0 := p.a[i]
		a := (k.AlphaF*from.A[i] - k.AlphaM*a0) / (1 - k.AlphaM)
		to.V[i] = from.V[i] + h*(1-k.Gamma)*a0 + k.Gamma*h*a
		p.d[i] = from.V[i] + (0.5-k.Beta)*h*a0 + k.Beta*h*a
		p.a[i] = a
	}
}

// An iteration whose increments no longer shrink, at stallError tolerances or less, has met
// the round-off of the loads: what is left is below the error of any step.
const (
	stallError    = 10
	stallPatience = 4
)

// iterate is Newton's method on the trial point at time t, the end of a step of h.
func (p *Implicit[S]) iterate(t, h float64) (report Solve, err error) {
	k := p.Scheme
	gamma := k.Gamma / (h * k.Beta)
	beta := (1 - k.AlphaM) / (h * h * k.Beta * (1 - k.AlphaF))
	best, since := math.Inf(1), 0 // least error, and iterations since it was halved
	for report.Iterations < p.MaxIter {
		for i := range p.n {
			p.hd[i] = h * p.d[i]
		}
		p.System.Advance(&p.point.Q, &p.hd, &p.trial)
		if err := p.System.Assemble(t, &p.trial, &p.hd, &p.eq); err != nil {
			return report, err
		}
		report.Iterations++
		if !p.increment(beta, gamma) {
			return report, ErrSingularTangent
		}
		report.Error = p.weigh(beta)
		if since++; report.Error < best/2 {
			best, since = report.Error, 0
		}
		done := report.Error <= 1 || report.Error <= stallError && since >= stallPatience
		for i := range p.n {
			dx := p.rhs[i]
			p.d[i] += dx / h
			p.trial.V[i] += gamma * dx
			p.trial.A[i] += beta * dx
		}
		for j := range p.m {
			p.trial.Lambda[j] += beta * p.rhs[p.n+j]
		}
		if done {
			for i := range p.n {
				p.hd[i] = h * p.d[i]
			}
			p.System.Advance(&p.point.Q, &p.hd, &p.trial)
			return report, nil
		}
		if report.Error != report.Error {
			return report, ErrNonFinite
		}
	}
	return report, fmt.Errorf("%w: error %.3g tolerances after %d iterations", ErrNotConverged, report.Error, report.Iterations)
}

// increment solves for the increments of q and, divided by beta, of the multipliers; so
// scaled, all blocks of the matrix are of the size of the mass or of lengths.
func (p *Implicit[S]) increment(beta, gamma float64) bool {
	size := p.fill(1, gamma/beta, 1/beta)
	e := &p.eq
	for i := range p.n {
		p.rhs[i] = -e.Residual[i] / beta
	}
	for j := range p.m {
		row, rhs := &e.BT, -e.Phi[j]
		if p.Level == VelocityLevel {
			row, rhs = &e.B, -e.PhiRate[j]/gamma
		}
		copy(p.s[(p.n+j)*size:], row[j*MaxVelocities:j*MaxVelocities+p.n])
		p.rhs[p.n+j] = rhs
	}
	return SolveDense(p.s[:size*size], p.rhs[:size])
}

// fill sets the matrix to [[m M + c C + k K, Bᵀ], [0, 0]] and returns its size.
func (p *Implicit[S]) fill(m, c, k float64) int {
	e, size := &p.eq, p.n+p.m
	for i := range p.n {
		row := p.s[i*size : (i+1)*size]
		for j := range p.n {
			l := i*MaxVelocities + j
			row[j] = m*e.M[l] + c*e.C[l] + k*e.K[l]
		}
		for j := range p.m {
			row[p.n+j] = e.B[j*MaxVelocities+i]
		}
	}
	clear(p.s[p.n*size : size*size])
	return size
}

// roundoffShare is the relative change of a number below which an increment is noise.
const roundoffShare = 1e-15

// weigh returns the weighted mean square of the increments: convergence is at 1. The
// weights are Kynema's with what round-off leaves added: of coordinates, of their size; of
// multipliers, what that does to accelerations, which grows as 1/h².
func (p *Implicit[S]) weigh(beta float64) float64 {
	sum, mass, far := 0.0, 0.0, 0.0
	for i := range p.n {
		q := math.Abs(p.trial.Q[i])
		e := p.rhs[i] / (p.AbsTol + p.RelTol*math.Abs(p.hd[i]) + roundoffShare*q)
		sum += e * e
		mass, far = math.Max(mass, p.eq.M[i*(MaxVelocities+1)]), math.Max(far, q)
	}
	floor := roundoffShare * beta * mass * far
	for j := range p.m {
		e := beta * p.rhs[p.n+j] / (p.AbsTol + p.RelTol*math.Abs(p.trial.Lambda[j]) + floor)
		sum += e * e
	}
	return math.Sqrt(sum / float64(p.n+p.m))
}
