package sweep

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// kind is a way in which a number varies: points of a grid, or draws from a distribution.
type kind struct {
	name, arguments string

	count int // of arguments; 0 is one or more
	// check says what is wrong with arguments of the right count; empty for nothing.
	check func(a []float64) string
	// points is how many a grid has, and point the i-th; nil of a distribution.
	points func(a []float64) int
	point  func(a []float64, i int) float64
	// quantile is the value below which the share u of a distribution is, 0 < u < 1.
	quantile func(a []float64, u float64) float64
}

// kinds lists the ways in which numbers vary.
var kinds = []kind{
	// N points, equally far apart.
	{"linspace", "FROM,TO,N", 3, pointsOf(anyRange), third, func(a []float64, i int) float64 {
		x := part(a, i)
		return a[0]*(1-x) + a[1]*x // exact at both ends
	}, nil},
	// N points, each the same multiple of the one before.
	{"geomspace", "FROM,TO,N", 3, pointsOf(positiveRange), third, func(a []float64, i int) float64 {
		x := part(a, i)
		return math.Pow(a[0], 1-x) * math.Pow(a[1], x) // exact at both ends
	}, nil},
	{"values", "A,B,…", 0, nil, func(a []float64) int { return len(a) }, func(a []float64, i int) float64 { return a[i] }, nil},
	// Uniform between two bounds.
	{"uniform", "FROM,TO", 2, increasing, nil, nil, func(a []float64, u float64) float64 {
		return a[0]*(1-u) + a[1]*u
	}},
	// Uniform in the logarithm.
	{"loguniform", "FROM,TO", 2, both(increasing, positiveRange), nil, nil, func(a []float64, u float64) float64 {
		return math.Exp(math.Log(a[0])*(1-u) + math.Log(a[1])*u)
	}},
	// Gaussian with this standard deviation.
	{"normal", "MEAN,SIGMA", 2, spread, nil, nil, func(a []float64, u float64) float64 {
		return distuv.Normal{Mu: a[0], Sigma: a[1]}.Quantile(u)
	}},
	// Median times exp of a Gaussian, SIGMA 0.1 is about ± 10 %.
	{"lognormal", "MEDIAN,SIGMA", 2, both(spread, positiveFirst), nil, nil, func(a []float64, u float64) float64 {
		return a[0] * math.Exp(distuv.Normal{Sigma: a[1]}.Quantile(u))
	}},
	// One of these values, each as likely.
	{"choice", "A,B,…", 0, nil, nil, nil, func(a []float64, u float64) float64 {
		return a[min(int(u*float64(len(a))), len(a)-1)]
	}},
}

func third(a []float64) int { return int(a[2]) }

// part is how far point i of N is from the first to the last, 0 to 1.
func part(a []float64, i int) float64 {
	if a[2] == 1 {
		return 0
	}
	return float64(i) / (a[2] - 1)
}

func anyRange([]float64) string { return "" }

func positiveRange(a []float64) string {
	if a[0] <= 0 || a[1] <= 0 {
		return "both bounds must be above 0"
	}
	return ""
}

func increasing(a []float64) string {
	if !(a[0] < a[1]) {
		return "the first bound must be below the second"
	}
	return ""
}

func spread(a []float64) string {
	if a[1] < 0 {
		return "sigma must be 0 or above"
	}
	return ""
}

func positiveFirst(a []float64) string {
	if a[0] <= 0 {
		return "the median must be above 0"
	}
	return ""
}

func both(first, second func([]float64) string) func([]float64) string {
	return func(a []float64) string {
		if text := first(a); text != "" {
			return text
		}
		return second(a)
	}
}

// pointsOf checks the number of points of a range as well.
func pointsOf(check func([]float64) string) func([]float64) string {
	return func(a []float64) string {
		if n := a[2]; n != math.Trunc(n) || n < 1 || n > MaxSamples {
			return fmt.Sprintf("N must be an integer from 1 to %d", MaxSamples)
		}
		return check(a)
	}
}
