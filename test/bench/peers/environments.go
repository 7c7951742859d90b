package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"sinew/test/bench/peers/rows"
)

// controlRate is how many steps of an environment are a second of motion.
const controlRate = 100

// compareEnvironments measures the environments of the Python package for the nitinol robot
// beside a program that simulates one of them at factor times real time. PyElastica has no
// environments: robots one after the other, however many, take what one takes.
func compareEnvironments(python, peer, table string, factor float64) error {
	dir, err := os.MkdirTemp("", "environments")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	init := exec.Command(filepath.Join(filepath.Dir(python), "tendonsim"), "init", "nitinol")
	init.Dir = dir
	if out, err := init.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", init.Args, err, out)
	}
	out, err := exec.Command(python, "python/examples/rate.py", filepath.Join(dir, "nitinol.yaml"), fmt.Sprint(controlRate)).Output()
	if err != nil {
		return fmt.Errorf("rate.py: %w", err)
	}
	fmt.Printf("\n%s", out)
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		var n int
		var rate float64
		if _, err := fmt.Sscanf(s.Text(), "%d robots: %g steps", &n, &rate); err != nil {
			return fmt.Errorf("rate.py prints %q: %w", s.Text(), err)
		}
		row := rows.Row{Peer: peer, Work: fmt.Sprintf("steps of 10 ms a second of %d nitinol robots, %s", n, atLongest),
			Here:  rows.Cost{Value: rate, Unit: "/s", Error: notCompared, Rate: true},
			There: rows.Cost{Value: controlRate * factor, Unit: "/s", Error: notCompared, Rate: true}}
		if err := rows.Append(table, row); err != nil {
			return err
		}
	}
	return nil
}
