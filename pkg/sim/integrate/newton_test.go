package integrate_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
)

// well is the scalar system of the energy ¼x⁴ − ½a x² + b x: a System with an unstable maximum.
type well struct {
	x, saved, a, b float64
	r, k, dx       float64
	nan            bool
}

func (w *well) Assemble(shift float64) {
	w.r = -(w.x*w.x*w.x - w.a*w.x + w.b)
	w.k = 3*w.x*w.x - w.a + shift
	if w.nan {
		w.r = math.NaN()
	}
}
func (w *well) ResidualNorm() float64 { return math.Abs(w.r) }
func (w *well) Increment() (float64, int, bool) {
	if w.k == 0 {
		return 0, 0, false
	}
	w.dx = w.r / w.k
	negative := 0
	if w.k < 0 {
		negative = 1
	}
	return math.Abs(w.dx), negative, true
}
func (w *well) Move(s float64) { w.saved = w.x; w.x += s * w.dx }
func (w *well) Undo()          { w.x = w.saved }
func (w *well) Merit() float64 {
	return w.x*w.x*w.x*w.x/4 - w.a*w.x*w.x/2 + w.b*w.x
}

func TestNewtonFindsTheMinimum(t *testing.T) {
	for _, x0 := range []float64{3, 0.6, 0.1, -2} {
		w := &well{x: x0, a: 1}
		n := integrate.Newton{Tol: 1e-10, Cap: 60}
		r := n.Solve(w)
		if !r.Converged() || math.Abs(math.Abs(w.x)-1) > 1e-9 || r.Negative != 0 {
			t.Errorf("from %g: %v at %.12g with %d negative, want ±1", x0, r.Cause, w.x, r.Negative)
		}
	}
}

func TestSingularTangentIsShifted(t *testing.T) {
	w := &well{b: 1} // no stiffness at the start, minimum at −1
	n := integrate.Newton{Tol: 1e-9, Cap: 100}
	if r := n.Solve(w); !r.Converged() || math.Abs(w.x+1) > 1e-8 {
		t.Errorf("%v at %g, want −1", r.Cause, w.x)
	}
}

func TestNewtonStops(t *testing.T) {
	w := &well{x: 100, a: 1}
	n := integrate.Newton{Tol: 1e-10, Cap: 3}
	if r := n.Solve(w); r.Cause != integrate.IterationCap || r.Iterations != 3 {
		t.Errorf("%v after %d, want the cap after 3", r.Cause, r.Iterations)
	}
	w.nan = true
	if r := n.Solve(w); r.Cause != integrate.NonFinite {
		t.Errorf("%v, want not finite", r.Cause)
	}
}

// counted counts Newton's calls of a well.
type counted struct {
	*well
	moves, merits int
}

func (c *counted) Move(s float64) { c.moves++; c.well.Move(s) }
func (c *counted) Merit() float64 { c.merits++; return c.well.Merit() }

// Small increments of a step that decrease fast are added without the merit test, each once.
func TestSmallIncrementsAreTakenUntested(t *testing.T) {
	c := &counted{well: &well{x: 1.03, a: 1}}
	n := integrate.Newton{Tol: 1e-10, Cap: 20}
	r := n.Solve(c)
	if !r.Converged() || c.merits != 0 || c.moves != r.Iterations || r.Iterations > 5 || r.Rejects != 0 || math.Abs(c.x-1) > 1e-12 {
		t.Errorf("%+v after %d moves and %d looks at the merit, at %.15g", r, c.moves, c.merits, c.x)
	}
	// a large one is tested before and after
	c = &counted{well: &well{x: 1.2, a: 1}}
	if r = n.Solve(c); !r.Converged() || c.merits != 2 || c.moves != r.Iterations || math.Abs(c.x-1) > 1e-12 {
		t.Errorf("%+v after %d moves and %d looks at the merit, at %.15g", r, c.moves, c.merits, c.x)
	}
}

// chord is a well that also solves with its last tangent.
type chord struct {
	counted
	assemblies int
	fails      bool
}

func (c *chord) Assemble(shift float64) { c.assemblies++; c.counted.Assemble(shift) }
func (c *chord) ChordResidual() bool {
	k := c.k
	c.well.Assemble(0)
	c.k = k
	return !c.fails
}
func (c *chord) ChordIncrement() (float64, bool) {
	c.dx = c.r / c.k
	return math.Abs(c.dx), true
}

// A chord increment ends a step where the remaining error is small, as Newton's would, and changes
// nothing elsewhere.
func TestChordIncrementEndsASmallStep(t *testing.T) {
	n := integrate.Newton{Tol: 1e-5, Cap: 20}
	begin := func(x float64) *chord { return &chord{counted: counted{well: &well{x: x, a: 1}}} }
	c := begin(1.001)
	r := n.Solve(c)
	if !r.Converged() || r.Iterations != 2 || c.assemblies != 1 || c.moves != 2 || !(math.Abs(c.x-1) < integrate.ChordToleranceShare*n.Tol) {
		t.Errorf("%+v after %d tangents, at 1%+.3g", r, c.assemblies, c.x-1)
	}
	for _, far := range []*chord{begin(1.03), begin(1.001), begin(1.2)} {
		far.fails = far.x == 1.001
		alone := &counted{well: &well{x: far.x, a: 1}}
		want, from := n.Solve(alone), far.x
		r = n.Solve(far)
		// the last one may be a chord increment
		if !r.Converged() || r.Iterations != want.Iterations || far.assemblies < want.Iterations-1 || far.moves != r.Iterations || !(math.Abs(far.x-1) < 2*integrate.ChordToleranceShare*n.Tol) {
			t.Errorf("from %g: %+v after %d tangents, at 1%+.3g; by Newton's increments alone %+v", from, r, far.assemblies, far.x-1, want)
		}
		if far.fails && (far.assemblies != want.Iterations || far.x != alone.x) {
			t.Errorf("from %g: %d tangents, at %.17g; by Newton's increments alone %d, at %.17g", from, far.assemblies, far.x, want.Iterations, alone.x)
		}
	}
	// nor beyond the cap
	n.Cap = 1
	c, alone := begin(1.001), &counted{well: &well{x: 1.001, a: 1}}
	want := n.Solve(alone)
	if r := n.Solve(c); r != want || c.x != alone.x {
		t.Errorf("%+v at %.17g, by Newton's increments alone %+v at %.17g", r, c.x, want, alone.x)
	}
}

// The error after a first increment is estimated by the contraction of an earlier step. A small
// estimate ends the step, a larger one is followed by another increment, and after maxEstimates
// steps, or a step of several increments, a new estimate is needed.
func TestContractionEstimateEndsSteps(t *testing.T) {
	var known integrate.ContractionEstimate
	n := integrate.Newton{Tol: 1e-5, Cap: 20, Contraction: &known}
	step := func(x float64) (r integrate.Report, left float64) {
		c := &chord{counted: counted{well: &well{x: x, a: 1}}}
		r = n.Solve(c)
		if !r.Converged() || c.moves != r.Iterations {
			t.Fatalf("from %g: %+v after %d moves", x, r, c.moves)
		}
		return r, math.Abs(c.x - 1)
	}
	if r, _ := step(1.00001); r.Iterations != 2 || known.Uses != 0 || !(math.Abs(known.Ratio/1.5e-5-1) < 0.01) || !(math.Abs(known.Size/1e-5-1) < 0.01) {
		t.Fatalf("the first step: %+v, %+v", r, known)
	}
	for k := range integrate.MaxEstimates {
		if r, left := step(1.00001); r.Iterations != 1 || known.Uses != k+1 || !(left < integrate.MotionToleranceShare*n.Tol) {
			t.Errorf("step %d with a small increment: %+v, leaves %g, %+v", k, r, left, known)
		}
	}
	if r, _ := step(1.00001); r.Iterations != 2 || known.Uses != 0 {
		t.Errorf("after %d estimates: %+v, %+v; want two increments", integrate.MaxEstimates, r, known)
	}
	// an increment a hundred times as large leaves an error ten thousand times as large
	if r, left := step(1.001); r.Iterations < 2 || !(left < integrate.MotionToleranceShare*n.Tol) {
		t.Errorf("a larger increment: %+v, leaves %g", r, left)
	}
	step(1.00001)
	if step(1.2); known != (integrate.ContractionEstimate{}) {
		t.Errorf("after a step of large increments %+v is known", known)
	}
	if r, _ := step(1.00001); r.Iterations != 2 {
		t.Errorf("after a step of large increments: %+v, want two", r)
	}
}

// resistant is the energy ½ x², whose tangent is singular for the first solves, so that the shift grows.
type resistant struct {
	x, saved, shift float64
	refusals        int
}

func (f *resistant) Assemble(shift float64) { f.shift = shift }
func (f *resistant) ResidualNorm() float64  { return math.Abs(f.x) }
func (f *resistant) increment() float64     { return -f.x / (1 + f.shift) }
func (f *resistant) Increment() (float64, int, bool) {
	f.refusals--
	return math.Abs(f.increment()), 0, f.refusals < 0
}
func (f *resistant) Move(s float64) { f.saved = f.x; f.x += s * f.increment() }
func (f *resistant) Undo()          { f.x = f.saved }
func (f *resistant) Merit() float64 { return f.x * f.x / 2 }

// Nor do they end a time step: a shift of 1e7 would be all that keeps them small.
func TestShiftedIncrementsEndNoStep(t *testing.T) {
	f := &resistant{x: 1, refusals: 11}
	n := integrate.Newton{Tol: 1e-5, Cap: 60}
	if r := n.Solve(f); !r.Converged() || math.Abs(f.x) > n.Tol {
		t.Errorf("%v at %g after %d iterations with a residual of %g and a shift of %g, want convergence at 0", r.Cause, f.x, r.Iterations, r.Residual, r.Shift)
	}
}

// overshooting takes increments of which the second is larger than the first, and the third leads out of the minimum of |x|.
type overshooting struct{ x, saved, dx float64 }

func (o *overshooting) Assemble(float64)      {}
func (o *overshooting) ResidualNorm() float64 { return math.Abs(o.x) }
func (o *overshooting) Increment() (float64, int, bool) {
	o.dx = 0
	for _, at := range [...]struct{ x, dx float64 }{{-0.07, 0.03}, {-0.04, 0.04}, {0, 0.015}} {
		if math.Abs(o.x-at.x) < 1e-12 {
			o.dx = at.dx
		}
	}
	return math.Abs(o.dx), 0, true
}
func (o *overshooting) Move(s float64) { o.saved = o.x; o.x += s * o.dx }
func (o *overshooting) Undo()          { o.x = o.saved }
func (o *overshooting) Merit() float64 { return math.Abs(o.x) }

// TestMonotone: an increment that is half of one that has grown raises the merit, untested, only if the iteration is not monotone.
func TestMonotone(t *testing.T) {
	for _, c := range []struct {
		monotone bool
		want     float64
	}{{false, 0.015}, {true, 0}} {
		s := &overshooting{x: -0.07}
		n := integrate.Newton{Tol: 1e-9, Cap: 6, Monotone: c.monotone}
		if n.Solve(s); math.Abs(s.x-c.want) > 1e-12 {
			t.Errorf("monotone %v: ends at %g, want %g", c.monotone, s.x, c.want)
		}
	}
}
