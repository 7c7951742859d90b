package main

import (
	"fmt"
	"math"
	"os"
	"text/tabwriter"
)

// levels of error, in shares of the length.
var levels = []float64{1e-2, 3e-3, 1e-3, 3e-4, 1e-4}

// report prints all results of a robot, how far apart the programs converge, and what an error
// costs, as a table for docs/performance.md.
func report(r *robot, all []*contestant) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\telements\torder\tsolver\tstep s\ttolerance\tDOF\terror %% of L\tms per s\t\n", r.Name)
	for _, c := range all {
		for i, s := range c.settings {
			x := &c.results[i]
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%.3g\t%.3g\t%d\t%.4f\t%.2f\t\n", c.name, s.Elements, s.Order, s.Solver, s.Step, s.Tolerance, x.dof, 100*x.error, 1e3*x.seconds/r.Duration)
		}
	}
	w.Flush()
	fmt.Println()
	for _, c := range all[1:] {
		fmt.Printf("%s converges to a motion %.4f %% of the length from that of %s (rms of the tip)\n", c.name, 100*apart(all[0].limit, c.limit)/r.Length, all[0].name)
	}
	fmt.Printf("\n| %s: error |", r.Name)
	for _, c := range all {
		fmt.Printf(" %s |", c.name)
	}
	fmt.Println()
	for _, level := range levels {
		fmt.Printf("| %g %% |", 100*level)
		ours := math.Inf(1)
		for _, c := range all {
			x := c.cheapest(level)
			if _, ok := c.program.(*sinew); ok && x != nil {
				ours = min(ours, x.seconds)
			}
			fmt.Printf(" %s |", x.in(r, c, ours))
		}
		fmt.Println()
	}
	fmt.Println()
}

// cheapest returns the result of least time whose error is not more than level, or nil.
func (c *contestant) cheapest(level float64) (best *result) {
	for i := range c.results {
		if x := &c.results[i]; x.error <= level && (best == nil || x.seconds < best.seconds) {
			best = x
		}
	}
	return best
}

// in tells a result in a cell: milliseconds for a second of motion, degrees of freedom, and of
// others how many times that is ours.
func (x *result) in(r *robot, c *contestant, ours float64) string {
	if x == nil {
		return "–"
	}
	cell := fmt.Sprintf("%.3g ms, %d DOF", 1e3*x.seconds/r.Duration, x.dof)
	if _, ok := c.program.(*sinew); !ok {
		cell += fmt.Sprintf(" (%.3g ×)", x.seconds/ours)
	}
	return cell
}
