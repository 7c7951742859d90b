package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/wallclock"
)

// enduranceOptions tell how long what is to last.
type enduranceOptions struct {
	program, config string // as in options
	length          time.Duration
	dir             string // of the recording; a temporary one if empty
	figure          string // file, .png or .svg; none if empty
}

// Endurance is what became of a node at 1 kHz that two networks read, a controller
// commands and a recording follows, while one more subscriber on each network is frozen.
type Endurance struct {
	Node     string  `json:"node"`
	Priority int     `json:"realtime_priority"` // of the loop and of the probe
	Phase    Phase   `json:"phase"`
	P50      float64 `json:"lateness_us_p50"` // of the whole run
	P99      float64 `json:"lateness_us_p99"`
	P999     float64 `json:"lateness_us_p999"`
	Max      float64 `json:"lateness_us_max"`

	Subscribers []Received `json:"subscribers"`
	Frozen      int        `json:"frozen_subscribers"` // one after the other, on each network
	Refused     []string   `json:"failed_starts"`      // of frozen subscribers, with the time since the start
	Commands    int        `json:"commands"`
	Recording   Recorded   `json:"recording"`
	Held        []Held     `json:"held"`
	Missed      []string   `json:"missed_targets"`

	seconds []second
}

// Recorded is what is in the recording beside what was published.
type Recorded struct {
	Published int `json:"published"` // messages of the topic
	Recorded  int `json:"recorded"`
	Megabytes float64
}

// Held is what the process holds of something, from the middle of the run to its end.
type Held struct {
	What   string  `json:"what"`
	Unit   string  `json:"unit"`
	Middle float64 `json:"middle"` // mean of the third quarter
	End    float64 `json:"end"`    // mean of the last quarter
	Slope  float64 `json:"slope_per_minute"`
	Most   float64 `json:"largest_growth"` // allowed from Middle to End
}

const (
	subscribersEach = 4
	frozenLife      = 45 * time.Second // longer than until the node gives a silent subscriber up
	mostLoss        = 1.5              // lost periods over those of the probe
	leastShare      = 0.999            // of the messages, that each subscriber must get
	commandPeriod   = time.Millisecond
	swing           = 0.2 // N, of the commanded tensions
)

func soakVerb(ctx context.Context, args []string) error {
	var o enduranceOptions
	flags := flag.NewFlagSet("soak", flag.ExitOnError)
	flags.DurationVar(&o.length, "for", 30*time.Minute, "length, for example 24h")
	flags.StringVar(&o.program, "node", "", "tendonsim `program` (default: build it)")
	flags.StringVar(&o.config, "config", "", "robot `file` (default: the built-in robot)")
	flags.StringVar(&o.dir, "dir", "", "`directory` of the recording, 17 GB an hour (default: a temporary one)")
	flags.StringVar(&o.figure, "figure", "soak.png", "`file` for memory, files, goroutines and lateness over time; .png or .svg")
	asJSON := flags.Bool("json", false, "print JSON instead of a table")
	_ = flags.Parse(args) // ends the program on a mistake
	program, clean, err := programFor(ctx, o.program)
	if err != nil {
		return err
	}
	defer clean()
	o.program = program
	e, err := endure(ctx, o)
	if err != nil {
		return err
	}
	if *asJSON {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		err = out.Encode(e)
	} else {
		err = e.writeTable(os.Stdout)
	}
	if err == nil && o.figure != "" {
		err = e.draw(o.figure)
	}
	if err == nil && len(e.Missed) > 0 {
		err = errMissed
	}
	return err
}

// programFor builds the node where none is named; clean removes it again.
func programFor(ctx context.Context, name string) (program string, clean func(), err error) {
	if name != "" {
		return name, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "realtime")
	if err != nil {
		return "", nil, err
	}
	clean = func() { _ = os.RemoveAll(dir) }
	if program, err = build(ctx, dir); err != nil {
		clean()
		return "", nil, err
	}
	return program, clean, nil
}

// endure runs a node for a time.
func endure(ctx context.Context, o enduranceOptions) (e *Endurance, err error) {
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "soak"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(o.dir)
	}
	recording := filepath.Join(o.dir, "soak.mcap")
	args := []string{"--ros", "both", "--record", recording, "--force", "_rates/publish_hz:=1000"}
	if o.config != "" {
		args = append(args, "--config", o.config)
	}
	r, err := startRig(ctx, o.program, false, args...)
	if err != nil {
		return nil, err
	}
	e = &Endurance{Node: r.title(), Priority: r.priority()}
	err = e.run(ctx, r.node, r.watch, o.length)
	if err = errors.Join(err, r.close()); err != nil {
		return nil, err
	}
	if e.Recording, err = readBack(recording, r.node); err != nil {
		return nil, err
	}
	e.judge()
	return e, nil
}

// run attaches everything to the node and watches it.
func (e *Endurance) run(ctx context.Context, n *node, watch *observer, length time.Duration) (err error) {
	var all []*subscriberProcess
	defer func() {
		for _, s := range all {
			s.kill()
		}
	}()
	for range subscribersEach {
		for _, network := range []string{"ros1", "ros2"} {
			s, err := startSubscriber(ctx, n, network)
			if err != nil {
				return err
			}
			all = append(all, s)
		}
	}
	beside, cancel := context.WithCancel(ctx)
	defer cancel()
	const parts = 2
	ended := make(chan error, parts)
	go func() { ended <- e.freeze(beside, n) }()
	go func() { ended <- e.command(beside, n) }()
	e.Phase, err = watch.phase(ctx, "soak", func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			ended <- nil
			return fmt.Errorf("ended early: %w", err)
		case <-n.ended:
			return fmt.Errorf("the node ended: %w\n%s", n.err, n.output())
		case <-time.After(length):
			return nil
		}
	})
	cancel()
	for range parts {
		err = errors.Join(err, <-ended)
	}
	for _, s := range all {
		got, lookErr := s.look()
		err = errors.Join(err, lookErr)
		e.Subscribers = append(e.Subscribers, got)
	}
	watch.mu.Lock()
	defer watch.mu.Unlock()
	e.seconds = watch.seconds
	last := e.seconds[len(e.seconds)-1].loop
	e.P50, e.P99, e.P999, e.Max = last["run_jitter_us_p50"], last["run_jitter_us_p99"], last["run_jitter_us_p999"], last["run_jitter_us_max"]
	return err
}

// freeze keeps a frozen subscriber on each network, and replaces it when the node has
// long given it up, so that what such a subscriber leaves behind would add up. One that
// gets nothing is a missed target and no end of a run of a day.
func (e *Endurance) freeze(ctx context.Context, n *node) error {
	for begin := time.Now(); ; {
		var frozen []*subscriberProcess
		for _, network := range []string{"ros1", "ros2"} {
			s, err := startSubscriber(ctx, n, network)
			if err == nil {
				defer s.kill()
			}
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				e.Refused = append(e.Refused, fmt.Sprintf("after %.0f s: %v", time.Since(begin).Seconds(), err))
				continue
			}
			if err := freezeProcess(s.cmd.Process); err != nil {
				return err
			}
			frozen = append(frozen, s)
		}
		e.Frozen++
		if !pause(ctx, frozenLife) {
			return nil
		}
		for _, s := range frozen {
			s.kill()
		}
	}
}

// command sends tensions at 1 kHz that swing slowly.
func (e *Endurance) command(ctx context.Context, n *node) error {
	tendons, err := n.tendons(ctx)
	if err != nil {
		return err
	}
	pub, err := n.publish(ctx, nodeName+"/servo_jf", sensor_msgs.JointStateType)
	if err != nil {
		return err
	}
	defer pub.close()
	m := &sensor_msgs.JointState{Effort: make([]float64, tendons)}
	clock := wallclock.New()
	for due := clock.Now(); ctx.Err() == nil; due += commandPeriod {
		clock.SleepUntil(due)
		for i := range m.Effort {
			m.Effort[i] = baseTension + swing*math.Sin(2*math.Pi*(due%(10*time.Second)).Seconds()/10+float64(i))
		}
		m.Header.Stamp = msgs.At(clock.Now())
		if err := pub.send(m); err != nil {
			return err
		}
		e.Commands++
	}
	return nil
}

// tendons asks the node for the number of its tendons.
func (n *node) tendons(ctx context.Context) (int, error) {
	s, err := n.subscribe(ctx, callerName+"_tendons", nodeName+"/setpoint_js", sensor_msgs.JointStateType)
	if err != nil {
		return 0, err
	}
	defer s.conn.Close()
	var m sensor_msgs.JointState
	body, err := s.next()
	if err == nil {
		err = m.ParseROS1(body)
	}
	if err == nil && len(m.Effort) == 0 {
		err = errors.New("the robot has no tendons to command")
	}
	return len(m.Effort), err
}

// readBack counts in a recording what the node says that it published: the start and
// each control period are a message.
func readBack(file string, n *node) (r Recorded, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return r, err
	}
	r.Megabytes = float64(info.Size()) / 1e6
	seconds, err := n.simulated()
	if err != nil {
		return r, err
	}
	r.Published = 1 + int(math.Round(seconds/commandPeriod.Seconds()))
	err = record.Read(file, func(topic string, _ *msgs.Type) bool { return topic == soakTopic },
		func(record.Message) error { r.Recorded++; return nil })
	return r, err
}
