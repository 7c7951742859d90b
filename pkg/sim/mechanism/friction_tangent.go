package mechanism

import (
	"fmt"
	"slices"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// In an equilibrium the matrix has the shares of the tension that friction leaves to the segments as they are. Derivatives need how they
// change: where a tendon slides the ratio of the tensions at a hole follows the angle there, and where it sticks also the length that has
// passed. With that the tangent is K + Σ u vᵀ, which is solved by the formula of Sherman, Morrison and Woodbury (Hager, "Updating the
// inverse of a matrix", SIAM Review 31 (1989) 221).

// shareChange is a term u vᵀ of the tangent: by ratio, which is vᵀ x, the right-hand side becomes less by u.
type shareChange struct {
	u, v []spatial.Vec6 // by unknown
	// held is u where the tangent of sticking, which the matrix has in part, is not in it.
	held []spatial.Vec6
	// chords is the derivative of the ratio by the segments of the tendon, world axes.
	tendon int
	chords []spatial.Vec
	solved []spatial.Vec6 // by u
}

// shareChanges returns the terms of the tendons with friction, at the last assembly.
func (w *World) shareChanges() (all []shareChange) {
	for k, t := range w.tendons {
		if t.friction == nil {
			continue
		}
		for j := range t.friction.PassedDisks() {
			byAngle, byLength := t.friction.SlidingExponent(j, t.tension() >= 0), 0.0
			if t.capstan != capstanSliding {
				byAngle, byLength = t.friction.TensionRatioRates(j, t.tension())
			}
			beyond := func(i int) float64 { return t.tension() * t.share[i] }
			if before, after := t.friction.WrapAngleGradient(j); byAngle != 0 {
				c := w.newShareChange(k)
				c.chords[j], c.chords[j+1] = before.Scale(byAngle), after.Scale(byAngle)
				c.u = w.segmentGradients(t, j+1, beyond)
				c.held = c.u
				all = append(all, c)
			}
			if byLength != 0 {
				c := w.newShareChange(k)
				for i := j + 1; i < len(t.path); i++ {
					_, u := t.path.Chord(i)
					c.chords[i] = u.Scale(byLength)
				}
				c.held = w.segmentGradients(t, j+1, beyond)
				c.u = w.segmentGradients(t, j+1, func(i int) float64 { return t.tension() * (t.share[i] - t.share[j+1]) })
				all = append(all, c)
			}
		}
		for i := range all {
			if c := &all[i]; c.tendon == k {
				c.v = w.chordGradient(t, c.chords)
			}
		}
		if t.law.isActive { // the row has the length that the tension works on
			c := shareChange{tendon: k, u: make([]spatial.Vec6, len(w.unknowns))}
			c.u[t.unknown][0] = 1
			c.v = w.segmentGradients(t, 0, func(i int) float64 { return 1 - t.share[i] })
			all = append(all, c)
		}
	}
	return all
}

func (w *World) newShareChange(tendon int) shareChange {
	return shareChange{tendon: tendon, chords: make([]spatial.Vec, len(w.tendons[tendon].path))}
}

// segmentGradients returns the sum of the gradients of the lengths of the segments from the first one on, times scale.
func (w *World) segmentGradients(t *routedTendon, first int, scale func(i int) float64) []spatial.Vec6 {
	chords := make([]spatial.Vec, len(t.path))
	for i := first; i < len(t.path); i++ {
		_, u := t.path.Chord(i)
		chords[i] = u.Scale(scale(i))
	}
	return w.chordGradient(t, chords)
}

// chordGradient returns by node the gradient of what has the given derivatives by the segments of a tendon.
func (w *World) chordGradient(t *routedTendon, chords []spatial.Vec) []spatial.Vec6 {
	all := make([]spatial.Vec6, len(w.unknowns))
	for i, d := range chords {
		for k := range 2 {
			s := &t.hole[i+k]
			if s.node < 0 {
				continue
			}
			f := w.pose[s.node].R.ApplyT(d).Scale(float64(2*k - 1))
			addWrench(&all[s.node], f, s.frame.P.Cross(f))
		}
	}
	return all
}

// woodbury are the factors of I + Vᵀ K⁻¹ U.
type woodbury struct {
	changes []shareChange
	dense   []float64
	pivots  []int
	// isSliding says of each tendon whether its friction is that of a first equilibrium.
	isSliding []bool
}

// newWoodbury factors; solve sets increment to the solution with the matrix alone.
func (w *World) newWoodbury(solve func(right []spatial.Vec6)) (o woodbury, err error) {
	o.changes = w.shareChanges()
	for _, t := range w.tendons {
		o.isSliding = append(o.isSliding, t.capstan == capstanSliding)
	}
	n := len(o.changes)
	o.dense, o.pivots = make([]float64, n*n), make([]int, n)
	for k := range o.changes {
		c := &o.changes[k]
		solve(c.u)
		c.solved = append([]spatial.Vec6{}, w.increment...)
		for i := range o.changes {
			o.dense[i*n+k] = dotAll(o.changes[i].v, c.solved)
		}
		o.dense[k*n+k]++
	}
	if n > 0 && !integrate.FactorDense(o.dense, o.pivots) {
		return o, fmt.Errorf("%w: friction of tendons leaves a motion that nothing resists", ErrNoSensitivity)
	}
	return o, nil
}

// apply makes the increment, the solution with the matrix alone, that with the terms.
func (o *woodbury) apply(increment []spatial.Vec6) {
	if len(o.changes) == 0 {
		return
	}
	ratios := make([]float64, len(o.changes))
	for i := range o.changes {
		ratios[i] = dotAll(o.changes[i].v, increment)
	}
	integrate.SolveFactored(o.dense, o.pivots, ratios)
	for i, x := range ratios {
		for k := range increment {
			for r := range increment[k] {
				increment[k][r] -= x * o.changes[i].solved[k][r]
			}
		}
	}
}

// addInput adds to a right-hand side what the segments of tendons, which an input moves by the given rates, change of their shares.
func (o *woodbury) addInput(right []spatial.Vec6, rates [][]spatial.Vec) {
	for i := range o.changes {
		c := &o.changes[i]
		if c.held == nil || o.isSliding[c.tendon] { // what slides has its shares at both values of an input
			continue
		}
		ratio := 0.0
		for k, d := range rates[c.tendon] {
			ratio += c.chords[k].Dot(d)
		}
		for k := range right {
			for r := range right[k] {
				right[k][r] -= ratio * c.held[k][r]
			}
		}
	}
}

// chordRates returns the rates of the segments of all tendons between two sets of them.
func chordRates(upper, lower [][]spatial.Vec, difference float64) (all [][]spatial.Vec) {
	for t := range upper {
		var rates []spatial.Vec
		for i := range upper[t] {
			rates = append(rates, upper[t][i].Sub(lower[t][i]).Scale(1/difference))
		}
		all = append(all, rates)
	}
	return all
}

// chords returns the segments of all tendons.
func (w *World) chords() (all [][]spatial.Vec) {
	for _, t := range w.tendons {
		var chords []spatial.Vec
		for i := range t.path {
			l, u := t.path.Chord(i)
			chords = append(chords, u.Scale(l))
		}
		all = append(all, chords)
	}
	return all
}

func dotAll(a, b []spatial.Vec6) (sum float64) {
	for i := range a {
		sum += dot(&a[i], &b[i])
	}
	return sum
}

// beginFrictionTangent makes the friction of tendons that of an equilibrium from here, or of the first one where nothing has moved since.
func (w *World) beginFrictionTangent() {
	for _, t := range w.tendons {
		if t.capstan == capstanSliding {
			t.hasMoved = false
		}
	}
}

// HasTendonFriction reports whether some tendon has friction.
func (w *World) HasTendonFriction() bool {
	return slices.ContainsFunc(w.tendons, func(t *routedTendon) bool { return t.friction != nil })
}

// historyOf names a tendon whose friction follows motions or equilibria before; empty: there is none.
func (w *World) historyOf() string {
	for _, t := range w.tendons {
		if t.friction != nil && t.hasMoved {
			return t.Name
		}
	}
	return ""
}
