package hil

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/dsp/window"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Motion tells how a tip moves.
type Motion struct {
	ExtentM    float64 // diagonal (m) of the bounding box of all positions
	MeanSpeed  float64 // mean speed of the smoothed motion, m/s; NaN if the motion is too short
	DominantHz float64 // frequency (Hz) of the displacement along the principal direction; NaN if none stands out
}

// maxFourier bounds the length of a Fourier transform.
const maxFourier = 1 << 16

// motionOf describes the positions p (m) at the stamps t (s). The dominant
// frequency is the one of the displacement along direction.
func motionOf(t []float64, p []spatial.Vec, direction spatial.Vec) Motion {
	s := trajectory.Poses{T: t, Pose: make([]spatial.Pose, len(p))}
	x := make([]float64, len(p))
	for i := range p {
		s.Pose[i].P = p[i]
		x[i] = direction.Dot(p[i].Sub(p[0]))
	}
	return Motion{ExtentM: extent(&s), MeanSpeed: meanSpeed(&s), DominantHz: dominant(t, x, medianInterval(&s))}
}

// meanSpeed returns the mean speed (m/s) of the smoothed motion, because noise
// would add to the distance.
func meanSpeed(s *trajectory.Poses) float64 {
	duration := s.End() - s.Start()
	sigma := smoothingWidth(s, s, duration)
	g := smooth(s, s.Start(), sigma, int(duration/sigma)+1, sigma)
	sum, n := 0.0, 0
	for k, ok := range g.valid {
		if ok {
			sum += g.speed[k]
			n++
		}
	}
	return sum / float64(n)
}

// principal returns the direction of the largest spread of p.
func principal(p []spatial.Vec) spatial.Vec {
	var m moments
	for i := range p {
		d := p[i].Sub(p[0])
		m.add(d, d)
	}
	_, _, c := m.spread()
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(3, dense(c).RawMatrix().Data), true) {
		return spatial.Vec{X: 1}
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	return spatial.Vec{X: v.At(0, 2), Y: v.At(1, 2), Z: v.At(2, 2)}
}

// dominant returns the frequency (Hz) at which x has the highest peak of its
// amplitude spectrum: evenly sampled at intervals of about dt (s), without its
// straight-line trend, under a Hann window, between bins by a parabola through
// logarithms. Below two periods per record nothing is distinguished from a trend: NaN.
func dominant(t, x []float64, dt float64) float64 {
	duration := t[len(t)-1] - t[0]
	n := min(maxFourier, int(duration/dt)+1)
	if n < 8 {
		return math.NaN()
	}
	dt = duration / float64(n-1)
	at, even := make([]float64, n), make([]float64, n)
	for k := range even {
		at[k] = float64(k) * dt
		even[k] = sampleAt(t, x, t[0]+at[k])
	}
	offset, slope := stat.LinearRegression(at, even, nil, false)
	for k := range even {
		even[k] -= offset + slope*at[k]
	}
	window.Hann(even)
	amplitude := amplitudes(even)
	best := 0
	for k := 2; k < len(amplitude)-1; k++ {
		if amplitude[k] > amplitude[k-1] && amplitude[k] >= amplitude[k+1] && (best == 0 || amplitude[k] > amplitude[best]) {
			best = k
		}
	}
	if best == 0 || amplitude[best] == 0 {
		return math.NaN()
	}
	logs := []float64{math.Log(amplitude[best-1]), math.Log(amplitude[best]), math.Log(amplitude[best+1])}
	place, _ := peak(logs, 1)
	return (float64(best-1) + place) / (float64(n) * dt)
}

// amplitudes returns the amplitude spectrum of x.
func amplitudes(x []float64) []float64 {
	c := fourier.NewFFT(len(x)).Coefficients(nil, x)
	a := make([]float64, len(c))
	for k := range c {
		a[k] = cmplx.Abs(c[k])
	}
	return a
}
