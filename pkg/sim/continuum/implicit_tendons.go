package continuum

import (
	"slices"

	"math"

	"sinew/pkg/sim/drive"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/tendon"
)

// tendonSystem is the tendons of a robot on the rod of method implicit: their
// lengths and tensions at the present iterate, and their friction with its state.
type tendonSystem struct {
	actuators  []actuator
	transverse bool // disks take no force along their normal
	bundle     *tendon.Bundle
	friction   []*tendon.Friction // by tendon, nil where there is none
	rest       []float64          // by tendon, routed length in the stress-free rod, m
	bend       []float64          // by gap of the bundle, π² times the least bending stiffness of the rod there, N m²

	// tensions is the state of the tendons: by tendon, the tension at the base, N. Under
	// length control it is an unknown of the step.
	tensions []float64

	// what holds during a step or a search for equilibrium
	setpoints []setpoint
	coupling  *drive.Coupling // of tendons that give way to one another; nil: none do
	share     float64         // of the setpoints, in a search for equilibrium that loads the robot step by step
	law       frictionLaw
	past      bool // there has been an equilibrium or a step, which friction in an equilibrium remembers
	release   bool // sliding is away from the motors

	// at the present iterate
	offset   []float64        // by tendon, length minus reach, m: 0 but where sliding
	change   []float64        // by tendon, of the tension in the increment, N
	merit    []float64        // by tendon, tension up to which the merit counts stretch as elastic, N
	saved    []float64        // tensions before the last move
	before   []float64        // tensions before the step
	lawWas   frictionLaw      // before the step
	slack    int              // number of tendons under length control without tension
	yields   int              // number of those at the largest tension
	extra    []spatial.Wrench // storage of dropped
	together *cables          // scratch of coupledEnergy
}

// frictionLaw says what the friction of the tendons is.
type frictionLaw int8

const (
	sliding  frictionLaw = iota // of tendons that slide one way, in an equilibrium without a past
	gripping                    // of the bristles, in an equilibrium
	stepping                    // of the bristles, in a step
)

// displacementPerRadius times the distance of the hole from the centreline is how far a
// tendon moves at a disk before it slips, unless the robot file says.
const displacementPerRadius = 0.005

func newTendonSystem(actuators []actuator, r *rod.Rod, transverse bool) *tendonSystem {
	routes := make([]*tendon.Route, len(actuators))
	for k := range routes {
		routes[k] = actuators[k].route
	}
	n := len(routes)
	t := &tendonSystem{
		actuators: actuators, transverse: transverse, share: 1,
		bundle: tendon.NewBundle(routes), together: newCables(n, 0), friction: make([]*tendon.Friction, n),
		extra: make([]spatial.Wrench, r.Elements+1),
	}
	for _, x := range []*[]float64{&t.rest, &t.tensions, &t.offset, &t.change, &t.merit, &t.saved, &t.before} {
		*x = make([]float64, n)
	}
	for _, g := range t.bundle.Gaps() {
		least := math.Inf(1)
		for e := g[0]; e < g[1]; e++ {
			k := &r.Pieces[e].Stiffness.Bend
			least = min(least, k.X, k.Y)
		}
		t.bend = append(t.bend, math.Pi*math.Pi*least)
	}
	for k, a := range actuators {
		if a.friction > 0 {
			displacement := a.displacement
			if displacement == 0 {
				displacement = displacementPerRadius * max(a.route.Base.Norm(), r.Section.Radius())
			}
			t.friction[k] = tendon.NewFriction(t.bundle, k, a.friction, a.bristles(displacement)...)
		}
	}
	return t
}

// bristles are those of the friction of a tendon, one of the displacement (m) unless the robot
// file has springs.
func (a *actuator) bristles(displacement float64) (all []tendon.Bristle) {
	for _, s := range a.springs {
		all = append(all, tendon.Bristle{Share: s.Share, Displacement: s.Displacement})
	}
	if all == nil {
		all = []tendon.Bristle{{Share: 1, Displacement: displacement}}
	}
	return all
}

// rememberRest makes the measured lengths those of the stress-free rod.
func (t *tendonSystem) rememberRest() {
	t.bundle.RememberRest()
	for k := range t.rest {
		t.rest[k] = t.bundle.Length(k)
	}
}

// reset straightens the bristles at the measured lengths.
func (t *tendonSystem) reset() {
	t.slack, t.yields, t.law, t.past = 0, 0, sliding, false
	t.slacken()
	for _, f := range t.friction {
		if f != nil {
			f.Free()
			f.Settle(0)
		}
	}
}

// begin starts a step under the setpoints: the measured directions and the tensions
// at the base limit the friction throughout. It returns the wrenches that transverse
// disk forces lack at the start; in the first step after an equilibrium they do not
// count the friction that the bristles have taken over.
func (t *tendonSystem) begin(in *inputs, pose []spatial.Pose) (dropped []spatial.Wrench) {
	t.setpoints, t.coupling = in.Setpoints, in.Coupling
	copy(t.before, t.tensions)
	t.lawWas = t.law
	for k, f := range t.tensions {
		t.merit[k] = min(t.actuators[k].limits.MaxTension, 2*f)
	}
	for k, f := range t.friction {
		if f != nil {
			f.Begin(t.tension(k, t.setpoints[k]))
			t.offset[k] = 0
		}
	}
	dropped = t.dropped(pose)
	t.law = stepping
	return dropped
}

// accept makes the present tensions those at the end of the step and moves the
// bristles to the measured lengths.
func (t *tendonSystem) accept() {
	t.past = true
	t.keepTensions()
	for _, f := range t.friction {
		if f != nil {
			f.End()
		}
	}
}

// keepTensions remembers the commanded tensions, from which a tendon starts that
// comes under length control.
func (t *tendonSystem) keepTensions() {
	for k, d := range t.setpoints {
		if d.Mode == tensionControl {
			t.tensions[k] = d.Tension
		}
	}
}

// slacken takes the tension off the tendons under length control.
func (t *tendonSystem) slacken() {
	clear(t.tensions)
	clear(t.merit)
}

// abandon takes begin back.
func (t *tendonSystem) abandon() {
	copy(t.tensions, t.before)
	t.law = t.lawWas
	for _, f := range t.friction {
		if f != nil {
			f.Abandon()
		}
	}
}

// tension is the tension of tendon k at the base under setpoint d, N: under length
// control that of the last step.
func (t *tendonSystem) tension(k int, d setpoint) float64 {
	if d.Mode == tensionControl {
		return d.Tension
	}
	return t.tensions[k]
}

// stretch is by how much tendon k is longer than without tension, m. In equilibria
// with friction the pieces of a tendon weigh by their share of the tension, so that
// its energy stays a potential.
func (t *tendonSystem) stretch(k int, d setpoint) float64 {
	return t.reach(k) + t.offset[k] - (t.rest[k] - t.share*d.Pull)
}

// setTensions gives the chords the tensions of the iterate and counts the tendons
// that are slack or yield.
func (t *tendonSystem) setTensions() {
	t.slack, t.yields = 0, 0
	for k, d := range t.setpoints {
		x := t.share * d.Tension
		if d.Mode == lengthControl {
			x = t.tensions[k]
		}
		t.bundle.SetTension(k, x)
		if f := t.friction[k]; f != nil && t.law == stepping {
			f.Hold()
		}
		switch {
		case d.Mode == tensionControl:
		case x <= 0:
			t.slack++
		case x >= t.actuators[k].limits.MaxTension:
			t.yields++
		}
	}
}

// addPotential returns sum and the energy of the tendons in the measured shape, J:
// of those under tension control the work of the motors.
func (t *tendonSystem) addPotential(sum float64) float64 {
	if t.coupling != nil {
		sum += t.coupledEnergy()
	}
	for k, d := range t.setpoints {
		if d.Mode == tensionControl {
			sum += t.share * d.Tension * t.reach(k)
		} else if s := t.stretch(k, d); s > 0 && t.coupling == nil {
			sum += stretchEnergy(s, 1/t.actuators[k].stiffness, t.merit[k])
		}
		if f := t.friction[k]; f != nil && t.law == stepping {
			sum += f.Energy()
		}
	}
	return sum
}

// violation is by how much the constraints of the tendons under length control do
// not hold, m.
func (t *tendonSystem) violation() float64 {
	sum := 0.0
	for k, d := range t.setpoints {
		if d.Mode == lengthControl {
			gap := t.violationOf(k, d)
			sum += gap * gap
		}
	}
	return math.Sqrt(sum)
}

// violationOf is by how much tendon k under length control is too long for its
// tension, m; negative: too short.
func (t *tendonSystem) violationOf(k int, d setpoint) float64 {
	gap := t.stretch(k, d) - t.tensions[k]/t.actuators[k].stiffness - t.lent(k)
	if t.tensions[k] <= 0 {
		return max(gap, 0)
	} else if t.tensions[k] >= t.actuators[k].limits.MaxTension {
		return min(gap, 0)
	}
	return gap
}

// worst returns the tendon whose constraint is violated most, and its violation, m.
func (t *tendonSystem) worst() (tendon int, violation float64) {
	for k, d := range t.setpoints {
		if d.Mode != lengthControl {
			continue
		}
		if v := t.violationOf(k, d); !(math.Abs(v) <= math.Abs(violation)) {
			tendon, violation = k, v
		}
	}
	return tendon, violation
}

// move adds scale times the changes to the tensions.
func (t *tendonSystem) move(scale float64) {
	copy(t.saved, t.tensions)
	for k, f := range t.change {
		t.tensions[k] += scale * f
	}
}

// undo takes the last move back.
func (t *tendonSystem) undo() { copy(t.tensions, t.saved) }

// dropped returns what the convention of transverse disk forces takes away from
// the wrenches on the nodes, body axes, in the measured shape.
func (t *tendonSystem) dropped(pose []spatial.Pose) []spatial.Wrench {
	clear(t.extra)
	if t.transverse {
		t.setTensions()
		t.bundle.Transverse(pose, t.extra)
	}
	return t.extra
}

// smooth reports whether the tendons act by given tensions, without friction.
func (t *tendonSystem) smooth() bool { return !t.isHeld() && !t.frictional() }

// isHeld reports whether a tendon is under length control.
func (t *tendonSystem) isHeld() bool {
	return slices.ContainsFunc(t.setpoints, func(d setpoint) bool { return d.Mode == lengthControl })
}

// eulerLoadRatio returns the largest ratio of the total tension in a gap between
// disks to the Euler load π² EI/gap² of the rod there, and the gap.
func (t *tendonSystem) eulerLoadRatio(r *rod.Rod) (ratio float64, gap [2]int) {
	return t.bundle.EulerLoadRatio(t.bend, r.ArcLengths)
}
