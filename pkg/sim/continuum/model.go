package continuum

import (
	"fmt"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/sensor"
	"sinew/pkg/sim/spatial"
)

// Model is a robot and its state: a sim.Model.
type Model struct {
	robot  *Robot
	engine engine
	ports  []sim.Port
	roles  []role // by port
	gauges []sim.Gauge
	// followers is the number of the first gauge of followerGauges.
	followers int
	in        inputs
	joints    joints
	undriven  []int           // tendons that no joint moves
	base      *reference.Pose // nil where the base of the engine stands still
	// twisted is by how much servo_insertion has turned the base about its axis, rad.
	twisted float64
	// twisting is whether it has sent the base where it goes: not base_pose, since then.
	twisting bool
	field    *reference.Field // around the rod; nil where it has no magnets
	atTip    reference.Instant
	fields   int               // number of the first port of the field
	shapes   *reference.Shapes // around the rod; nil where there are none
	// Numbers of the first ports of each kind of the shapes.
	shapePoses, shapeWrenches, shapeFrames int
	time                                   float64 // s
	sensors                                *sensor.Set
	firstSensor                            int               // number of its port
	disturbances                           []force.PointLoad // see Disturb

	before  []float64         // scratch: the state before an equilibrium
	touches []contact.Contact // scratch
}

var (
	_ sim.Model   = (*Model)(nil)
	_ sim.Holder  = (*Model)(nil)
	_ sim.Stopper = (*Model)(nil)
)

// New makes the model of a robot file in its initial state; see NewRobot.
func New(file *robotfile.Continuum) (*Model, error) {
	r, err := NewRobot(file)
	if err != nil {
		return nil, err
	}
	return r.NewModel()
}

// NewModel makes a model of the robot in its initial state. Its error says what
// the robot's method cannot do: ErrNotInReference, ErrNotInExplicit,
// *StepTooLargeError or ErrNoEquilibrium.
func (r *Robot) NewModel() (*Model, error) {
	e, err := r.newEngine()
	if err != nil {
		return nil, err
	}
	m := &Model{robot: r, engine: e, field: r.newField(), touches: make([]contact.Contact, 0, sim.MostContacts)}
	if m.field != nil {
		if err := e.(*implicit).setField(m.field); err != nil {
			return nil, err
		}
		m.atTip = m.field.Instant()
	}
	m.in.Setpoints = make([]force.Setpoint, len(r.tendons))
	for k := range r.tendons {
		m.in.Setpoints[k] = r.tendons[k].initial
	}
	m.joints, m.undriven = r.newJoints(), r.undriven()
	m.joints.pull(&m.in)
	m.in.Loads = make([]force.PointLoad, 0, len(r.loads))
	if _, ok := e.(mover); ok {
		m.base = reference.NewPose(r.rod.Base, r.file.Rates.Period())
	}
	m.shapes = r.newShapes()
	m.ports, m.roles = r.listPorts(m.base != nil, m.field, m.shapes)
	m.addSensors()
	m.fields, m.shapePoses = slices.Index(m.roles, fieldInput), slices.Index(m.roles, shapePose)
	m.shapeWrenches, m.shapeFrames = slices.Index(m.roles, shapeWrench), slices.Index(m.roles, shapeTF)
	m.gauges = append(slices.Clone(modelGauges), e.Gauges()...)
	m.followers = len(m.gauges)
	m.gauges = append(m.gauges, m.followerGauges()...)
	sim.AcceptGauges(m.gauges, r.file.Accept)
	if r.file.InitialState == robotfile.Equilibrium {
		if err := m.Equilibrate(); err != nil {
			return nil, err
		}
	}
	if err := m.checkPlaced(); err != nil {
		return nil, err
	}
	m.sensors.Begin(m.time)
	return m, nil
}

// Equilibrate moves the robot, from the shape that it has, to the equilibrium under
// the present commands and the loads of the initial state, at rest. Friction, inside the rod and of
// tendons, remembers the equilibrium or the motion before; in the first one tendons count as just pulled.
// Viscoelastic branches have relaxed. It fails with ErrNoEquilibrium and then leaves the
// state as it was.
func (m *Model) Equilibrate() error {
	before := m.beginEquilibrium()
	if err := m.engine.Equilibrate(&m.in); err != nil {
		_ = m.Restore(before) // which Save has written
		return noEquilibrium(err)
	}
	m.arriveAtRest()
	return nil
}

// KeepReference makes the model keep the tangent of every equilibrium that it finds, as a reference for robots nearby.
func (m *Model) KeepReference() {
	if e, ok := m.engine.(*implicit); ok {
		e.solver.KeepReference()
	}
}

// EquilibrateNear is Equilibrate for a robot whose numbers differ little from those of reference, a model that keeps a reference and has
// just found its equilibrium under the same commands. With the tangent of the reference, factored already, it takes a small part of the
// work, and finds the equilibrium as accurately. Where that fails, or reference is of another kind, it is Equilibrate.
func (m *Model) EquilibrateNear(reference sim.Model) error {
	e, of := m.implicitPair(reference)
	if e == nil {
		return m.Equilibrate()
	}
	before := m.beginEquilibrium()
	if e.equilibrateNear(of, &m.in) != nil {
		_ = m.Restore(before) // which Save has written
		return m.Equilibrate()
	}
	m.arriveAtRest()
	return nil
}

// EquilibrateBySensitivity moves to where the derivative of the equilibrium of reference leads: in proportion to what differs, exactly, of
// robots of nearby numbers. reference is as for EquilibrateNear. It fails where the derivative is not known, as beside walls, and then
// leaves the state as it was.
func (m *Model) EquilibrateBySensitivity(reference sim.Model) error {
	e, of := m.implicitPair(reference)
	if e == nil {
		return ErrNoJacobian
	}
	before := m.beginEquilibrium()
	if err := e.extrapolateEquilibrium(of, &m.in); err != nil {
		_ = m.Restore(before) // which Save has written
		return err
	}
	m.arriveAtRest()
	return nil
}

// arriveAtRest shows the robot in an equilibrium that has been found.
func (m *Model) arriveAtRest() {
	m.showJoints(0)
	m.sensors.Begin(m.time)
}

// implicitPair returns the engines of the model and another one, nil unless both are of method implicit.
func (m *Model) implicitPair(other sim.Model) (own, of *implicit) {
	o, _ := sim.As[*Model](other)
	if o == nil {
		return nil, nil
	}
	own, isOwn := m.engine.(*implicit)
	of, isOther := o.engine.(*implicit)
	if !isOwn || !isOther {
		return nil, nil
	}
	return own, of
}

// beginEquilibrium lists what acts in an equilibrium, and returns the state of before, which lasts until the next one begins.
func (m *Model) beginEquilibrium() (before []float64) {
	if m.before == nil {
		m.before = make([]float64, m.StateLen())
	}
	m.Save(m.before)
	m.joints.settle(&m.in)
	m.in.Loads = append(m.in.Loads[:0], m.robot.loads...) // also the loads that end at t = 0
	m.in.Loads = append(m.in.Loads, m.disturbances...)
	m.in.Time = m.time
	return m.before
}

// IsHistoryDependent reports whether an equilibrium depends on those before it: there is friction in the rod or of tendons.
func (m *Model) IsHistoryDependent() bool {
	e, ok := m.engine.(*implicit)
	return ok && e.system.IsHistoryDependent()
}

// SettleJoints lets the motor joints come to rest where they are commanded, and leaves the rod
// where it is: what turns without being measured takes its pulleys along.
func (m *Model) SettleJoints() { m.joints.settle(&m.in) }

// Robot returns the robot that the model is of.
func (m *Model) Robot() *Robot { return m.robot }

// Step implements sim.Model. It fails with *UnstableError when the solution is no
// longer finite and with *StepTooLargeError when dt is above the stability limit,
// and then leaves the state as it was.
//
// Method reference reproduces PyElastica whatever dt is: its damper acts per step
// and keeps to the step_s of the robot file.
func (m *Model) Step(dt float64) error {
	m.setLoads()
	m.in.Time = m.time
	m.moveBase(dt)
	m.moveShapes(dt)
	m.joints.advance(dt, &m.in)
	if err := m.engine.Step(dt, &m.in); err != nil {
		m.joints.undo(&m.in)
		return err
	}
	m.arrive(m.time + dt)
	m.showJoints(dt)
	m.pass(dt)
	return nil
}

// pass lets the time of a step of dt seconds pass.
func (m *Model) pass(dt float64) {
	m.time += dt
	if m.field != nil {
		m.field.Advance(dt)
	}
	m.sensors.Look(m.time, dt)
}

// Hold implements sim.Holder.
func (m *Model) Hold(dt float64) {
	m.engine.Rest()
	m.wait(dt)
	m.joints.advance(dt, &m.in)
	m.showJoints(dt)
	m.pass(dt)
}

// setLoads lists the loads that act in a step that starts now.
func (m *Model) setLoads() {
	const roundoff = 1e-9 // s, of a sum of steps
	m.in.Loads = m.in.Loads[:0]
	for i := range m.robot.loads {
		if l := &m.robot.loads[i]; m.time < l.Until-roundoff {
			m.in.Loads = append(m.in.Loads, *l)
		}
	}
	m.in.Loads = append(m.in.Loads, m.disturbances...)
}

// modelGauges are those of every method.
var modelGauges = []sim.Gauge{
	{Key: "kinetic_energy", Unit: "J"},
	{Key: "elastic_energy", Unit: "J"},
	{Key: "max_strain", Warn: 0.2, Accept: string(robotfile.Strain), Hint: "beyond what a linear material law is good for"},
}

// Gauges implements sim.Model.
func (m *Model) Gauges() []sim.Gauge { return m.gauges }

// Measure implements sim.Model.
func (m *Model) Measure(dst []float64) {
	dst[0], dst[1] = m.engine.Energy()
	dst[2] = m.engine.MaxStrain()
	m.engine.Measure(dst[len(modelGauges):])
	m.measureFollowers(dst[m.followers:])
}

// basePose is where the base plate is.
func (m *Model) basePose() spatial.Pose {
	if m.base == nil {
		return m.robot.rod.Base
	}
	return m.engine.NodePose(0)
}

// moveBase tells the engine where the base is at the end of a step of length dt.
func (m *Model) moveBase(dt float64) {
	if m.base != nil {
		if b := &m.robot.file.Base; b.Velocity != (spatial.Vec{}) {
			to := m.robot.rod.Base
			to.P = to.P.AddScaled(min(m.time+dt, b.Until), b.Velocity)
			m.base.SetInitialTarget(to)
		}
		m.engine.(mover).MoveBase(m.base.Next(m.engine.NodePose(0), m.time, dt))
	}
}

// followerGauges are those of what follows commanded poses.
func (m *Model) followerGauges() (all []sim.Gauge) {
	if m.base != nil {
		all = append(all, sim.Gauge{Key: "base_speed_limited", Warn: 0.5, Hint: "1: the base is behind its command, whose speed exceeds " + reference.SpeedLimitText})
	}
	if m.shapes != nil {
		all = append(all, sim.Gauge{Key: "shape_speed_limited", Warn: 0.5, Hint: "1: a shape is behind its command, whose speed exceeds " + reference.SpeedLimitText})
	}
	if m.field != nil && len(m.field.Magnets) > 0 {
		all = append(all, reference.MagnetSpeedGauge)
	}
	return all
}

// measureFollowers writes the gauges of what follows commanded poses.
func (m *Model) measureFollowers(dst []float64) {
	if m.base != nil {
		dst[0] = flag(m.base.IsLimited(m.engine.NodePose(0), m.time))
		dst = dst[1:]
	}
	if m.shapes != nil {
		dst[0] = flag(m.isShapeLimited())
		dst = dst[1:]
	}
	if m.field != nil && len(m.field.Magnets) > 0 {
		dst[0] = flag(m.field.IsLimited())
	}
}

// wait tells what follows commanded poses that it stays for dt seconds.
func (m *Model) wait(dt float64) {
	if m.base != nil {
		m.base.Wait(m.engine.NodePose(0), dt)
	}
	if m.shapes == nil {
		return
	}
	c := m.contacts()
	for w := range c.Walls {
		m.shapes.Wait(w, c.WallPose(w), dt)
	}
}

// arrive tells what follows commanded poses where a step that ends at time t has taken it.
func (m *Model) arrive(t float64) {
	if m.base != nil {
		m.base.Arrive(m.engine.NodePose(0), t)
	}
	if m.shapes == nil {
		return
	}
	c := m.contacts()
	for w := range c.Walls {
		m.shapes.Arrive(w, c.WallPose(w), t)
	}
}

func flag(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// newEngine makes the engine of the robot's method, stress-free and at rest.
func (r *Robot) newEngine() (engine, error) {
	switch m := r.file.Solver.Method; m {
	case robotfile.Reference:
		return newReference(r)
	case robotfile.Explicit:
		return newExplicit(r)
	case robotfile.Implicit:
		return newImplicit(r)
	default:
		return nil, fmt.Errorf("solver method %q is not available", m)
	}
}
