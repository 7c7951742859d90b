package reference

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Field is the magnetic field around a robot under its file and commands: the setpoints and the
// state that follows them: the coil currents, the interpolated field, the phase of the rotating
// field and the moving magnets.
type Field struct {
	Constant spatial.Vec // what does not rotate, at the centre of the gradient, T
	Gradient magnetics.Gradient
	Ramp     Ramp // of Constant and Gradient
	Rotating Rotating
	Targets  []float64 // setpoints of the coil currents, A
	Currents []float64 // A
	Magnets  []Magnet  // dipoles of the file

	file    *robotfile.Field
	coils   *magnetics.Coils // nil: none
	timeout float64          // command_timeout_s
	reach   float64          // how far magnets may be sent along each axis, m
	time    float64          // s
	inputs  []input
}

// Ramp is the interpolation of the field to the last command.
type Ramp struct {
	Field    spatial.Vec // target, T
	Gradient magnetics.Gradient
	Left     float64 // remaining time, s; 0: the target is reached
	Since    float64 // time of the last command, s; below 0: none
}

// Rotating is a rotating field with its parameters.
type Rotating struct {
	Axis                         spatial.Vec
	Amplitude, Frequency, Offset float64 // T, Hz, T
	Phase                        float64 // now, rad
	source                       magnetics.Rotating
}

// Magnet is a permanent magnet, possibly on an arm.
type Magnet struct {
	Name   string
	Pose   spatial.Pose // its moment is along the axes that this turns
	moment spatial.Vec  // A m², in those axes
	motion *Pose
}

// IsLimited reports whether MaxSpeed or MaxTurn delays a magnet behind its command.
func (f *Field) IsLimited() bool {
	for i := range f.Magnets {
		if m := &f.Magnets[i]; m.motion.IsLimited(m.Pose, f.time) {
			return true
		}
	}
	return false
}

// MagnetSpeedGauge is measured where there are magnets, by IsLimited.
var MagnetSpeedGauge = sim.Gauge{Key: "magnet_speed_limited", Warn: 0.5, Hint: "1: a magnet is behind its command, whose speed exceeds " + SpeedLimitText}

// TurnRate is how fast commands turn the field in the next dt seconds: the angular frequency of a rotating
// field or, if it is larger, the rate at which a magnet turns, rad/s.
func (f *Field) TurnRate(dt float64) float64 {
	most := math.Abs(f.Rotating.Omega())
	for i := range f.Magnets {
		m := &f.Magnets[i]
		most = max(most, m.motion.turnRate(m.Pose, f.time, dt))
	}
	return most
}

// PrescribedRotationGauge is measured where commands turn a field or a flow oscillates. Its Warn depends on
// the method.
var PrescribedRotationGauge = sim.Gauge{
	Key: "prescribed_rotation_per_step", Unit: "rad", Accept: string(robotfile.RotationPerStep),
	Hint: "a rotating field, a turning magnet or a pulsatile flow is not resolved by the steps; use a smaller step_s",
}

// Moment is the moment in world axes, A m².
func (m *Magnet) Moment() spatial.Vec { return m.Pose.R.Apply(m.moment) }

// NewField returns the field of a robot file with its coils. timeout is the command time-out and
// period the control period, s; farthest (m) bounds the commanded positions of magnets along each
// axis.
func NewField(file *robotfile.Field, coils *magnetics.Coils, timeout, period, farthest float64) Field {
	g := file.Gradient
	f := Field{
		Constant: file.Uniform,
		Gradient: magnetics.Gradient{XX: g[0], XY: g[1], XZ: g[2], YY: g[3], YZ: g[4]},
		Ramp:     Ramp{Since: -1},
		file:     file, coils: coils, timeout: timeout, reach: farthest,
	}
	f.Rotating.set([]float64{0, 0, 1, 0, 0, 0})
	if w := file.Rotating; w != nil {
		f.Rotating.set([]float64{w.Axis.X, w.Axis.Y, w.Axis.Z, w.Amplitude, w.Frequency, w.Offset})
		f.Rotating.Phase = w.Phase
	}
	if coils != nil {
		n := len(coils.Names())
		f.Targets, f.Currents = make([]float64, n), make([]float64, n)
	}
	for _, d := range file.Dipoles {
		at := spatial.Pose{R: spatial.Identity3(), P: d.Position}
		f.Magnets = append(f.Magnets, Magnet{Name: d.Name, Pose: at, moment: d.Moment, motion: NewPose(at, period)})
	}
	f.inputs = f.listInputs()
	return f
}

// Advance advances the state that follows the setpoints by dt seconds.
func (f *Field) Advance(dt float64) {
	f.Rotating.Phase = f.Rotating.source.Advance(f.Rotating.Phase, dt)
	f.advanceRamp(dt)
	for i := range f.Currents {
		f.Currents[i] = magnetics.Lag(f.Currents[i], f.Targets[i], dt, f.file.CoilLag)
	}
	for i := range f.Magnets {
		m := &f.Magnets[i]
		m.Pose = m.motion.Next(m.Pose, f.time, dt)
	}
	f.time += dt
}

func (f *Field) advanceRamp(dt float64) {
	switch r := &f.Ramp; {
	case r.Left == 0:
	case dt >= r.Left:
		f.Constant, f.Gradient, r.Left = r.Field, r.Gradient, 0
	default:
		share := dt / r.Left
		f.Constant = f.Constant.AddScaled(share, r.Field.Sub(f.Constant))
		f.Gradient = f.Gradient.AddScaled(share, r.Gradient.AddScaled(-1, f.Gradient))
		r.Left -= dt
	}
}

// Uniform returns the commanded field, with the rotating part at its current phase.
func (f *Field) Uniform() spatial.Vec {
	return f.Constant.Add(f.Rotating.source.At(f.Rotating.Phase))
}

// target returns the target of field and gradient, or their current values without a ramp.
func (f *Field) target() Ramp {
	if f.Ramp.Left > 0 {
		return f.Ramp
	}
	return Ramp{Field: f.Uniform(), Gradient: f.Gradient}
}

// set sets the targets of field and gradient. They are reached immediately or, interpolated,
// within the time since the previous command, but within the command time-out.
func (f *Field) set(b spatial.Vec, g magnetics.Gradient) {
	from := f.Uniform()
	f.Rotating.stop()
	r := Ramp{Field: b, Gradient: g, Since: f.time}
	if last := f.Ramp.Since; last >= 0 && f.file.Interpolation == robotfile.FirstOrderHold {
		r.Left = math.Min(f.time-last, f.timeout)
	}
	f.Constant, f.Ramp = from, r
	if r.Left == 0 {
		f.Constant, f.Gradient = b, g
	}
}

// rotate replaces the field by a rotating one. The gradient stays.
func (f *Field) rotate(v []float64) {
	f.Constant, f.Gradient, f.Ramp = spatial.Vec{}, f.target().Gradient, Ramp{Since: -1}
	f.Rotating.set(v)
}

// set takes the values of a port of kind RotatingField. An axis without direction
// leaves the axis as it is. The phase continues.
func (w *Rotating) set(v []float64) {
	axis := spatial.VecAt(v)
	source, err := magnetics.NewRotating(axis, v[3], v[4], v[5])
	if err != nil {
		axis = w.Axis
		source, _ = magnetics.NewRotating(axis, v[3], v[4], v[5])
	}
	*w = Rotating{Axis: axis, Amplitude: v[3], Frequency: v[4], Offset: v[5], source: source, Phase: w.Phase}
}

// stop ends the rotation. Axis and frequency stay, for the phase continues.
func (w *Rotating) stop() {
	if w.Amplitude != 0 || w.Offset != 0 {
		w.set([]float64{w.Axis.X, w.Axis.Y, w.Axis.Z, 0, w.Frequency, 0})
	}
}

// put writes what set takes.
func (w *Rotating) put(dst []float64) {
	w.Axis.Put(dst)
	dst[3], dst[4], dst[5] = w.Amplitude, w.Frequency, w.Offset
}

// Omega is the angular frequency, rad/s; 0 where nothing rotates.
func (w *Rotating) Omega() float64 {
	if w.Amplitude == 0 {
		return 0
	}
	return w.source.Omega()
}
