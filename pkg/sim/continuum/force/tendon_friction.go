package force

import (
	"slices"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/tendon"
)

// frictionLaw says what the friction of the tendons is.
type frictionLaw int8

const (
	sliding  frictionLaw = iota // toward the motors, in an equilibrium without a predecessor
	sticking                    // of the bristles, in an equilibrium with a predecessor
	bristles                    // of the bristles, in a step
)

// newFriction makes the friction of the tendons that have any.
func (t *Tendons) newFriction() {
	for k := range t.tendons {
		a := &t.tendons[k]
		if a.Friction <= 0 {
			continue
		}
		all := tendon.NewBristles(a.Bristles, a.Displacement, max(a.Route.Base.Norm(), t.mesh.Section.Radius()))
		path := t.bundle.Path(k)
		t.friction[k] = tendon.NewFriction(path, slices.Repeat([]float64{a.Friction}, len(path)-1), all...)
		t.frictional = append(t.frictional, k)
	}
}

// updateEquilibriumFriction sets the shares of tendons with friction to those in the measured shape.
//
// The first equilibrium is that of tendons that slide toward the motors, so that the tension falls by the
// capstan law with the angle by which the tendon wraps each disk; those after it follow the bristles from
// where they were.
func (t *Tendons) updateEquilibriumFriction() {
	for _, k := range t.frictional {
		f := t.friction[k]
		if t.law == sticking {
			f.UpdateShares(t.frictionTension(k))
		} else {
			f.SetSlidingShares(t.frictionTension(k) >= 0)
		}
		t.offset[k] = t.bundle.Length(k) - t.workLength(k)
	}
}

// frictionTension is the tension of tendon k at the base, N, whose sign decides on its friction in an equilibrium: no less than the least
// one, so that round-off makes no tendon push.
func (t *Tendons) frictionTension(k int) float64 {
	return max(t.baseTension(k), t.tendons[k].MinTension)
}

// workLength is what the tension of tendon k at the base does work on, m; in equilibria with the friction of the
// last updateEquilibriumFriction.
func (t *Tendons) workLength(k int) float64 {
	if f := t.friction[k]; f != nil && t.law == sticking {
		return f.WorkLength(t.frictionTension(k))
	}
	return t.bundle.WeightedLength(k)
}

// StoredLength is by how much the friction springs of tendon k lengthen the way of its end at the motor, m.
func (t *Tendons) StoredLength(k int) float64 {
	if f := t.friction[k]; f != nil {
		return f.StoredLength(t.frictionTension(k))
	}
	return 0
}

// IsHistoryDependent implements equations.HistoryDependent: a tendon has friction.
func (t *Tendons) IsHistoryDependent() bool {
	return len(t.frictional) > 0
}

// HasPredecessor implements equations.HistoryDependent.
func (t *Tendons) HasPredecessor() bool { return t.predecessor }

// What the last state was that friction depends on, in a saved state.
const (
	historyNone = iota
	historyStep
	historyEquilibrium
)

func (t *Tendons) historyKind() int {
	switch {
	case t.law == bristles:
		return historyStep
	case t.predecessor:
		return historyEquilibrium
	}
	return historyNone
}

func (t *Tendons) setHistoryKind(kind int) {
	t.predecessor = kind != historyNone
	if t.law = sliding; kind == historyStep {
		t.law = bristles
	}
}

// MaxColumns implements equations.LowRank: one per disk that a tendon passes with friction.
func (t *Tendons) MaxColumns() (n int) {
	for _, k := range t.frictional {
		f := t.friction[k]
		n += f.PassedDisks()
	}
	return n
}

// AddColumns implements equations.LowRank. The tangent of the chords at constant tensions is in the blocks.
func (t *Tendons) AddColumns(state *strain.State, c *equations.Columns, scope equations.Scope) {
	t.columns = 0
	if scope == equations.StepScope {
		t.addSticking(state, c)
		return
	}
	if scope == equations.FrictionlessScope {
		return
	}
	t.addTransverse(state, c)
	before := c.Len()
	t.addEquilibriumFriction(state, c, scope == equations.EquilibriumScope)
	t.columns = c.Len() - before
}

// addSticking enters the stiffness of the bristles that stick.
func (t *Tendons) addSticking(state *strain.State, c *equations.Columns) {
	for _, k := range t.frictional {
		f := t.friction[k]
		for j := range f.PassedDisks() {
			if f.IsSticking(j) {
				f.AddDistalTensionWrenches(j, state.Pose, false, c.Symmetric(f.StickStiffness(j)))
			}
		}
	}
}

// addEquilibriumFriction enters the friction of an equilibrium: the tension beyond a disk follows the angle there
// and, where bristles stick, the motion of the tendon. Without all, that is of the disks where they do.
func (t *Tendons) addEquilibriumFriction(state *strain.State, c *equations.Columns, all bool) {
	for _, k := range t.frictional {
		f := t.friction[k]
		for j := range f.PassedDisks() {
			if !all && !f.IsSticking(j) {
				continue
			}
			stiffness := t.bundle.TensionAt(k, 0)
			if t.law != sticking {
				stiffness *= f.SlidingExponent(j, t.frictionTension(k) >= 0)
			}
			b, a := c.Unsymmetric(stiffness)
			f.AddDistalTensionWrenches(j, state.Pose, t.transverse, b)
			if t.law == sticking {
				f.AddTensionRatioGradient(j, t.frictionTension(k), state.Pose, a)
			} else {
				f.AddWrapAngleGradient(j, state.Pose, a)
			}
		}
	}
}

// addTransverse adds the tangent of transverse disk forces to the rows of the nodes with disks.
func (t *Tendons) addTransverse(state *strain.State, c *equations.Columns) {
	if !t.transverse {
		return
	}
	for k := range t.tendons {
		for _, i := range t.tendons[k].Route.Nodes {
			c.Row(i, 0)
		}
	}
	for part := range t.bundle.NormalForceCount() {
		clear(t.gradient)
		i, push := t.bundle.AddNormalForceGradient(part, state.Pose, t.gradient)
		for r, f := range push {
			if f != 0 {
				equations.AddScaled(c.Row(i, r), f, t.gradient)
			}
		}
	}
}
