package microrobot

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/sensor"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// Model is a robot and its state: a sim.Model.
type Model struct {
	robot  *Robot
	engine engine
	env    externalLoads // set from the state by prepare
	ports  []sim.Port
	roles  []role // what each port is
	gauges []sim.Gauge
	trail  trail // what has been drawn

	time        float64 // s
	steps       float64 // how many were taken, a whole number; with the seed it makes the noise
	in          inputs
	last        division // how the last step was taken
	turned      float64  // angle by which it turned the robot, rad
	sensors     *sensor.Set
	firstSensor int // number of its port

	motions []spatial.Twist  // room for those of a swarm
	shapes  shapes           // that may be moved
	touches touchingContacts // of the last look
	room    []stokes.Touch   // for those of a robot
}

var (
	_ sim.Model   = (*Model)(nil)
	_ sim.Holder  = (*Model)(nil)
	_ sim.Stopper = (*Model)(nil)
	_ sim.Swarm   = (*Model)(nil)
)

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
	if r.hasShapes() {
		own := *r
		own.walls = r.walls.Clone()
		r = &own
	}
	m := &Model{robot: r, in: newInputs(r)}
	m.env = newExternalLoads(r, &m.in)
	m.engine = newEngine(r, &m.env)
	m.shapes = newShapes(r, m.engine)
	m.ports, m.roles = listPorts(r, m.engine, m.in.Field.Ports(), m.shapes.Ports())
	m.shapes.firstPort = slices.Index(m.roles, shapePose)
	m.shapes.firstFrame = slices.Index(m.roles, shapeTF)
	m.addSensors()
	m.gauges = listGauges(r, m.engine)
	m.motions = make([]spatial.Twist, m.Robots())
	if r.hasShapes() {
		m.touches.listed, m.room = make([]robotContact, 0, sim.MostContacts), make([]stokes.Touch, 0, 8)
	}
	m.prepare()
	m.last = m.engine.Divide(r.file.Solver.Step)
	m.sensors.Begin(0)
	return m
}

// newEngine makes the engine of the robot's method, in its initial state, in env.
func newEngine(r *Robot, env *externalLoads) engine {
	switch s := r.file.Swarm; {
	case r.inertial != nil:
		return newEstimatedInertial(r, env)
	case s == nil:
		return newOverdamped(r, env)
	case s.Interaction == robotfile.FullInteraction:
		return newInteractingSwarm(r, env)
	default:
		return newFreeSwarm(r, env)
	}
}

// Robot returns the robot that the model is of.
func (m *Model) Robot() *Robot { return m.robot }

// Substeps returns in how many parts a step of dt seconds is taken that starts now; 1 where
// the field is not finite.
func (m *Model) Substeps(dt float64) float64 {
	m.prepare()
	if n := m.engine.Divide(dt).Substeps; n > 1 { // not NaN
		return n
	}
	return 1
}

// placement returns where the robot is, or the first one of a swarm, until the next step.
func (m *Model) placement() *integrate.Placement { return &m.engine.Placements()[0] }

// prepare sets the external loads for a step that starts now.
func (m *Model) prepare() { m.env.begin(m.time, m.steps) }

// Step implements sim.Model. It fails with *UnstableError when the motion is no longer
// finite, and with *StiffError or *InertialError when the method cannot take the step.
func (m *Model) Step(dt float64) error {
	m.prepare()
	before := m.placement().Q
	m.moveShapes(dt)
	how, err := m.engine.Step(dt)
	if err != nil {
		m.holdShapes()
		return m.explain(err)
	}
	m.last = how
	for k := range m.shapes.placed {
		m.shapes.Arrive(k, m.shapes.walls.SurfacePose(k), m.time+dt)
	}
	m.advanceClock(dt)
	m.turned = m.rotation(before, dt)
	return nil
}

// rotation returns by how much a step of dt seconds has turned the robot from the attitude before, rad. In
// several substeps it may have turned further than the attitudes show, which differ by half a turn at most:
// then its angular velocity counts, or, where it stays in balance, that of field and fluid.
func (m *Model) rotation(before spatial.Quat, dt float64) float64 {
	angle := angleBetween(before, m.placement().Q)
	switch {
	case m.last.Substeps == 1:
		return angle
	case m.last.Alignment == instantaneous:
		return math.Max(angle, dt*m.env.turnRate(m.placement()))
	}
	m.prepare()
	_, w := m.engine.Velocity()
	return math.Max(angle, saturated(dt*w.Norm()))
}

// explain returns the error of a step; outside of the workspace of the coils that is the reason.
func (m *Model) explain(err error) error {
	for i := range m.engine.Placements() {
		if explained := reference.ExplainByWorkspace(err, m.robot.coils, m.time, m.engine.Placements()[i].P); explained != err {
			return explained
		}
	}
	return err
}

// Hold implements sim.Holder.
func (m *Model) Hold(dt float64) {
	if e, ok := m.engine.(stoppableEngine); ok {
		e.Rest()
	}
	for k := range m.shapes.placed {
		m.shapes.Wait(k, m.shapes.walls.SurfacePose(k), dt)
	}
	if dt > 0 {
		m.advanceClock(dt)
	}
}

// advanceClock advances the time by a step of dt seconds.
func (m *Model) advanceClock(dt float64) {
	m.in.Field.Advance(dt)
	m.time += dt
	m.steps++
	m.sensors.Look(m.time, dt)
}

// clockLen is the number of values of a saved state before the division of the last step.
const clockLen = 3

// StateLen implements sim.Model.
func (m *Model) StateLen() int {
	return clockLen + divisionLen + m.in.stateLen() + m.shapes.stateLen() + m.engine.StateLen() + m.sensors.StateLen()
}

// Save implements sim.Model.
func (m *Model) Save(dst []float64) {
	dst = dst[:m.StateLen()]
	dst[0], dst[1], dst[2] = m.time, m.steps, m.turned
	m.last.put(dst[clockLen:])
	dst = dst[clockLen+divisionLen:]
	m.in.put(dst)
	dst = dst[m.in.stateLen():]
	m.shapes.put(dst)
	dst = dst[m.shapes.stateLen():]
	m.engine.Save(m.sensors.Save(dst))
}

// errBadState is the error of a state that no Save has written.
var errBadState = errors.New("microrobot: not a saved state of this robot")

// Restore implements sim.Model.
func (m *Model) Restore(src []float64) error {
	if len(src) != m.StateLen() {
		return fmt.Errorf("%w: %d values instead of %d", errBadState, len(src), m.StateLen())
	}
	for i, x := range src {
		if !spatial.IsFinite(x) {
			return fmt.Errorf("%w: value %d is %g", errBadState, i, x)
		}
	}
	m.time, m.steps, m.turned = src[0], src[1], src[2]
	m.last.take(src[clockLen:])
	src = src[clockLen+divisionLen:]
	m.in.take(src)
	src = src[m.in.stateLen():]
	m.shapes.take(src)
	src = src[m.shapes.stateLen():]
	m.engine.Restore(m.sensors.Restore(src))
	m.trail.reset()
	return nil
}
