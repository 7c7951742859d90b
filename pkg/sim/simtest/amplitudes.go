package simtest

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Amplitudes are how far commands go from the setpoints of the start, by kind of port. Ports whose
// amplitude is 0 are not commanded.
type Amplitudes struct {
	Tension   float64 // N
	Pull      float64 // m
	Position  float64 // m, of poses and joints
	Rotation  float64 // rad, of poses; 0: orientations stay
	Angle     float64 // rad, of joints
	Force     float64 // N
	Moment    float64 // N m
	Field     float64 // T
	Gradient  float64 // T/m
	Frequency float64 // Hz, of a rotating field
	Speed     float64 // m/s, of the fluid
	Current   float64 // A
}

// Command is a Motion.Command: each value follows a sine with a frequency of its own, from the setpoint of
// the start on.
func (a Amplitudes) Command(p *sim.Port, phase float64, v []float64) bool {
	wave := func(i int) float64 { return math.Sin(2 * math.Pi * (0.5 + 0.25*float64(i)) * phase) }
	add := func(first, last int, amplitude float64) bool {
		for i := first; i < last; i++ {
			if sim.IsKeep(v[i]) {
				v[i] = 0
			}
			v[i] += amplitude * wave(i)
		}
		return amplitude != 0
	}
	switch p.Kind {
	case sim.Tension:
		for i := range v {
			if sim.IsKeep(v[i]) {
				v[i] = 0
			}
			v[i] += a.Tension * (1 - math.Cos(2*math.Pi*(0.5+0.25*float64(i))*phase)) / 2
		}
		return a.Tension != 0
	case sim.TendonLength:
		return add(0, len(v), a.Pull)
	case sim.Pose:
		turned := a.Rotation != 0 && !sim.IsKeep(v[3])
		if turned {
			spatial.QuatAt(v[3:]).Rot().Mul(spatial.ExpRot(spatial.Vec{X: wave(3), Y: wave(4), Z: wave(5)}.Scale(a.Rotation))).Quat().Put(v[3:])
		} else {
			for i := 3; i < len(v); i++ {
				v[i] = sim.Keep
			}
		}
		return add(0, 3, a.Position) || turned
	case sim.Wrench:
		if len(v) > 6 {
			v[6] = 0 // the first frame
		}
		force := add(0, 3, a.Force)
		return add(3, 6, a.Moment) || force
	case sim.Field, sim.FieldGradient:
		field := add(0, 3, a.Field)
		return add(3, len(v), a.Gradient) || field
	case sim.RotatingField:
		copy(v, []float64{wave(0), wave(1), 1, a.Field, a.Frequency * (1 + wave(2)/2), a.Field * wave(3) / 2})
		return a.Frequency != 0
	case sim.Twist:
		angular := add(3, 6, 10*a.Speed)
		return add(0, 3, a.Speed) || angular
	case sim.JointState:
		if p.Measured {
			return false
		}
		if p.Unit == "rad" {
			return add(0, len(v), a.Angle)
		}
		insertion := add(0, 1, a.Position)
		return add(1, len(v), a.Angle) || insertion
	case sim.Currents:
		return add(0, len(v), a.Current)
	}
	return false
}
