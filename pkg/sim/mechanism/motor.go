package mechanism

import (
	"fmt"
	"math"
)

// MotorKind is the control mode of a motor.
type MotorKind string

// The kinds of motors.
const (
	NoMotor         MotorKind = ""           // the coordinate has no motor
	PositionMotor   MotorKind = "position"   // PD control of the coordinate to the command
	EffortMotor     MotorKind = "effort"     // the command is the effort, N or N m
	PrescribedMotor MotorKind = "prescribed" // the coordinate is the command, with whatever effort that takes
)

// Motor drives a coordinate of a joint. Its reaction acts on the parent.
type Motor struct {
	Kind      MotorKind
	Stiffness float64 // proportional gain of a position motor, N/m or N m/rad
	Damping   float64 // derivative gain of a position motor, on the rate of the coordinate, N s/m or N m s/rad
	MaxEffort float64 // of position and effort motors, N or N m; 0: unlimited
}

func checkMotors(j *Joint) error {
	for i, m := range j.Motor {
		switch m.Kind {
		case NoMotor, PositionMotor, EffortMotor, PrescribedMotor:
		default:
			return fmt.Errorf("mechanism: joint %q, coordinate %d: motor %q; allowed are position, effort, prescribed", j.Name, i+1, m.Kind)
		}
		if !(m.Stiffness >= 0 && m.Damping >= 0 && m.MaxEffort >= 0) {
			return fmt.Errorf("mechanism: joint %q, coordinate %d: motor with stiffness %g, damping %g, largest effort %g; each needs 0 or more", j.Name, i+1, m.Stiffness, m.Damping, m.MaxEffort)
		}
	}
	return nil
}

// Command sets the command of the motor of coordinate k of joint i for the steps and equilibria that
// follow: m or rad, of an effort motor N or N m. A prescribed coordinate reaches the command at the
// end of the next step, so its rate is the difference of commands over the step: change them smoothly.
// Commands of coordinates without a motor have no effect. The commands at t = 0 are the coordinates of
// the start, and efforts of 0.
func (w *World) Command(i, k int, value float64) {
	c := w.connections[i]
	c.command[k] = value
	c.saturated[k] = c.saturation(k, c.coordinate[k])
}

// unlimitedEffort is what position motor i would push its coordinate q back with if it had no largest effort.
func (c *connection) unlimitedEffort(i int, q float64) float64 {
	m := &c.Motor[i]
	return m.Stiffness*(q-c.command[i]) + c.gamma*m.Damping*(q-c.hat[i])
}

// saturation returns what saturated is for motor i with its coordinate at q.
func (c *connection) saturation(i int, q float64) float64 {
	if c.Motor == nil || c.Motor[i].Kind != PositionMotor || c.Motor[i].MaxEffort == 0 {
		return 0
	}
	effort := c.unlimitedEffort(i, q)
	if math.Abs(effort) <= c.Motor[i].MaxEffort {
		return 0
	}
	return math.Copysign(1, effort)
}

// saturate decides whether position motor i is at its largest effort in this iteration, as laws decide: it does not go from
// one direction to the other at once.
func (c *connection) saturate(w *World, i int) {
	now := c.saturation(i, c.geometry.Coordinate(i, &c.relative, c.coordinate[i]))
	if now*c.saturated[i] < 0 {
		now = 0
	}
	if now == c.saturated[i] {
		return
	}
	if w.mayChange() {
		c.saturated[i] = now
	}
	w.hasChangedLaw = true
}

// motorEffort returns what motor i pushes its coordinate q back with, and the derivative of that with
// respect to q.
func (c *connection) motorEffort(i int, q float64) (effort, stiffness float64) {
	if c.Motor == nil {
		return 0, 0
	}
	m := &c.Motor[i]
	most := m.MaxEffort
	if most == 0 {
		most = math.Inf(1)
	}
	switch m.Kind {
	case PositionMotor:
		if c.saturated[i] != 0 {
			return c.saturated[i] * most, 0
		}
		return c.unlimitedEffort(i, q), m.Stiffness + c.gamma*m.Damping
	case EffortMotor:
		return -min(max(c.effortScale*c.command[i], -most), most), 0
	}
	return 0, 0
}

// Effort returns the effort with which the motor of coordinate k of joint i drives it, N or N m.
func (w *World) Effort(i, k int) float64 {
	c := w.connections[i]
	for n := range c.laws.list {
		if o := &c.laws.list[n]; o.kind == prescribedLaw && o.coordinate == k {
			return -o.multiplier
		}
	}
	effort, _ := c.motorEffort(k, c.coordinate[k])
	return -effort
}

// checkCommands returns an error for a command that is no finite number.
func (w *World) checkCommands() error {
	for _, c := range w.connections {
		for i, x := range c.command {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("mechanism: joint %q, coordinate %d has the command %g; it needs a finite number", c.Name, i+1, x)
			}
		}
	}
	return nil
}

// startCommands makes every motor keep the coordinate that it has, or the stop beyond which an open loop has it.
func (w *World) startCommands() {
	for _, c := range w.connections {
		for i := range c.command {
			if c.Motor == nil || c.Motor[i].Kind != EffortMotor {
				c.command[i] = c.coordinate[i]
				if c.Limits != nil {
					c.command[i] = min(max(c.command[i], c.Limits[i].Min), c.Limits[i].Max)
				}
			}
		}
	}
}
