package simtest

import (
	"fmt"
	"math"
	"strings"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// turn is how the world is moved.
var turn = spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.7, Y: -1.1, Z: 0.4}), P: spatial.Vec{X: 0.3, Y: -0.2, Z: 0.1}}

// Tolerances of outputs in the moved world. Poses are relative to the largest number of their port: round-off decides in how many iterations
// a step ends, and the iteration of a step ends at increments of 1e-5 rad. Of velocities and forces that leaves more: 1.3e-5 of a rod after
// an impact, and a thirtieth of that where the iteration ends at 1e-6 rad. frameRoundoff is how far outputs of any size may be, in SI units.
const (
	poseTolerance  = 1e-6
	otherTolerance = 2e-5
	frameRoundoff  = 1e-9
)

// checkFrame moves a robot in a world and in the same one moved by turn, under commands that are
// numbers of actuators and no vectors, and wants outputs that differ by turn.
func (c *contract) checkFrame() error {
	scalar := c.Motion
	if command := c.Command; command != nil {
		scalar.Command = func(p *sim.Port, phase float64, v []float64) bool {
			switch p.Kind {
			case sim.Tension, sim.TendonLength, sim.JointState, sim.Currents:
				return command(p, phase, v)
			}
			return false
		}
	}
	m, err := c.newModel()
	if err != nil {
		return err
	}
	n, err := c.Turned(turn)
	if err != nil {
		return fmt.Errorf("in the moved world: %w", err)
	}
	plain, moved := newRun(m, &scalar), newRun(n, &scalar)
	for {
		if err := compareMoved(plain, moved); err != nil {
			return fmt.Errorf("after %d steps %w", plain.step, err)
		}
		if plain.step == c.Steps {
			return nil
		}
		next := min(plain.step+max(1, c.Steps/4), c.Steps)
		if err := plain.advanceTo(next); err != nil {
			return err
		}
		if err := moved.advanceTo(next); err != nil {
			return fmt.Errorf("in the moved world: %w", err)
		}
	}
}

// compareMoved returns an error if the outputs of moved are not those of plain, moved.
func compareMoved(plain, moved *run) error {
	for i := range plain.ports {
		p := &plain.ports[i]
		if p.Direction != sim.Out || isOfShape(p) {
			continue
		}
		a, b := make([]float64, p.Width()), make([]float64, p.Width())
		plain.model.Value(i, a)
		moved.model.Value(i, b)
		if p.Samples > 0 {
			_, a = p.Sample(a, 0)
			_, b = p.Sample(b, 0)
			if p.Kind == sim.Transforms { // of markers, whose orientation is not measured
				continue
			}
		}
		if len(p.Frames) > 0 && p.Frames[0] == sim.World {
			if a = movedValue(p.Kind, a); a == nil {
				continue
			}
		} else {
			alignQuaternions(p.Kind, a)
		}
		alignQuaternions(p.Kind, b)
		b = b[:len(a)]
		scale := 0.0
		for _, x := range a {
			scale = max(scale, math.Abs(x))
		}
		limit := otherTolerance*scale + frameRoundoff
		if hasQuaternions(p.Kind) {
			limit = poseTolerance * scale
		}
		for k := range a {
			if !(math.Abs(a[k]-b[k]) <= limit) {
				return fmt.Errorf("%s[%d] is %.12g, want %.12g: off by %.2g, allowed: %.2g", p.Name, k, b[k], a[k], b[k]-a[k], limit)
			}
		}
	}
	return nil
}

// isOfShape reports whether a port is of a shape of the environment, whose frame is its displacement from where the robot file
// has placed it, in world axes.
func isOfShape(p *sim.Port) bool {
	return strings.HasPrefix(p.Child, shapeFrames) || len(p.Frames) > 0 && strings.HasPrefix(p.Frames[0], shapeFrames)
}

const shapeFrames = "shapes/"

// movedValue returns the values of a port in the world frame after the world has moved; nil: unknown.
func movedValue(k sim.Kind, v []float64) []float64 {
	moved := append([]float64(nil), v...)
	rotate := func(at int) { put(moved[at:], turn.R.Apply(spatial.VecAt(v[at:]))) }
	switch k {
	case sim.Pose, sim.Path, sim.PoseArray, sim.Transforms:
		for at := 0; at < len(v); at += 7 {
			put(moved[at:], turn.Apply(spatial.VecAt(v[at:])))
			q := turn.R.Quat().Mul(spatial.Quat{X: v[at+3], Y: v[at+4], Z: v[at+5], W: v[at+6]})
			copy(moved[at+3:], []float64{q.X, q.Y, q.Z, q.W})
		}
		alignQuaternions(k, moved)
		return moved
	case sim.Twist, sim.Wrench:
		rotate(0)
		rotate(3)
		return moved
	case sim.Field:
		rotate(0)
		return moved
	case sim.FieldGradient:
		rotate(0)
		return moved[:3]
	case sim.Contacts:
		return moved[:sim.ContactHead]
	}
	return nil
}

func put(dst []float64, v spatial.Vec) { dst[0], dst[1], dst[2] = v.X, v.Y, v.Z }

// alignQuaternions gives quaternions of poses the sign with which their largest component is positive.
func alignQuaternions(k sim.Kind, v []float64) {
	if !hasQuaternions(k) {
		return
	}
	for ; len(v) > 0; v = v[7:] {
		largest := 0.0
		for _, x := range v[3:7] {
			if math.Abs(x) > math.Abs(largest)+1e-3 {
				largest = x
			}
		}
		if largest < 0 {
			for i := range 4 {
				v[3+i] = -v[3+i]
			}
		}
	}
}

func hasQuaternions(k sim.Kind) bool {
	return k == sim.Pose || k == sim.Path || k == sim.PoseArray || k == sim.Transforms
}
