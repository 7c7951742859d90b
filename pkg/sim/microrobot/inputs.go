package microrobot

import (
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// inputs are the setpoints of a model, and the currents that follow theirs.
type inputs struct {
	Field    spatial.Vec // T, what does not rotate
	Gradient magnetics.Gradient
	Ramp     ramp // of field and gradient
	Rotating rotating
	External external
	Stream   spatial.Twist
	Targets  []float64 // of the coil currents, A
	Currents []float64 // A
}

// inputLen is how many numbers inputs are, besides two per coil.
const inputLen = 3 + 5 + 6 + 7 + 6 + rampLen

// ramp is a field on its way to the last command.
type ramp struct {
	Field    spatial.Vec // where it goes, T
	Gradient magnetics.Gradient
	Left     float64 // s; 0: it is there
	Since    float64 // time of the last command, s; below 0: there was none
}

// rampLen is how many numbers a ramp is.
const rampLen = 3 + 5 + 2

func (r *ramp) put(dst []float64) {
	r.Field.Put(dst)
	putGradient(dst[3:], r.Gradient)
	dst[8], dst[9] = r.Left, r.Since
}

func (r *ramp) take(src []float64) {
	*r = ramp{Field: spatial.VecAt(src), Gradient: takeGradient(src[3:]), Left: src[8], Since: src[9]}
}

// advance takes field and gradient dt seconds along the ramp.
func (in *inputs) advance(dt float64) {
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

// rotating is a rotating field with the numbers that it was made of.
type rotating struct {
	axis                         spatial.Vec
	amplitude, frequency, offset float64
	source                       magnetics.Rotating
}

// external is the commanded wrench at the reference point.
type external struct {
	spatial.Wrench
	InBody bool // in body axes instead of world axes
}

func newInputs(r *Robot) inputs {
	f := r.newField()
	in := inputs{Field: f.Linear.B, Gradient: f.Linear.G, Ramp: ramp{Since: -1}}
	in.Rotating.set([]float64{0, 0, 1, 0, 0, 0})
	if w := r.file.Field.Rotating; w != nil {
		in.Rotating.set([]float64{w.Axis.X, w.Axis.Y, w.Axis.Z, w.Amplitude, w.Frequency, w.Offset})
	}
	if r.coils != nil {
		n := len(r.coils.Names())
		in.Targets, in.Currents = make([]float64, n), make([]float64, n)
	}
	return in
}

// set takes the values of a port of kind RotatingField. An axis without direction
// leaves the one there was.
func (w *rotating) set(v []float64) {
	axis := spatial.VecAt(v)
	source, err := magnetics.NewRotating(axis, v[3], v[4], v[5])
	if err != nil {
		axis = w.axis
		source, _ = magnetics.NewRotating(axis, v[3], v[4], v[5])
	}
	*w = rotating{axis: axis, amplitude: v[3], frequency: v[4], offset: v[5], source: source}
}

// stop leaves axis and frequency, for the phase goes on.
func (w *rotating) stop() {
	if w.amplitude != 0 || w.offset != 0 {
		w.set([]float64{w.axis.X, w.axis.Y, w.axis.Z, 0, w.frequency, 0})
	}
}

func (w *rotating) put(dst []float64) {
	w.axis.Put(dst)
	dst[3], dst[4], dst[5] = w.amplitude, w.frequency, w.offset
}

func putGradient(dst []float64, g magnetics.Gradient) {
	dst[0], dst[1], dst[2], dst[3], dst[4] = g.XX, g.XY, g.XZ, g.YY, g.YZ
}

func takeGradient(src []float64) magnetics.Gradient {
	return magnetics.Gradient{XX: src[0], XY: src[1], XZ: src[2], YY: src[3], YZ: src[4]}
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

// put writes all setpoints and the currents.
func (in *inputs) put(dst []float64) {
	in.Field.Put(dst)
	putGradient(dst[3:], in.Gradient)
	in.Rotating.put(dst[8:])
	in.External.put(dst[14:])
	in.Stream.Linear.Put(dst[21:])
	in.Stream.Angular.Put(dst[24:])
	in.Ramp.put(dst[27:])
	n := copy(dst[inputLen:], in.Targets)
	copy(dst[inputLen+n:], in.Currents)
}

// take reads what put wrote.
func (in *inputs) take(src []float64) {
	in.Field, in.Gradient = spatial.VecAt(src), takeGradient(src[3:])
	in.Rotating.set(src[8:14])
	in.External.take(src[14:])
	in.Stream = spatial.Twist{Linear: spatial.VecAt(src[21:]), Angular: spatial.VecAt(src[24:])}
	in.Ramp.take(src[27:])
	n := copy(in.Targets, src[inputLen:])
	copy(in.Currents, src[inputLen+n:])
}
