package continuum

import (
	"errors"
	"fmt"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Model is a robot and its state: a sim.Model.
type Model struct {
	robot  *Robot
	engine engine
	ports  []sim.Port
	roles  []role // what each port is
	gauges []sim.Gauge
	in     inputs
	base   *baseMotion // nil: the engine's base stands still
	time   float64     // s
}

var _ sim.Model = (*Model)(nil)

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
	m := &Model{robot: r, engine: e}
	m.in.Drives = make([]drive, len(r.tendons))
	for k := range r.tendons {
		m.in.Drives[k] = r.tendons[k].initial
	}
	m.in.Loads = make([]load, 0, len(r.loads))
	if _, ok := e.(mover); ok {
		period := 0.0
		if hz := r.file.Rates.Control; hz > 0 {
			period = 1 / hz
		}
		m.base = newBaseMotion(r.rod.Base, period)
	}
	m.listPorts()
	m.listGauges()
	if r.file.InitialState == robotfile.Equilibrium {
		if err := m.Equilibrate(); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Equilibrate moves the robot, from the shape that it has, to the equilibrium under
// the present commands and the loads of the initial state, at rest. Tendons with
// friction end as after pulling. It fails with ErrNoEquilibrium; the state is then
// that of before.
func (m *Model) Equilibrate() error {
	before := make([]float64, m.StateLen())
	m.Save(before)
	m.in.Loads = append(m.in.Loads[:0], m.robot.loads...) // those that end at t = 0 too
	m.in.Time = m.time
	if err := m.engine.Equilibrate(&m.in); err != nil {
		_ = m.Restore(before) // Save has just written it
		return fmt.Errorf("%w: %w", ErrNoEquilibrium, err)
	}
	return nil
}

// Robot returns the robot that the model is of.
func (m *Model) Robot() *Robot { return m.robot }

// Step is that of sim.Model. It fails with *UnstableError when the solution is no
// longer finite and with *StepTooLargeError when dt is above the stability limit;
// the state is then that of before.
//
// Method reference reproduces PyElastica whatever dt is: its damper acts per step
// and keeps to the step_s of the robot file.
func (m *Model) Step(dt float64) error {
	m.setLoads()
	m.in.Time = m.time
	m.moveBase(dt)
	if err := m.engine.Step(dt, &m.in); err != nil {
		return err
	}
	m.time += dt
	return nil
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
}

// Numbers per tendon, of the external wrench and before them in a saved state.
const (
	driveLen  = 3
	wrenchLen = 7
)

// StateLen is that of sim.Model.
func (m *Model) StateLen() int {
	n := 1 + driveLen*len(m.in.Drives) + wrenchLen + m.engine.StateLen()
	if m.base != nil {
		n += baseMotionLen
	}
	return n
}

// Save is that of sim.Model.
func (m *Model) Save(dst []float64) {
	dst = dst[:m.StateLen()]
	dst[0] = m.time
	dst = dst[1:]
	for _, d := range m.in.Drives {
		dst[0], dst[1], dst[2] = float64(d.Mode), d.Tension, d.Pull
		dst = dst[driveLen:]
	}
	m.in.Tip.put(dst)
	dst = dst[wrenchLen:]
	if m.base != nil {
		m.base.save(dst)
		dst = dst[baseMotionLen:]
	}
	m.engine.Save(dst)
}

// errBadState is the error of a state that no Save has written.
var errBadState = errors.New("continuum: not a saved state of this robot")

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
	if !m.areDrives(src[1:]) {
		return fmt.Errorf("%w: no such mode of control or frame", errBadState)
	}
	m.time = src[0]
	src = src[1:]
	for k := range m.in.Drives {
		m.in.Drives[k] = drive{Mode: driveMode(src[0]), Tension: src[1], Pull: src[2]}
		src = src[driveLen:]
	}
	m.in.Tip.take(src)
	src = src[wrenchLen:]
	if m.base != nil {
		m.base.restore(src)
		src = src[baseMotionLen:]
	}
	m.engine.Restore(src)
	m.setLoads()
	return nil
}

// areDrives reports whether src holds modes of control and axes that there are.
func (m *Model) areDrives(src []float64) bool {
	for range m.in.Drives {
		if src[0] != float64(tensionControl) && src[0] != float64(lengthControl) {
			return false
		}
		src = src[driveLen:]
	}
	a := src[wrenchLen-1]
	return a == float64(worldAxes) || a == float64(bodyAxes)
}

func (m *Model) listGauges() {
	m.gauges = append([]sim.Gauge{
		{Key: "kinetic_energy", Unit: "J"},
		{Key: "elastic_energy", Unit: "J"},
		{Key: "max_strain", Warn: 0.5}, // far beyond what a linear material law is good for
	}, m.engine.Gauges()...)
}

// Gauges is that of sim.Model.
func (m *Model) Gauges() []sim.Gauge { return m.gauges }

// Measure is that of sim.Model.
func (m *Model) Measure(dst []float64) {
	dst[0], dst[1] = m.engine.Energy()
	dst[2] = m.engine.MaxStrain()
	m.engine.Measure(dst[3:])
}
