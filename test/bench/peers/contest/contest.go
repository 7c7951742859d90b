// Package contest measures what accuracy costs in programs that simulate the same motion: each with many settings and
// against its own converged motion, so that the cheapest setting at each level of error counts.
package contest

import (
	"fmt"
	"math"
	"slices"
)

// Problem is a motion that all programs simulate.
type Problem struct {
	Name     string
	Title    string  // in the table of docs/performance.md
	Length   float64 // m, of which errors are shares
	Duration float64 // s
}

// Setting is how a program simulates.
type Setting struct {
	Elements int     `json:"elements"` // or links of a chain, or segments
	Order    int     `json:"order"`    // of elements, or of polynomials in a segment
	Solver   string  `json:"solver"`
	Step     float64 `json:"step"` // s; 0: by the tolerance

	Tolerance float64 `json:"tolerance"`
}

// Prepared is what a run gives.
type Prepared struct {
	DOF  int          `json:"dof"`
	Tips [][3]float64 `json:"tips"` // the point that counts, at the samples, m
}

// Program simulates one problem.
type Program interface {
	// Prepare runs a setting once.
	Prepare(Setting) (Prepared, error)
	// Seconds runs prepared setting i again and returns the processor time that took.
	Seconds(i int) (float64, error)
}

// Contestant is a program with settings.
type Contestant struct {
	Name      string
	Package   string // of Python; empty: this program
	Program   Program
	Settings  []Setting
	Reference []Setting // give what the program converges to; see extrapolate

	limit   [][3]float64 // tips
	results []result     // of the settings
}

// result is what a setting gives.
type result struct {
	dof     int
	error   float64 // rms of the tip, in shares of the length
	seconds float64 // of processor time for one run, median of the rounds
}

// Measure runs all settings of all programs, the rounds of the programs by turns.
func Measure(p *Problem, all []*Contestant, rounds int) error {
	for _, c := range all {
		if err := c.prepare(p); err != nil {
			return err
		}
	}
	times := map[*result][]float64{}
	for range rounds {
		for _, c := range all {
			for i := range c.results {
				t, err := c.Program.Seconds(i + len(c.Reference))
				if err != nil {
					return fmt.Errorf("%s %+v: %w", c.Name, c.Settings[i], err)
				}
				times[&c.results[i]] = append(times[&c.results[i]], t)
			}
		}
	}
	for x, t := range times {
		slices.Sort(t)
		x.seconds = t[len(t)/2]
	}
	return nil
}

// prepare finds the errors of all settings.
func (c *Contestant) prepare(p *Problem) error {
	var tips [][][3]float64
	for _, s := range append(slices.Clone(c.Reference), c.Settings...) {
		x, err := c.Program.Prepare(s)
		if err != nil {
			return fmt.Errorf("%s %+v: %w", c.Name, s, err)
		}
		if tips = append(tips, x.Tips); len(tips) == len(c.Reference) {
			c.limit = extrapolate(tips)
		}
		if len(tips) > len(c.Reference) {
			c.results = append(c.results, result{dof: x.DOF, error: apart(x.Tips, c.limit) / p.Length})
		}
	}
	return nil
}

// cheapest returns the result of least time whose error is not more than level, or nil.
func (c *Contestant) cheapest(level float64) (best *result) {
	for i := range c.results {
		if x := &c.results[i]; x.error <= level && (best == nil || x.seconds < best.seconds) {
			best = x
		}
	}
	return best
}

// Grid returns all combinations.
func Grid(elements, orders []int, solvers []string, steps []float64) (all []Setting) {
	for _, n := range elements {
		for _, o := range orders {
			for _, s := range solvers {
				for _, h := range steps {
					all = append(all, Setting{Elements: n, Order: o, Solver: s, Step: h})
				}
			}
		}
	}
	return all
}

// apart returns the root mean square of the distances of two motions, m.
func apart(a, b [][3]float64) float64 {
	sum := 0.0
	for i := range a {
		for k := range a[i] {
			d := a[i][k] - b[i][k]
			sum += d * d
		}
	}
	return math.Sqrt(sum / float64(len(a)))
}

// extrapolate returns the last of motions, or of three, of which the second has half the step
// of the first and the third twice its elements, that without either error: that of the step of
// order 1, that of the elements of order 2.
func extrapolate(tips [][][3]float64) [][3]float64 {
	last := tips[len(tips)-1]
	if len(tips) < 3 {
		return last
	}
	x := make([][3]float64, len(last))
	for i := range x {
		for k := range x[i] {
			coarse, halved, fine := tips[0][i][k], tips[1][i][k], tips[2][i][k]
			x[i][k] = fine + 2*(halved-coarse) + (fine-coarse)/3
		}
	}
	return x
}
