package magnetics

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Response is the magnetic moment of a body in a field: fixed in the body, induced
// in soft-magnetic material, or none.
type Response struct {
	permanent spatial.Vec // A m²
	soft      soft
}

// Permanent returns the response of a permanent magnet of moment m (A m², body axes), which is
// independent of the field.
func Permanent(m spatial.Vec) Response { return Response{permanent: m} }

// soft is an ellipsoid of soft-magnetic material.
type soft struct {
	volume     float64     // m³; 0: no such body
	factor     spatial.Vec // N_i + 1/χ
	saturation float64     // A/m
}

// SoftEllipsoid returns the response of a soft-magnetic ellipsoid without hysteresis:
// volume of the material (m³), susceptibility χ of the material, saturation
// magnetisation Ms (A/m; +Inf for none) and demagnetisation factors N along the body
// axes, which add up to 1.
//
// The magnetisation M minimises the magnetostatic energy ½ M·(N + 1/χ) M − M·H under
// |M| ≤ Ms. Below saturation that is M_i = χ H_i/(1 + N_i χ). Above it M turns from the
// long axis toward the field as (N_r − N_a) Ms sin 2φ = 2 H sin(θ − φ) for a body of
// revolution (Abbott, Ergeneman, Kummer, Hirt, Nelson, IEEE Trans. Robotics 23 (2007)
// 1247-1252), so that the torque has the limit ½ µ0 V Ms² |N_r − N_a|. To clip |M| at
// Ms without turning it gives the wrong torque there.
func SoftEllipsoid(volume, susceptibility, saturation float64, demagnetization spatial.Vec) (Response, error) {
	const sum = 1e-6
	n := demagnetization
	switch {
	case !(volume > 0 && volume <= math.MaxFloat64):
		return Response{}, fmt.Errorf("soft-magnetic volume = %g m^3, must be above 0 and finite", volume)
	case !(susceptibility > 0):
		return Response{}, fmt.Errorf("susceptibility = %g, must be above 0", susceptibility)
	case !(saturation > 0):
		return Response{}, fmt.Errorf("saturation = %g A/m, must be above 0", saturation)
	case !(n.X > 0 && n.Y > 0 && n.Z > 0 && math.Abs(n.X+n.Y+n.Z-1) < sum):
		return Response{}, fmt.Errorf("demagnetisation factors (%g, %g, %g) must be above 0 and add up to 1", n.X, n.Y, n.Z)
	}
	c := 1 / susceptibility
	return Response{soft: soft{volume: volume, saturation: saturation, factor: n.Add(spatial.Vec{X: c, Y: c, Z: c})}}, nil
}

// Moment returns the magnetic moment (A m²) in the field b (T), both in body axes.
func (r *Response) Moment(b spatial.Vec) spatial.Vec {
	if r.soft.volume == 0 {
		return r.permanent
	}
	return r.soft.magnetization(b.Scale(1 / Mu0)).Scale(r.soft.volume)
}

// IsPermanent returns the moment if it is fixed in the body.
func (r *Response) IsPermanent() (m spatial.Vec, ok bool) { return r.permanent, r.soft.volume == 0 }

// Stiffness bounds how fast the torque changes with the angle, N m/rad, in a field of
// magnitude b (T): mB for a permanent magnet. Divided into the rotational drag it is
// the alignment time.
func (r *Response) Stiffness(b float64) float64 {
	if r.soft.volume == 0 {
		return r.permanent.Norm() * b
	}
	d := r.soft.factor
	small, large := min(d.X, d.Y, d.Z), max(d.X, d.Y, d.Z)
	h := min(b/Mu0, r.soft.saturation*large) // saturated along every axis from there
	return Mu0 * r.soft.volume * h * h * (1/small - 1/large)
}

// magnetization returns M (A/m) in the field h (A/m), body axes.
func (s *soft) magnetization(h spatial.Vec) spatial.Vec {
	m := s.under(h, 0)
	if m.Norm2() <= s.saturation*s.saturation {
		return m
	}
	return s.under(h, s.multiplier(h))
}

// under is the minimiser with a multiplier l on |M|²/2: (N + 1/χ + l) M = H.
func (s *soft) under(h spatial.Vec, l float64) spatial.Vec {
	d := s.factor
	return spatial.Vec{X: h.X / (d.X + l), Y: h.Y / (d.Y + l), Z: h.Z / (d.Z + l)}
}

// multiplier solves |M(l)| = Ms for l > 0 by Newton's method on 1/|M(l)|, which is
// nearly linear and concave in l, so that the iterates rise to the root from the
// left of it.
func (s *soft) multiplier(h spatial.Vec) (l float64) {
	const most = 50 // six suffice in practice
	d := s.factor
	for range most {
		m := s.under(h, l)
		n2 := m.Norm2()
		n := math.Sqrt(n2)
		slope := m.X*m.X/(d.X+l) + m.Y*m.Y/(d.Y+l) + m.Z*m.Z/(d.Z+l) // −½ d|M|²/dl
		step := n2 / slope * (n - s.saturation) / s.saturation
		l += step
		if !(math.Abs(step) > 1e-15*(l+d.X)) {
			break
		}
	}
	return l
}

// Load returns force and torque on a moment m in the field b with gradient g, all in
// the same axes: (∇B)ᵀ m, which for symmetric g is g m, and m × B.
func Load(m, b spatial.Vec, g Gradient) spatial.Wrench {
	return spatial.Wrench{Force: g.Apply(m), Moment: m.Cross(b)}
}
