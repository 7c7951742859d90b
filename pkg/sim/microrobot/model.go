package microrobot

import (
	"errors"
	"fmt"

	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Model is a robot and its state: a sim.Model.
type Model struct {
	robot  *Robot
	ports  []sim.Port
	roles  []role // what each port is
	gauges []sim.Gauge

	x       integrate.Placement
	time    float64 // s
	steps   float64 // a whole number; with the seed it makes the noise
	phase   float64 // of the rotating field, rad
	in      inputs
	last    division // of the last step
	eye     *camera  // nil: the pose is known exactly
	crowd   *crowd   // of a swarm; x is its first robot. nil: one robot
	inertia *inertia // nil: overdamped

	dyn   dynamics // scratch, set from the above by prepare
	trail trail    // what has been drawn
}

var _ sim.Model = (*Model)(nil)

// New makes the model of a robot file in its initial state; see NewRobot.
func New(file *robotfile.Microrobot, coils *magnetics.Coils) (*Model, error) {
	r, err := NewRobot(file, coils)
	if err != nil {
		return nil, err
	}
	return r.NewModel(), nil
}

// NewModel makes a model of the robot in its initial state.
func (r *Robot) NewModel() *Model {
	b := &r.file.Body
	m := &Model{robot: r, x: integrate.Placement{Q: b.Orientation, P: b.Position}}
	m.dyn.robot, m.dyn.field = r, r.newField()
	m.dyn.center, m.dyn.field.Linear = r.file.Field.GradientCenter, magnetics.Linear{}
	m.dyn.local = m.dyn.field.Coils != nil || len(m.dyn.field.Dipoles) > 0
	m.in = newInputs(r)
	n := len(m.in.Targets)
	m.dyn.currents, m.dyn.targets, m.dyn.driven = m.in.Currents, m.in.Targets, make([]float64, n)
	if m.crowd = r.newCrowd(); m.crowd != nil {
		m.x = m.crowd.x[0]
	}
	m.eye = r.newCamera(m.x)
	m.inertia = r.newInertia(&m.dyn)
	if w := r.file.Field.Rotating; w != nil {
		m.phase = w.Phase
	}
	m.listPorts()
	m.listGauges()
	m.prepare()
	m.last = m.divide(r.file.Solver.Step)
	return m
}

// Robot returns the robot that the model is of.
func (m *Model) Robot() *Robot { return m.robot }

// measured is the pose as the camera, if there is one, has shown it last.
func (m *Model) measured() *integrate.Placement {
	if m.eye != nil {
		return &m.eye.shown
	}
	return &m.x
}

// UnstableError is the error of a step that gave a number that is not finite. The
// state is that of before the step.
type UnstableError struct {
	Time float64 // of the start of the step, s
}

func (e *UnstableError) Error() string {
	return fmt.Sprintf("the motion is no longer finite at t = %.6g s; the robot may have met a source of the field, or the loads are too large", e.Time)
}

// prepare sets the dynamics for a step that starts now.
func (m *Model) prepare() {
	d, r := &m.dyn, m.robot
	in := &m.in
	d.start, d.steps, d.phase = m.time, m.steps, m.phase
	d.b, d.g, d.ramp = in.Field, in.Gradient, in.Ramp
	d.spin = in.Rotating.source
	d.stream = in.Stream
	d.streaming = r.flow != nil || in.Stream != spatial.Twist{}
	d.shake, d.heat, d.released = spatial.Wrench{}, spatial.Wrench{}, false

	d.force, d.moment, d.follower = r.steady.Force, r.steady.Moment, r.follower
	if e := &in.External; e.InBody {
		d.follower = plus(d.follower, e.Wrench)
	} else {
		d.force, d.moment = d.force.Add(e.Force), d.moment.Add(e.Moment)
	}
	d.free = d.isFree()
	d.round = r.trans.X == r.trans.Y && r.trans.Y == r.trans.Z && d.follower.Force == spatial.Vec{}
	d.drive(0)
}

func plus(a, b spatial.Wrench) spatial.Wrench {
	return spatial.Wrench{Force: a.Force.Add(b.Force), Moment: a.Moment.Add(b.Moment)}
}

// stateLen is the number of values of the state besides those per coil.
const stateLen = placementLen + 3 + divisionLen + inputLen

// StateLen is that of sim.Model.
func (m *Model) StateLen() int {
	return stateLen + 2*len(m.in.Targets) + placementLen*len(m.others()) + m.inertia.stateLen() + m.eye.stateLen()
}

// others are the robots of a swarm after the first.
func (m *Model) others() []integrate.Placement {
	if m.crowd == nil {
		return nil
	}
	return m.crowd.x[1:]
}

// placementLen is the number of values of a placement.
const placementLen = 7

func putPlacement(dst []float64, x *integrate.Placement) {
	x.P.Put(dst)
	x.Q.Put(dst[3:])
}

func takePlacement(src []float64) integrate.Placement {
	return integrate.Placement{P: spatial.VecAt(src), Q: spatial.QuatAt(src[3:])}
}

// Save is that of sim.Model.
func (m *Model) Save(dst []float64) {
	dst = dst[:m.StateLen()]
	putPlacement(dst, &m.x)
	dst[7], dst[8], dst[9] = m.time, m.steps, m.phase
	m.last.put(dst[10:])
	m.in.put(dst[10+divisionLen:])
	dst = dst[stateLen+2*len(m.in.Targets):]
	for i, x := range m.others() {
		putPlacement(dst[placementLen*i:], &x)
	}
	dst = dst[placementLen*len(m.others()):]
	if m.inertia != nil {
		m.inertia.put(dst)
		dst = dst[m.inertia.stateLen():]
	}
	if m.eye != nil {
		m.eye.put(dst)
	}
}

// errBadState is the error of a state that no Save has written.
var errBadState = errors.New("microrobot: not a saved state of this robot")

// Restore is that of sim.Model.
func (m *Model) Restore(src []float64) error {
	if len(src) != m.StateLen() {
		return fmt.Errorf("%w: %d values instead of %d", errBadState, len(src), m.StateLen())
	}
	for i, x := range src {
		if !spatial.IsFinite(x) {
			return fmt.Errorf("%w: value %d is %g", errBadState, i, x)
		}
	}
	m.x = takePlacement(src)
	m.time, m.steps, m.phase = src[7], src[8], src[9]
	m.last.take(src[10:])
	m.in.take(src[10+divisionLen:])
	src = src[stateLen+2*len(m.in.Targets):]
	for i, others := 0, m.others(); i < len(others); i++ {
		others[i] = takePlacement(src[placementLen*i:])
	}
	if m.crowd != nil {
		m.crowd.x[0] = m.x
	}
	src = src[placementLen*len(m.others()):]
	if m.inertia != nil {
		m.inertia.take(src, m.x)
		src = src[m.inertia.stateLen():]
	}
	if m.eye != nil {
		m.eye.take(src)
	}
	m.trail.forget()
	return nil
}
