package main

import (
	"flag"
	"log"

	"sinew/test/bench/peers/contest"
)

func main() {
	python := flag.String("python", "python3", "Python with requirements.txt")
	scripts := flag.String("scripts", "test/bench/peers/mechanisms", "where the modules of the other programs are")
	rounds := flag.Int("rounds", 5, "rounds, of which the median counts")
	only := flag.String("mechanism", "", "only this one")
	table := flag.String("rows", "", "file to add rows of the table of docs/performance.md to")
	flag.Parse()
	log.SetFlags(0)

	for _, m := range mechanisms() {
		if *only != "" && *only != m.Name {
			continue
		}
		all, err := m.contestants(*python, *scripts)
		if err != nil {
			log.Fatal(err)
		}
		if err := contest.Measure(&m.Problem, all, *rounds); err != nil {
			log.Fatal(err)
		}
		contest.Report(&m.Problem, all)
		if err := contest.AddRows(*table, *python, &m.Problem, all); err != nil {
			log.Fatal(err)
		}
	}
}
