package main

import (
	"slices"

	"sinew/test/bench/peers/contest"
)

// contestants returns the programs with the settings to try on a robot.
func contestants(r *robot, python, scripts string) []*contest.Contestant {
	d, span := r.Disks, r.Duration/float64(r.Samples)
	// parts returns the steps of which so many are between two samples
	parts := func(numbers ...int) (steps []float64) {
		for _, k := range numbers {
			steps = append(steps, span/float64(k))
		}
		return steps
	}
	ours := parts(1, 2, 3, 4, 6, 10, 16, 25, 50, 100)
	limit := []contest.Setting{{Elements: 8 * d, Order: 4, Step: 1e-4}}
	all := []*contest.Contestant{
		{
			Name: "order 4", Program: &sinew{robot: r}, Reference: limit,
			Settings: contest.Grid([]int{d, 2 * d}, []int{4}, []string{""}, ours),
		},
		{
			Name: "order 2", Program: &sinew{robot: r}, Reference: limit,
			Settings: contest.Grid([]int{d, 2 * d, 4 * d, 8 * d}, []int{2}, []string{""}, ours),
		},
	}
	if r.Cosserat {
		return append(all, pyElastica(d, &contest.Script{Python: python, Directory: scripts, Module: "pyelastica", Robot: r}, parts))
	}
	all = append(all, &contest.Contestant{
		Name: "MuJoCo", Package: "mujoco-core", Program: &contest.Script{Python: python, Directory: scripts, Module: "chain", Robot: r},
		Settings: append(
			contest.Grid([]int{d / 2, 2 * d / 3, 5 * d / 6, d, 7 * d / 6, 4 * d / 3, 3 * d / 2, 5 * d / 3, 2 * d}, []int{0}, []string{"implicitfast", "discrete"}, parts(2, 3, 4, 5, 6, 8, 10, 16, 25, 50)),
			contest.Grid([]int{4 * d}, []int{0}, []string{"implicitfast"}, parts(4, 10, 25, 50))...),
		Reference: []contest.Setting{
			{Elements: 2 * d, Solver: "implicitfast", Step: 2e-4},
			{Elements: 2 * d, Solver: "implicitfast", Step: 1e-4},
			{Elements: 4 * d, Solver: "implicitfast", Step: 2e-4},
		},
	})
	if r.Floor > 0 {
		return all // SoRoMoX knows no contact
	}
	return append(all, &contest.Contestant{
		Name: "SoRoMoX", Package: "soromox", Program: &contest.Script{Python: python, Directory: scripts, Module: "gvs", Robot: r},
		Settings:  tolerances([]int{3, 5}, []string{"LSODA", "BDF"}, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4),
		Reference: []contest.Setting{{Elements: 1, Order: 6, Solver: "LSODA", Tolerance: 1e-8}},
	})
}

// tolerances returns all combinations of one segment.
func tolerances(orders []int, solvers []string, tolerances ...float64) (all []contest.Setting) {
	for _, s := range contest.Grid([]int{1}, orders, solvers, []float64{0}) {
		for _, t := range tolerances {
			s.Tolerance = t
			all = append(all, s)
		}
	}
	return all
}

// pyElastica returns PyElastica with stiffnesses (N/m) of its contact for solvers, and the longest
// steps at which it is stable, and shorter ones.
func pyElastica(d int, program contest.Program, parts func(...int) []float64) *contest.Contestant {
	soft, hard := []string{"1e3"}, []string{"1e3", "1e4"}
	return &contest.Contestant{
		Name: "PyElastica", Package: "pyelastica", Program: program,
		Settings: slices.Concat(
			contest.Grid([]int{d, 2 * d}, []int{0}, hard, parts(150, 200, 400)),
			contest.Grid([]int{4 * d}, []int{0}, hard, parts(200, 400, 800)),
			contest.Grid([]int{8 * d}, []int{0}, soft, parts(400, 800))),
		Reference: []contest.Setting{{Elements: 16 * d, Solver: "1e4", Step: 2e-5}},
	}
}
