package fleet

import (
	"cmp"
	"fmt"
	"slices"
)

// Share distributes robots among loops by longest-processing-time-first scheduling: the most
// expensive robot goes to the least loaded loop. costs are shares of a processor. of is the loop of
// each robot, load the sum of each loop; there are at most as many loops as robots.
func Share(costs []float64, loops int) (of []int, load []float64) {
	order := make([]int, len(costs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(costs[j], costs[i]) })
	of, load = make([]int, len(costs)), make([]float64, max(1, min(loops, len(costs))))
	number := make([]int, len(load)) // robots of each loop, so that robots without cost are distributed, too
	for _, i := range order {
		least := 0
		for l := range load {
			if c := cmp.Compare(load[l], load[least]); c < 0 || c == 0 && number[l] < number[least] {
				least = l
			}
		}
		of[i] = least
		load[least] += costs[i]
		number[least]++
	}
	return of, load
}

// TooMany returns a warning if the distributed robots exceed real time on this computer, otherwise "".
func TooMany(of []int, load []float64) string {
	worst := 0
	for l := range load {
		if load[l] > load[worst] {
			worst = l
		}
	}
	if load[worst] <= 1 {
		return ""
	}
	n := 0
	for _, l := range of {
		if l == worst {
			n++
		}
	}
	return fmt.Sprintf("%d robots are too many for real time here: the steps of %d of them, on one of %d loops, want %.0f %% of a processor, at most 100 %% is to be had; "+
		"have fewer robots, longer steps (solver.step_s, rates.control_hz), fewer elements, or more processors", len(of), n, len(load), 100*load[worst])
}
