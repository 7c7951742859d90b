package multibody

import (
	"errors"
	"fmt"

	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/sensor"
	"sinew/pkg/sim/spatial"
)

// Model is a robot and its state: a sim.Model.
type Model struct {
	robot *Robot
	world *mechanism.World
	ports []sim.Port
	roles []role
	time  float64 // s

	setpoint   []float64              // by coordinate: command of its motor, rad, m, N m or N
	prescribed []reference.Coordinate // by coordinate; of those that are prescribed
	now        []float64              // by coordinate: present value of a prescribed one, rad or m
	poses      []*reference.Pose      // by commanded body
	shapes     *reference.Shapes      // motions of the walls
	length     []float64              // by tendon, m
	rate       []float64              // by tendon: of its length over the last step, m/s
	iterations int                    // of the last step
	divided    uint64
	failed     uint64
	leftSaddle string // mechanism.World.LeftSaddle of the last search for an equilibrium

	contacts    *contacts
	sensors     *sensor.Set
	firstSensor int            // number of its port
	before      []float64      // scratch: state before a step or an equilibrium
	framePoses  []spatial.Pose // scratch: of the frames of the tree
}

var (
	_ sim.Model     = (*Model)(nil)
	_ sim.Stopper   = (*Model)(nil)
	_ sim.Mechanism = (*Model)(nil)
)

// newModel makes a model with undeformed links where the file and joints place them.
func (r *Robot) newModel() (*Model, error) {
	w, err := mechanism.New(r.parameters)
	if err != nil {
		return nil, err
	}
	n := len(r.coordinates)
	m := &Model{
		robot: r, world: w, leftSaddle: r.leftSaddle, setpoint: make([]float64, n), prescribed: make([]reference.Coordinate, n), now: make([]float64, n),
		length: make([]float64, len(r.file.Tendons)), rate: make([]float64, len(r.file.Tendons)),
	}
	for i, c := range r.coordinates {
		q := w.Coordinates(c.joint)[c.index]
		m.prescribed[i] = reference.NewCoordinate(q, c.maxRate, r.file.Rates.Period())
		if m.now[i] = q; c.motor != mechanism.EffortMotor {
			m.setpoint[i] = q
		}
	}
	for _, i := range r.posed {
		m.poses = append(m.poses, reference.NewPose(w.BodyPose(i), r.file.Rates.Period()))
	}
	for i := range r.file.Tendons {
		m.length[i] = w.TendonLength(i)
	}
	if r.restLength == nil {
		for i := range r.file.Tendons {
			r.restLength = append(r.restLength, w.TendonRestLength(i))
		}
	}
	if r.frames == nil {
		r.listFrames(w)
	}
	m.framePoses = make([]spatial.Pose, len(r.frames))
	m.contacts = r.newContacts(w)
	m.shapes = r.newShapes()
	m.ports, m.roles = r.listPorts(w, m.contacts, m.shapes)
	m.addSensors()
	m.before = make([]float64, m.StateLen())
	return m, nil
}

// begin moves the model to the initial state of the robot file.
func (m *Model) begin() error {
	if m.robot.file.InitialState == robotfile.Equilibrium {
		return m.Equilibrate()
	}
	if err := m.world.OpenJoint(); err != nil {
		return fmt.Errorf("%w: %w; use initial_state: equilibrium, which closes loops with rods", ErrOpen, err)
	}
	err := m.world.Begin(m.robot.file.Solver.Step)
	m.sensors.Begin(m.time)
	return err
}

// Equilibrate moves the robot to an equilibrium under the present commands, at rest, with all joints closed. Commanded bodies, walls and
// prescribed coordinates stay. It fails with ErrNoEquilibrium and then leaves the state as it was.
func (m *Model) Equilibrate() error {
	m.Save(m.before)
	m.commandMotors()
	if err := m.world.Equilibrate(); err != nil {
		_ = m.Restore(m.before) // which Save has written
		return fmt.Errorf("%w: %w", ErrNoEquilibrium, err)
	}
	m.leftSaddle = m.world.LeftSaddle()
	m.readTendons(0)
	m.sensors.Begin(m.time)
	return nil
}

// commandMotors gives motors the present commands. Prescribed coordinates stay.
func (m *Model) commandMotors() {
	for i := range m.robot.coordinates {
		if c := &m.robot.coordinates[i]; c.motor == mechanism.PositionMotor || c.motor == mechanism.EffortMotor {
			m.world.Command(c.joint, c.index, m.setpoint[i])
		}
	}
}

// Step implements sim.Model. A step that does not converge is divided; commanded bodies, walls and coordinates move linearly through its parts.
func (m *Model) Step(dt float64) error {
	m.command(dt)
	if err := m.world.Step(dt); err != nil {
		m.failed++
		m.wait(dt)
		return fmt.Errorf("t = %.6g s: %w", m.time, err)
	}
	for i := range m.robot.coordinates {
		if c := &m.robot.coordinates[i]; c.motor == mechanism.PrescribedMotor {
			m.now[i] = m.commandOf(i, dt)
		}
	}
	m.iterations = m.world.Iterations()
	if m.world.Substeps() > 1 {
		m.divided++
	}
	m.time += dt
	m.arrive()
	m.readTendons(dt)
	m.sensors.Look(m.time, dt)
	return nil
}

// command gives motors, commanded bodies and walls their commands for a step of dt seconds.
func (m *Model) command(dt float64) {
	for i := range m.robot.coordinates {
		c := &m.robot.coordinates[i]
		if c.motor != mechanism.NoMotor {
			m.world.Command(c.joint, c.index, m.commandOf(i, dt))
		}
	}
	for k, i := range m.robot.posed {
		m.world.MoveBody(i, m.poses[k].Next(m.world.BodyPose(i), m.time, dt))
	}
	m.moveWalls(dt)
}

// commandOf returns the command of the motor of a coordinate for a step of dt seconds.
func (m *Model) commandOf(i int, dt float64) float64 {
	if m.robot.coordinates[i].motor == mechanism.PrescribedMotor {
		return m.prescribed[i].Next(m.now[i], m.time, dt)
	}
	return m.setpoint[i]
}

// readTendons reads the lengths of the tendons after dt seconds; 0: at rest.
func (m *Model) readTendons(dt float64) {
	for i := range m.length {
		l := m.world.TendonLength(i)
		if m.rate[i] = 0; dt > 0 {
			m.rate[i] = (l - m.length[i]) / dt
		}
		m.length[i] = l
	}
}

// ErrBadState is the error, in the sense of errors.Is, of a state that no Save has written.
var ErrBadState = errors.New("multibody: not a saved state of this robot")

// Robot returns the robot that the model is of.
func (m *Model) Robot() *Robot { return m.robot }

// Links implements sim.Mechanism.
func (m *Model) Links() (all []sim.Link) {
	for i := range m.robot.file.Rods {
		all = append(all, sim.Link{Name: m.robot.file.Rods[i].Name, Kind: sim.RodLink, ArcLengths: m.world.Nodes(i), Poses: append([]spatial.Pose{}, m.world.NodePoses(i)...)})
	}
	for i := range m.robot.file.Bodies {
		all = append(all, sim.Link{Name: m.robot.file.Bodies[i].Name, Kind: sim.BodyLink, Poses: []spatial.Pose{m.world.BodyPose(i)}})
	}
	return all
}

// Joints implements sim.Mechanism.
func (m *Model) Joints() (all []sim.Joint) {
	for i := range m.robot.file.Joints {
		f := &m.robot.file.Joints[i]
		all = append(all, sim.Joint{
			Name: f.Name, Frame: m.world.JointFrame(i), CoordinateNames: f.Coordinates(),
			Coordinates: append([]float64{}, m.world.Coordinates(i)...), Reaction: m.world.Reaction(i),
		})
	}
	return all
}
