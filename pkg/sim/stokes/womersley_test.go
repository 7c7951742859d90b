package stokes_test

import (
	"math"
	"math/cmplx"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// J₀(i^{3/2} x) = ber x + i bei x; Abramowitz and Stegun, table 9.12, to 10 digits.
func TestBesselAgainstKelvinFunctions(t *testing.T) {
	for _, c := range []struct{ x, ber, bei float64 }{
		{1, 0.9843817812, 0.2495660400},
		{5, -6.2300824787, 0.1160343816},
		{10, 138.8404659416, 56.3704585539},
	} {
		z := cmplx.Rect(c.x, 0.75*math.Pi)
		got := stokes.ScaledJ0(z) * cmplx.Exp(-1i*z)
		if d := cmplx.Abs(got - complex(c.ber, c.bei)); d > 1e-10*cmplx.Abs(got) {
			t.Errorf("x = %g: got %v, off by %g", c.x, got, d)
		}
	}
	// series and expansion meet
	below, above := cmplx.Rect(stokes.SeriesBelow*(1-1e-15), 0.75*math.Pi), cmplx.Rect(stokes.SeriesBelow, 0.75*math.Pi)
	if d := cmplx.Abs(stokes.ScaledJ0(below) - stokes.ScaledJ0(above)); d > 2e-14*cmplx.Abs(stokes.ScaledJ0(above)) {
		t.Errorf("the two forms differ by %g", d)
	}
}

// The profile satisfies the momentum equation iα²G − 4(sG” + G') = constant, is 1 on
// the axis and 0 at the wall, at every Womersley number.
func TestWomersleySolvesItsEquation(t *testing.T) {
	for _, alpha := range []float64{1e-3, 0.1, 1, 5, 13, 15.9, 16.1, 40, 200, 1900} {
		a2, profile := complex(0, alpha*alpha), stokes.ProfileOf(t, alpha)
		residual := func(s float64) complex128 {
			g, g1, g2 := profile(s)
			return a2*g - 4*(complex(s, 0)*g2+g1)
		}
		at0 := residual(0)
		size := max(cmplx.Abs(a2), 4)
		for _, s := range []float64{0.01, 0.2, 0.5, 0.9, 0.99, 1} {
			// two derivatives of a series of degree 300 cost digits
			if d := cmplx.Abs(residual(s) - at0); d > 1e-9*size {
				t.Errorf("α = %g, s = %g: residual %g of %g", alpha, s, d, size)
			}
		}
		axis, _, _ := profile(0)
		wall, _, _ := profile(1)
		if cmplx.Abs(axis-1) > 1e-12 || cmplx.Abs(wall) > 1e-12 {
			t.Errorf("α = %g: %v on the axis, %v at the wall", alpha, axis, wall)
		}
	}
}

// Slow pulses are Poiseuille's parabola at each instant; the first correction is
// iα²(…) of relative size α²/16.
func TestWomersleyQuasiStatic(t *testing.T) {
	const alpha = 0.01
	profile := stokes.ProfileOf(t, alpha)
	for _, s := range []float64{0, 0.3, 0.8, 1} {
		g, _, _ := profile(s)
		if d := cmplx.Abs(g - complex(1-s, 0)); d > alpha*alpha/16 {
			t.Errorf("s = %g: %v, off by %g", s, g, d)
		}
	}
}

// Fast pulses are a plug with Stokes' layer at the wall, e^{−(1+i)y/√2·α}/√ρ.
func TestWomersleyHighFrequency(t *testing.T) {
	const alpha = 400
	profile := stokes.ProfileOf(t, alpha)
	for _, y := range []float64{0, 0.3, 1, 2, 5, 50} { // in thicknesses of the layer
		rho := 1 - y/alpha
		g, _, _ := profile(rho * rho)
		layer := cmplx.Exp(complex(-1, -1)*complex(y/math.Sqrt2, 0)) / complex(math.Sqrt(rho), 0)
		if d := cmplx.Abs(g - (1 - layer)); d > 1.0/alpha/4 {
			t.Errorf("y = %g: %v, off by %g", y, g, d)
		}
	}
}

func TestPulseInTime(t *testing.T) {
	// water in a 3/8 inch tube at 1.2 Hz: α = 13
	w := stokes.Womersley{Axis: spatial.Vec{Z: 3}, Radius: 4.76e-3, Peak: 0.04, Frequency: 1.2, Phase: 0.3, Kinematic: 8.5e-4 / 1002}
	if a := w.Number(); math.Abs(a-14.2) > 0.1 {
		t.Errorf("α = %g", a)
	}
	f := mustFlow(t, spatial.Vec{}, spatial.Mat3{}, nil, []stokes.Womersley{w})
	for _, time := range []float64{0, 0.1, 0.7, 12} {
		v := f.At(spatial.Vec{Z: 9}, time, &spatial.Mat3{}).Velocity
		stokes.Near(t, "on the axis", stokes.FlatV(v), []float64{0, 0, 0.04 * math.Sin(2*math.Pi*1.2*time+0.3)}, 1e-12)
	}
	checkGradientOf(t, f, spatial.Vec{X: 2e-3, Y: 1.5e-3}, 0.2, w.Radius)
	// Faxén's term is a²/6 of the Laplacian
	const a, h = 1e-3, 1e-6
	x := spatial.Vec{X: 3e-3, Y: -1e-3}
	at := func(x spatial.Vec) float64 { return f.At(x, 0.2, &spatial.Mat3{}).Velocity.Z }
	laplacian := (at(x.Add(spatial.Vec{X: h})) + at(x.Add(spatial.Vec{X: -h})) + at(x.Add(spatial.Vec{Y: h})) + at(x.Add(spatial.Vec{Y: -h})) - 4*at(x)) / (h * h)
	faxen := spatial.Identity3().Scale(a * a / 6)
	got := f.At(x, 0.2, &faxen).Velocity.Z - at(x)
	stokes.Close1(t, "Faxén", got, a*a/6*laplacian, 1e-4)
}

// The pressure gradient ∂u/∂t − ν∇²u is the same all over the tube at each instant.
func TestPulseIsDrivenByPressure(t *testing.T) {
	w := stokes.Womersley{Axis: spatial.Vec{Z: 1}, Radius: 2, Peak: 1, Frequency: 0.3, Phase: 1, Kinematic: 0.4}
	f := mustFlow(t, spatial.Vec{}, spatial.Mat3{}, nil, []stokes.Womersley{w})
	one := spatial.Identity3()
	drive := func(rho, time float64) float64 {
		const h = 1e-5
		at := func(time float64, faxen spatial.Mat3) float64 {
			return f.At(spatial.Vec{X: rho}, time, &faxen).Velocity.Z
		}
		rate := (at(time+h, spatial.Mat3{}) - at(time-h, spatial.Mat3{})) / (2 * h)
		return rate - w.Kinematic*(at(time, one)-at(time, spatial.Mat3{}))
	}
	for _, time := range []float64{0, 0.4, 2} {
		axis := drive(0, time)
		for _, rho := range []float64{0.5, 1, 1.7, 1.999} {
			if d := drive(rho, time) - axis; math.Abs(d) > 1e-8 {
				t.Errorf("t = %g s, ρ = %g m: off by %g of %g", time, rho, d, axis)
			}
		}
	}
}

func BenchmarkPulse(b *testing.B) {
	w := stokes.Womersley{Axis: spatial.Vec{Z: 3}, Radius: 4.76e-3, Peak: 0.04, Frequency: 1.2, Kinematic: 8.5e-4 / 1002}
	f := mustFlow(b, spatial.Vec{}, spatial.Mat3{}, nil, []stokes.Womersley{w})
	faxen := spatial.Identity3().Scale(1e-8)
	for b.Loop() {
		f.At(spatial.Vec{X: 1e-3}, 0.1, &faxen)
	}
}
