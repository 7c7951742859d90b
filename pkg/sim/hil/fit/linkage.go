package fit

import (
	"math"
	"math/rand/v2"
)

const (
	// maxLinkageSearches bounds the searches of an adaptive fit.
	maxLinkageSearches = 3
	// criticalFactor is σ of the critical distance: from 2 on the share of the points that are searched from falls to 0 as the
	// sample grows (Rinnooy Kan & Timmer). Above 4 the number of searches would stay finite, which maxLinkageSearches sees to.
	criticalFactor = 2.
	// exactFit is the share of the residuals at the first start below which what is left is round-off of the model, so that no
	// other minimum is better.
	exactFit = 1e-6
	// mostHopeless is the number of steps in a row after which a search is abandoned whose linearised model promises nothing
	// better than the best search has found.
	mostHopeless = 5
	// sameMinimum is the difference between two ends of searches that count as one: relative of their root mean squares, or
	// of each coordinate as a share of its range.
	sameMinimum = 1e-3
)

// linkage chooses the starts of an adaptive search by multi-level single linkage (Rinnooy Kan & Timmer, Stochastic global
// optimization methods, part II: multi level methods, Mathematical Programming 39, 57-78, 1987). It samples the bounds; a search
// starts from a point of the sample unless a better one is within a critical distance, which falls as the sample grows. The
// caller's start is a point of the sample, and searched from first.
//
// It stops by the Bayesian rule of Boender & Rinnooy Kan (Bayesian stopping rules for multistart global optimization methods,
// Mathematical Programming 37, 59-80, 1987): when the posterior expectation of the number of minima, w(n−1)/(n−w−2) for w
// minima found by n points, is at most w + 1/2; or after maxLinkageSearches, or where the data are fitted exactly.
type linkage struct {
	*search
	random   *rand.Rand
	points   []samplePoint
	current  int // point of the running search
	searches int
	minima   []point // ends of searches that differ
}

// samplePoint is a point of the sample.
type samplePoint struct {
	u        []float64
	r        []float64 // residuals; nil where there is no model
	searched bool
}

func newLinkage(s *search) *linkage {
	return &linkage{search: s, random: rand.New(rand.NewPCG(s.options.Seed, 0))}
}

// next implements starts.
func (l *linkage) next() ([]float64, error) {
	if l.searches == 0 {
		l.points = []samplePoint{{u: l.home()}}
		return l.start(0), nil
	}
	if l.searches == maxLinkageSearches || l.isExact() {
		return nil, nil
	}
	if more := pointsNeeded(len(l.minima)) - len(l.points); more > 0 {
		if err := l.sample(more); err != nil {
			return nil, err
		}
	}
	due := l.due()
	if len(due) == 0 {
		return nil, nil
	}
	return l.start(due[0]), nil
}

// start begins a search from point i. The search moves its start where there is no model.
func (l *linkage) start(i int) []float64 {
	l.current, l.points[i].searched = i, true
	l.searches++
	return append([]float64(nil), l.points[i].u...)
}

// ended implements starts.
func (l *linkage) ended(d *descent, first []float64) {
	l.points[l.current].r = first
	if d == nil || d.hopeless > mostHopeless {
		return
	}
	for _, m := range l.minima {
		if l.isSame(&m, &d.at) {
			return
		}
	}
	l.minima = append(l.minima, d.at)
}

// isExact reports whether the first search has left nothing of its residuals.
func (l *linkage) isExact() bool {
	first, n := l.points[0].r, l.problem.Data.Count
	return len(l.minima) == 1 && first != nil && sumOfSquares(l.minima[0].r[:n]) <= exactFit*exactFit*sumOfSquares(first[:n])
}

// isSame reports whether two ends are one minimum.
func (l *linkage) isSame(a, b *point) bool {
	if x, y := sumOfSquares(a.r), sumOfSquares(b.r); math.Abs(math.Sqrt(x)-math.Sqrt(y)) <= sameMinimum*math.Sqrt(min(x, y)) {
		return true
	}
	for i := range l.axes {
		if ax := &l.axes[i]; math.Abs(a.u[i]-b.u[i]) > sameMinimum*(ax.hi-ax.lo) {
			return false
		}
	}
	return true
}

// pointsNeeded is the least n by which the rule of Boender & Rinnooy Kan stops with w minima.
func pointsNeeded(w int) int {
	w = max(w, 1)
	return 2*w*w + 3*w + 2
}

// expectedMinima is the posterior expectation of the number of minima with w found by n points.
func expectedMinima(w, n int) float64 {
	if n < w+3 {
		return math.Inf(1)
	}
	return float64(w) * float64(n-1) / float64(n-w-2)
}

// sample adds points.
func (l *linkage) sample(n int) error {
	points := l.latinHypercube(l.random, n)
	outcomes, err := l.evaluate(points)
	for k, o := range outcomes {
		l.points = append(l.points, samplePoint{u: points[k], r: o.r})
	}
	return err
}

// due lists the points from which a search is due, the best first.
func (l *linkage) due() (due []int) {
	values, distance := l.values(), l.criticalDistance()
	for i := range l.points {
		linked := l.points[i].searched || l.points[i].r == nil
		for k := range l.points {
			linked = linked || values[k] < values[i] && l.distance(i, k) <= distance
		}
		if linked {
			continue
		}
		at := len(due)
		for at > 0 && values[i] < values[due[at-1]] {
			at--
		}
		due = append(due[:at], append([]int{i}, due[at:]...)...)
	}
	return due
}

// values are what a search lessens, at each point; +Inf where there is no model.
func (l *linkage) values() []float64 {
	o := l.objective()
	values := make([]float64, len(l.points))
	for i := range l.points {
		switch r := l.points[i].r; {
		case r == nil:
			values[i] = math.Inf(1)
		case o.deviation == 0 && len(r) > o.count:
			values[i] = o.logValue(r)
		default:
			values[i] = o.cost(r)
		}
	}
	return values
}

// distance is that of two points in the cube that the bounds are scaled to.
func (l *linkage) distance(i, k int) float64 {
	sum := 0.0
	for m := range l.axes {
		a := &l.axes[m]
		d := (l.points[i].u[m] - l.points[k].u[m]) / (a.hi - a.lo)
		sum += d * d
	}
	return math.Sqrt(sum)
}

// criticalDistance is that of Rinnooy Kan & Timmer for the present sample, in a cube of volume 1.
func (l *linkage) criticalDistance() float64 {
	dimensions, n := float64(len(l.axes)), float64(len(l.points))
	gamma, _ := math.Lgamma(1 + dimensions/2)
	return math.Exp((gamma+math.Log(criticalFactor*math.Log(n)/n))/dimensions) / math.Sqrt(math.Pi)
}

// summary describes the sample.
func (l *linkage) summary() *Sample {
	w := len(l.minima)
	return &Sample{Points: len(l.points), Minima: w, Missed: expectedMinima(w, len(l.points)) - float64(w), IsExact: l.isExact()}
}
