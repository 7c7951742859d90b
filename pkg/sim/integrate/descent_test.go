package integrate_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
)

func TestEquilibriumNeverRaisesTheEnergy(t *testing.T) {
	for _, x0 := range []float64{3, 0.6, 0.1, -2} {
		w := &well{x: x0, a: 1, b: 0.05}
		before := w.Merit()
		n := integrate.Descent{ResidualTol: 1e-12, Cap: 60}
		r := n.Solve(w)
		if !r.Converged() || w.Merit() > before {
			t.Errorf("from %g: %v, energy %g from %g", x0, r.Cause, w.Merit(), before)
		}
		if slope := w.x*w.x*w.x - w.x + 0.05; !(math.Abs(slope) < 1e-12) || !(r.Residual < 1e-12) {
			t.Errorf("from %g: a residual of %g is left, reported as %g", x0, slope, r.Residual)
		}
	}
}

func TestEquilibriumReportsInstability(t *testing.T) {
	w := &well{a: 1} // on the hump
	n := integrate.Descent{ResidualTol: 1e-12, Cap: 10}
	if r := n.Solve(w); !r.Converged() || r.Negative != 1 || r.Iterations != 0 {
		t.Errorf("on the hump: %+v, want convergence at once with one negative eigenvalue", r)
	}
}

// misled is a chord whose chord increments are wrong after the first ones.
type misled struct {
	chord
	good  int
	undos int
}

func (m *misled) ChordIncrement() (float64, bool) {
	size, ok := m.chord.ChordIncrement()
	if m.good--; m.good < 0 {
		m.dx *= -3
	}
	return size, ok
}
func (m *misled) Undo() { m.undos++; m.chord.Undo() }

// Chord increments continue to an equilibrium while each reduces the residual enough. The result is
// as exact as with Newton's increments, its own tangent is counted, and increments that raise the
// residual are undone.
func TestChordIncrementsConvergeToAnEquilibrium(t *testing.T) {
	for _, from := range []float64{1.001, 1.01, 1.03, 1.2} {
		n := integrate.Descent{ResidualTol: 1e-12, Cap: 40}
		alone := &chord{counted: counted{well: &well{x: from, a: 1}}, fails: true}
		want := n.Solve(alone)
		for good := range 3 {
			m := &misled{chord: chord{counted: counted{well: &well{x: from, a: 1}}}, good: good}
			if good == 2 {
				m.good = 1000
			}
			r := n.Solve(m)
			if !r.Converged() || !(r.Residual < n.ResidualTol) || r.Negative != 0 || r.Iterations-r.Chords > want.Iterations {
				t.Errorf("from %g: %+v, by Newton's increments alone %+v", from, r, want)
			}
			if good == 2 && !(r.Chords > 0 && m.assemblies < alone.assemblies) {
				t.Errorf("from %g: %d tangents and %d chords, by Newton's increments alone %d", from, m.assemblies, r.Chords, alone.assemblies)
			}
			if good == 1 && from == 1.01 && m.undos == 0 {
				t.Errorf("from %g: bad chords were not taken back", from)
			}
		}
	}
}

// faint is the energy ½ k x² of a weak spring compared with the shift, with a tangent that is
// singular once.
type faint struct {
	x, saved, shift float64
	singular        bool
}

const faintStiffness = 1e-6

func (f *faint) Assemble(shift float64) { f.shift = shift }
func (f *faint) ResidualNorm() float64  { return faintStiffness * math.Abs(f.x) }
func (f *faint) increment() float64     { return -faintStiffness * f.x / (faintStiffness + 1e9*f.shift) }
func (f *faint) Increment() (float64, int, bool) {
	if f.singular {
		f.singular = false
		return 0, 0, false
	}
	return math.Abs(f.increment()), 0, true
}
func (f *faint) Move(s float64) { f.saved = f.x; f.x += s * f.increment() }
func (f *faint) Undo()          { f.x = f.saved }
func (f *faint) Merit() float64 { return faintStiffness * f.x * f.x / 2 }

// Increments that a shift has made small do not end an equilibrium at ResidualFloor.
func TestFloorIsNotForShiftedIncrements(t *testing.T) {
	f := &faint{x: 1, singular: true}
	n := integrate.Descent{ResidualTol: 1e-14, ResidualFloor: 1e-5, Cap: 60}
	if r := n.Solve(f); !r.Converged() || math.Abs(f.x) > 1e-8 {
		t.Errorf("%v at %g after %d iterations with a residual of %g, want convergence at 0", r.Cause, f.x, r.Iterations, r.Residual)
	}
}

// saddle is the energy x⁴/4 − x²/2 + 50 y²/2 of two wells, as a merit whose lowest direction is known.
type saddle struct {
	at, dx, saved [2]float64
	shift         float64
	largest       float64 // increment that was added
	leaves        bool
	flat          bool // the merit is that of no potential
}

func (s *saddle) gradient() [2]float64 {
	return [2]float64{s.at[0]*s.at[0]*s.at[0] - s.at[0], 50 * s.at[1]}
}
func (s *saddle) Assemble(shift float64) { s.shift = shift }
func (s *saddle) ResidualNorm() float64  { g := s.gradient(); return math.Hypot(g[0], g[1]) }
func (s *saddle) Increment() (float64, int, bool) {
	g, k := s.gradient(), [2]float64{3*s.at[0]*s.at[0] - 1 + s.shift, 50 + s.shift}
	negative := 0
	for i := range k {
		s.dx[i] = -g[i] / k[i]
		if k[i] < 0 {
			negative++
		}
	}
	return max(math.Abs(s.dx[0]), math.Abs(s.dx[1])), negative, k[0] != 0
}
func (s *saddle) Move(scale float64) {
	s.saved = s.at
	for i := range s.at {
		s.at[i] += scale * s.dx[i]
	}
	s.largest = max(s.largest, scale*math.Abs(s.dx[0]), scale*math.Abs(s.dx[1]))
}
func (s *saddle) Undo() { s.at = s.saved }
func (s *saddle) Merit() float64 {
	x, y := s.at[0], s.at[1]
	if s.flat {
		return 0
	}
	return x*x*x*x/4 - x*x/2 + 25*y*y
}
func (s *saddle) EscapeSaddle(negative int) bool {
	if s.leaves && negative == 1 {
		s.at[0] += 0.1
		return true
	}
	return false
}

// From where the tangent is indefinite a search descends: it ends in the well on its side, in increments within the trust radius.
func TestDescentEndsInTheWellOfItsSide(t *testing.T) {
	for _, x := range []float64{-0.5, -0.1, -1e-3, 1e-6, 0.3, 0.57} {
		s := &saddle{at: [2]float64{x, 2}}
		d := integrate.Descent{ResidualTol: 1e-12, HasPotential: true, MeritScale: 1, Cap: 100}
		r := d.Solve(s)
		if want := math.Copysign(1, x); !r.Converged() || math.Abs(s.at[0]-want) > 1e-9 || r.Negative != 0 {
			t.Errorf("from %g: %v at %.9g, want %g", x, r.Cause, s.at, want)
		}
		if s.largest > integrate.MaxIncrement*(1+1e-12) {
			t.Errorf("from %g: an increment of %g", x, s.largest)
		}
	}
}

// A search that meets a saddle leaves it where the system can, and reports it where not.
func TestDescentLeavesASaddle(t *testing.T) {
	for _, leaves := range []bool{true, false} {
		s := &saddle{at: [2]float64{0, 2}, leaves: leaves}
		d := integrate.Descent{ResidualTol: 1e-12, HasPotential: true, MeritScale: 1, Cap: 60}
		r := d.Solve(s)
		want, negative := 0.0, 1
		if leaves {
			want, negative = 1, 0
		}
		if !r.Converged() || math.Abs(s.at[0]-want) > 1e-9 || r.Negative != negative {
			t.Errorf("leaves %v: %v at %.9g with %d negative, want %g with %d", leaves, r.Cause, s.at, r.Negative, want, negative)
		}
	}
}

// Without a potential, an iteration that does not have to descend converges to the equilibrium that is next.
func TestUndescendingIterationConvergesToTheSaddle(t *testing.T) {
	s := &saddle{at: [2]float64{0.3, 0}, flat: true}
	d := integrate.Descent{ResidualTol: 1e-12, MeritScale: 1, Cap: 60}
	if r := d.Solve(s); !r.Converged() || math.Abs(s.at[0]) > 1e-9 || r.Negative != 1 {
		t.Errorf("%v at %.9g with %d negative, want 0 with 1", r.Cause, s.at, r.Negative)
	}
	d.RequiresDescent = true
	s.at = [2]float64{0.3, 0}
	if r := d.Solve(s); !r.Converged() || math.Abs(s.at[0]-1) > 1e-9 {
		t.Errorf("%v at %.9g, want 1", r.Cause, s.at)
	}
}
