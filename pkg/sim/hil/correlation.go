package hil

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
)

// moments are sums over pairs (a, b) of vectors, from which correlations follow.
// The moments of two sets of pairs add up to those of both.
type moments struct {
	n  float64      // number of pairs
	aa float64      // Σ |a|²
	bb float64      // Σ |b|²
	a  spatial.Vec  // Σ a
	b  spatial.Vec  // Σ b
	ba spatial.Mat3 // Σ b aᵀ
}

// add adds the pair (a, b).
func (m *moments) add(a, b spatial.Vec) {
	m.n++
	m.aa += a.Norm2()
	m.bb += b.Norm2()
	m.a = m.a.Add(a)
	m.b = m.b.Add(b)
	m.ba.AddOuter(&b, &a)
}

// merge adds the pairs of o.
func (m *moments) merge(o *moments) {
	m.n += o.n
	m.aa += o.aa
	m.bb += o.bb
	m.a = m.a.Add(o.a)
	m.b = m.b.Add(o.b)
	m.ba = m.ba.Add(o.ba)
}

// spread returns the centred Σ|a|², Σ|b|² and Σ b aᵀ.
func (m *moments) spread() (aa, bb float64, ba spatial.Mat3) {
	s := 1 / m.n
	aa = m.aa - s*m.a.Norm2()
	bb = m.bb - s*m.b.Norm2()
	return aa, bb, m.ba.Sub(spatial.Outer(m.b, m.a).Scale(s))
}

// scalar returns the correlation coefficient of the first components; the others
// must be 0.
func (m *moments) scalar() float64 {
	aa, bb, ba := m.spread()
	return ba.XX / math.Sqrt(aa*bb)
}

// rotationFree returns the correlation of vectors after the rotation that makes it
// largest: tr(R Σ a bᵀ) is then the sum of the singular values, the last with the
// sign of the determinant [Umeyama 1991, eq. 34–38]. It does not depend on frames.
func (m *moments) rotationFree() float64 {
	aa, bb, ba := m.spread()
	var svd mat.SVD
	if !svd.Factorize(dense(ba), mat.SVDNone) {
		return math.NaN()
	}
	var s [3]float64
	svd.Values(s[:])
	if ba.Det() < 0 {
		s[2] = -s[2]
	}
	return (s[0] + s[1] + s[2]) / math.Sqrt(aa*bb)
}

// signals are two motions on one grid: b[k] has the time of a[k+offset].
type signals struct {
	a, b           []spatial.Vec
	aValid, bValid []bool // whether the motion is known at a grid point
	offset         int
}

// lagged holds the moments of pairs b[k], a[k−lag] for lags from, from + step, …,
// each in blocks of time that divide b.
type lagged struct {
	from  int         // first lag, in grid points
	step  int         // from one lag to the next, in grid points
	block [][]moments // by lag, then by block
}

// lags pairs every stride-th sample at lags from, from + step, … to.
func (s *signals) lags(from, to, step, stride int) *lagged {
	l := &lagged{from: from, step: step}
	for lag := from; lag <= to; lag += step {
		sums := make([]moments, blocks)
		for k := 0; k < len(s.b); k += stride {
			j := k + s.offset - lag
			if s.bValid[k] && j >= 0 && j < len(s.a) && s.aValid[j] {
				sums[k*blocks/len(s.b)].add(s.a[j], s.b[k])
			}
		}
		l.block = append(l.block, sums)
	}
	return l
}

// lag returns the lag at a place in a curve, which may be between two samples.
func (l *lagged) lag(place float64) float64 { return float64(l.from) + place*float64(l.step) }

// total merges the picked blocks of lag i, or all of them if picked is nil.
func (l *lagged) total(i int, picked []int) moments {
	var m moments
	sums := l.block[i]
	if picked == nil {
		for k := range sums {
			m.merge(&sums[k])
		}
		return m
	}
	for _, k := range picked {
		m.merge(&sums[k])
	}
	return m
}

// curve returns the correlation at each lag. It is NaN where there are few pairs or
// no motion.
func (l *lagged) curve(picked []int, correlation func(*moments) float64) []float64 {
	const few = 0.5 // as a fraction of the largest number of pairs
	c := make([]float64, len(l.block))
	n := make([]float64, len(c))
	most := 0.0
	for i := range c {
		m := l.total(i, picked)
		n[i], c[i] = m.n, math.NaN()
		most = max(most, m.n)
		if m.n >= minSamples {
			c[i] = correlation(&m)
		}
	}
	for i := range c {
		if n[i] < few*most || math.Abs(c[i]) > 1+1e-9 {
			c[i] = math.NaN()
		}
	}
	return c
}

// peak returns the place of the maximum near index i of c, between samples by a
// parabola through three, and its value there.
func peak(c []float64, i int) (place, value float64) {
	if i == 0 || i == len(c)-1 {
		return float64(i), c[i]
	}
	a, b, d := c[i-1], c[i], c[i+1]
	bend := a - 2*b + d
	if !(bend < 0) {
		return float64(i), b
	}
	u := 0.5 * (a - d) / bend
	return float64(i) + u, b - 0.25*(a-d)*u
}

// highest returns the index of the largest number, −1 if there is none.
func highest(c []float64) int {
	best := -1
	for i, v := range c {
		if !math.IsNaN(v) && (best < 0 || v > c[best]) {
			best = i
		}
	}
	return best
}
