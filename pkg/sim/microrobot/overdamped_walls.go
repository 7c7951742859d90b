package microrobot

import (
	"fmt"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
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
		if r.mayCollide(&x, &next) {
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
				hull := r.hull(&rot)
				x.P = r.walls.PushOut(x.P, &hull)
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

// mayCollide reports whether the body may touch a wall on its way from one place to the other.
func (r *Robot) mayCollide(from, to *integrate.Placement) bool {
	way := to.P.Sub(from.P).Norm() + r.size*from.Q.Conj().Mul(to.Q).Log().Norm()
	a, b := from.Q.Rot(), to.Q.Rot()
	before, after := r.hull(&a), r.hull(&b)
	gap := math.Min(r.walls.Gap(from.P, &before), r.walls.Gap(to.P, &after))
	return !(gap > 2*way)
}

// difference returns how far two places are apart: in halves of the extent of the body, or rad.
func (r *Robot) difference(a, b *integrate.Placement) float64 {
	return math.Max(a.P.Sub(b.P).Norm()/r.size, a.Q.Conj().Mul(b.Q).Log().Norm())
}

// shapes are those of the environment that commands move. Their places are those of the walls.
type shapes struct {
	*reference.Shapes // nil: none
	walls             *stokes.Walls
	placed            []spatial.Pose        // at the beginning of the step
	stood             []integrate.Placement // robots there
	before            []integrate.Placement // robots before a shape moves
	firstPort         int
	firstFrame        int
}

// shapeGauge is measured where shapes may be moved.
var shapeGauge = sim.Gauge{Key: "shape_speed_limited", Warn: 0.5, Hint: "1: a shape is behind its command: at most " + reference.SpeedLimitText +
	", beside a body at most half of its half-width in a step, and not where it would press a body into another wall"}

func newShapes(r *Robot, e engine) (s shapes) {
	if !r.movesShapes() {
		return s
	}
	s.walls = r.walls
	var centers []spatial.Vec
	for k := range r.walls.Surfaces() {
		centers = append(centers, r.walls.Center(k))
	}
	s.Shapes = reference.NewShapes(r.shapeNames(), centers, r.farthest(), r.file.Rates.Period())
	robots := len(e.Placements())
	s.placed, s.stood, s.before = make([]spatial.Pose, len(centers)), make([]integrate.Placement, robots), make([]integrate.Placement, robots)
	return s
}

// Ports returns the In ports.
func (s *shapes) Ports() []sim.Port {
	if s.Shapes == nil {
		return nil
	}
	return s.Shapes.Ports()
}

// moveShapes takes the shapes to where they are at the end of a step of dt seconds, and bodies
// out of their way: as far as that takes no shape through a body. Where a body is in between it
// and another wall, the shape goes a part of its way or stays.
func (m *Model) moveShapes(dt float64) {
	const leastPart = 1. / 16
	s := &m.shapes
	if s.Shapes == nil {
		return
	}
	moving := false
	for k := range s.placed {
		from := s.walls.SurfacePose(k)
		s.placed[k] = from
		to := s.Next(k, from, m.time, dt)
		if to == from {
			continue
		}
		if !moving {
			copy(s.stood, m.engine.Placements())
			moving = true
		}
		center := s.walls.Center(k)
		to = from.Toward(to, m.collisionFreeFraction(k, from, to), center)
		for part := 1.0; part >= leastPart; part /= 2 {
			if m.moveShape(k, from, from.Toward(to, part, center)) {
				break
			}
		}
	}
}

// moveShape takes shape k from one pose to another and bodies out of its way. Where that presses
// one deep into a wall, or throws it off from between two, all stay where they are, and it
// reports false.
func (m *Model) moveShape(k int, from, to spatial.Pose) bool {
	const deep = 0.01 // of the half-width, from which gauges warn
	s, r, robots := &m.shapes, m.robot, m.engine.Placements()
	copy(s.before, robots)
	s.walls.Move(k, to)
	for i := range robots {
		x, before := &robots[i], &s.before[i]
		gap := r.moveOutOfWalls(x)
		pressed := x.P.Sub(before.P).Norm() > r.size
		if !pressed && gap < -deep*r.thinnest {
			s.walls.Move(k, from)
			pressed = gap < r.gap(before)
			s.walls.Move(k, to)
		}
		if pressed {
			s.walls.Move(k, from)
			copy(robots, s.before)
			return false
		}
	}
	return true
}

// holdShapes undoes moveShapes.
func (m *Model) holdShapes() {
	s := &m.shapes
	moved := false
	for k := range s.placed {
		if s.walls.SurfacePose(k) != s.placed[k] {
			s.walls.Move(k, s.placed[k])
			moved = true
		}
	}
	if moved {
		copy(m.engine.Placements(), s.stood)
	}
}

// collisionFreeFraction returns the share of its way, at most 1, that takes shape k to no body, or half of
// its half-width into one.
func (m *Model) collisionFreeFraction(k int, from, to spatial.Pose) float64 {
	r := m.robot
	by := to.Mul(from.Inv())
	turn, share := by.R.Log().Norm(), 1.0
	for i := range m.engine.Placements() {
		x := &m.engine.Placements()[i]
		way := by.Apply(x.P).Sub(x.P).Norm() + turn*r.size
		if most := r.thinnest / 2; way*share > most {
			rot := x.Q.Rot()
			hull := r.hull(&rot)
			if most += r.walls.ClearanceTo(k, x.P, &hull); way*share > most {
				share = most / way
			}
		}
	}
	return share
}

// gap is the smallest one between a body and the walls, m.
func (r *Robot) gap(x *integrate.Placement) float64 {
	rot := x.Q.Rot()
	hull := r.hull(&rot)
	return r.walls.Gap(x.P, &hull)
}

// moveOutOfWalls moves a body out of the walls by the motion with the least dissipation in the
// fluid. It returns the remaining gap (m), which is below 0 where there is no room.
func (r *Robot) moveOutOfWalls(x *integrate.Placement) (gap float64) {
	const (
		rounds = 5
		second = 1.0
		inside = -1e-9 // gap over half the extent
	)
	rot := x.Q.Rot()
	hull := r.hull(&rot)
	for range rounds {
		if gap = r.walls.Gap(x.P, &hull); gap >= inside*r.size {
			break
		}
		mobility := r.body.Mobility.Rotated(rot)
		out := r.walls.Restrain(x.P, &hull, &mobility, spatial.Twist{}, second)
		x.P = x.P.Add(out.Linear)
		x.Q = spatial.ExpQuat(out.Angular).Mul(x.Q).Normalized()
		rot = x.Q.Rot()
		hull = r.hull(&rot)
	}
	if x.P = r.walls.PushOut(x.P, &hull); gap < inside*r.size {
		gap = r.walls.Gap(x.P, &hull)
	}
	return gap
}

// isShapeLimited reports whether a shape is behind its command.
func (m *Model) isShapeLimited() bool {
	for k := range m.shapes.placed {
		if m.shapes.IsLimited(k, m.shapes.walls.SurfacePose(k), m.time) {
			return true
		}
	}
	return false
}

// shapePoseLen is the number of values of the place of a shape in a saved state.
const shapePoseLen = 12

// stateLen is the number of values that put writes.
func (s *shapes) stateLen() int {
	if s.Shapes == nil {
		return 0
	}
	return shapePoseLen*len(s.placed) + s.Shapes.StateLen()
}

// put writes places and motions.
func (s *shapes) put(dst []float64) {
	if s.Shapes == nil {
		return
	}
	for k := range s.placed {
		at := s.walls.SurfacePose(k)
		at.Put(dst)
		dst = dst[shapePoseLen:]
	}
	s.Save(dst)
}

// take reads what put wrote.
func (s *shapes) take(src []float64) {
	if s.Shapes == nil {
		return
	}
	for k := range s.placed {
		s.walls.Move(k, spatial.PoseAt(src))
		src = src[shapePoseLen:]
	}
	s.Restore(src)
}
