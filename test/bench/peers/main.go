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

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/test/bench/peers/rows"
)

// The robot is the one that pyelastica.py simulates.
const (
	stepSeconds = 1e-5
	disks       = 9
	compareAt   = 1000 // steps after which the tips are compared
)

// result is the time per step (µs) of one program and its tip after compareAt
// steps (m).
type result struct {
	Best   float64    `json:"us"`
	Median float64    `json:"us_median"`
	Tip    [3]float64 `json:"tip"`
}

func main() {
	python := flag.String("python", "python3", "Python with PyElastica 0.3.2")
	script := flag.String("script", "test/bench/peers/pyelastica.py", "the other program")
	steps := flag.Int("steps", 3000, "steps per round of the other program; ten times as many of this one")
	rounds := flag.Int("rounds", 5, "rounds, of which the best and the median count")
	table := flag.String("rows", "", "file to add rows of the table of docs/performance.md to")
	learning := flag.String("learning", "", "Python with the package sinew, whose environments are measured too")
	flag.Parse()
	log.SetFlags(0)

	peer, err := rows.Python(*python, "PyElastica", "pyelastica")
	if err != nil {
		log.Fatal(err)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "elements\ttendon loads of PyElastica\tPyElastica µs\tmedian\tsinew µs\tmedian\tratio\tof medians\ttip apart (m)\t")
	for _, n := range []int{20, 100} {
		for _, kind := range []string{"module", "compiled", "none"} {
			other, err := runOther(*python, *script, n, kind, *steps, *rounds, "soft", stepSeconds)
			if err != nil {
				log.Fatal(err)
			}
			ours, err := run(n, kind != "none", 10**steps, *rounds)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Fprintf(w, "%d\t%s\t%.1f\t%.1f\t%.2f\t%.2f\t%.1f\t%.1f\t%.1e\t\n", n, kind,
				other.Best, other.Median, ours.Best, ours.Median, other.Best/ours.Best, other.Median/ours.Median, apart(ours.Tip, other.Tip))
			row := rows.Row{Peer: peer, Work: fmt.Sprintf("a step of method `reference`, %d elements, %s (tips %.0e m apart)", n, loads[kind], apart(ours.Tip, other.Tip)),
				Here: rows.Cost{Value: ours.Median, Unit: "µs"}, There: rows.Cost{Value: other.Median, Unit: "µs"}}
			if err := rows.Append(*table, row); err != nil {
				log.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	fmt.Println()
	factors, err := compareRealTime(*python, *script, peer, *table, *steps, *rounds)
	if err != nil {
		log.Fatal(err)
	}
	if *learning != "" {
		if err := compareEnvironments(*learning, peer, *table, factors["nitinol"]); err != nil {
			log.Fatal(err)
		}
	}
}

// loads says who loads the rod of PyElastica with tendons.
var loads = map[string]string{"module": "loads of TendonForces", "compiled": "loads compiled as a whole", "none": "no tendons"}

func runOther(python, script string, elements int, kind string, steps, rounds int, robot string, step float64) (r result, err error) {
	cmd := exec.Command(python, script, strconv.Itoa(elements), kind, strconv.Itoa(steps), strconv.Itoa(rounds), robot, fmt.Sprint(step))
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("%s %s: %w\n%s", python, script, err, complaint.Bytes())
	}
	return r, json.Unmarshal(out, &r)
}

func run(elements int, tendons bool, steps, rounds int) (r result, err error) {
	m, err := continuum.New(robot(elements, tendons))
	if err != nil {
		return r, err
	}
	for range compareAt {
		if err := m.Step(stepSeconds); err != nil {
			return r, err
		}
	}
	r.Tip = tip(m)
	var times []float64
	for range rounds {
		start := time.Now()
		for range steps {
			if err := m.Step(stepSeconds); err != nil {
				return r, err
			}
		}
		times = append(times, time.Since(start).Seconds()*1e6/float64(steps))
	}
	slices.Sort(times)
	r.Best, r.Median = times[0], times[len(times)/2]
	return r, nil
}

func tip(m *continuum.Model) (p [3]float64) {
	for i, port := range m.Ports() {
		if port.Name == "measured_cp" {
			v := make([]float64, port.Width())
			m.Value(i, v)
			copy(p[:], v)
		}
	}
	return p
}

func apart(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

func robot(elements int, tendons bool) *robotfile.Continuum {
	f := &robotfile.Continuum{
		Rod: robotfile.Rod{
			Length: 0.25, Radius: 0.0055, Density: 997.7, YoungsModulus: 16598637, ShearModulus: 7216880,
			ShearCorrection: 27.0 / 28, Elements: elements, Damping: robotfile.Damping{PyElasticaNu: 0.1},
		},
		Base:    robotfile.Base{Direction: spatial.Vec{X: 1}, Normal: spatial.Vec{Z: 1}},
		Gravity: spatial.Vec{Z: -9.80665},
		Solver:  robotfile.RodSolver{Method: robotfile.Reference, Step: stepSeconds},
	}
	if !tendons {
		return f
	}
	l := f.Rod.Length / float64(elements)
	first := float64(elements / 10)
	for i, t := range []struct{ x, y, tension, mass float64 }{
		{0.015, 0, 4, 0.002}, {0, 0.015, 2, 0}, {-0.015, 0, 0.5, 0}, {0, -0.015, 0.5, 0},
	} {
		f.Tendons = append(f.Tendons, robotfile.Tendon{
			Name: "tendon_" + strconv.Itoa(i+1), Offset: [2]float64{t.x, t.y}, Tension: t.tension,
			Disks:  robotfile.Disks{Count: disks, First: first * l, Last: (float64(elements) - first) * l, Mass: t.mass},
			Limits: robotfile.TendonLimits{MaxTension: 20, MaxRate: 1000, MaxPullRate: 0.1},
		})
	}
	return f
}
