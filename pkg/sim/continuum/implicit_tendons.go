package continuum

import (
	"math"

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

	// what holds during a step or a search for equilibrium
	drives   []drive
	loading  loading
	bristles bool // friction is that of the bristles in a step; false: that of sliding
	release  bool // sliding is away from the motors

	// at the present iterate
	offset []float64        // by tendon, length minus reach, m: 0 but where sliding
	taut   []int            // tendons under length control that are not slack
	slack  int              // number of tendons under length control that are
	extra  []spatial.Wrench // storage of dropped
}

// loading is what a search for equilibrium may vary to get to the full load.
type loading struct {
	share    float64 // factor on all loads and tensions
	stiffest float64 // bound of the stiffness of the tendons, N/m
}

var fullLoading = loading{share: 1, stiffest: math.Inf(1)}

// bristlesPerRadius times the largest tension over the radius of the hole is the
// stiffness of a friction bristle: at the few hundredths of that tension that a
// disk holds it bends by as little of the radius. Much stiffer ones slow the
// iteration down.
const bristlesPerRadius = 2

func newTendonSystem(actuators []actuator, r *rod.Rod, transverse bool) *tendonSystem {
	routes := make([]*tendon.Route, len(actuators))
	for k := range routes {
		routes[k] = actuators[k].route
	}
	n := len(routes)
	t := &tendonSystem{
		actuators: actuators, transverse: transverse, loading: fullLoading,
		bundle: tendon.NewBundle(routes), friction: make([]*tendon.Friction, n), rest: make([]float64, n),
		offset: make([]float64, n), taut: make([]int, 0, n), extra: make([]spatial.Wrench, r.Elements+1),
	}
	for k, a := range actuators {
		if a.friction > 0 {
			stiffness := bristlesPerRadius * a.limits.MaxTension / max(a.route.Base.Norm(), r.Section.Radius())
			t.friction[k] = tendon.NewFriction(t.bundle, k, a.friction, stiffness)
		}
	}
	return t
}

// rememberRest makes the measured lengths those of the stress-free rod.
func (t *tendonSystem) rememberRest() {
	for k := range t.rest {
		t.rest[k] = t.bundle.Length(k)
	}
}

// reset straightens the bristles at the measured lengths.
func (t *tendonSystem) reset() {
	t.slack = 0
	for _, f := range t.friction {
		if f != nil {
			f.Free()
			f.Settle(0)
		}
	}
}

// begin starts a step under the drives: the measured directions and the tensions
// at the base limit the friction throughout. It returns the wrenches that transverse
// disk forces lack at the start; in the first step after an equilibrium they do not
// count the friction that the bristles have taken over.
func (t *tendonSystem) begin(drives []drive, pose []spatial.Pose) (dropped []spatial.Wrench) {
	t.drives = drives
	for k, f := range t.friction {
		if f != nil {
			f.Begin(t.tension(k, drives[k]))
			t.offset[k] = 0
		}
	}
	dropped = t.dropped(pose)
	t.bristles = true
	return dropped
}

// accept moves the bristles to the measured lengths.
func (t *tendonSystem) accept() {
	for _, f := range t.friction {
		if f != nil {
			f.End()
		}
	}
}

// abandon takes begin back.
func (t *tendonSystem) abandon() {
	for _, f := range t.friction {
		if f != nil {
			f.Abandon()
		}
	}
}

// beginStatic starts a search for equilibrium under the drives, without friction.
func (t *tendonSystem) beginStatic(drives []drive) {
	t.drives, t.bristles, t.loading, t.slack = drives, false, fullLoading, 0
	for k, f := range t.friction {
		t.offset[k] = 0
		if f != nil {
			f.Free()
		}
	}
}

// slide sets the shares of tendons with friction to those of sliding in the
// measured shape.
func (t *tendonSystem) slide() {
	for k, f := range t.friction {
		if f != nil {
			f.Slide(!t.release)
			t.offset[k] = t.bundle.Length(k) - t.bundle.Reach(k)
		}
	}
}

// settle hands the friction of an equilibrium to the bristles.
func (t *tendonSystem) settle() {
	for k, f := range t.friction {
		if f != nil {
			f.Settle(t.tension(k, t.drives[k]))
		}
	}
}

// tension is the tension of tendon k at the base in the measured shape under drive
// d, N.
func (t *tendonSystem) tension(k int, d drive) float64 {
	if d.Mode == tensionControl {
		return d.Tension
	}
	return max(0, t.stiffness(k)*(t.bundle.Length(k)-(t.rest[k]-d.Pull)))
}

// stiffness is that of tendon k, N/m.
func (t *tendonSystem) stiffness(k int) float64 {
	return min(t.actuators[k].stiffness, t.loading.stiffest)
}

// stretch is by how much tendon k is longer than without tension, m. In equilibria
// with friction the pieces of a tendon weigh by their share of the tension, so that
// its energy stays a potential.
func (t *tendonSystem) stretch(k int, d drive) float64 {
	return t.bundle.Reach(k) + t.offset[k] - (t.rest[k] - d.Pull)
}

// setTensions sets the tensions that the drives give in the measured shape, and
// finds the taut tendons.
func (t *tendonSystem) setTensions() {
	t.taut, t.slack = t.taut[:0], 0
	for k, d := range t.drives {
		x := d.Tension
		if d.Mode == lengthControl {
			x = max(0, t.stiffness(k)*t.stretch(k, d))
		}
		x *= t.loading.share
		t.bundle.SetTension(k, x)
		if f := t.friction[k]; f != nil && t.bristles {
			f.Hold()
		}
		switch {
		case d.Mode == tensionControl:
		case x > 0:
			t.taut = append(t.taut, k)
		default:
			t.slack++
		}
	}
}

// addPotential returns sum and the energy of the tendons in the measured shape, J:
// of those under tension control the work of the motors.
func (t *tendonSystem) addPotential(sum float64) float64 {
	for k, d := range t.drives {
		if d.Mode == tensionControl {
			sum += t.loading.share * d.Tension * t.bundle.Reach(k)
		} else if s := t.stretch(k, d); s > 0 {
			sum += 0.5 * t.loading.share * t.stiffness(k) * s * s
		}
		if f := t.friction[k]; f != nil && t.bristles {
			sum += f.Energy()
		}
	}
	return sum
}

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

// frictional reports whether a tendon has friction.
func (t *tendonSystem) frictional() bool {
	for _, f := range t.friction {
		if f != nil {
			return true
		}
	}
	return false
}

// eulerLoadRatio returns the largest ratio of the total tension in a gap between
// disks to the Euler load π² EI/gap² of the rod there, and the gap.
func (t *tendonSystem) eulerLoadRatio(r *rod.Rod) (ratio float64, gap [2]int) {
	bend, l := math.Pi*math.Pi*min(r.Stiffness.Bend.X, r.Stiffness.Bend.Y), r.ElementLength
	return t.bundle.EulerLoadRatio(bend / (l * l))
}
