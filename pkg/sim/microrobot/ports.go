package microrobot

import (
	"math"
	"strconv"

	"sinew/pkg/sim"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// role is what a port of a Model is.
type role uint8

const (
	fieldGradient role = iota
	field
	rotatingField
	coilCurrents
	externalWrench
	ambientFlow
	measuredCP
	measuredCV
	measuredCA
	fieldAtRobot
	appliedWrench
	path
	poses
)

// bodyFrame is the frame of the robot.
const bodyFrame = "body"

// Groups of In ports. The field is one actuator whatever kind of command sets it;
// coils add to it.
const (
	fieldGroup = "field"
	coilGroup  = "coil_currents"
)

// Bounds on commands that mean what they say.
const (
	maxGradient  = 1e4 // T/m
	maxFrequency = 1e6 // Hz
	teslaHint    = "the unit is tesla: 5 mT is 0.005"
)

func (m *Model) listPorts() {
	add := func(r role, p sim.Port) {
		m.roles = append(m.roles, r)
		m.ports = append(m.ports, p)
	}
	world := []string{sim.World}
	command := func(name string, k sim.Kind, unit, group string) sim.Port {
		return sim.Port{Name: name, Kind: k, Direction: sim.In, Unit: unit, Group: group}
	}
	// the first of the group is its home: without commands b and G go to 0
	fg := command("field_gradient", sim.FieldGradient, "T, T/m", fieldGroup)
	add(fieldGradient, bounded(fg, world, repeat(magnetics.MaxField, 3), repeat(maxGradient, 5)))
	add(field, bounded(command("field", sim.Field, "T", fieldGroup), world, repeat(magnetics.MaxField, 3)))
	rf := command("rotating_field", sim.RotatingField, "T, Hz", fieldGroup)
	add(rotatingField, bounded(rf, world, repeat(math.Inf(1), 3), []float64{magnetics.MaxField, maxFrequency, magnetics.MaxField}))
	if c := m.robot.coils; c != nil {
		p := command("coil_currents", sim.Currents, "A", coilGroup)
		p.Labels = c.Names()
		p.Max = repeat(m.robot.file.Field.CoilMaxCurrent, len(p.Labels))
		p.Min = negative(p.Max)
		add(coilCurrents, p)
	}
	ew := command("external_wrench", sim.Wrench, "N, N m", "external_wrench")
	ew.Frames = []string{sim.World, bodyFrame}
	add(externalWrench, ew)
	af := command("ambient_flow", sim.Twist, "m/s, rad/s", "ambient_flow")
	af.Frames = world
	add(ambientFlow, af)

	out := func(name string, k sim.Kind, unit string, frames []string) sim.Port {
		return sim.Port{Name: name, Kind: k, Direction: sim.Out, Unit: unit, Frames: frames}
	}
	cp := out("measured_cp", sim.Pose, "m", world)
	cp.Child, cp.Parent = bodyFrame, sim.World
	add(measuredCP, cp)
	add(measuredCV, out("measured_cv", sim.Twist, "m/s, rad/s", world))
	if m.inertia != nil {
		add(measuredCA, out("measured_ca", sim.Twist, "m/s^2, rad/s^2", world))
	}
	add(fieldAtRobot, out("field_at_robot", sim.Field, "T", world))
	add(appliedWrench, out("applied_wrench", sim.Wrench, "N, N m", []string{bodyFrame}))
	way := out("path", sim.Path, "m", world)
	way.Pace = sim.Slow
	add(path, way)
	if m.crowd != nil {
		all := out("poses", sim.PoseArray, "m", world)
		all.Pace, all.Labels = sim.Slow, numbers(len(m.crowd.x))
		add(poses, all)
	}
}

// bounded makes p refuse values beyond ±most, which are in another unit than tesla.
func bounded(p sim.Port, frames []string, most ...[]float64) sim.Port {
	for _, m := range most {
		p.Max = append(p.Max, m...)
	}
	p.Min = negative(p.Max)
	p.Frames, p.Strict, p.Hint = frames, true, teslaHint
	return p
}

func repeat(x float64, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = x
	}
	return v
}

func negative(v []float64) []float64 {
	n := make([]float64, len(v))
	for i, x := range v {
		n[i] = -x
	}
	return n
}

func numbers(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return names
}

// Ports is that of sim.Model.
func (m *Model) Ports() []sim.Port { return m.ports }

// Command is that of sim.Model. A field command sets the field at the gradient's
// centre and ends a rotation; it leaves the gradient. A rotating field replaces the
// field and leaves the gradient; its phase goes on from the last one. An axis without
// direction leaves the axis. The lag of coils delays currents alone: a commanded field
// is what coils make.
func (m *Model) Command(i int, v []float64) {
	if m.roles[i] == coilCurrents {
		for k, x := range v {
			if !sim.IsKeep(x) {
				m.in.Targets[k] = x
			}
		}
		return
	}
	var buffer [8]float64
	now := buffer[:len(v)]
	m.Setpoint(i, now)
	for k, x := range v {
		if !sim.IsKeep(x) {
			now[k] = x
		}
	}
	m.accept(m.roles[i], now)
}

// accept makes v the setpoint.
func (m *Model) accept(r role, v []float64) {
	in := &m.in
	switch r {
	case field:
		m.aim(spatial.VecAt(v), m.target().Gradient)
	case fieldGradient:
		m.aim(spatial.VecAt(v), takeGradient(v[3:]))
	case rotatingField:
		to := m.target()
		in.Field, in.Gradient, in.Ramp = spatial.Vec{}, to.Gradient, ramp{Since: -1}
		in.Rotating.set(v)
	case externalWrench:
		in.External.take(v)
	case ambientFlow:
		in.Stream = spatial.Twist{Linear: spatial.VecAt(v), Angular: spatial.VecAt(v[3:])}
	}
}

// aim sends field and gradient to new values: at once, or, interpolated, within the
// time since the command before, but no longer than commands may be silent.
func (m *Model) aim(b spatial.Vec, g magnetics.Gradient) {
	in := &m.in
	now := m.uniform()
	in.Rotating.stop()
	file := &m.robot.file
	r := ramp{Field: b, Gradient: g, Since: m.time}
	if last := in.Ramp.Since; last >= 0 && file.Field.Interpolation == robotfile.FirstOrderHold {
		r.Left = math.Min(m.time-last, file.CommandTimeout)
	}
	in.Field, in.Ramp = now, r
	if r.Left == 0 {
		in.Field, in.Gradient = b, g
	}
}

// target is where field and gradient are going, if anywhere, or are.
func (m *Model) target() ramp {
	if m.in.Ramp.Left > 0 {
		return m.in.Ramp
	}
	return ramp{Field: m.uniform(), Gradient: m.in.Gradient}
}

// Setpoint is that of sim.Model. A rotating field amounts to the field that it is now.
func (m *Model) Setpoint(i int, dst []float64) {
	in := &m.in
	switch m.roles[i] {
	case field:
		m.target().Field.Put(dst)
	case fieldGradient:
		to := m.target()
		to.Field.Put(dst)
		putGradient(dst[3:], to.Gradient)
	case rotatingField:
		in.Rotating.put(dst)
	case coilCurrents:
		copy(dst, in.Targets)
	case externalWrench:
		in.External.put(dst)
	case ambientFlow:
		in.Stream.Linear.Put(dst)
		in.Stream.Angular.Put(dst[3:])
	}
}

// uniform is what field commands set, with what rotates as it stands now.
func (m *Model) uniform() spatial.Vec {
	return m.in.Field.Add(m.in.Rotating.source.At(m.phase))
}

// Value is that of sim.Model. measured_cp and path are what the camera shows, if there
// is one; all else is exact. measured_cv is the velocity under the present loads;
// with Brownian motion, which has none, that without the fluid's shaking.
// applied_wrench is all that acts besides the fluid and the walls.
func (m *Model) Value(i int, dst []float64) {
	switch m.roles[i] {
	case measuredCP, path:
		putPlacement(dst, m.measured())
	case poses:
		for k := range m.crowd.x {
			putPlacement(dst[placementLen*k:], &m.crowd.x[k])
		}
	case measuredCV:
		m.prepare()
		v, w := m.motion()
		v.Put(dst)
		m.x.Q.Apply(w).Put(dst[3:])
	case measuredCA:
		m.prepare()
		a := m.acceleration()
		a.Linear.Put(dst)
		a.Angular.Put(dst[3:])
	case fieldAtRobot:
		m.prepare()
		b, _ := m.dyn.fieldAt(0, m.x.P)
		b.Put(dst)
	case appliedWrench:
		m.prepare()
		rot := m.x.Q.Rot()
		f, t := m.dyn.load(0, m.x.P, &rot)
		f.Put(dst)
		t.Put(dst[3:])
	}
}
