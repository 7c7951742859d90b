package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"sinew/test/bench/peers/rows"
)

// pairs are the programs to measure: the writer, then the reader.
var pairs = [][2]string{
	{"cyclone", "cyclone"}, {"ours", "ours"}, {"ours", "cyclone"}, {"cyclone", "ours"},
	{"fast", "fast"}, {"ours", "fast"}, {"fast", "ours"},
}

func main() {
	seconds := flag.Float64("seconds", 10, "length of each stream, s")
	rounds := flag.Int("rounds", 3, "how often each pair runs")
	rates := flag.String("rates", "1000,10000", "samples per second, one table each")
	table := flag.String("rows", "", "file to add rows of the table of docs/performance.md to")
	flag.Parse()
	if err := compare(*seconds, *rounds, strings.Split(*rates, ","), *table); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func compare(seconds float64, rounds int, rates []string, path string) error {
	if seconds <= 0 || rounds < 1 {
		return fmt.Errorf("-seconds %g and -rounds %d must be above 0", seconds, rounds)
	}
	dir, err := os.MkdirTemp("", "dds")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	programs, err := build(dir)
	if err != nil {
		return err
	}
	for _, r := range rates {
		rate, err := strconv.Atoi(r)
		if err != nil || rate < 1 || rate > 100_000 {
			return fmt.Errorf("-rates: %q is not a number from 1 to 100000", r)
		}
		if err := table(programs, seconds, rounds, rate, path); err != nil {
			return err
		}
	}
	return nil
}

// table measures all pairs at one rate and prints them.
func table(programs map[string]string, seconds float64, rounds, rate int, path string) error {
	all := make([][]result, len(pairs))
	for range rounds {
		for i, p := range pairs {
			r, err := measure(programs[p[0]], programs[p[1]], int(seconds*float64(rate)), rate)
			if err != nil {
				return fmt.Errorf("%s to %s: %w", p[0], p[1], err)
			}
			all[i] = append(all[i], r)
		}
	}
	fmt.Printf("\n| %d Hz, %d rounds of %g s | received of sent | disordered | p50 µs | p99 µs | max µs | p50 / Cyclone's | CPU writer | CPU reader |\n", rate, rounds, seconds)
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	base := median(all[0], func(r result) float64 { return r.p50 })
	for i, p := range pairs {
		of := func(f func(result) float64) float64 { return median(all[i], f) }
		got, sent, disordered := 0, 0, 0
		for _, r := range all[i] {
			got, sent, disordered = got+r.received, sent+r.sent, disordered+r.disordered
		}
		p50 := of(func(r result) float64 { return r.p50 })
		fmt.Printf("| %s → %s | %d / %d | %d | %.0f | %.0f | %.0f | %.2f | %.1f %% | %.1f %% |\n", p[0], p[1], got, sent, disordered,
			p50, of(func(r result) float64 { return r.p99 }), of(func(r result) float64 { return r.max }), p50/base,
			of(func(r result) float64 { return 100 * r.writerCPU }), of(func(r result) float64 { return 100 * r.readerCPU }))
	}
	return addRows(path, rate, all)
}

// addRows adds the ages of samples from this program to itself, to another and from it, beside
// those of the other to itself, to the file.
func addRows(path string, rate int, all [][]result) error {
	if path == "" {
		return nil
	}
	version, err := exec.Command("dpkg-query", "--showformat=${Version}", "--show", "libddsc0debian").Output()
	if err != nil {
		return fmt.Errorf("version of Cyclone DDS: %w", err)
	}
	number, _, _ := strings.Cut(string(version), "-")
	cost := func(i int) rows.Cost {
		lost := 0
		for _, r := range all[i] {
			lost += r.sent - r.received
		}
		return rows.Cost{Value: median(all[i], func(r result) float64 { return r.p50 }), Unit: "µs", Error: fmt.Sprintf("%d lost", lost)}
	}
	for i, p := range pairs {
		if p[0] == "fast" || p[1] == "fast" || p == pairs[0] {
			continue
		}
		row := rows.Row{Peer: "Cyclone DDS " + number, Work: fmt.Sprintf("age of a pose (p50) at %d Hz, %s → %s", rate, p[0], p[1]), Here: cost(i), There: cost(0)}
		if err := rows.Append(path, row); err != nil {
			return err
		}
	}
	return nil
}

func median(all []result, of func(result) float64) float64 {
	var v []float64
	for _, r := range all {
		v = append(v, of(r))
	}
	slices.Sort(v)
	return v[len(v)/2]
}
