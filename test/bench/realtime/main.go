package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// options tell what to measure.
type options struct {
	program  string        // path of the node; built if empty
	config   string        // robot file; the built-in robot if empty
	loop     time.Duration // length of the phase loop
	commands int           // number of commands in the phase latency
	soak     time.Duration // length of the phase soak
	hostile  time.Duration // length of the phase hostile; 0 leaves it out
	record   string        // format of the recording, mcap or bag; empty leaves it out
	rounds   int           // number of recordings
}

func main() {
	if is, err := helper(os.Args[1:]); is {
		exit(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) > 1 {
		if verb, known := verbs[os.Args[1]]; known {
			exit(verb(ctx, os.Args[2:]))
		}
	}
	o := options{rounds: 5}
	flag.StringVar(&o.program, "node", "", "tendonsim `program` to measure (default: build it)")
	flag.StringVar(&o.config, "config", "", "robot `file` (default: the built-in robot)")
	flag.DurationVar(&o.loop, "loop", time.Minute, "length of the phase loop; 0 leaves it out")
	flag.IntVar(&o.commands, "commands", 2000, "commands of the phase latency; 0 leaves it out")
	flag.DurationVar(&o.soak, "soak", 0, "length of the phase soak; 0 leaves it out")
	flag.DurationVar(&o.hostile, "hostile", 0, "length of the phase hostile; 0 leaves it out")
	flag.StringVar(&o.record, "record", "", "measure instead, as long as -loop says, with and without a recording of this `format`, mcap or bag")
	asJSON := flag.Bool("json", false, "print JSON instead of a table")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "realtime: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	if o.record != "" && o.record != "mcap" && o.record != "bag" {
		fmt.Fprintf(os.Stderr, "realtime: --record %s: want mcap or bag\n", o.record)
		os.Exit(2)
	}
	r, err := measure(ctx, o)
	if err == nil && *asJSON {
		err = r.writeJSON(os.Stdout)
	} else if err == nil {
		err = r.writeTable(os.Stdout)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "realtime: %v\n", err)
		os.Exit(1)
	}
}

// measure runs a node through the phases.
func measure(ctx context.Context, o options) (r *Report, err error) {
	program, clean, err := programFor(ctx, o.program)
	if err != nil {
		return nil, err
	}
	defer clean()
	o.program = program
	if o.record != "" {
		recording, err := measureRecording(ctx, o, o.loop)
		return &Report{Processors: runtime.NumCPU(), Recording: recording}, err
	}
	return measureNode(ctx, o)
}

// measureNode runs a node with further arguments through the phases.
func measureNode(ctx context.Context, o options, args ...string) (r *Report, err error) {
	args = append(args, "_rates/publish_hz:=1000")
	if o.config != "" {
		args = append(args, "--config", o.config)
	}
	n, err := startRig(ctx, o.program, o.hostile > 0, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, n.close()) }()
	r = &Report{Node: n.title(), Processors: runtime.NumCPU()}
	return r, r.measure(ctx, n, o)
}

func (r *Report) measure(ctx context.Context, n *rig, o options) (err error) {
	phase := func(name string, do func(context.Context) error) error {
		p, err := n.watch.phase(ctx, name, do)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r.Phases = append(r.Phases, p)
		return nil
	}
	if o.loop > 0 {
		err = phase("loop", idle(o.loop))
	}
	if err == nil && o.commands > 0 {
		err = phase("latency", func(ctx context.Context) error {
			l, err := measureLatency(ctx, n.node, o.commands)
			r.Latency = &l
			return err
		})
	}
	if err == nil && o.soak > 0 {
		err = phase("soak", func(ctx context.Context) error {
			s, err := soak(ctx, n.node, o.soak)
			r.Soak = &s
			return err
		})
	}
	if err == nil && o.hostile > 0 {
		err = phase("hostile", func(ctx context.Context) error {
			h, s, err := hostile(ctx, n.node, o.hostile)
			r.Hostile, r.HostileSoak = &h, &s
			return err
		})
	}
	return err
}
