package microrobot

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// Numbers of values of a twist or wrench, and a placement, in ports and
// saved states.
const (
	twistLen     = 6
	placementLen = 7
)

func putTwist(dst []float64, t spatial.Twist) {
	t.Linear.Put(dst)
	t.Angular.Put(dst[3:])
}

func takeTwist(src []float64) spatial.Twist {
	return spatial.Twist{Linear: spatial.VecAt(src), Angular: spatial.VecAt(src[3:])}
}

func putPlacement(dst []float64, x *integrate.Placement) {
	x.P.Put(dst)
	x.Q.Put(dst[3:])
}

func takePlacement(src []float64) integrate.Placement {
	return integrate.Placement{P: spatial.VecAt(src), Q: spatial.QuatAt(src[3:])}
}

func addWrenches(a, b spatial.Wrench) spatial.Wrench {
	return spatial.Wrench{Force: a.Force.Add(b.Force), Moment: a.Moment.Add(b.Moment)}
}

func addTwists(a, b spatial.Twist) spatial.Twist {
	return spatial.Twist{Linear: a.Linear.Add(b.Linear), Angular: a.Angular.Add(b.Angular)}
}

func subTwists(a, b spatial.Twist) spatial.Twist {
	return spatial.Twist{Linear: a.Linear.Sub(b.Linear), Angular: a.Angular.Sub(b.Angular)}
}

// toWorld returns the twist t, given in axes of attitude rot, in world axes.
func toWorld(rot *spatial.Mat3, t spatial.Twist) spatial.Twist {
	return spatial.Twist{Linear: rot.Apply(t.Linear), Angular: rot.Apply(t.Angular)}
}

// toBody returns the twist t, given in world axes, in axes of attitude rot.
func toBody(rot *spatial.Mat3, t spatial.Twist) spatial.Twist {
	return spatial.Twist{Linear: rot.ApplyT(t.Linear), Angular: rot.ApplyT(t.Angular)}
}

// frobenius returns the Frobenius norm of m.
func frobenius(m spatial.Mat3) float64 {
	return math.Sqrt(m.Col1().Norm2() + m.Col2().Norm2() + m.Col3().Norm2())
}
