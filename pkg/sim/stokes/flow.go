package stokes

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Ambient is the flow at a body's reference point without the body (world axes).
type Ambient struct {
	Velocity spatial.Vec  // m/s, averaged over the body according to Faxén's law
	Gradient spatial.Mat3 // du_i/dx_j, 1/s
}

// Flow is the undisturbed motion of the fluid in the world frame, the sum of its
// parts. The zero value is fluid at rest. It is immutable.
type Flow struct {
	uniform  spatial.Vec
	gradient spatial.Mat3
	tubes    []tube
	pulses   []pulse
}

// NewFlow returns the flow uniform + gradient x (m/s, 1/s, world axes; du_i/dx_j)
// with the given flows through tubes on top. The gradient must have no trace,
// because the fluid keeps its volume.
func NewFlow(uniform spatial.Vec, gradient spatial.Mat3, steady []Poiseuille, pulsatile []Womersley) (*Flow, error) {
	if err := checkGradient(uniform, gradient); err != nil {
		return nil, err
	}
	f := &Flow{uniform: uniform, gradient: gradient}
	for i, p := range steady {
		t, err := newTube(p.Axis, p.Center, p.Radius, p.Peak)
		if err != nil {
			return nil, fmt.Errorf("Poiseuille flow %d: %w", i, err)
		}
		f.tubes = append(f.tubes, t)
	}
	for i, p := range pulsatile {
		w, err := newPulse(p)
		if err != nil {
			return nil, fmt.Errorf("pulsatile flow %d: %w", i, err)
		}
		f.pulses = append(f.pulses, w)
	}
	return f, nil
}

func checkGradient(u spatial.Vec, g spatial.Mat3) error {
	const roundoff = 1e-9 // relative: users write rounded numbers
	if !u.IsFinite() || !g.IsFinite() {
		return fmt.Errorf("stokes: uniform flow %v m/s with gradient %v 1/s is not finite", u, g)
	}
	size := math.Sqrt(g.Col1().Norm2() + g.Col2().Norm2() + g.Col3().Norm2())
	if tr := g.Trace(); math.Abs(tr) > roundoff*size {
		return fmt.Errorf("stokes: flow gradient has trace %g 1/s; it must be 0, the fluid keeps its volume", tr)
	}
	return nil
}

// At returns the flow at the world point x (m) and time t (s), as it acts on a body
// with the Faxén tensor faxen (Body.Faxen; zero: the bare velocity). The velocity is
// exact for steady flows, whose third derivatives vanish; in pulsatile flow the
// terms left out are of fourth order in body size over boundary layer thickness.
// The gradient is that at x, exact for a body in flows at most quadratic in x.
func (f *Flow) At(x spatial.Vec, t float64, faxen *spatial.Mat3) Ambient {
	a := Ambient{Velocity: f.uniform.Add(f.gradient.Apply(x)), Gradient: f.gradient}
	for i := range f.tubes {
		p := &f.tubes[i]
		s, d := p.locate(x)
		if s < 1 {
			p.add(&a, d, faxen, p.peak*(1-s), -p.peak, 0)
		}
	}
	for i := range f.pulses {
		p := &f.pulses[i]
		s, d := p.locate(x)
		if s < 1 {
			g, g1, g2 := p.profile(s, t)
			p.add(&a, d, faxen, g, g1, g2)
		}
	}
	return a
}

// Rate returns the largest angular frequency of the parts of the flow that oscillate, rad/s; 0 for none.
func (f *Flow) Rate() (most float64) {
	for i := range f.pulses {
		most = max(most, math.Abs(f.pulses[i].rate))
	}
	return most
}

// IsZero reports whether the fluid is at rest everywhere and always.
func (f *Flow) IsZero() bool {
	return f.uniform == spatial.Vec{} && f.gradient == spatial.Mat3{} && len(f.tubes) == 0 && len(f.pulses) == 0
}
