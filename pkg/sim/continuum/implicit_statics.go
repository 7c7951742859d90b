package continuum

import (
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// statics is the equations of an equilibrium.
//
// The first equilibrium with friction is that of tendons that slide one way, so that the
// tension falls, or rises, by the capstan law with the angle by which the tendon
// wraps each disk; those after it remember where the tendons were. Friction and the convention
// of transverse disk forces have no potential: the merit of an increment counts their limits as they
// were before it. Their tangent is of low rank. Most equilibria of sliding are found sooner
// without it, by more but cheaper iterations; with it the iteration converges quadratically. Of friction
// that remembers, too, that of the disks at which the tendon slips is left out at first, and most
// increments are by the method of chords, at a fourth of the cost.
type statics struct {
	at        *iterate
	constants *rod.Rod
	in        *inputs
	report    integrate.Report // tells of the last solve, with the iterations of the whole search

	// turning are the nodes whose loads have no potential: first the loaded ones
	// with external moments or followers, then those with transverse disk forces
	// alone.
	turning []int
	loaded  int
	passed  int          // number of disks that tendons pass with friction
	chart   strain.Chart // of the last tangent
	joins   int          // first of the border columns of contacts of the rod with itself
	column  []int        // by node, first of the six border columns of a turning node
	// skipFriction is how many more iterations of the search leave friction and
	// transverse forces out of the tangent.
	skipFriction int
	counts       bool         // the tangent that is taken only counts eigenvalues
	relaxes      bool         // the equations are those of a step of relaxation
	leads        bool         // the tangent of equilibria is kept for robots beside; see beside
	tells        bool         // it is that of the last equilibrium
	rest         input        // what is left of its equations
	derives      bool         // the next search takes the Jacobian, also
	by           []sim.Varied // by these
	jacobian     *sim.Jacobian

	secants   integrate.Secants // since the last tangent
	increment []float64         // the present one as a list
	learns    bool              // the last Move is among the secants
}

var _ integrate.Counter = (*statics)(nil)

// Assemble implements integrate.System.
func (s *statics) Assemble(shift float64) {
	s.at.tendons.rub()
	s.at.tendons.setTensions()
	s.at.linear.assemble(s.at.rod, s.at.tendons, shift)
	s.freeze()
}

// assembleResidual takes the residual and leaves the tangent.
func (s *statics) assembleResidual() {
	s.at.tendons.rub()
	s.at.tendons.setTensions()
	s.at.linear.assembleResidual(s.at.rod, s.at.tendons)
}

// freeze holds what acts without a potential as it is, for the merit.
func (s *statics) freeze() {
	if !s.hasPotential() {
		s.at.rod.Freeze(s.at.tendons.dropped(s.at.rod.Pose))
	}
}

// hasPotential reports whether everything that acts has a potential, so that the
// merit test holds.
func (s *statics) hasPotential() bool { return !s.at.tendons.transverse && len(s.turning) == 0 }

// ResidualNorm implements integrate.System, in N.
func (s *statics) ResidualNorm() float64 { return s.at.residualNorm() }

// Increment implements integrate.System. The size is the largest rotation (rad) or
// relative stretch that the increment gives an element. There is nothing to refine:
// the skew part of the tangent vanishes with the residual where loads have a
// potential, and where they have none it is in the border.
func (s *statics) Increment() (size float64, negative int, ok bool) {
	if negative, ok = s.at.linear.factor(); !ok {
		return 0, negative, false
	}
	s.fillBorder()
	s.skipFriction--
	s.chart.Take(s.at.rod)
	s.secants.Reset()
	ok = s.at.linear.solve(0)
	if s.relaxes && ok {
		s.at.linear.amend(s.at.rod)
	}
	if w := &s.at.linear.border; w.rank > s.joins {
		negative += w.negative(s.joins)
	}
	return s.at.increment(), negative - s.at.linear.cables.negative(), ok
}

// Negative implements integrate.Counter. Friction that remembers does not count: what is stable without
// the bristles is so with them.
func (s *statics) Negative() int {
	skip := s.skipFriction
	if s.at.tendons.grips() {
		s.skipFriction, s.counts = 1, true
	}
	_, negative, _ := s.Increment()
	s.skipFriction, s.counts = skip, false
	return negative
}

// ChordResidual implements integrate.Chord. It pays where friction makes tangents dear. Contacts
// need a tangent of their own.
func (s *statics) ChordResidual() (ok bool) {
	if !s.at.tendons.grips() || s.at.contacts != nil {
		return false
	}
	s.assembleResidual()
	return true
}

// ChordIncrement implements integrate.Chord.
func (s *statics) ChordIncrement() (size float64, ok bool) {
	q := s.at.linear
	q.oppose()
	s.chart.Recast(s.at.rod, q.x)
	q.cables.take(s.at.tendons)
	ok = q.solve(0)
	q.cables.store(s.at.tendons)
	turn, stretch := s.chart.Increment(s.at.rod, q.x, s.at.dx)
	s.readIncrement()
	s.secants.Improve(s.increment)
	s.writeIncrement()
	return max(turn, stretch), ok
}

// readIncrement lists the present increment: of the strains, and of the tensions, which do not decide how far it is.
func (s *statics) readIncrement() {
	s.increment = s.increment[:0]
	for e := range s.at.dx {
		a, l := &s.at.dx[e].Angular, &s.at.dx[e].Linear
		s.increment = append(s.increment, a.X, a.Y, a.Z, l.X, l.Y, l.Z)
	}
	s.secants.Deciding = len(s.increment)
	s.increment = append(s.increment, s.at.tendons.change...)
}

// writeIncrement makes the list the increment.
func (s *statics) writeIncrement() {
	for e := range s.at.dx {
		x := s.increment[6*e : 6*e+6]
		s.at.dx[e] = spatial.Twist{Angular: spatial.VecAt(x), Linear: spatial.VecAt(x[3:])}
	}
	copy(s.at.tendons.change, s.increment[s.secants.Deciding:])
}

// fillBorder enters what the factored tangent leaves out: the skew part of the
// tangent at nodes with loads that have no potential, friction and transverse
// forces, contacts of the rod with itself, and the tendons under length control.
func (s *statics) fillBorder() {
	w, t, pose := &s.at.linear.border, s.at.tendons, s.at.rod.Pose
	exact := s.skipFriction <= 0
	turning, passed := s.turning, s.passed
	switch {
	case exact:
	case t.grips() && !s.counts:
		passed = t.sticking()
	default:
		turning, passed = s.turning[:s.loaded], 0
	}
	s.joins = 6*len(turning) + passed
	w.reset(s.joins + s.at.joins())
	s.addTurning(w, 0, turning)
	s.at.addJoins(w, s.joins)
	whole := len(turning) == len(s.turning)
	if whole {
		s.addTransverse(w)
	}
	if passed > 0 {
		t.addRubbing(w, 6*len(turning), pose, exact)
	}
	w.prepare(s.at.linear.matrix)
	s.at.linear.cables.fill(t, w, s.at.linear.matrix, pose, t.transverse && whole, passed > 0)
}

// findTurning lists the nodes whose loads have no potential: moments, what turns
// with the rod, and transverse forces of disks. It makes room in the border for
// them and for friction.
func (s *statics) findTurning() {
	t := s.at.tendons
	s.turning = s.turning[:0]
	for i := 1; i < len(s.at.rod.Loads); i++ {
		l := &s.at.rod.Loads[i]
		if l.Moment != (spatial.Vec{}) || l.Follower != (spatial.Wrench{}) {
			s.turning = append(s.turning, i)
		}
	}
	s.loaded = len(s.turning)
	for k := range t.actuators {
		for _, i := range t.actuators[k].route.Nodes {
			if t.transverse && !slices.Contains(s.turning, i) {
				s.turning = append(s.turning, i)
			}
		}
	}
	s.passed = t.passed()
	room := 6*len(s.turning) + s.passed
	if s.at.contacts != nil {
		room += s.at.contacts.MostColumns()
	}
	s.at.linear.border.grow(room, len(s.at.linear.x))
}

// addTurning enters the skew parts of the tangent at the nodes, from column p on.
func (s *statics) addTurning(w *border, p int, nodes []int) {
	for _, i := range nodes {
		s.column[i] = p
		skew := s.at.linear.nodes.SkewPart(i)
		for r := range 6 {
			w.b[p][i-1][r] = 1
			copy(w.left(p)[i-1][:], skew[6*r:6*r+6])
			w.c[p] = 1
			p++
		}
	}
}

// addTransverse adds the tangent of the transverse forces to the columns of the
// turning nodes.
func (s *statics) addTransverse(w *border) {
	t := s.at.tendons
	if !t.transverse {
		return
	}
	slope := s.at.linear.residual // free: there is no refinement
	for part := range t.bundle.NormalParts() {
		clear(slope)
		i, push := t.bundle.NormalSlope(part, s.at.rod.Pose, slope)
		for r, f := range push {
			if f != 0 {
				addScaled(w.a[s.column[i]+r], f, slope)
			}
		}
	}
}

// Move implements integrate.System. Whole increments are what chords learn from.
func (s *statics) Move(scale float64) {
	if s.learns = scale == 1 && s.at.tendons.grips() && s.at.contacts == nil; s.learns {
		s.readIncrement()
		s.secants.Take(s.increment)
	}
	s.at.move(scale)
}

// Undo implements integrate.System.
func (s *statics) Undo() {
	if s.learns {
		s.secants.Drop()
	}
	s.at.undo()
}

// Merit implements integrate.System, in J.
func (s *statics) Merit() float64 { return s.at.merit() }

// beginStatic starts a search for equilibrium under the setpoints, without friction.
func (t *tendonSystem) beginStatic(in *inputs) {
	t.setpoints, t.coupling, t.share, t.slack, t.yields = in.Setpoints, in.Coupling, 1, 0, 0
	if t.law = sliding; t.past {
		t.law = gripping
	}
	for k, f := range t.friction {
		t.offset[k] = 0
		if f != nil {
			f.Free()
		}
	}
}

// rub sets the shares of tendons with friction to those in the measured shape.
func (t *tendonSystem) rub() {
	for k, f := range t.friction {
		if f == nil {
			continue
		}
		if t.law == gripping {
			f.Grip()
		} else {
			f.Slide(!t.release)
		}
		t.offset[k] = t.bundle.Length(k) - t.reach(k)
	}
}

// reach is what the tension of tendon k at the base does work on, m; in equilibria with the
// friction of the last rub.
func (t *tendonSystem) reach(k int) float64 {
	if f := t.friction[k]; f != nil && t.law == gripping {
		return f.Grasp()
	}
	return t.bundle.Reach(k)
}

// settle hands the friction of an equilibrium to the bristles.
func (t *tendonSystem) settle() {
	t.keepTensions()
	t.past = true
	for k, f := range t.friction {
		switch {
		case f == nil:
		case t.law == gripping:
			f.Keep(t.tension(k, t.setpoints[k]))
		default:
			f.Settle(t.tension(k, t.setpoints[k]))
		}
	}
}

// frictional reports whether a tendon has friction.
func (t *tendonSystem) frictional() bool {
	for _, f := range t.friction {
		if f != nil {
			return true
		}
	}
	return false
}

// grips reports whether friction in the equilibrium that is sought remembers.
func (t *tendonSystem) grips() bool { return t.law == gripping && t.frictional() }

// isBent reports whether an element has an elastic stress.
func (s *statics) isBent() bool { return !s.at.rod.IsStressFree() }
