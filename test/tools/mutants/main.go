package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// options are the flags.
type options struct {
	pattern     string
	tests       string
	then        string
	only        string
	n           int
	seed        uint64
	jobs        int
	timeout     time.Duration
	memoryMB    int
	short       bool
	equivalents string
}

func main() {
	var o options
	flag.StringVar(&o.pattern, "package", "./pkg/sim/hil", "`package` to mutate")
	flag.StringVar(&o.tests, "tests", "", "further `packages` whose tests run, separated by spaces")
	flag.StringVar(&o.then, "then", "", "further `arguments` of go test, such as packages and -run, for a second run of those that survive")
	flag.StringVar(&o.only, "only", "", "draw only mutants whose row of the table has a match of this `expression`")
	flag.IntVar(&o.n, "n", 20, "number of mutants that compile")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the choice of mutants")
	flag.IntVar(&o.jobs, "jobs", 1, "number of mutants that are tried at once")
	flag.DurationVar(&o.timeout, "timeout", 0, "longest time of the tests of one package; 0 is 10 s and five times what they take without a change")
	flag.IntVar(&o.memoryMB, "memory", 4096, "largest address space of a test program, in MB, where prlimit is installed; 0 is unlimited")
	flag.BoolVar(&o.short, "short", false, "run the tests with -short")
	flag.StringVar(&o.equivalents, "equivalents", "test/tools/mutants/equivalents.txt", "`file` of mutants that change nothing, below the module")
	flag.Parse()
	if flag.NArg() > 0 || o.n < 1 || o.jobs < 1 {
		fmt.Fprintln(os.Stderr, "mutants: want no arguments, and -n and -jobs of at least 1")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "mutants: %v\n", err)
		os.Exit(1)
	}
}

// run tries the mutants and prints the table to out, and every outcome to progress.
func run(ctx context.Context, o options, out, progress io.Writer) error {
	r, all, err := prepare(ctx, o)
	if err != nil {
		return err
	}
	equivalent, err := readEquivalents(filepath.Join(r.root, o.equivalents))
	if err != nil {
		return err
	}
	took, err := r.baseline(ctx)
	if err != nil {
		return err
	}
	if r.timeout == 0 {
		r.timeout = 10*time.Second + 5*took.Round(time.Second)
	}
	if all, err = matching(all, o.only); err != nil {
		return err
	}
	fmt.Fprintf(progress, "%d places in %s; its tests take %.1f s\n", len(all), r.target, took.Seconds())
	results, err := tryAll(ctx, r, newSample(all, o.seed), o, progress)
	if err != nil {
		return err
	}
	return writeTable(out, results, equivalent)
}

// prepare finds the package and its mutations.
func prepare(ctx context.Context, o options) (*runner, []mutation, error) {
	text, err := exec.CommandContext(ctx, "go", "list", "-json=ImportPath,Dir,GoFiles,Module", o.pattern).Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list %s: %w", o.pattern, err)
	}
	var p struct {
		ImportPath, Dir string
		GoFiles         []string
		Module          struct{ Dir string }
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, nil, fmt.Errorf("go list %s: want one package: %w", o.pattern, err)
	}
	r := &runner{root: p.Module.Dir, target: p.ImportPath, tests: append([]string{p.ImportPath}, strings.Fields(o.tests)...),
		then: strings.Fields(o.then), short: o.short, timeout: o.timeout, memoryMB: o.memoryMB}
	var all []mutation
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		below, err := filepath.Rel(r.root, path)
		if err != nil {
			return nil, nil, err
		}
		found, err := mutations(filepath.ToSlash(below), src)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, found...)
	}
	return r, all, nil
}

// tryAll tries mutants until n of them compile or none is left. A mutant is begun
// only if it is needed should all those before it compile, so that the number of
// jobs does not change which mutants are tried.
func tryAll(ctx context.Context, r *runner, s *sample, o options, progress io.Writer) (all []result, err error) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	needed := sync.NewCond(&mu)
	compiled, underWay := 0, 0
	for range o.jobs {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for {
				for err == nil && compiled < o.n && compiled+underWay >= o.n {
					needed.Wait()
				}
				m, ok := mutation{}, false
				if err == nil && compiled < o.n {
					m, ok = s.next()
				}
				if !ok {
					return
				}
				underWay++
				mu.Unlock()
				one, problem := r.try(ctx, m)
				mu.Lock()
				underWay--
				needed.Broadcast()
				if problem != nil {
					err = problem
					return
				}
				if one.outcome != notCompile {
					compiled++
				}
				all = append(all, one)
				fmt.Fprintf(progress, "%3d %-16s %s  %s\n", compiled, one.outcome, m.name(), one.test)
			}
		})
	}
	wg.Wait()
	return all, err
}

// readEquivalents returns the reasons for the mutants of a list, by their keys. A
// file that does not exist is an empty list.
func readEquivalents(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list := map[string]string{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, reason, ok := strings.Cut(line, " # ")
		if !ok {
			return nil, fmt.Errorf("%s:%d: no reason after \" # \"", path, n)
		}
		list[key(name)] = reason
	}
	return list, lines.Err()
}

// writeTable prints the survivors and the numbers of all outcomes.
func writeTable(w io.Writer, all []result, equivalent map[string]string) error {
	count := map[outcome]int{}
	same := 0
	var survivors []result
	for _, r := range all {
		count[r.outcome]++
		switch {
		case r.outcome != survived:
		case equivalent[key(r.row())] != "":
			same++
		default:
			survivors = append(survivors, r)
		}
	}
	slices.SortFunc(survivors, func(a, b result) int { return cmp.Or(strings.Compare(a.file, b.file), a.line-b.line) })
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range survivors {
		fmt.Fprintln(t, r.row())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	tried := len(all) - count[notCompile]
	caught := count[killed] + count[timedOut]
	_, err := fmt.Fprintf(w, "%d mutants: %d killed, %d timed out, %d survived, %d equivalent; %d more do not compile; %.0f %% of %d caught\n",
		tried, count[killed], count[timedOut], len(survivors), same, count[notCompile], 100*float64(caught)/float64(max(1, tried-same)), tried-same)
	return err
}
