package main

import "slices"

// contestants returns the programs with the settings to try on a robot.
func contestants(r *robot, python, scripts string) []*contestant {
	d, span := r.Disks, r.Duration/float64(r.Samples)
	// parts returns the steps of which so many are between two samples
	parts := func(numbers ...int) (steps []float64) {
		for _, k := range numbers {
			steps = append(steps, span/float64(k))
		}
		return steps
	}
	ours := parts(1, 2, 3, 4, 6, 10, 16, 25, 50, 100)
	limit := []setting{{Elements: 8 * d, Order: 4, Step: 1e-4}}
	all := []*contestant{
		{
			name: "order 4", program: &sinew{}, reference: limit,
			settings: grid([]int{d, 2 * d}, []int{4}, []string{""}, ours),
		},
		{
			name: "order 2", program: &sinew{}, reference: limit,
			settings: grid([]int{d, 2 * d, 4 * d, 8 * d}, []int{2}, []string{""}, ours),
		},
	}
	if r.Cosserat {
		return append(all, pyElastica(d, &script{python: python, directory: scripts, module: "pyelastica"}, parts))
	}
	all = append(all, &contestant{
		name: "MuJoCo", program: &script{python: python, directory: scripts, module: "chain"},
		settings: append(
			grid([]int{d / 2, 2 * d / 3, 5 * d / 6, d, 7 * d / 6, 4 * d / 3, 3 * d / 2, 5 * d / 3, 2 * d}, []int{0}, []string{"implicitfast", "discrete"}, parts(2, 3, 4, 5, 6, 8, 10, 16, 25, 50)),
			grid([]int{4 * d}, []int{0}, []string{"implicitfast"}, parts(4, 10, 25, 50))...),
		reference: []setting{
			{Elements: 2 * d, Solver: "implicitfast", Step: 2e-4},
			{Elements: 2 * d, Solver: "implicitfast", Step: 1e-4},
			{Elements: 4 * d, Solver: "implicitfast", Step: 2e-4},
		},
	})
	if r.Floor > 0 {
		return all // SoRoMoX knows no contact
	}
	return append(all, &contestant{
		name: "SoRoMoX", program: &script{python: python, directory: scripts, module: "gvs"},
		settings:  tolerances([]int{3, 5}, []string{"LSODA", "BDF"}, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4),
		reference: []setting{{Elements: 1, Order: 6, Solver: "LSODA", Tolerance: 1e-8}},
	})
}

// tolerances returns all combinations of one segment.
func tolerances(orders []int, solvers []string, tolerances ...float64) (all []setting) {
	for _, s := range grid([]int{1}, orders, solvers, []float64{0}) {
		for _, t := range tolerances {
			s.Tolerance = t
			all = append(all, s)
		}
	}
	return all
}

// pyElastica returns PyElastica with stiffnesses (N/m) of its contact for solvers, and the longest
// steps at which it is stable, and shorter ones.
func pyElastica(d int, program program, parts func(...int) []float64) *contestant {
	soft, hard := []string{"1e3"}, []string{"1e3", "1e4"}
	return &contestant{
		name: "PyElastica", program: program,
		settings: slices.Concat(
			grid([]int{d, 2 * d}, []int{0}, hard, parts(150, 200, 400)),
			grid([]int{4 * d}, []int{0}, hard, parts(200, 400, 800)),
			grid([]int{8 * d}, []int{0}, soft, parts(400, 800))),
		reference: []setting{{Elements: 16 * d, Solver: "1e4", Step: 2e-5}},
	}
}

// grid returns all combinations.
func grid(elements, orders []int, solvers []string, steps []float64) (all []setting) {
	for _, n := range elements {
		for _, o := range orders {
			for _, s := range solvers {
				for _, h := range steps {
					all = append(all, setting{Elements: n, Order: o, Solver: s, Step: h})
				}
			}
		}
	}
	return all
}
