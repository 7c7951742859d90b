package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/wallclock"
	"sinew/test/latency"
)

// Stops are the latencies of emergency stops in one situation, ms: from the call of the
// service to its answer, which comes when the robot is in FAULT.
type Stops struct {
	Situation string
	Latencies []float64
	// Transport has as many round trips of a call that does not wait for the loop: what
	// of a latency is not the node's loop.
	Transport []float64
	Probe     latency.Lateness // meanwhile
	Missed    string
}

const (
	period    = 1.0    // ms, of control
	longSteps = 60_000 // periods of the step that stops interrupt
	bigSwarm  = 2000   // robots
	// A stop that comes before the step finds it in FAULT, where it is not interrupted.
	stepUnderWay = 50 * time.Millisecond
)

// situation is what happens when a stop comes. prepare runs before each; beside, where it
// is not nil, runs until its context ends.
type situation struct {
	name    string
	prepare func(o *operator) (after func() error, err error)
	beside  func(ctx context.Context, n *node) error
}

func nothing(*operator) (func() error, error) { return func() error { return nil }, nil }

var situations = []situation{
	{"nothing else", nothing, nil},
	{"commands at 1 kHz", nothing, new(Endurance).command},
	{fmt.Sprintf("step %d", longSteps), stepping, nil},
	{"save_state and restore_state without end", nothing, saving},
}

func estopVerb(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("estop", flag.ExitOnError)
	name := flags.String("node", "", "tendonsim `program` (default: build it)")
	swarm := flags.String("swarm", "", "microrobot `program`, for the construction (default: build it)")
	count := flags.Int("n", 200, "stops in each situation")
	builds := flags.Int("builds", 5, "constructions of a large robot; 0 leaves them out")
	_ = flags.Parse(args) // ends the program on a mistake
	program, clean, err := programFor(ctx, *name)
	if err != nil {
		return err
	}
	defer clean()
	all, err := measureStops(ctx, program, *count)
	if err != nil {
		return err
	}
	if err := writeStops(os.Stdout, all); err != nil {
		return err
	}
	if *builds > 0 {
		if err := measureConstruction(ctx, *swarm, *builds, os.Stdout); err != nil {
			return err
		}
	}
	for _, s := range all {
		if s.Missed != "" {
			return errMissed
		}
	}
	return nil
}

// measureStops stops a node so often in each situation.
func measureStops(ctx context.Context, program string, count int) (all []Stops, err error) {
	r, err := startRig(ctx, program, false, "_rates/publish_hz:=1000")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	for _, s := range situations {
		x, err := s.measure(ctx, r.node, r.watch.probe, count)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		all = append(all, x)
	}
	return all, nil
}

func (s situation) measure(ctx context.Context, n *node, probe *latency.Probe, count int) (x Stops, err error) {
	x.Situation = s.name
	o := newOperator(ctx, n)
	defer o.close()
	if s.beside != nil {
		beside, cancel := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- s.beside(beside, n) }()
		defer func() { cancel(); err = errors.Join(err, <-ended) }()
		time.Sleep(100 * time.Millisecond) // until it is at work
	}
	if _, err = probe.Take(); err != nil { // what was before is of no situation
		return x, err
	}
	c := &commander{clock: wallclock.New()} // for its rests, which have nothing to do with the node's periods
	for range count {
		if _, err := o.do("enable"); err != nil {
			return x, err
		}
		after, err := s.prepare(o)
		if err != nil {
			return x, err
		}
		c.rest()
		transport, err := o.do("take_command")
		if err != nil {
			return x, err
		}
		c.rest()
		took, err := o.do("e_stop")
		if err == nil {
			err = after()
		}
		if err != nil {
			return x, err
		}
		x.Latencies = append(x.Latencies, 1e3*took.Seconds())
		x.Transport = append(x.Transport, 1e3*transport.Seconds())
	}
	if x.Probe, err = probe.Take(); err != nil {
		return x, err
	}
	own, wire := spread(x.Latencies), spread(x.Transport)
	if most := period + wire.P999 + x.Probe.P999/1e3; own.P999 > most {
		x.Missed = fmt.Sprintf("%s: p99.9 %.2f ms: at most a control period, the transport's p99.9 and the probe's, together %.2f ms, are allowed", s.name, own.P999, most)
	}
	return x, nil
}

// stepping begins a long step; after checks that the stop has ended it.
func stepping(o *operator) (after func() error, err error) {
	if err := o.pause(); err != nil {
		return nil, err
	}
	type outcome struct {
		message string
		err     error
	}
	ended := make(chan outcome, 1)
	if _, err := o.client("step", sinew_msgs.Step); err != nil {
		return nil, err
	}
	go func() {
		message, err := o.step(longSteps)
		ended <- outcome{message, err}
	}()
	time.Sleep(stepUnderWay)
	return func() error {
		got := <-ended
		if got.err == nil && !strings.Contains(got.message, "then FAULT: emergency stop") {
			got.err = fmt.Errorf("the step ended with %q", got.message)
		}
		return got.err
	}, nil
}

// saving saves and restores the state, over and over.
func saving(ctx context.Context, n *node) error {
	o := newOperator(ctx, n)
	defer o.close()
	for ctx.Err() == nil {
		if _, err := o.do("save_state"); err != nil {
			return err
		}
		if _, err := o.do("restore_state"); err != nil && !strings.Contains(err.Error(), "cancelled by a later e_stop") {
			return err
		}
	}
	return nil
}

func writeStops(w io.Writer, all []Stops) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "e_stop, from the call to FAULT, ms; a control period is %g ms\n\n", period)
	fmt.Fprintln(t, "during\tstops\tp50\tp99\tp99.9\tmax\ttransport p50\tp99.9\tlatency probe p99.9\tlost periods\t")
	for _, s := range all {
		own, wire := spread(s.Latencies), spread(s.Transport)
		fmt.Fprintf(t, "%s\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%d\t\n", s.Situation, own.Count, own.P50, own.P99, own.P999, own.Max,
			wire.P50, wire.P999, s.Probe.P999/1e3, s.Probe.Skipped)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nlatencies, share of stops in each tenth of a control period, and beyond it:")
	for _, s := range all {
		var bins [13]int
		for _, l := range s.Latencies {
			bins[min(len(bins)-1, int(10*l/period))]++
		}
		for _, n := range bins {
			fmt.Fprintf(w, "%4.0f", 100*float64(n)/float64(len(s.Latencies)))
		}
		fmt.Fprintf(w, "  %% %s\n", s.Situation)
	}
	var missed []string
	for _, s := range all {
		if s.Missed != "" {
			missed = append(missed, s.Missed)
		}
	}
	writeMissed(w, missed)
	return nil
}

// swarmFile is a robot that takes a while to build and does not keep up with its rate.
const swarmFile = `
body:
  shape: {sphere_m: 50e-6}
  density_kg_per_m3: 1002
  magnet: {moment_a_m2: [1e-10, 0, 0]}
swarm: {count: %d, spacing_m: 250e-6}
field: {rotating: {axis: [0, 0, 1], amplitude_t: 0.005, frequency_hz: 1}}
solver: {method: lie-euler, step_s: 0.001}
`

// measureConstruction tells what somebody sees who wants to stop a large robot while it
// is built: its services are not there yet, and it begins at rest; then the answer to
// e_stop waits for the end of a step, but no command counts from the call on.
func measureConstruction(ctx context.Context, program string, count int, w io.Writer) error {
	dir, err := os.MkdirTemp("", "estop")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if program == "" {
		if program, err = buildProgram(ctx, dir, "sinew/cmd/microrobot"); err != nil {
			return err
		}
	}
	config := filepath.Join(dir, "swarm.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, swarmFile, bigSwarm), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nswarm of %d, which does not keep up with 1 kHz:\n", bigSwarm)
	for range count {
		begun := time.Now()
		n, err := startNode(ctx, program, "/microrobot", false, "--config", config)
		if err != nil {
			return err
		}
		there := time.Since(begun)
		o := newOperator(ctx, n)
		took, err := o.do("e_stop")
		o.close()
		if err = errors.Join(err, n.stop()); err != nil {
			return err
		}
		fmt.Fprintf(w, "  services there %.2f s after the start; e_stop answered after %.0f ms\n", there.Seconds(), 1e3*took.Seconds())
	}
	return nil
}
