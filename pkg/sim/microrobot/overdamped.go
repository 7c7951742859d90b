package microrobot

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/random"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// overdamped is the engine of one robot without inertia.
type overdamped struct {
	x      [1]integrate.Placement
	motion overdampedMotion
	// balance is the alignment time of the last step if the body stayed in balance, s; 0
	// if the method integrated it.
	balance float64
}

var _ engine = (*overdamped)(nil)

// newOverdamped returns the engine of the robot, at its initial place, in env.
func newOverdamped(r *Robot, env *externalLoads) *overdamped {
	o := &overdamped{motion: newOverdampedMotion(r, env)}
	o.x[0] = integrate.Placement{Q: r.file.Body.Orientation, P: r.file.Body.Position}
	return o
}

// Divide implements engine.
func (o *overdamped) Divide(dt float64) division {
	o.motion.begin()
	return o.motion.divide(dt, o.x[:], 0)
}

// Step implements engine.
func (o *overdamped) Step(dt float64) (division, error) {
	how := o.Divide(dt)
	if err := o.motion.env.check(&how); err != nil {
		return how, err
	}
	x := o.motion.advance(o.x[0], dt, how, 0)
	switch slipped := o.motion.slipped; {
	case slipped > 0:
		return how, newSlipError(o.motion.env.start, slipped)
	case o.motion.lost:
		return how, &WallError{Time: o.motion.env.start}
	case !x.IsFinite():
		return how, &UnstableError{Time: o.motion.env.start}
	}
	how.Substeps = math.Max(how.Substeps, o.motion.taken)
	o.balance = how.balance()
	o.x[0] = integrate.Placement{Q: x.Q.Flush(), P: x.P}
	return how, nil
}

// Placements implements engine.
func (o *overdamped) Placements() []integrate.Placement { return o.x[:] }

// Velocity implements engine.
func (o *overdamped) Velocity() (v, w spatial.Vec) {
	return o.motion.currentVelocity(o.balance, o.x[0])
}

// Gauges implements engine.
func (o *overdamped) Gauges() []sim.Gauge { return nil }

// Measure implements engine.
func (o *overdamped) Measure([]float64) int { return 0 }

// StateLen implements engine.
func (o *overdamped) StateLen() int { return 1 + placementLen }

// Save implements engine.
func (o *overdamped) Save(dst []float64) {
	dst[0] = o.balance
	putPlacement(dst[1:], &o.x[0])
}

// Restore implements engine.
func (o *overdamped) Restore(src []float64) {
	o.balance = src[0]
	o.x[0] = takePlacement(src[1:])
}

// divide says how to take a step of dt seconds with robots at x, on which neighbours act
// with a field of at most the given magnitude (T).
func (k *overdampedMotion) divide(dt float64, x []integrate.Placement, neighbours float64) division {
	r, e := k.robot, k.env
	rate := r.magnet.Stiffness(e.strongestField(x)+neighbours) * r.rotMobility
	how := division{Substeps: math.Max(wholeSubsteps(dt*e.turnRate(&x[0])/substepAngle), e.pulseSubsteps(dt))}
	if s := r.file.Swarm; k.constants.method != lieEuler && (s == nil || s.Interaction == robotfile.NoInteraction) {
		how.Substeps = math.Max(how.Substeps, wholeSubsteps(dt*e.flowRate(&x[0])/flowAngle))
	}
	if rate > 0 {
		how.Time = 1 / rate
	}
	n := dt * rate / substepShare
	if n > maxSubsteps {
		how.Alignment = instantaneous
		how.Substeps = math.Max(wholeSubsteps(dt*e.turnRate(&x[0])/alignedAngle), e.pulseSubsteps(dt))
	} else {
		spin := r.rotMobility * (e.world.Moment.Norm() + e.follower.Moment.Norm()) // under the loads, 1/s
		how.Substeps = math.Max(how.Substeps, math.Max(wholeSubsteps(n), wholeSubsteps(dt*spin/substepAngle)))
	}
	return how
}

// advance returns where a robot at x is after dt seconds. number tells the noise of the
// robots of a swarm apart.
func (k *overdampedMotion) advance(x integrate.Placement, dt float64, how division, number uint64) integrate.Placement {
	r, c := k.robot, k.constants
	if how.Substeps == 1 && r.walls == nil && c.thermal == 0 && how.Alignment == integrated {
		return k.integrate(0, dt, x)
	}
	h := dt / how.Substeps
	for i := 0.0; i < how.Substeps; i++ {
		if c.thermal > 0 {
			k.drawThermal(x.P, h, i, number)
		}
		from := x
		switch t := i * h; {
		case c.thermal == 0 && r.walls != nil:
			if x = k.amongWalls(t, h, how, x); k.slipped > 0 || k.lost {
				return x
			}
		case how.Alignment == instantaneous:
			if x = k.aligned(t, h, how.Time, x); k.slipped > 0 {
				return x
			}
		case c.thermal > 0 && r.walls != nil && !r.lubricated:
			x = k.reflected(t, h, x)
		case c.thermal > 0:
			x = integrate.LieMidpoint(k, t, h, x)
		default:
			x = k.integrate(t, h, x)
		}
		if r.walls != nil {
			if c.thermal > 0 && r.reachable(&from, &x) < 1 {
				k.lost = true
				return x
			}
			rot := x.Q.Rot()
			hull := r.hull(&rot)
			x.P = r.walls.PushOut(x.P, &hull)
		}
	}
	return x
}

// reflected takes a substep of thermal motion of h seconds from time t with walls that do
// not change the mobility.
func (k *overdampedMotion) reflected(t, h float64, x integrate.Placement) integrate.Placement {
	r := k.robot
	rot := x.Q.Rot()
	from := stokes.ContactReference{Position: x.P, Hull: r.hull(&rot), Mobility: r.body.Mobility.Rotated(rot)}
	k.unhindered = true
	x = integrate.LieMidpoint(k, t, h, x)
	k.unhindered = false
	rot = x.Q.Rot()
	hull := r.hull(&rot)
	push := r.walls.Reflect(&from, x.P, &hull, k.constants.thermal, h, &k.noise)
	x.P = x.P.Add(push.Linear)
	x.Q = spatial.ExpQuat(push.Angular).Mul(x.Q).Normalized()
	return x
}

// integrate takes a substep of h seconds from time t with the robot's method.
func (k *overdampedMotion) integrate(t, h float64, x integrate.Placement) integrate.Placement {
	switch k.constants.method {
	case cg4:
		return integrate.CrouchGrossman4(&integrate.CG4, k, t, h, x)
	case cg4Rational:
		return integrate.CrouchGrossman4(&integrate.CG4Rational, k, t, h, x)
	case lieEuler:
		return integrate.LieEuler(k, t, h, x)
	default:
		return integrate.RKMK4(k, t, h, x)
	}
}

// drawThermal draws the thermal load of a robot at p in substep i of this step, h seconds long.
func (k *overdampedMotion) drawThermal(p spatial.Vec, h, i float64, number uint64) {
	r, kT := k.robot, k.constants.thermal
	k.noise = newNoise(r.file.Seed, k.env.step, i, number)
	if !r.lubricated {
		k.bodyThermal = r.body.Thermal.ThermalWrench(&k.noise, kT, h)
		return
	}
	resistance := r.nearResistance(p)
	factor, _ := resistance.Factor() // positive definite by construction
	k.worldThermal = factor.ThermalWrench(&k.noise, kT, h)
}

// newNoise returns the noise of one substep of one robot. Every substep and robot has a source of
// its own, seeded by the seed and its number, so that a state contains only the number of its
// steps, and a swarm may be stepped in any order.
func newNoise(seed int, step, substep float64, robot uint64) stokes.Noise {
	word := random.Mix(uint64(seed), uint64(step), uint64(substep), robot)
	return stokes.NewNoise(word, random.Mix(word))
}
