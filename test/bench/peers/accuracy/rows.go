package main

import (
	"fmt"

	"sinew/test/bench/peers/rows"
)

// packages are the names in Python of the other programs.
var packages = map[string]string{"MuJoCo": "mujoco-core", "PyElastica": "pyelastica", "SoRoMoX": "soromox"}

// addRows adds what each level of error costs in each other program, and here with the cheaper
// order, to the file. Levels that a program did not reach have no row.
func addRows(path, python string, r *robot, all []*contestant) error {
	if path == "" {
		return nil
	}
	for _, c := range all {
		if _, ok := c.program.(*sinew); ok {
			continue
		}
		peer, err := rows.Python(python, c.name, packages[c.name])
		if err != nil {
			return err
		}
		for _, level := range levels {
			ours, theirs := cheapestHere(all, level), c.cheapest(level)
			if ours == nil || theirs == nil {
				continue
			}
			row := rows.Row{Peer: peer, Work: fmt.Sprintf("%s: 1 s of motion to %g %% of its length", r.Title, 100*level), Here: ours.cost(r), There: theirs.cost(r)}
			if err := rows.Append(path, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// cheapestHere returns the cheapest result of this program.
func cheapestHere(all []*contestant, level float64) (best *result) {
	for _, c := range all {
		if _, ok := c.program.(*sinew); !ok {
			continue
		}
		if x := c.cheapest(level); x != nil && (best == nil || x.seconds < best.seconds) {
			best = x
		}
	}
	return best
}

func (x *result) cost(r *robot) rows.Cost {
	return rows.Cost{Value: 1e3 * x.seconds / r.Duration, Unit: "ms", Error: fmt.Sprintf("%.2g %%", 100*x.error)}
}
