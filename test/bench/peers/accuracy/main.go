package main

import (
	"flag"
	"fmt"
	"log"
	"slices"
	"strings"
)

func main() {
	python := flag.String("python", "python3", "Python with requirements.txt")
	scripts := flag.String("scripts", "test/bench/peers/accuracy", "where program.py is")
	rounds := flag.Int("rounds", 5, "rounds, of which the median counts")
	robot := flag.String("robot", "", "only this robot")
	table := flag.String("rows", "", "file to add rows of the table of docs/performance.md to")
	programs := flag.String("programs", "order 4,order 2,MuJoCo,PyElastica,SoRoMoX", "which, with commas between")
	flag.Parse()
	log.SetFlags(0)

	for i := range robots {
		r := &robots[i]
		if *robot != "" && *robot != r.Name {
			continue
		}
		all := slices.DeleteFunc(contestants(r, *python, *scripts), func(c *contestant) bool {
			return !slices.Contains(strings.Split(*programs, ","), c.name)
		})
		if err := measure(r, all, *rounds); err != nil {
			log.Fatal(err)
		}
		report(r, all)
		if err := addRows(*table, *python, r, all); err != nil {
			log.Fatal(err)
		}
	}
}

// contestant is a program with settings.
type contestant struct {
	name      string
	program   program
	settings  []setting
	reference []setting // give what the program converges to; see extrapolate

	limit   [][3]float64 // tips
	results []result     // of the settings
}

// result is what a setting gives.
type result struct {
	dof     int
	error   float64 // rms of the tip, in shares of the length
	seconds float64 // of processor time for one run, median of the rounds
}

// measure runs all settings of all programs, the rounds of the programs by turns.
func measure(r *robot, all []*contestant, rounds int) error {
	for _, c := range all {
		if err := c.prepare(r); err != nil {
			return err
		}
	}
	times := map[*result][]float64{}
	for range rounds {
		for _, c := range all {
			for i := range c.results {
				t, err := c.program.seconds(i + len(c.reference))
				if err != nil {
					return fmt.Errorf("%s %+v: %w", c.name, c.settings[i], err)
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
func (c *contestant) prepare(r *robot) error {
	var tips [][][3]float64
	for _, s := range append(slices.Clone(c.reference), c.settings...) {
		p, err := c.program.prepare(r, s)
		if err != nil {
			return fmt.Errorf("%s %+v: %w", c.name, s, err)
		}
		if tips = append(tips, p.Tips); len(tips) == len(c.reference) {
			c.limit = extrapolate(tips)
		}
		if len(tips) > len(c.reference) {
			c.results = append(c.results, result{dof: p.DOF, error: apart(p.Tips, c.limit) / r.Length})
		}
	}
	return nil
}
