package microrobot

import (
	"fmt"
	"math"

	"sinew/pkg/sim/integrate"
)

const (
	// wallTolerance is how far a substep that may touch walls errs: of half the extent of
	// the body, and rad.
	wallTolerance = 1e-6
	// shapeTolerance is the same among shapes of the environment, where a body may touch at
	// many points that come and go.
	shapeTolerance = 1e-4
	// settleShare is the time in which a body comes to rest at a wall, over the substep.
	// Methods of order 4 are stable from 0.36.
	settleShare = 0.5
)

// WallError is the error of a step in which a body moves along walls too fast to be
// followed. The state stays as it was before the step.
type WallError struct {
	Time float64 // of the start of the step, s
}

func (e *WallError) Error() string {
	return fmt.Sprintf("in the step from t = %.6g s the body moves along its walls so fast that %d substeps do not follow it; use a smaller solver.step_s, less load or more fluid.viscosity_pa_s",
		e.Time, maxResolved)
}

// amongWalls returns where a body at x is h seconds after t. Substeps in which it may touch
// a wall are as short as two of half the length take to agree with one: the point that
// touches moves over the body, and a landing changes its motion at once. Within each, walls
// take up what would bring the body nearer than its gap: a complementarity problem on
// velocities, whose reactions act where it touches.
func (k *overdampedMotion) amongWalls(t, h float64, how division, x integrate.Placement) integrate.Placement {
	r := k.robot
	done, step := 0.0, h
	for range maxResolved {
		step = math.Min(step, h-done)
		next := k.substep(t+done, step, how, x)
		if share := r.reachable(&x, &next); share < 1 && k.slipped == 0 {
			step *= math.Max(0.1, 0.9*share)
			continue
		}
		off := 0.0
		if r.mayTouch(&x, &next) {
			half := k.substep(t+done, step/2, how, x)
			half = k.substep(t+done+step/2, step/2, how, half)
			off = r.difference(&half, &next) / r.wallTolerance()
			next = half
		}
		if k.slipped > 0 {
			return next
		}
		k.taken++
		if !(off > 1) {
			x = next
			if done += step; done >= h*(1-substepRoundoff) {
				rot := x.Q.Rot()
				extent := r.extent(&rot)
				x.P = r.walls.PushOut(x.P, &extent)
				return x
			}
		}
		step *= math.Min(4, math.Max(0.1, 0.9/math.Sqrt(off)))
	}
	k.lost = true
	return x
}

// substep returns where a body at x is h seconds after t, among walls.
func (k *overdampedMotion) substep(t, h float64, how division, x integrate.Placement) integrate.Placement {
	k.settle = settleShare * h
	if how.Alignment == instantaneous {
		return k.aligned(t, h, how.Time, x)
	}
	return integrate.RKMK4(k, t, h, x)
}

// aligned is align, and notes a body that turned too fast to be followed.
func (k *overdampedMotion) aligned(t, h, tau float64, x integrate.Placement) integrate.Placement {
	next, ok := k.align(t, h, tau, x)
	if !ok {
		_, w := k.Velocity(t, x)
		k.slipped = math.Max(1/tau, w.Norm())
	}
	return next
}

// wallTolerance is how far a substep that may touch walls errs, as the constants say.
func (r *Robot) wallTolerance() float64 {
	if r.hasShapes() {
		return shapeTolerance
	}
	return wallTolerance
}

// mayTouch reports whether the body may touch a wall on its way from one place to the other.
func (r *Robot) mayTouch(from, to *integrate.Placement) bool {
	way := to.P.Sub(from.P).Norm() + r.size*from.Q.Conj().Mul(to.Q).Log().Norm()
	a, b := from.Q.Rot(), to.Q.Rot()
	before, after := r.extent(&a), r.extent(&b)
	gap := math.Min(r.walls.Gap(from.P, &before), r.walls.Gap(to.P, &after))
	return !(gap > 2*way)
}

// difference returns how far two places are apart: in halves of the extent of the body, or rad.
func (r *Robot) difference(a, b *integrate.Placement) float64 {
	return math.Max(a.P.Sub(b.P).Norm()/r.size, a.Q.Conj().Mul(b.Q).Log().Norm())
}
