package contest

import (
	"fmt"
	"math"
	"os"
	"text/tabwriter"

	"sinew/test/bench/peers/rows"
)

// levels of error, in shares of the length.
var levels = []float64{1e-2, 3e-3, 1e-3, 3e-4, 1e-4}

// Report prints all results of a problem, how far apart the programs converge, and what an error
// costs, as a table for docs/performance.md.
func Report(p *Problem, all []*Contestant) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\telements\torder\tsolver\tstep s\ttolerance\tDOF\terror %% of L\tms per s\t\n", p.Name)
	for _, c := range all {
		for i, s := range c.Settings {
			x := &c.results[i]
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%.3g\t%.3g\t%d\t%.4f\t%.2f\t\n", c.Name, s.Elements, s.Order, s.Solver, s.Step, s.Tolerance, x.dof, 100*x.error, 1e3*x.seconds/p.Duration)
		}
	}
	w.Flush()
	fmt.Println()
	for _, c := range all[1:] {
		fmt.Printf("%s converges to a motion %.4f %% of the length from that of %s (rms of the tip)\n", c.Name, 100*apart(all[0].limit, c.limit)/p.Length, all[0].Name)
	}
	fmt.Printf("\n| %s: error |", p.Name)
	for _, c := range all {
		fmt.Printf(" %s |", c.Name)
	}
	fmt.Println()
	for _, level := range levels {
		fmt.Printf("| %g %% |", 100*level)
		ours := math.Inf(1)
		if x := cheapestHere(all, level); x != nil {
			ours = x.seconds
		}
		for _, c := range all {
			fmt.Printf(" %s |", c.cheapest(level).in(p, c, ours))
		}
		fmt.Println()
	}
	fmt.Println()
}

// in tells a result in a cell: milliseconds for a second of motion, degrees of freedom, and of
// others how many times that is ours.
func (x *result) in(p *Problem, c *Contestant, ours float64) string {
	if x == nil {
		return "–"
	}
	cell := fmt.Sprintf("%.3g ms, %d DOF", 1e3*x.seconds/p.Duration, x.dof)
	if c.Package != "" && !math.IsInf(ours, 1) {
		cell += fmt.Sprintf(" (%.3g ×)", x.seconds/ours)
	}
	return cell
}

// AddRows adds what each level of error costs in each other program, and here with the cheapest
// setting, to the file at path. Levels that a program did not reach have no row.
func AddRows(path, python string, p *Problem, all []*Contestant) error {
	if path == "" {
		return nil
	}
	for _, c := range all {
		if c.Package == "" {
			continue
		}
		peer, err := rows.Python(python, c.Name, c.Package)
		if err != nil {
			return err
		}
		for _, level := range levels {
			ours, theirs := cheapestHere(all, level), c.cheapest(level)
			if ours == nil || theirs == nil {
				continue
			}
			row := rows.Row{Peer: peer, Work: fmt.Sprintf("%s: 1 s of motion to %g %% of its length", p.Title, 100*level), Here: ours.cost(p), There: theirs.cost(p)}
			if err := rows.Append(path, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// cheapestHere returns the cheapest result of this program.
func cheapestHere(all []*Contestant, level float64) (best *result) {
	for _, c := range all {
		if c.Package != "" {
			continue
		}
		if x := c.cheapest(level); x != nil && (best == nil || x.seconds < best.seconds) {
			best = x
		}
	}
	return best
}

func (x *result) cost(p *Problem) rows.Cost {
	return rows.Cost{Value: 1e3 * x.seconds / p.Duration, Unit: "ms", Error: fmt.Sprintf("%.2g %%", 100*x.error)}
}
