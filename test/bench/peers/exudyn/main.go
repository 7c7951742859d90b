package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"sinew/pkg/sim/rigid"
	"sinew/pkg/sim/spatial"
	"sinew/test/bench/peers/rows"
)

// method is one of either program.
type method struct {
	label  string
	ours   rigid.Options
	theirs string // name of a solver of Exudyn; empty: ours
}

var methods = []method{
	{"Exudyn RK44, Lie group", rigid.Options{}, "RK44"},
	{"Exudyn generalized-alpha 0.9", rigid.Options{}, "GeneralizedAlpha"},
	{"Exudyn trapezoidal index 2", rigid.Options{}, "TrapezoidalIndex2"},
	{"rkmk4", rigid.Options{Method: rigid.RKMK4}, ""},
	{"cg4", rigid.Options{Method: rigid.CG4}, ""},
	{"splitting", rigid.Options{Method: rigid.Splitting}, ""},
	{"generalized-alpha 0.9, rotation-vector", rigid.Options{Method: rigid.GeneralizedAlpha, Parametrization: rigid.RotationVectorXYZ, SpectralRadius: 0.9}, ""},
	{"trapezoidal, rotation-vector", rigid.Options{Method: rigid.Trapezoidal, Parametrization: rigid.RotationVectorXYZ}, ""},
}

// point is what a method did with a number of steps.
type point struct {
	steps        int
	best, median float64 // µs per step
	off          float64 // rad
}

func main() {
	python := flag.String("python", "python3", "Python with Exudyn")
	script := flag.String("script", "test/bench/peers/exudyn/exudyn_body.py", "the other program")
	table := flag.String("rows", "", "file to add rows of the table of docs/performance.md to")
	rounds := flag.Int("rounds", 5, "rounds, of which the best and the median count")
	flag.Parse()
	log.SetFlags(0)
	for _, p := range problems() {
		if err := p.solve(); err != nil {
			log.Fatal(err)
		}
		runs := make([][]point, len(methods))
		for n := 32; n <= 65_536; n *= 2 {
			for i, m := range methods {
				at, err := m.measure(&p, *python, *script, n, *rounds)
				if err != nil {
					log.Fatal(err)
				}
				runs[i] = append(runs[i], at)
			}
		}
		if err := report(&p, runs); err != nil {
			log.Fatal(err)
		}
		if err := addRows(*table, *python, &p, runs); err != nil {
			log.Fatal(err)
		}
	}
}

// measure runs the method with n steps.
func (m *method) measure(p *problem, python, script string, n, rounds int) (point, error) {
	if m.theirs != "" {
		return m.ask(p, python, script, n, rounds)
	}
	at := point{steps: n, off: math.NaN()}
	var times []float64
	for range rounds {
		begun := time.Now()
		x, err := p.march(m.ours, n)
		times = append(times, time.Since(begun).Seconds()*1e6/float64(n))
		if err != nil {
			return at, nil // the step is too long for the method
		}
		at.off = p.off(x.Q.Rot())
	}
	slices.Sort(times)
	at.best, at.median = times[0], times[len(times)/2]
	return at, nil
}

// ask has Exudyn do it.
func (m *method) ask(p *problem, python, script string, n, rounds int) (point, error) {
	cmd := exec.Command(python, "-W", "ignore", script, p.name, m.theirs, strconv.Itoa(n), fmt.Sprint(p.duration), strconv.Itoa(rounds))
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return point{}, fmt.Errorf("%s %s: %w\n%s", python, script, err, complaint.Bytes())
	}
	var r struct {
		Best     float64        `json:"us"`
		Median   float64        `json:"us_median"`
		Rotation *[3][3]float64 `json:"rotation"`
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return point{}, fmt.Errorf("%s: %w\n%s", script, err, out)
	}
	if r.Rotation == nil { // the step is too long for the method
		return point{steps: n, off: math.NaN()}, nil
	}
	row := func(k int) spatial.Vec {
		return spatial.Vec{X: r.Rotation[k][0], Y: r.Rotation[k][1], Z: r.Rotation[k][2]}
	}
	return point{n, r.Best, r.Median, p.off(spatial.FromRows(row(0), row(1), row(2)))}, nil
}

// report prints the cost of a step, and what each accuracy costs with the best method of
// either program.
func report(p *problem, runs [][]point) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s, %g s\tbest µs/step\tmedian\terror at 16384 steps (rad)\t\n", p.name, p.duration)
	for i, m := range methods {
		for _, at := range runs[i] {
			if at.steps == 16_384 {
				fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.1e\t\n", m.label, at.best, at.median, at.off)
			}
		}
	}
	fmt.Fprintln(w, "\nerror (rad)\tExudyn ms\twith\tsinew ms\twith\tratio\tRK44 over rkmk4\t")
	for _, target := range targets {
		theirs, a := cheapest(runs, target, true)
		ours, b := cheapest(runs, target, false)
		if a < 0 || b < 0 {
			continue
		}
		fmt.Fprintf(w, "%.0e\t%.2f\t%s\t%.3f\t%s\t%.1f\t%.1f\t\n", target, theirs, methods[a].label, ours, methods[b].label,
			theirs/ours, timeTo(runs[0], target)/timeTo(runs[3], target))
	}
	fmt.Fprintln(w)
	return w.Flush()
}

// titles name the problems in the table.
var titles = map[string]string{"free": "free asymmetric body", "top": "heavy top"}

// targets are the errors (rad) that are compared.
var targets = []float64{1e-2, 1e-3, 1e-4, 1e-5, 1e-6}

// addRows adds what each error costs with the best method of either program to the file.
func addRows(path, python string, p *problem, runs [][]point) error {
	if path == "" {
		return nil
	}
	peer, err := rows.Python(python, "Exudyn", "exudyn")
	if err != nil {
		return err
	}
	for _, target := range targets {
		theirs, a := cheapest(runs, target, true)
		ours, b := cheapest(runs, target, false)
		if a < 0 || b < 0 {
			continue
		}
		off := fmt.Sprintf("%.0e rad", target)
		row := rows.Row{Peer: peer, Work: fmt.Sprintf("%s: %g s of motion", titles[p.name], p.duration),
			Here: rows.Cost{Value: ours, Unit: "ms", Error: off}, There: rows.Cost{Value: theirs, Unit: "ms", Error: off}}
		if err := rows.Append(path, row); err != nil {
			return err
		}
	}
	return nil
}

// cheapest is the least time (ms) to reach the error, and the method, −1 for none.
func cheapest(runs [][]point, target float64, theirs bool) (ms float64, which int) {
	ms, which = math.Inf(1), -1
	for i, m := range methods {
		if t := timeTo(runs[i], target); (m.theirs != "") == theirs && t < ms {
			ms, which = t, i
		}
	}
	return ms, which
}

// timeTo is the time (ms) a method takes to the error target, with as many steps as lie
// between those it was run with on a log-log line; infinite where it does not get there. A
// step costs what it did in the fastest run, so that setting up does not count.
func timeTo(run []point, target float64) float64 {
	cost := math.Inf(1)
	for _, at := range run {
		if at.best > 0 {
			cost = math.Min(cost, at.best*1e-3)
		}
	}
	for i := 1; i < len(run); i++ {
		a, b := run[i-1], run[i]
		if a.off >= target && b.off < target {
			share := math.Log(a.off/target) / math.Log(a.off/b.off)
			return float64(a.steps) * math.Pow(float64(b.steps)/float64(a.steps), share) * cost
		}
	}
	if len(run) > 0 && run[0].off < target { // better than asked with the longest step
		return float64(run[0].steps) * cost
	}
	return math.Inf(1)
}
