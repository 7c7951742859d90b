package main

import (
	"flag"
	"log"
	"slices"
	"strings"

	"sinew/test/bench/peers/contest"
)

func main() {
	python := flag.String("python", "python3", "Python with requirements.txt")
	scripts := flag.String("scripts", "test/bench/peers/accuracy", "where the modules of the other programs are")
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
		all := slices.DeleteFunc(contestants(r, *python, *scripts), func(c *contest.Contestant) bool {
			return !slices.Contains(strings.Split(*programs, ","), c.Name)
		})
		p := &contest.Problem{Name: r.Name, Title: r.Title, Length: r.Length, Duration: r.Duration}
		if err := contest.Measure(p, all, *rounds); err != nil {
			log.Fatal(err)
		}
		contest.Report(p, all)
		if err := contest.AddRows(*table, *python, p, all); err != nil {
			log.Fatal(err)
		}
	}
}
