package microrobot

import (
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/spatial"
)

// inputs are the setpoints of a model, and the field that follows them in time.
type inputs struct {
	reference.Field
	External external
	Flow     spatial.Twist // commanded motion of the fluid at the robot, world axes
}

// external is the commanded wrench at the reference point.
type external struct {
	spatial.Wrench
	InBody bool // in body axes instead of world axes
}

// newInputs returns the setpoints of the robot file.
func newInputs(r *Robot) inputs {
	return inputs{Field: reference.NewField(&r.file.Field, r.coils, r.file.CommandTimeout, r.file.Rates.Period(), r.farthest())}
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

// externalLen is the number of values of a saved external wrench.
const externalLen = 7

// stateLen returns the number of values that put writes.
func (in *inputs) stateLen() int { return externalLen + twistLen + in.Field.StateLen() }

// put writes all setpoints and what follows them.
func (in *inputs) put(dst []float64) {
	in.External.put(dst)
	putTwist(dst[externalLen:], in.Flow)
	in.Field.Save(dst[externalLen+twistLen:])
}

// take reads what put wrote.
func (in *inputs) take(src []float64) {
	in.External.take(src)
	in.Flow = takeTwist(src[externalLen:])
	in.Field.Restore(src[externalLen+twistLen:])
}
