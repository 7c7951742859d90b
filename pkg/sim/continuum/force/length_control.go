package force

import (
	"fmt"
	"math"

	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/rod/strain"
)

// Under length control the tension of a tendon is the multiplier of a unilateral constraint with compliance, see
// equations.Constraints: s is its length less that without tension, c the inverse of its stiffness, and λmin and
// λmax its MinTension and MaxTension.

// MaxRows implements equations.Constrained.
func (t *Tendons) MaxRows() int { return len(t.tendons) }

// AddRows implements equations.Constrained. Transverse forces and sliding friction turn the wrenches away from the
// gradient of the length.
func (t *Tendons) AddRows(state *strain.State, c *equations.Constraints, scope equations.Scope) {
	transverse := t.transverse && (scope == equations.EquilibriumScope || scope == equations.StickingScope)
	for k, d := range t.setpoints {
		if d.Mode != LengthControl {
			continue
		}
		r := c.Next(k)
		t.bundle.AddTensionWrenches(k, state.Pose, transverse, r.B)
		if t.columns > 0 && scope != equations.StepScope || transverse {
			t.bundle.AddLengthGradient(k, state.Pose, r.A)
		} else {
			copy(r.A, r.B)
		}
	}
	t.UpdateRows(c)
	t.addCoupling(c)
}

// UpdateRows implements equations.Constrained.
func (t *Tendons) UpdateRows(c *equations.Constraints) {
	rows := c.Rows()
	for p := range rows {
		r := &rows[p]
		k := r.ID
		r.Multiplier, r.Compliance = t.tensions[k], 1/t.tendons[k].Stiffness
		r.Min, r.Max = t.tendons[k].MinTension, t.tendons[k].MaxTension
		r.Gap = t.stretch(k, t.setpoints[k]) - r.Compliance*r.Multiplier - t.sharedStretch(k)
	}
}

// addCoupling adds the compliance that tendons share.
func (t *Tendons) addCoupling(c *equations.Constraints) {
	if t.coupling == nil {
		return
	}
	rows := c.Rows()
	for p := range rows {
		for r := range rows {
			c.AddCompliance(p, r, t.coupling.At(rows[p].ID, rows[r].ID))
		}
	}
}

// SetIncrement implements equations.Constrained.
func (t *Tendons) SetIncrement(c *equations.Constraints) {
	clear(t.increment)
	for _, r := range c.Rows() {
		t.increment[r.ID] = r.Increment
		t.setElastic(r.ID, r.Multiplier, r.Multiplier+r.Increment)
	}
}

// setElastic makes the tensions between which the merit counts the stretch of tendon k as elastic wider than those of an iterate, N.
func (t *Tendons) setElastic(k int, from, to float64) {
	a := &t.tendons[k]
	t.elastic[k] = interval{max(a.MinTension, 2*min(0, from, to)), min(a.MaxTension, 2*max(0, from, to))}
}

// Move implements equations.Constrained.
func (t *Tendons) Move(scale float64) {
	copy(t.saved, t.tensions)
	for k, f := range t.increment {
		t.tensions[k] += scale * f
	}
}

// Undo implements equations.Constrained.
func (t *Tendons) Undo() { copy(t.tensions, t.saved) }

// Multipliers implements equations.Constrained: by tendon, the tension at the base, N.
func (t *Tendons) Multipliers() []float64 { return t.tensions }

// MultiplierIncrements implements equations.Constrained.
func (t *Tendons) MultiplierIncrements() []float64 { return t.increment }

// ClearMultipliers implements equations.Constrained.
func (t *Tendons) ClearMultipliers() {
	clear(t.tensions)
	clear(t.elastic)
}

// AddGaps implements equations.Constrained.
func (t *Tendons) AddGaps(gap []float64, scale float64) {
	for k, d := range t.setpoints {
		if d.Mode == LengthControl {
			gap[k] += scale * t.gap(k, d)
		}
	}
}

// AddBounds implements equations.Constrained.
func (t *Tendons) AddBounds(low, high []float64, scale float64) {
	for k := range t.tendons {
		low[k] += scale * t.tendons[k].MinTension
		high[k] += scale * t.tendons[k].MaxTension
	}
}

// stretch is by how much tendon k is longer than without tension, m. In equilibria with friction the pieces of a
// tendon weigh by their share of the tension, so that its energy stays a potential.
func (t *Tendons) stretch(k int, d Setpoint) float64 {
	return t.workLength(k) + t.offset[k] - (t.rest[k] - t.factor*d.Pull)
}

// gap is s − c λ of tendon k, m.
func (t *Tendons) gap(k int, d Setpoint) float64 {
	return t.stretch(k, d) - t.tensions[k]/t.tendons[k].Stiffness - t.sharedStretch(k)
}

// sharedStretch is by how much the compliance that tendons share lengthens tendon k, m.
func (t *Tendons) sharedStretch(k int) (sum float64) {
	if t.coupling == nil {
		return 0
	}
	for l := range t.setpoints {
		sum += t.coupling.At(k, l) * t.baseTension(l)
	}
	return sum
}

// violation is by how much tendon k under length control is too long for its tension, m; negative: too short.
func (t *Tendons) violation(k int, d Setpoint) float64 {
	gap := t.gap(k, d)
	if t.tensions[k] <= t.tendons[k].MinTension {
		return max(gap, 0)
	} else if t.tensions[k] >= t.tendons[k].MaxTension {
		return min(gap, 0)
	}
	return gap
}

// SquaredViolation implements equations.Constrained.
func (t *Tendons) SquaredViolation() (sum float64) {
	for k, d := range t.setpoints {
		if d.Mode == LengthControl {
			gap := t.violation(k, d)
			sum += gap * gap
		}
	}
	return sum
}

// maxViolation is the share of the length of the robot by which a tendon under length control may be off. The last
// increment of an iteration leaves 1e-9 at the most.
const maxViolation = 1e-6

// checkLengths refuses an iterate at which the constraint of a tendon does not hold.
func (t *Tendons) checkLengths(time float64) error {
	worst, largest := 0, 0.0
	for k, d := range t.setpoints {
		if d.Mode != LengthControl {
			continue
		}
		if v := t.violation(k, d); !(math.Abs(v) <= math.Abs(largest)) {
			worst, largest = k, v
		}
	}
	if allowed := maxViolation * t.mesh.Length; !(math.Abs(largest) <= allowed) {
		return &TendonLengthError{Time: time, Tendon: t.tendons[worst].Name, Violation: largest, Allowed: allowed, Tension: t.tensions[worst]}
	}
	return nil
}

// TendonLengthError is the error of a tendon under length control that is longer than its tension makes it, or
// shorter.
type TendonLengthError struct {
	Time      float64 // s
	Tendon    string
	Violation float64 // by which it is too long, m; negative: too short
	Allowed   float64 // m
	Tension   float64 // N
}

func (e *TendonLengthError) Error() string {
	excess := "long"
	if e.Violation < 0 {
		excess = "short"
	}
	return fmt.Sprintf("tendon %s is %.3g m too %s for its tension of %.4g N at t = %.6g s, allowed: %.3g m; use slower pulls, a smaller step_s, or tendons that do not pull against one another",
		e.Tendon, math.Abs(e.Violation), excess, e.Tension, e.Time, e.Allowed)
}

// stretchEnergy is the energy of a tendon of compliance c stretched by s that yields at the ends of an interval of
// tensions, J: an exact penalty of its constraint where its tension is between them, whatever the compliance.
func stretchEnergy(s, c float64, elastic interval) float64 {
	f := elastic.most
	if s < c*f {
		if f = elastic.least; s > c*f {
			return s * s / (2 * c)
		}
	}
	return f * (s - c*f/2)
}

// coupledEnergy is the energy of the tendons under length control that share compliance, J: the greatest of
// sᵀλ − ½ λᵀcλ over the tensions λ between which stretch counts as elastic. Without shared compliance
// that is the sum of stretchEnergy.
func (t *Tendons) coupledEnergy() float64 {
	const least = 1e-15 // m/N, so that inextensible tendons have a greatest, too
	c := t.energy
	c.Reset()
	for k, d := range t.setpoints {
		if d.Mode != LengthControl {
			continue
		}
		r := c.Next(k)
		r.Compliance, r.Multiplier, r.Min, r.Max = max(least, 1/t.tendons[k].Stiffness), 0, t.elastic[k].least, t.elastic[k].most
		r.Gap = t.stretch(k, d)
		for l, other := range t.setpoints {
			if other.Mode == TensionControl {
				r.Gap -= t.coupling.At(k, l) * t.factor * other.Tension
			}
		}
	}
	t.addCoupling(c)
	return c.Complement()
}
