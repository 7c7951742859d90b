package microrobot

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// Bounds on the parts of a step.
const (
	// substepShare is the longest part over the alignment time τ: at τ/2 the methods
	// of order 4 err by 1e-5 of an angle that decays; they are unstable above 2.8 τ.
	substepShare = 0.5
	// substepAngle is the largest angle (rad) by which field or fluid turn in a part.
	substepAngle = 0.5
	// roundoff is how much above a whole number of parts counts as that number.
	roundoff = 1e-9
	// maxSubsteps is how many parts are worth the time. Beyond, τ is below 1/500 of
	// the step, and the body follows the field at once.
	maxSubsteps = 1000
)

// division is how a step is taken.
type division struct {
	Substeps float64 // a whole number
	Follow   bool    // the magnetic moment stays aligned with the field
	Time     float64 // alignment time τ, s; 0: nothing aligns the body
}

// divisionLen is how many numbers a division is in a saved state.
const divisionLen = 3

func (d *division) put(dst []float64) {
	dst[0], dst[1], dst[2] = d.Substeps, 0, d.Time
	if d.Follow {
		dst[1] = 1
	}
}

func (d *division) take(src []float64) {
	*d = division{Substeps: src[0], Follow: src[1] != 0, Time: src[2]}
}

// Step is that of sim.Model. It fails with *UnstableError when the motion is no longer
// finite; the state is then that of before.
func (m *Model) Step(dt float64) error {
	m.prepare()
	how := m.divide(dt)
	if !(how.Substeps >= 1) {
		return &UnstableError{Time: m.time}
	}
	if m.inertia != nil {
		if err := m.advanceInertial(dt, &how); err != nil {
			return err
		}
	} else if m.crowd != nil {
		if err := m.advanceCrowd(dt, how); err != nil {
			return err
		}
		m.x = m.crowd.x[0]
	} else {
		x := m.dyn.advance(m.x, dt, how, 0)
		if !x.IsFinite() {
			return &UnstableError{Time: m.time}
		}
		m.x = integrate.Placement{Q: x.Q.Flush(), P: x.P}
	}
	m.last = how
	m.phase = m.in.Rotating.source.Advance(m.phase, dt)
	m.in.advance(dt)
	for i := range m.in.Currents {
		m.in.Currents[i] = magnetics.Lag(m.in.Currents[i], m.in.Targets[i], dt, m.robot.file.Field.CoilLag)
	}
	m.time += dt
	m.steps++
	if m.eye != nil {
		m.eye.watch(m.time, m.x)
	}
	return nil
}

// divide says how to take a step of dt seconds that starts now. In a field that is
// not finite the number of parts is NaN.
func (m *Model) divide(dt float64) division {
	if m.inertia != nil {
		return m.divideInertial(dt)
	}
	r := m.robot
	rate := r.magnet.Stiffness(m.strongest()) * r.gyro
	how := division{Substeps: parts(dt * m.turns() / substepAngle)}
	if rate > 0 {
		how.Time = 1 / rate
	}
	n := dt * rate / substepShare
	if how.Follow = n > maxSubsteps; !how.Follow {
		how.Substeps = math.Max(how.Substeps, parts(n))
	}
	return how
}

// turns is how fast field and fluid turn now, 1/s.
func (m *Model) turns() float64 {
	d := &m.dyn
	turns := 0.0
	if m.in.Rotating.amplitude != 0 {
		turns = math.Abs(d.spin.Omega())
	}
	if d.streaming {
		rot := m.x.Q.Rot()
		a := d.ambient(0, m.x.P, &rot)
		turns += norm(a.Gradient)
	}
	return turns
}

// strongest is the largest magnitude of the field at a robot, T; of touching magnets,
// a bound on it.
func (m *Model) strongest() float64 {
	d := &m.dyn
	b, _ := d.fieldAt(0, m.x.P)
	if m.crowd == nil {
		return b.Norm()
	}
	most := b.Norm2()
	for i := 1; i < len(m.crowd.x) && (d.steep || d.local); i++ {
		p := m.crowd.x[i].P
		if d.local {
			b, _ = d.fieldAt(0, p)
		} else {
			b = d.uniform.Add(d.gradient.Apply(p.Sub(d.center)))
		}
		most = max(most, b.Norm2())
	}
	return math.Sqrt(most) + m.robot.neighbours
}

// parts is the whole number of parts not below x, from 1 to maxSubsteps; NaN for NaN.
func parts(x float64) float64 {
	if x <= 1 {
		return 1
	}
	return math.Min(math.Max(1, math.Ceil(x-roundoff)), maxSubsteps)
}

// advance is where a robot at x is after dt seconds. number tells the noise of the
// robots of a swarm apart.
func (d *dynamics) advance(x integrate.Placement, dt float64, how division, number uint64) integrate.Placement {
	r := d.robot
	if how.Substeps == 1 && r.plain && !how.Follow {
		return r.integrate(d, 0, dt, x)
	}
	h := dt / how.Substeps
	for i := 0.0; i < how.Substeps; i++ {
		if r.kT > 0 {
			d.warm(x, h, i, number)
		}
		switch t := i * h; {
		case how.Follow:
			x = d.follow(t, h, x)
		case r.kT > 0:
			x = integrate.LieMidpoint(d, t, h, x)
		default:
			x = r.integrate(d, t, h, x)
		}
		if r.walls != nil {
			rot := x.Q.Rot()
			extent := r.extent(&rot)
			x.P = r.walls.PushOut(x.P, &extent)
		}
	}
	return x
}

// method is a robotfile.BodyMethod, quick to tell from others.
type method uint8

const (
	rkmk4 method = iota
	cg4
	cg4Rational
	lieEuler
)

// methods are those that overdamped motion has.
var methods = map[robotfile.BodyMethod]method{
	robotfile.RKMK4: rkmk4, robotfile.CG4: cg4, robotfile.CG4Rational: cg4Rational, robotfile.LieEuler: lieEuler,
}

// integrate takes a part of a step with the robot's method.
func (r *Robot) integrate(d *dynamics, t, h float64, x integrate.Placement) integrate.Placement {
	switch r.method {
	case cg4:
		return integrate.CrouchGrossman4(&integrate.CG4, d, t, h, x)
	case cg4Rational:
		return integrate.CrouchGrossman4(&integrate.CG4Rational, d, t, h, x)
	case lieEuler:
		return integrate.LieEuler(d, t, h, x)
	default:
		return integrate.RKMK4(d, t, h, x)
	}
}

// warm draws the thermal load of part i of this step, h seconds long.
func (d *dynamics) warm(x integrate.Placement, h, i float64, number uint64) {
	r := d.robot
	d.seed(i, number)
	if !r.lubricated {
		d.shake = r.body.Thermal.ThermalWrench(&d.noise, r.kT, h)
		return
	}
	resistance := r.walls.Resistance(x.P, r.body.Shape.Radius, r.body.Viscosity)
	factor, _ := resistance.Factor() // positive definite by construction
	d.heat = factor.ThermalWrench(&d.noise, r.kT, h)
}

// seed begins the noise of part i of this step. Every part and robot has a source of
// its own, made of the seed and its number, so that a state needs to remember no more
// than how many steps it took, and a swarm may be stepped in any order.
func (d *dynamics) seed(i float64, number uint64) {
	word := scramble(uint64(d.robot.file.Seed))
	word = scramble(word ^ uint64(d.steps))
	word = scramble(word ^ uint64(i))
	word = scramble(word ^ number)
	d.noise = stokes.NewNoise(word, scramble(word))
}

// scramble is a bijection whose output bits all depend on all input bits (the
// finaliser of SplitMix64; Steele, Lea, Flood, OOPSLA 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// norm is the Frobenius norm.
func norm(m spatial.Mat3) float64 {
	return math.Sqrt(m.Col1().Norm2() + m.Col2().Norm2() + m.Col3().Norm2())
}
