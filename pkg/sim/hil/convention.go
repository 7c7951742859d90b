package hil

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Convention is a reading of the hardware's quaternions, other than as rotations from body to world with the scalar part last,
// that fits the simulated rotations much better.
type Convention struct {
	Name        string  // what the quaternions are, in words
	Cure        string  // what to do about them
	RMS, AsRead float64 // RMS rotation error of this reading and of that as they are, rad
}

// readings are the conventions that are tried. read makes the rotation meant of one as it was read.
var readings = []struct {
	name, cure string
	read       func(spatial.Quat) spatial.Quat
}{
	{"as they are", "", func(q spatial.Quat) spatial.Quat { return q }},
	{"from world to body (conjugated)", "negate qx, qy and qz", conjugate},
	{"with the scalar part first", "put qw last; in a CSV name the columns qw, qx, qy, qz", scalarFirst},
	{"with the scalar part first, from world to body (conjugated)", "put qw last, in a CSV by the names of the columns, and negate qx, qy and qz", func(q spatial.Quat) spatial.Quat { return conjugate(scalarFirst(q)) }},
}

func conjugate(q spatial.Quat) spatial.Quat { return spatial.Quat{X: -q.X, Y: -q.Y, Z: -q.Z, W: q.W} }

// scalarFirst is the quaternion w, x, y, z that was read as x, y, z, w.
func scalarFirst(q spatial.Quat) spatial.Quat { return spatial.Quat{W: q.X, X: q.Y, Y: q.Z, Z: q.W} }

const (
	// conventionGain is how many times better another reading must fit.
	conventionGain = 3
	// leastTurn is the RMS error as read below which there is no question of a convention, rad.
	leastTurn = 10 * math.Pi / 180
	// closeTurn is the RMS error below which a reading fits without an offset of the body, rad.
	closeTurn = 3 * math.Pi / 180
)

// findConvention finds the reading of the quaternions in pairs that fits; nil where it is that as they are, or none fits
// much better. A rotation of the frame is that of the positions or none. A constant offset of the body, as of markers that are
// mounted askew, is left out; where rotations about one axis then fit in every reading, one that fits without an offset is meant.
func findConvention(pairs []Pair) *Convention {
	frames := []spatial.Mat3{spatial.Identity3()}
	if g, degenerate, err := rigid(pairs); err == nil && degenerate == "" {
		frames = append(frames, g.R)
	}
	for _, mounted := range []bool{true, false} {
		best, errors := 0, make([]float64, len(readings))
		for k := range readings {
			errors[k] = math.Inf(1)
			for _, frame := range frames {
				errors[k] = min(errors[k], rotationError(pairs, frame, mounted, readings[k].read))
			}
			if errors[k] < errors[best] {
				best = k
			}
		}
		if best > 0 && errors[0] > leastTurn && conventionGain*errors[best] < errors[0] && (mounted || errors[best] < closeTurn) {
			return &Convention{readings[best].name, readings[best].cure, errors[best], errors[0]}
		}
	}
	return nil
}

// rotationError is the RMS angle between simulated and measured rotations, read in a way and in a frame, rad: of a body that is
// mounted askew with the best constant offset removed.
func rotationError(pairs []Pair, frame spatial.Mat3, mounted bool, read func(spatial.Quat) spatial.Quat) float64 {
	var sum spatial.Mat3
	measured := make([]spatial.Mat3, len(pairs))
	for i := range pairs {
		measured[i] = frame.Mul(read(pairs[i].Hw.R.Quat()).Rot())
		sum = sum.Add(measured[i].TMul(pairs[i].Sim.R))
	}
	offset := spatial.Identity3()
	if mounted {
		var err error
		if offset, _, err = nearestRotation(sum); err != nil {
			return math.Inf(1)
		}
	}
	squares := 0.0
	for i := range pairs {
		squares += pairs[i].Sim.R.MulT(measured[i].Mul(offset)).Log().Norm2()
	}
	return math.Sqrt(squares / float64(len(pairs)))
}

// text says what to do about the convention.
func (c *Convention) text() string {
	const degrees = 180 / math.Pi
	return fmt.Sprintf("Rotation: the quaternions of the hardware fit if they are taken %s: the RMS rotation error is %.3g° instead of %.3g°. They must turn the body to the world, scalar part last: %s.", c.Name, degrees*c.RMS, degrees*c.AsRead, c.Cure)
}
