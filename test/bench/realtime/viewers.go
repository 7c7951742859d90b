package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Viewed is how the node did in one round while viewers did something to it, or nothing.
type Viewed struct {
	What  string
	Phase Phase
	// Sent is how often that was done, Told what the node said to it, by text.
	Sent int
	Told map[string]int
	// Frames and Bytes are what the page got a second, of scenes and of all.
	Frames, Bytes float64
	Files         float64
}

// The targets of viewers.
const (
	mostViewed  = 1.2  // lateness over that without viewers, but for what the latency probe beside met more
	mostCPU     = 15.0 // percent of one processor, with one page
	leastFrames = 55.0 // scenes a second of a page that asks for 60
	viewedRooms = 96.0 // MiB of memory above that without viewers
)

// The names of what viewers do.
const (
	onePage   = "one page"
	malformed = "malformed frames"
	hugeFrame = "frames of 100 MB"
	manyPeers = "200 connections"
)

// viewings are what is done, all but the first beside one page.
var viewings = []struct {
	name string
	do   func(ctx context.Context, socket string, v *Viewed) error
}{
	{onePage, func(ctx context.Context, _ string, _ *Viewed) error {
		<-ctx.Done()
		return nil
	}},
	{malformed, sendMalformed},
	{hugeFrame, sendHuge},
	{manyPeers, connectMany},
}

func namesOfViewings() (names []string) {
	for _, w := range viewings {
		names = append(names, w.name)
	}
	return names
}

// viewersOptions tell how long what is measured.
type viewersOptions struct {
	program string
	args    []string
	length  time.Duration // of each phase
	rounds  int
	only    []string // of viewings; all if empty
}

func viewersVerb(ctx context.Context, args []string) error {
	var o viewersOptions
	flags := flag.NewFlagSet("viewers", flag.ExitOnError)
	flags.StringVar(&o.program, "node", "", "tendonsim `program` (default: build it)")
	flags.DurationVar(&o.length, "for", 10*time.Second, "length of each phase")
	flags.Func("only", "measure this kind of `viewers` only, which may be repeated: "+strings.Join(namesOfViewings(), ", "), func(s string) error {
		if !slices.Contains(namesOfViewings(), s) {
			return errors.New("no such viewers")
		}
		o.only = append(o.only, s)
		return nil
	})
	flags.IntVar(&o.rounds, "rounds", 5, "rounds of all phases, of which the medians count")
	_ = flags.Parse(args) // ends the program on a mistake
	program, clean, err := programFor(ctx, o.program)
	if err != nil {
		return err
	}
	defer clean()
	o.program, o.args = program, flags.Args()
	all, err := measureViewers(ctx, o)
	if err != nil {
		return err
	}
	missed, err := writeViewers(os.Stdout, all)
	if err == nil && len(missed) > 0 {
		err = errMissed
	}
	return err
}

// measureViewers runs a robot that moves by itself without viewers, then with each kind of
// them, so many rounds. The rounds make other load of the machine affect all alike.
func measureViewers(ctx context.Context, o viewersOptions) (all [][]Viewed, err error) {
	r, err := startRig(ctx, o.program, false, append([]string{"--ros", "ros1", "--demo", "--view", "127.0.0.1:0"}, o.args...)...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	socket, err := r.socket()
	if err != nil {
		return nil, err
	}
	for range o.rounds {
		var round []Viewed
		none := Viewed{What: quiet}
		if none.Phase, err = r.phase(ctx, quiet, idle(o.length)); err != nil {
			return nil, err
		}
		none.Files = r.watch.most("open_files")
		round = append(round, none)
		for _, w := range viewings {
			if len(o.only) > 0 && !slices.Contains(o.only, w.name) {
				continue
			}
			v := Viewed{What: w.name, Told: map[string]int{}}
			if err := v.measure(ctx, r, socket, w.do, o.length); err != nil {
				return nil, fmt.Errorf("%s: %w", w.name, err)
			}
			round = append(round, v)
		}
		if all == nil {
			all = make([][]Viewed, len(round))
		}
		for i := range round {
			all[i] = append(all[i], round[i])
		}
	}
	return all, nil
}

// socket is the address of the node's WebSocket.
func (n *node) socket() (string, error) {
	for line := range strings.Lines(n.output()) {
		if link := linkIn(line); link != "" {
			return strings.Replace(link, "http:", "ws:", 1), nil
		}
	}
	return "", fmt.Errorf("%s prints no link:\n%s", n.cmd.Path, n.output())
}

// linkIn is the link to the page in a line that a program prints, if it has one.
func linkIn(line string) string {
	if link, ok := strings.CutPrefix(line, "view "); ok {
		return strings.TrimSpace(link)
	}
	return ""
}

// measure has something done beside a page for a time.
func (v *Viewed) measure(ctx context.Context, r *rig, socket string, do func(context.Context, string, *Viewed) error, length time.Duration) error {
	page, err := openPage(ctx, socket)
	if err != nil {
		return err
	}
	defer page.close()
	v.Phase, err = r.phase(ctx, v.What, func(ctx context.Context) error {
		frames, bytes, begun := page.frames.Load(), page.bytes.Load(), time.Now()
		within, cancel := context.WithTimeout(ctx, length)
		defer cancel()
		if err := do(within, socket, v); err != nil {
			return err
		}
		seconds := time.Since(begun).Seconds()
		v.Frames, v.Bytes = float64(page.frames.Load()-frames)/seconds, float64(page.bytes.Load()-bytes)/seconds
		return ctx.Err()
	})
	v.Files = r.watch.most("open_files")
	return err
}

// over returns the median over rounds.
func over(all []Viewed, value func(*Viewed) float64) float64 {
	var x []float64
	for i := range all {
		x = append(x, value(&all[i]))
	}
	return median(x)
}

// lateness is how many times as late as without viewers the control periods begin, but for what
// the machine did: the median of the rounds' ratios of the 99th percentiles.
func lateness(all, none []Viewed) float64 {
	var x []float64
	for i := range all {
		a, b := &all[i].Phase, &none[i].Phase
		machine := max(0, a.Probe.P99-b.Probe.P99)
		x = append(x, (a.LatenessP99-machine)/max(b.LatenessP99, 1))
	}
	return median(x)
}

// judge tells what is not as it should be with one kind of viewers.
func judgeViewed(all, none []Viewed) (missed []string) {
	miss := func(format string, args ...any) {
		missed = append(missed, all[0].What+": "+fmt.Sprintf(format, args...))
	}
	if x := lateness(all, none); x > mostViewed {
		miss("%.2f times the lateness without viewers: at most %.1f are allowed", x, mostViewed)
	}
	if x := over(all, func(v *Viewed) float64 { return v.Frames }); x < leastFrames {
		miss("the page got %.1f scenes a second: at least %.0f are wanted", x, leastFrames)
	}
	cpu := over(all, func(v *Viewed) float64 { return v.Phase.CPU })
	if all[0].What == onePage && cpu > mostCPU {
		miss("%.1f %% of a processor: at most %.0f are allowed", cpu, mostCPU)
	}
	memory := func(v *Viewed) float64 { return v.Phase.Memory.Max }
	if a, b := over(all, memory), over(none, memory); a > b+viewedRooms {
		miss("%.0f MiB of memory: at most %.0f above the %.0f without viewers are allowed", a, viewedRooms, b)
	}
	closings := 0
	for _, v := range all {
		for _, n := range v.Told {
			closings += n
		}
	}
	if all[0].What != onePage && closings == 0 {
		miss("no log says why it was refused")
	}
	return missed
}

// writeViewers writes a table of medians and what is missed, which it returns.
func writeViewers(w io.Writer, all [][]Viewed) (missed []string, err error) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "medians of %d rounds\n\n", len(all[0]))
	fmt.Fprintln(t, "viewers\tdone\tlateness us p50\tp99\tof none\tworst s\tlost periods\tlatency probe us p99\tlost periods\tstep us p50\tCPU %\tof that the loop\tmemory MiB\topen files\tpage: scenes /s\tkB /s\t")
	for i, rounds := range all {
		m := func(value func(*Viewed) float64) float64 { return over(rounds, value) }
		fmt.Fprintf(t, "%s\t%.0f\t%.0f\t%.0f\t%.2f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.1f\t%.1f\t%.1f\t%.0f\t%.1f\t%.0f\t\n", rounds[0].What,
			m(func(v *Viewed) float64 { return float64(v.Sent) }),
			m(func(v *Viewed) float64 { return v.Phase.LatenessP50 }), m(func(v *Viewed) float64 { return v.Phase.LatenessP99 }), lateness(rounds, all[0]),
			m(func(v *Viewed) float64 { return v.Phase.LatenessP99Worst }), m(func(v *Viewed) float64 { return v.Phase.Skipped }),
			m(func(v *Viewed) float64 { return v.Phase.Probe.P99 }), m(func(v *Viewed) float64 { return float64(v.Phase.Probe.Skipped) }),
			m(func(v *Viewed) float64 { return v.Phase.StepP50 }), m(func(v *Viewed) float64 { return v.Phase.CPU }), m(func(v *Viewed) float64 { return v.Phase.Loop }),
			m(func(v *Viewed) float64 { return v.Phase.Memory.Max }), m(func(v *Viewed) float64 { return v.Files }),
			m(func(v *Viewed) float64 { return v.Frames }), m(func(v *Viewed) float64 { return v.Bytes / 1e3 }))
		if i > 0 {
			missed = append(missed, judgeViewed(rounds, all[0])...)
		}
	}
	if err := t.Flush(); err != nil {
		return nil, err
	}
	for _, rounds := range all[1:] {
		closings := map[string]int{}
		for _, v := range rounds {
			for text, n := range v.Told {
				closings[text] += n
			}
		}
		var lines []string
		for text, n := range closings {
			lines = append(lines, fmt.Sprintf("  told %d times: %s", n, text))
		}
		slices.Sort(lines)
		if len(lines) > 0 {
			fmt.Fprintf(w, "\n%s\n%s\n", rounds[0].What, strings.Join(lines, "\n"))
		}
	}
	writeMissed(w, missed)
	return missed, nil
}
