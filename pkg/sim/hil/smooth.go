package hil

import (
	"math"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// smoothed is a motion on an even grid, k = 0, 1, …: positions and speeds from a
// straight line fitted to the samples around each instant, with Gaussian weights.
// Fitting leaves no delay, whatever the stamps, and is the same for both motions.
type smoothed struct {
	position []spatial.Vec // m
	speed    []float64     // m/s
	valid    []bool        // false near ends and in gaps
}

// smooth fits s at t0 + k dt, k < n, with weights exp(−x²/2σ²), σ in s.
func smooth(s *trajectory.Poses, t0, dt float64, n int, sigma float64) smoothed {
	g := smoothed{make([]spatial.Vec, n), make([]float64, n), make([]bool, n)}
	const reach = 3 // in σ, where weights are cut off
	first, last := 0, 0
	for k := range n {
		t := t0 + float64(k)*dt
		for first < len(s.T) && s.T[first] < t-reach*sigma {
			first++
		}
		for last < len(s.T) && s.T[last] <= t+reach*sigma {
			last++
		}
		g.position[k], g.speed[k], g.valid[k] = fitLine(s, first, last, t, sigma)
	}
	return g
}

// fitLine fits p(x) = p + v x to the samples first ≤ i < last, x = T[i] − t, and
// returns p (m) and |v| (m/s). It reports false where one side of t has too few
// samples.
func fitLine(s *trajectory.Poses, first, last int, t, sigma float64) (spatial.Vec, float64, bool) {
	const sides = 2 // in σ, what samples must cover on both sides of t
	if last-first < minSamples || s.T[first] > t-sides*sigma || s.T[last-1] < t+sides*sigma {
		return spatial.Vec{}, 0, false
	}
	var w0, w1, w2 float64
	var p0, p1 spatial.Vec
	for i := first; i < last; i++ {
		if i > first && s.T[i]-s.T[i-1] > sides*sigma {
			return spatial.Vec{}, 0, false
		}
		x := s.T[i] - t
		w := math.Exp(-0.5 * x * x / (sigma * sigma))
		w0 += w
		w1 += w * x
		w2 += w * x * x
		p0 = p0.AddScaled(w, s.Pose[i].P)
		p1 = p1.AddScaled(w*x, s.Pose[i].P)
	}
	det := w0*w2 - w1*w1
	if !(det > 0) {
		return spatial.Vec{}, 0, false
	}
	p := p0.Scale(w2).AddScaled(-w1, p1).Scale(1 / det)
	v := p1.Scale(w0).AddScaled(-w1, p0).Scale(1 / det)
	return p, v.Norm(), true
}

// noise estimates the standard deviation (m) of a component of a position from
// third differences, in which a smooth motion vanishes.
func noise(s *trajectory.Poses) float64 {
	sum, n := 0.0, 0
	for i := 3; i < len(s.Pose); i++ {
		d := s.Pose[i].P.Sub(s.Pose[i-3].P).AddScaled(-3, s.Pose[i-1].P.Sub(s.Pose[i-2].P))
		sum += d.Norm2()
		n += 3
	}
	if n == 0 {
		return 0
	}
	return math.Sqrt(sum / float64(n) / thirdDifference)
}

// thirdDifference is the variance of a third difference of white noise divided by
// the variance of the noise: 1 + 9 + 9 + 1.
const thirdDifference = 20

// smoothingWidth chooses σ (s): as short as the stamps allow, but so long that
// noise makes no more than a tenth of the speed of either motion.
//
// The slope of a line fitted to r samples per second with noise ν has the
// variance ν²/(4 √π r σ³) per axis.
func smoothingWidth(sim, hw *trajectory.Poses, duration float64) float64 {
	const (
		shortest   = 0.02    // s
		longest    = 0.05    // as a fraction of the duration
		mostWidths = 1 << 20 // in a recording, to bound the grid where a stamp is far off
		share      = 0.1     // noise as a fraction of the speed
	)
	sigma := shortest
	for _, s := range []*trajectory.Poses{sim, hw} {
		sigma = max(sigma, 2*medianInterval(s), (s.End()-s.Start())/mostWidths)
	}
	width := sigma
	for _, s := range []*trajectory.Poses{sim, hw} {
		nu, dt := noise(s), medianInterval(s)
		scale := 3 * nu * nu * dt / (4 * math.Sqrt(math.Pi)) // of the slope's variance, 1/σ³
		n := int((s.End()-s.Start())/sigma) + 1
		speed2 := meanSquare(smooth(s, s.Start(), sigma, n, sigma)) - scale/(sigma*sigma*sigma)
		if need := scale / (share * share * speed2); speed2 > 0 {
			width = max(width, math.Cbrt(need))
		} else {
			width = math.Inf(1)
		}
	}
	return max(sigma, min(width, longest*duration))
}

// meanSquare returns the mean square of the speeds that are valid.
func meanSquare(g smoothed) float64 {
	sum, n := 0.0, 0
	for k, ok := range g.valid {
		if ok {
			sum += g.speed[k] * g.speed[k]
			n++
		}
	}
	return sum / max(1, float64(n))
}
