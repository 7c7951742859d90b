package magnetics

import (
	"errors"
	"math"

	"sinew/pkg/sim/spatial"
)

// Rotating is a uniform field that turns about an axis n by the right-hand rule, and with an offset
// along n sweeps a cone:
//
//	B(φ) = Amplitude (cos φ u + sin φ v) + Offset n
//
// u is the part of the world's x across n, or of y where n is within acos 0.9 of x, made a unit
// vector; v = n × u. The phase φ is the integral of the frequency. The caller integrates it (see
// Advance), so that a change of frequency, axis or amplitude does not make it jump.
type Rotating struct {
	cos, sin spatial.Vec // Amplitude u and v, T
	offset   spatial.Vec // Offset n, T
	omega    float64     // rad/s
}

// NewRotating returns the field with the given axis (any length but 0), amplitude
// (T), frequency (Hz; below 0 turns the other way) and offset along the axis (T).
func NewRotating(axis spatial.Vec, amplitude, frequency, offset float64) (Rotating, error) {
	n := axis.Unit()
	if !n.IsFinite() {
		return Rotating{}, errors.New("the axis of a rotating field has no direction")
	}
	u := across(n)
	return Rotating{
		cos: u.Scale(amplitude), sin: n.Cross(u).Scale(amplitude),
		offset: n.Scale(offset), omega: 2 * math.Pi * frequency,
	}, nil
}

// acrossX is the |n·x| above which y takes the place of x.
const acrossX = 0.9

// across returns the unit vector u of Rotating.
func across(n spatial.Vec) spatial.Vec {
	e := spatial.Vec{X: 1}
	if math.Abs(n.X) > acrossX {
		e = spatial.Vec{Y: 1}
	}
	return e.AddScaled(-e.Dot(n), n).Unit()
}

// At returns the field at the phase (rad).
func (r *Rotating) At(phase float64) spatial.Vec {
	if r.cos == (spatial.Vec{}) {
		return r.offset
	}
	s, c := math.Sincos(phase)
	return r.offset.AddScaled(c, r.cos).AddScaled(s, r.sin)
}

// Omega is the angular frequency, rad/s.
func (r *Rotating) Omega() float64 { return r.omega }

// Advance returns the phase after dt seconds, within ±π so that it keeps its digits.
func (r *Rotating) Advance(phase, dt float64) float64 {
	phase += r.omega * dt
	if math.Abs(phase) <= math.Pi {
		return phase
	}
	return math.Remainder(phase, 2*math.Pi)
}
