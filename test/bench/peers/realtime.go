package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/bench/peers/rows"
)

// race is a robot that each program simulates at its largest stable step: that of
// PyElastica with four tendons was found by bisection, that of method implicit is
// what its accuracy allows.
type race struct {
	robot    string
	title    string
	elements int
	step     float64 // step of PyElastica, s
}

var races = []race{
	{"soft", "silicone rod, 4 tendons", 20, 7.65e-5},
	{"soft", "silicone rod, 4 tendons", 100, 1.91e-5},
	{"nitinol", "nitinol wire, 1 mm × 0.2 m, 4 tendons", 20, 3.36e-7},
}

const implicitStep = 1e-3 // s

// What is not the same work to the last digits, but what each program is used for.
const (
	atLongest   = "each program at its longest stable step"
	notCompared = "not compared"
)

// compareRealTime prints how many times faster than real time each program is, and returns by
// robot how many times the other is.
func compareRealTime(python, script, peer, table string, steps, rounds int) (map[string]float64, error) {
	factors := map[string]float64{}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "robot\telements\tPyElastica step s\tmedian µs\treal time\tsinew step s\tmedian µs\treal time\tratio\t")
	for _, r := range races {
		other, err := runOther(python, script, r.elements, "module", steps, rounds, r.robot, r.step)
		if err != nil {
			return nil, err
		}
		ours, err := r.run(steps, rounds)
		if err != nil {
			return nil, err
		}
		a, b := r.step*1e6/other.Median, implicitStep*1e6/ours
		fmt.Fprintf(w, "%s\t%d\t%.3g\t%.1f\t%.4f\t%.3g\t%.1f\t%.1f\t%.0f\t\n", r.robot, r.elements, r.step, other.Median, a, implicitStep, ours, b, b/a)
		factors[r.robot] = a
		rate := func(x float64) rows.Cost {
			return rows.Cost{Value: x, Unit: "× real time", Error: notCompared, Rate: true}
		}
		row := rows.Row{Peer: peer, Work: fmt.Sprintf("%s, %d elements, %s", r.title, r.elements, atLongest), Here: rate(b), There: rate(a)}
		if err := rows.Append(table, row); err != nil {
			return nil, err
		}
	}
	return factors, w.Flush()
}

// run returns the median time per step (µs) under tensions that never rest: up to
// 3.5 N, at 2 to 5 Hz.
func (r race) run(steps, rounds int) (float64, error) {
	m, err := continuum.New(r.file())
	if err != nil {
		return 0, err
	}
	tensions, t := make([]float64, 4), 0.0
	round := func() (time.Duration, error) {
		start := time.Now()
		for range steps {
			for k := range tensions {
				tensions[k] = 1.75 * (1 - math.Cos(2*math.Pi*(2+float64(k))*t))
			}
			m.Command(0, tensions)
			if err := m.Step(implicitStep); err != nil {
				return 0, err
			}
			t += implicitStep
		}
		return time.Since(start), nil
	}
	var times []float64
	for range rounds {
		d, err := round()
		if err != nil {
			return 0, err
		}
		times = append(times, d.Seconds()*1e6/float64(steps))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

// file is the robot of pyelastica.py for method implicit.
func (r race) file() *robotfile.Continuum {
	f := robot(r.elements, true)
	f.Solver = robotfile.RodSolver{Method: robotfile.Implicit, Step: implicitStep}
	f.Rod.Damping = robotfile.Damping{}
	if r.robot == "soft" {
		return f
	}
	f.Rod.Length, f.Rod.Radius, f.Rod.Density = 0.2, 0.0005, 6450
	f.Rod.YoungsModulus, f.Rod.ShearModulus = 60e9, 60e9/2.6
	const hole = 0.008 // m
	l := f.Rod.Length / float64(r.elements)
	for i := range f.Tendons {
		t := &f.Tendons[i]
		at := spatial.Vec{X: t.Offset[0], Y: t.Offset[1]}.Unit().Scale(hole)
		t.Offset = [2]float64{at.X, at.Y}
		t.Disks.First, t.Disks.Last = float64(r.elements/10)*l, float64(r.elements-r.elements/10)*l
		t.Disks.Mass *= 0.25 // 0.5 g
	}
	return f
}
