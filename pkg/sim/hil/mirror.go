package hil

import (
	"fmt"
	"math"
	"strings"

	"sinew/pkg/sim/spatial"
)

// Mirror is a mirror image between the frame of the hardware and the world of the simulation, which no rigid motion removes.
type Mirror struct {
	// Axes are the hardware's axes that stand for x, y and z of the world, such as "x", "z", "y" or "x", "-y", "z"; empty
	// if the frames also differ by a rotation.
	Axes [3]string
	// RMSE is the RMS position error with the mirror image removed, Rigid that after the best rigid motion, m.
	RMSE, Rigid float64
}

const (
	// mirrorGain is how many times better a mirrored frame must fit than the best rigid motion.
	mirrorGain = 2
	// mirrorExtent is the error after the best rigid motion, as a share of the extent of the motion, below which there is
	// no question of a mirror image.
	mirrorExtent = 0.01
	// asGood is the ratio of errors within which an exchange of axes explains a mirrored frame.
	asGood = 1.5
)

// findMirror finds the mirror image in pairs; nil where none fits much better than a rotation. A motion in a plane, which is its own
// mirror image up to a rotation, has none.
func findMirror(pairs []Pair) *Mirror {
	var sum moments
	for i := range pairs {
		sum.add(pairs[i].Hw.P.Sub(pairs[0].Hw.P), pairs[i].Sim.P.Sub(pairs[0].Sim.P))
	}
	aa, bb, c := sum.spread()
	_, s, _, err := decompose(c)
	if err != nil {
		return nil
	}
	// of the orthogonal matrices of either determinant the best leaves Σ|b|² + Σ|a|² − 2 tr S, the last singular value with the sign that is left
	left := func(trace float64) float64 { return math.Sqrt(max(0, aa+bb-2*trace) / sum.n) }
	same, other := left(s[0]+s[1]+s[2]), left(s[0]+s[1]-s[2])
	if c.Det() >= 0 {
		same, other = other, same // a rotation is best
	}
	m := &Mirror{RMSE: same, Rigid: other}
	if !(mirrorGain*m.RMSE < m.Rigid) || m.Rigid < mirrorExtent*math.Sqrt(bb/sum.n) {
		return nil
	}
	best := math.Inf(1)
	for _, axes := range exchangedAxes(-1) {
		if e := left(axes.TMul(c).Trace()); e < best && e < asGood*m.RMSE {
			best, m.Axes, m.RMSE = e, axisNames(axes), e
		}
	}
	return m
}

// exchangedAxes are the exchanges and reversals of axes that are mirror images, of determinant −1, or turns, of 1.
func exchangedAxes(determinant float64) (list []spatial.Mat3) {
	for _, p := range [][3]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}} {
		for signs := range 8 {
			var rows [3]spatial.Vec
			for i, k := range p {
				sign := 1.0
				if signs>>i&1 == 1 {
					sign = -1
				}
				rows[i] = [3]spatial.Vec{{X: sign}, {Y: sign}, {Z: sign}}[k]
			}
			m := spatial.Mat3{
				XX: rows[0].X, XY: rows[0].Y, XZ: rows[0].Z,
				YX: rows[1].X, YY: rows[1].Y, YZ: rows[1].Z,
				ZX: rows[2].X, ZY: rows[2].Y, ZZ: rows[2].Z,
			}
			if m.Det()*determinant > 0 {
				list = append(list, m)
			}
		}
	}
	return list
}

// axisNames are the axes that the rows of an exchange of axes take.
func axisNames(m spatial.Mat3) (names [3]string) {
	for i, row := range [3]spatial.Vec{{X: m.XX, Y: m.XY, Z: m.XZ}, {X: m.YX, Y: m.YY, Z: m.YZ}, {X: m.ZX, Y: m.ZY, Z: m.ZZ}} {
		for k, v := range [3]float64{row.X, row.Y, row.Z} {
			switch {
			case v > 0:
				names[i] = string("xyz"[k])
			case v < 0:
				names[i] = "-" + string("xyz"[k])
			}
		}
	}
	return names
}

// text says what to do about the mirror image.
func (m *Mirror) text() string {
	if m.Axes[0] == "" {
		return fmt.Sprintf("Frame: the motion of the hardware is a mirror image: reflected it has an RMS position error of %.4g mm, after the best rotation %.4g mm. Reverse one of its axes where the file is written, and compare with --align se3.", 1e3*m.RMSE, 1e3*m.Rigid)
	}
	return fmt.Sprintf("Frame: the motion of the hardware is a mirror image: with its axes (%s) taken for (x, y, z) it has an RMS position error of %.4g mm, after the best rotation %.4g mm. Set hardware.axes: %s in the robot file, instead of z_up, or rename the columns of the CSV.", strings.Join(m.Axes[:], ", "), 1e3*m.RMSE, 1e3*m.Rigid, strings.Join(m.Axes[:], ","))
}

// Exchange is a turn of the frame of the hardware by right angles, which was not removed.
type Exchange struct {
	Axes       [3]string // the hardware's axes that stand for x, y and z of the world
	RMSE, AsIs float64   // RMS position error, less its mean, with the axes exchanged and as they are, m
}

// findExchange finds the exchange of axes in pairs; nil where none fits much better than the axes as they are.
func findExchange(pairs []Pair) *Exchange {
	var sum moments
	for i := range pairs {
		sum.add(pairs[i].Hw.P.Sub(pairs[0].Hw.P), pairs[i].Sim.P.Sub(pairs[0].Sim.P))
	}
	aa, bb, c := sum.spread()
	left := func(m spatial.Mat3) float64 { return math.Sqrt(max(0, aa+bb-2*m.TMul(c).Trace()) / sum.n) }
	x := &Exchange{AsIs: left(spatial.Identity3())}
	x.RMSE = math.Inf(1)
	for _, m := range exchangedAxes(1) {
		if e := left(m); e < x.RMSE {
			x.RMSE, x.Axes = e, axisNames(m)
		}
	}
	if !(exchangeGain*x.RMSE < x.AsIs) || x.AsIs < mirrorExtent*math.Sqrt(bb/sum.n) {
		return nil
	}
	return x
}

// exchangeGain is how many times better exchanged axes must fit.
const exchangeGain = 4

// text says what to do about the axes.
func (x *Exchange) text() string {
	key := strings.Join(x.Axes[:], ",")
	if key == "x,-z,y" {
		key = "y_up"
	}
	return fmt.Sprintf("Frame: the axes of the hardware are turned: with (%s) taken for (x, y, z) it has an RMS position error of %.4g mm less its mean, instead of %.4g mm. Set hardware.axes: %s in the robot file, instead of z_up, or compare with --align se3.", strings.Join(x.Axes[:], ", "), 1e3*x.RMSE, 1e3*x.AsIs, key)
}
