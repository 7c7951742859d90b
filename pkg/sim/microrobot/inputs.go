package microrobot

import (
	"math"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// inputs are the setpoints of a model, and what follows them in time: the currents, the
// field on its way to a new value and the phase of the rotating field.
type inputs struct {
	Field    spatial.Vec // what does not rotate, T
	Gradient magnetics.Gradient
	Ramp     ramp // of Field and Gradient
	Rotating rotating
	External external
	Flow     spatial.Twist // commanded motion of the fluid at the robot, world axes
	Targets  []float64     // setpoints of the coil currents, A
	Currents []float64     // A

	file *robotfile.Microrobot
}

// ramp is a field on its way to the last command.
type ramp struct {
	Field    spatial.Vec // where it goes, T
	Gradient magnetics.Gradient
	Left     float64 // s; 0: it is there
	Since    float64 // time of the last command, s; below 0: there was none
}

// rotating is a rotating field with the numbers that it was made of.
type rotating struct {
	axis                         spatial.Vec
	amplitude, frequency, offset float64
	source                       magnetics.Rotating
	phase                        float64 // now, rad
}

// external is the commanded wrench at the reference point.
type external struct {
	spatial.Wrench
	InBody bool // in body axes instead of world axes
}

// newInputs returns the setpoints of the robot file.
func newInputs(file *robotfile.Microrobot, coils *magnetics.Coils) inputs {
	g := file.Field.Gradient
	in := inputs{
		Field:    file.Field.Uniform,
		Gradient: magnetics.Gradient{XX: g[0], XY: g[1], XZ: g[2], YY: g[3], YZ: g[4]},
		Ramp:     ramp{Since: -1},
		file:     file,
	}
	in.Rotating.set([]float64{0, 0, 1, 0, 0, 0})
	if w := file.Field.Rotating; w != nil {
		in.Rotating.set([]float64{w.Axis.X, w.Axis.Y, w.Axis.Z, w.Amplitude, w.Frequency, w.Offset})
		in.Rotating.phase = w.Phase
	}
	if coils != nil {
		n := len(coils.Names())
		in.Targets, in.Currents = make([]float64, n), make([]float64, n)
	}
	return in
}

// advance takes what follows the setpoints dt seconds on.
func (in *inputs) advance(dt float64) {
	in.Rotating.phase = in.Rotating.source.Advance(in.Rotating.phase, dt)
	in.advanceRamp(dt)
	for i := range in.Currents {
		in.Currents[i] = magnetics.Lag(in.Currents[i], in.Targets[i], dt, in.file.Field.CoilLag)
	}
}

func (in *inputs) advanceRamp(dt float64) {
	switch r := &in.Ramp; {
	case r.Left == 0:
	case dt >= r.Left:
		in.Field, in.Gradient, r.Left = r.Field, r.Gradient, 0
	default:
		share := dt / r.Left
		in.Field = in.Field.AddScaled(share, r.Field.Sub(in.Field))
		in.Gradient = in.Gradient.AddScaled(share, r.Gradient.AddScaled(-1, in.Gradient))
		r.Left -= dt
	}
}

// uniform returns what field commands set, with what rotates as it stands now.
func (in *inputs) uniform() spatial.Vec {
	return in.Field.Add(in.Rotating.source.At(in.Rotating.phase))
}

// target returns where field and gradient are going, or where they are if they stay.
func (in *inputs) target() ramp {
	if in.Ramp.Left > 0 {
		return in.Ramp
	}
	return ramp{Field: in.uniform(), Gradient: in.Gradient}
}

// setField sends field and gradient to new values at time now: at once, or, interpolated,
// within the time since the command before, but no longer than commands may be silent.
func (in *inputs) setField(b spatial.Vec, g magnetics.Gradient, now float64) {
	from := in.uniform()
	in.Rotating.stop()
	r := ramp{Field: b, Gradient: g, Since: now}
	if last := in.Ramp.Since; last >= 0 && in.file.Field.Interpolation == robotfile.FirstOrderHold {
		r.Left = math.Min(now-last, in.file.CommandTimeout)
	}
	in.Field, in.Ramp = from, r
	if r.Left == 0 {
		in.Field, in.Gradient = b, g
	}
}

// setRotating replaces the field by a rotating one. The gradient stays.
func (in *inputs) setRotating(v []float64) {
	in.Field, in.Gradient, in.Ramp = spatial.Vec{}, in.target().Gradient, ramp{Since: -1}
	in.Rotating.set(v)
}

// set takes the values of a port of kind RotatingField. An axis without direction
// leaves the axis as it is. The phase goes on.
func (w *rotating) set(v []float64) {
	axis := spatial.VecAt(v)
	source, err := magnetics.NewRotating(axis, v[3], v[4], v[5])
	if err != nil {
		axis = w.axis
		source, _ = magnetics.NewRotating(axis, v[3], v[4], v[5])
	}
	*w = rotating{axis: axis, amplitude: v[3], frequency: v[4], offset: v[5], source: source, phase: w.phase}
}

// stop ends the rotation. Axis and frequency stay, for the phase goes on.
func (w *rotating) stop() {
	if w.amplitude != 0 || w.offset != 0 {
		w.set([]float64{w.axis.X, w.axis.Y, w.axis.Z, 0, w.frequency, 0})
	}
}

// put writes what set takes.
func (w *rotating) put(dst []float64) {
	w.axis.Put(dst)
	dst[3], dst[4], dst[5] = w.amplitude, w.frequency, w.offset
}

// put and take write and read the wrench as a port with two frames does.
func (w *external) put(dst []float64) {
	w.Force.Put(dst)
	w.Moment.Put(dst[3:])
	dst[6] = 0
	if w.InBody {
		dst[6] = 1
	}
}

func (w *external) take(src []float64) {
	w.Force, w.Moment, w.InBody = spatial.VecAt(src), spatial.VecAt(src[3:]), src[6] != 0
}

// Numbers of values of a saved ramp, rotating field and external wrench.
const (
	rampLen     = 3 + gradientLen + 2
	rotatingLen = 6 + 1
	externalLen = 7
)

// stateLen returns the number of values that put writes.
func (in *inputs) stateLen() int {
	return 3 + gradientLen + rampLen + rotatingLen + externalLen + twistLen + 2*len(in.Targets)
}

// put writes all setpoints and what follows them.
func (in *inputs) put(dst []float64) {
	in.Field.Put(dst)
	putGradient(dst[3:], in.Gradient)
	dst = dst[3+gradientLen:]
	in.Ramp.Field.Put(dst)
	putGradient(dst[3:], in.Ramp.Gradient)
	dst[8], dst[9] = in.Ramp.Left, in.Ramp.Since
	dst = dst[rampLen:]
	in.Rotating.put(dst)
	dst[6] = in.Rotating.phase
	in.External.put(dst[rotatingLen:])
	dst = dst[rotatingLen+externalLen:]
	putTwist(dst, in.Flow)
	n := copy(dst[twistLen:], in.Targets)
	copy(dst[twistLen+n:], in.Currents)
}

// take reads what put wrote.
func (in *inputs) take(src []float64) {
	in.Field, in.Gradient = spatial.VecAt(src), takeGradient(src[3:])
	src = src[3+gradientLen:]
	in.Ramp = ramp{Field: spatial.VecAt(src), Gradient: takeGradient(src[3:]), Left: src[8], Since: src[9]}
	src = src[rampLen:]
	in.Rotating.set(src)
	in.Rotating.phase = src[6]
	in.External.take(src[rotatingLen:])
	src = src[rotatingLen+externalLen:]
	in.Flow = takeTwist(src)
	n := copy(in.Targets, src[twistLen:])
	copy(in.Currents, src[twistLen+n:])
}
