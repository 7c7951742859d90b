package multibody

import (
	"errors"
	"fmt"

	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Model is a robot and its state: a sim.Model.
type Model struct {
	robot *Robot
	world *mechanism.World
	ports []sim.Port
	roles []role
	time  float64 // s

	setpoint   []float64         // by coordinate: command of its motor, rad, m, N m or N
	followers  []follower        // by coordinate; of those that are prescribed
	now        []float64         // by coordinate: where a prescribed one is
	poses      []*reference.Pose // by commanded body
	from       []spatial.Pose    // scratch: of the same, before a step
	tension    []float64         // by tendon, N
	length     []float64         // by tendon, m
	rate       []float64         // by tendon: of its length over the last step, m/s
	iterations int               // of the last step, with all its parts
	divided    uint64
	failed     uint64

	before []float64 // scratch: state before a step or an equilibrium
}

var (
	_ sim.Model     = (*Model)(nil)
	_ sim.Stopper   = (*Model)(nil)
	_ sim.Mechanism = (*Model)(nil)
)

// newModel makes a model as undeformed links are placed.
func (r *Robot) newModel() (*Model, error) {
	w, err := mechanism.New(r.parameters)
	if err != nil {
		return nil, err
	}
	n := len(r.coordinates)
	m := &Model{
		robot: r, world: w, setpoint: make([]float64, n), followers: make([]follower, n), now: make([]float64, n),
		tension: make([]float64, len(r.file.Tendons)), length: make([]float64, len(r.file.Tendons)), rate: make([]float64, len(r.file.Tendons)),
	}
	for i, c := range r.coordinates {
		q := w.Coordinates(c.joint)[c.index]
		m.followers[i] = follower{target: q, commandTime: never, arrival: never}
		if m.now[i] = q; c.motor != mechanism.EffortMotor {
			m.setpoint[i] = q
		}
	}
	for _, i := range r.posed {
		m.poses = append(m.poses, reference.NewPose(w.BodyPose(i), r.file.Rates.Period()))
	}
	m.from = make([]spatial.Pose, len(m.poses))
	for i := range r.file.Tendons {
		m.tension[i], m.length[i] = r.file.Tendons[i].Tension, w.TendonLength(i)
	}
	if r.restLength == nil {
		r.restLength = append([]float64{}, m.length...)
	}
	m.ports, m.roles = r.listPorts(w)
	m.before = make([]float64, m.StateLen())
	return m, nil
}

// begin goes to the initial state of the robot file.
func (m *Model) begin() error {
	if m.robot.file.InitialState == robotfile.Equilibrium {
		return m.Equilibrate()
	}
	if m.world.IsOpen() {
		return ErrOpen
	}
	return m.world.Begin(m.robot.file.Solver.Step)
}

// Equilibrate moves the robot to an equilibrium under the present commands, at rest, with all joints closed. Commanded bodies and
// prescribed coordinates stay. It fails with ErrNoEquilibrium and then leaves the state as it was.
func (m *Model) Equilibrate() error {
	m.Save(m.before)
	if err := m.world.Equilibrate(); err != nil {
		_ = m.Restore(m.before) // which Save has written
		return fmt.Errorf("%w: %w", ErrNoEquilibrium, err)
	}
	m.readTendons(0)
	return nil
}

// maxParts is into how many parts a step is divided at the most.
const maxParts = 64

// Step implements sim.Model. A step that does not converge is taken in parts, the largest first: parts that fail are halved, down to
// 1/64 of the step, and doubled after a success. What is commanded moves evenly. If the smallest part fails, the state is that before
// the step.
func (m *Model) Step(dt float64) error {
	m.iterations = 0
	if m.advance(m.time, dt) == nil {
		m.pass(dt)
		return nil
	}
	m.Save(m.before)
	for done, size := 0, maxParts/2; done < maxParts; {
		err := m.advance(m.time+dt*float64(done)/maxParts, dt*float64(size)/maxParts)
		switch {
		case err == nil:
			done += size
			for size < maxParts/2 && done%(2*size) == 0 && done+2*size <= maxParts {
				size *= 2
			}
		case size > 1:
			size /= 2
		default:
			failed := m.failed + 1
			_ = m.Restore(m.before) // which Save has written
			m.failed = failed
			return fmt.Errorf("t = %.6g s: even in parts of %.3g s: %w", m.time, dt/maxParts, err)
		}
	}
	m.divided++
	m.pass(dt)
	return nil
}

// advance takes a step, or a part of one, of dt seconds from time t on.
func (m *Model) advance(t, dt float64) error {
	for i := range m.robot.coordinates {
		c := &m.robot.coordinates[i]
		switch c.motor {
		case mechanism.PrescribedMotor:
			m.world.Command(c.joint, c.index, m.followers[i].next(m.now[i], t, dt, c.maxRate))
		case mechanism.PositionMotor, mechanism.EffortMotor:
			m.world.Command(c.joint, c.index, m.setpoint[i])
		}
	}
	for k, i := range m.robot.posed {
		m.from[k] = m.world.BodyPose(i)
		m.world.MoveBody(i, m.poses[k].Next(m.from[k], t, dt), dt)
	}
	err := m.world.Step(dt)
	m.iterations += m.world.Iterations()
	if err != nil {
		for k, i := range m.robot.posed {
			m.world.MoveBody(i, m.from[k], dt)
		}
		return err
	}
	for i := range m.robot.coordinates {
		if c := &m.robot.coordinates[i]; c.motor == mechanism.PrescribedMotor {
			m.now[i] = m.followers[i].next(m.now[i], t, dt, c.maxRate)
		}
	}
	for k, i := range m.robot.posed {
		m.poses[k].Arrive(m.world.BodyPose(i), t+dt)
	}
	return nil
}

// pass lets the time of a step of dt seconds pass.
func (m *Model) pass(dt float64) {
	m.time += dt
	m.readTendons(dt)
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
