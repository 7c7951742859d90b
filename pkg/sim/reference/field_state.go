package reference

import (
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// Numbers of values of a gradient, and of saved parts of a Field.
const (
	gradientLen = 5
	rampLen     = 3 + gradientLen + 2
	rotatingLen = 6 + 1
	magnetLen   = 12 + PoseLen
)

// StateLen returns the number of values that Save writes.
func (f *Field) StateLen() int {
	return 1 + 3 + gradientLen + rampLen + rotatingLen + 2*len(f.Targets) + magnetLen*len(f.Magnets)
}

// Save writes all setpoints and what follows them.
func (f *Field) Save(dst []float64) {
	dst[0] = f.time
	f.Constant.Put(dst[1:])
	putGradient(dst[4:], f.Gradient)
	dst = dst[4+gradientLen:]
	f.Ramp.Field.Put(dst)
	putGradient(dst[3:], f.Ramp.Gradient)
	dst[8], dst[9] = f.Ramp.Left, f.Ramp.Since
	dst = dst[rampLen:]
	f.Rotating.put(dst)
	dst[6] = f.Rotating.Phase
	dst = dst[rotatingLen:]
	dst = dst[copy(dst, f.Targets):]
	dst = dst[copy(dst, f.Currents):]
	for i := range f.Magnets {
		m := &f.Magnets[i]
		m.Pose.Put(dst)
		m.motion.Save(dst[12:])
		dst = dst[magnetLen:]
	}
}

// Restore reads what Save wrote.
func (f *Field) Restore(src []float64) {
	f.time = src[0]
	f.Constant, f.Gradient = spatial.VecAt(src[1:]), takeGradient(src[4:])
	src = src[4+gradientLen:]
	f.Ramp = Ramp{Field: spatial.VecAt(src), Gradient: takeGradient(src[3:]), Left: src[8], Since: src[9]}
	src = src[rampLen:]
	f.Rotating.set(src)
	f.Rotating.Phase = src[6]
	src = src[rotatingLen:]
	src = src[copy(f.Targets, src):]
	src = src[copy(f.Currents, src):]
	for i := range f.Magnets {
		m := &f.Magnets[i]
		m.Pose = spatial.PoseAt(src)
		m.motion.Restore(src[12:])
		src = src[magnetLen:]
	}
}

func putGradient(dst []float64, g magnetics.Gradient) {
	dst[0], dst[1], dst[2], dst[3], dst[4] = g.XX, g.XY, g.XZ, g.YY, g.YZ
}

func takeGradient(src []float64) magnetics.Gradient {
	return magnetics.Gradient{XX: src[0], XY: src[1], XZ: src[2], YY: src[3], YZ: src[4]}
}
