package ros

import (
	"fmt"
	"math"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
)

// refusal says why a message is not taken; the zero value is none.
type refusal struct {
	status sim.CommandStatus
	detail string // what was given and what is allowed
}

// decodeJoints takes the values by name, in any order; labels that the message
// does not name are left alone, and so are names that are no labels where values are
// measured, if there are others. Without names there is a value for every label, in
// their order.
func decodeJoints(c *inputPort, m msgs.Message, v []float64) refusal {
	js := m.(*sensor_msgs.JointState)
	n := len(c.port.Labels)
	if len(js.Name) == 0 {
		return c.eachPart(js, func(k int, part []float64, name string) refusal {
			if len(part) != n {
				return wrongLength(name, len(part), n)
			}
			copyCommand(v[k*n:], part)
			return refusal{}
		})
	}
	const passed = -1
	at, known := make([]int, len(js.Name)), 0
	seen := make([]bool, n)
	for i, name := range js.Name {
		l, ok := c.labels[name]
		if last := i == len(js.Name)-1; !ok && c.port.Measured && (known > 0 || !last) {
			at[i] = passed
			continue
		}
		if !ok {
			return refusal{sim.UnknownName, fmt.Sprintf("no %q here, only %q", name, c.port.Labels)}
		}
		known++
		if seen[l] {
			return refusal{sim.UnknownName, fmt.Sprintf("%q is named twice", name)}
		}
		at[i], seen[l] = l, true
	}
	for i := range v {
		v[i] = sim.Keep
	}
	return c.eachPart(js, func(k int, part []float64, name string) refusal {
		if len(part) != len(at) {
			return wrongLength(name, len(part), len(at))
		}
		for i, l := range at {
			if l != passed {
				copyCommand(v[k*n+l:], part[i:i+1])
			}
		}
		return refusal{}
	})
}

// eachPart calls f with each array that the port asks for, in the order of the
// port's values, until one is refused.
func (c *inputPort) eachPart(js *sensor_msgs.JointState, f func(k int, part []float64, name string) refusal) refusal {
	have, k := parts(c.port), 0
	for _, p := range []struct {
		part   sim.Parts
		values []float64
		name   string
	}{
		{sim.Position, js.Position, "position"},
		{sim.Velocity, js.Velocity, "velocity"},
		{sim.Effort, js.Effort, "effort"},
	} {
		if have&p.part == 0 {
			continue
		}
		if r := f(k, p.values, p.name); r.status != sim.Accepted {
			return r
		}
		k++
	}
	return refusal{}
}

// decodePlain takes the values of the whole port as they stand in an array, from
// layout.data_offset on. A frame cannot be given: it is the port's first.
func decodePlain(c *inputPort, m msgs.Message, v []float64) refusal {
	a := m.(*std_msgs.Float64MultiArray)
	if int64(a.Layout.DataOffset) > int64(len(a.Data)) {
		return refusal{sim.WrongLength, fmt.Sprintf("layout.data_offset is %d, beyond the %d values", a.Layout.DataOffset, len(a.Data))}
	}
	want := len(v)
	if c.port.Kind == sim.Wrench {
		want = 6
	}
	data := a.Data[a.Layout.DataOffset:]
	if len(data) != want {
		return wrongLength("data", len(data), want)
	}
	clear(v)
	copyCommand(v, data)
	return refusal{}
}

func decodePose(c *inputPort, m msgs.Message, v []float64) refusal {
	p := m.(*geometry_msgs.PoseStamped)
	if r := c.inFrame(p.Header.FrameID); r.status != sim.Accepted {
		return r
	}
	return takePose(v, p.Pose)
}

// decodePoint takes a position and leaves the rotation the identity.
func decodePoint(c *inputPort, m msgs.Message, v []float64) refusal {
	p := m.(*geometry_msgs.PointStamped)
	if r := c.inFrame(p.Header.FrameID); r.status != sim.Accepted {
		return r
	}
	return takePose(v, geometry_msgs.Pose{Position: p.Point, Orientation: geometry_msgs.Quaternion{W: 1}})
}

// decodeTransform takes a transform as the pose of its child.
func decodeTransform(c *inputPort, m msgs.Message, v []float64) refusal {
	t := m.(*geometry_msgs.TransformStamped)
	if r := c.inFrame(t.Header.FrameID); r.status != sim.Accepted {
		return r
	}
	p := t.Transform.Translation
	return takePose(v, geometry_msgs.Pose{Position: geometry_msgs.Point{X: p.X, Y: p.Y, Z: p.Z}, Orientation: t.Transform.Rotation})
}

func decodePoseArray(c *inputPort, m msgs.Message, v []float64) refusal {
	a := m.(*geometry_msgs.PoseArray)
	if r := c.inFrame(a.Header.FrameID); r.status != sim.Accepted {
		return r
	}
	if len(a.Poses) != len(v)/7 {
		return wrongLength("poses", len(a.Poses), len(v)/7)
	}
	for i, p := range a.Poses {
		if r := takePose(v[7*i:], p); r.status != sim.Accepted {
			return r
		}
	}
	return refusal{}
}

func decodeTwist(c *inputPort, m msgs.Message, v []float64) refusal {
	t := m.(*geometry_msgs.TwistStamped)
	takeVector(v, t.Twist.Linear)
	takeVector(v[3:], t.Twist.Angular)
	return c.inFrame(t.Header.FrameID)
}

// decodeWrench adds, where the port has a choice of frames, the index of the one
// that the header names.
func decodeWrench(c *inputPort, m msgs.Message, v []float64) refusal {
	w := m.(*geometry_msgs.WrenchStamped)
	takeVector(v, w.Wrench.Force)
	takeVector(v[3:], w.Wrench.Torque)
	frame, r := c.frame(w.Header.FrameID)
	if len(v) > 6 {
		v[6] = float64(frame)
	}
	return r
}

func decodeField(c *inputPort, m msgs.Message, v []float64) refusal {
	f := m.(*sensor_msgs.MagneticField)
	takeVector(v, f.MagneticField)
	return c.inFrame(f.Header.FrameID)
}

func decodeFieldGradient(c *inputPort, m msgs.Message, v []float64) refusal {
	f := m.(*sinew_msgs.FieldGradient)
	takeVector(v, f.Field)
	copyCommand(v[3:], f.Gradient[:])
	return c.inFrame(f.Header.FrameID)
}

func decodeRotatingField(c *inputPort, m msgs.Message, v []float64) refusal {
	f := m.(*sinew_msgs.RotatingField)
	takeVector(v, f.Axis)
	copyCommand(v[3:], []float64{f.Amplitude, f.Frequency, f.Offset})
	return c.inFrame(f.Header.FrameID)
}

func decodeCurrents(c *inputPort, m msgs.Message, v []float64) refusal {
	f := m.(*sinew_msgs.CoilCurrents)
	if len(f.Currents) != len(v) {
		return wrongLength("currents", len(f.Currents), len(v))
	}
	copyCommand(v, f.Currents)
	return refusal{}
}

func decodeImu(c *inputPort, m msgs.Message, v []float64) refusal {
	i := m.(*sensor_msgs.Imu)
	takeVector(v, i.AngularVelocity)
	takeVector(v[3:], i.LinearAcceleration)
	return c.inFrame(i.Header.FrameID)
}

// decodeNamed takes the values by name, in any order, or without names in the order of the labels.
func decodeNamed(c *inputPort, m msgs.Message, v []float64) refusal {
	a := m.(*sinew_msgs.NamedValues)
	switch {
	case a.Unit != "" && a.Unit != c.port.Unit:
		return refusal{sim.Unreadable, fmt.Sprintf("the unit is %q, want %q", a.Unit, c.port.Unit)}
	case len(a.Values) != len(v):
		return wrongLength("values", len(a.Values), len(v))
	case len(a.Names) == 0:
		copyCommand(v, a.Values)
		return refusal{}
	case len(a.Names) != len(v):
		return wrongLength("names", len(a.Names), len(v))
	}
	for i := range v {
		v[i] = sim.Keep
	}
	for i, name := range a.Names {
		l, ok := c.labels[name]
		if !ok || !sim.IsKeep(v[l]) {
			return refusal{sim.UnknownName, fmt.Sprintf("%q is unknown or named twice, want each of %q", name, c.port.Labels)}
		}
		copyCommand(v[l:], a.Values[i:i+1])
	}
	return refusal{}
}

// takePose writes x y z qx qy qz qw with the quaternion made a unit one.
func takePose(v []float64, p geometry_msgs.Pose) refusal {
	q := p.Orientation
	norm := math.Sqrt(q.X*q.X + q.Y*q.Y + q.Z*q.Z + q.W*q.W)
	if !(norm > 0) || math.IsInf(norm, 0) {
		return refusal{sim.Unreadable, fmt.Sprintf("the quaternion x y z w = %g %g %g %g is no orientation", q.X, q.Y, q.Z, q.W)}
	}
	copyCommand(v, []float64{
		p.Position.X, p.Position.Y, p.Position.Z,
		q.X / norm, q.Y / norm, q.Z / norm, q.W / norm,
	})
	return refusal{}
}

func takeVector(v []float64, a geometry_msgs.Vector3) { copyCommand(v, []float64{a.X, a.Y, a.Z}) }

// copyCommand copies what came over the network. Keep has a meaning inside the
// simulator only: from outside it is a NaN like any other.
func copyCommand(v, from []float64) {
	for i, x := range from {
		if sim.IsKeep(x) {
			x = math.NaN()
		}
		v[i] = x
	}
}

func wrongLength(what string, got, want int) refusal {
	return refusal{sim.WrongLength, fmt.Sprintf("%s has %d values, want %d", what, got, want)}
}
