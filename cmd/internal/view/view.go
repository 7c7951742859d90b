// Package view is the verb view: the page in the browser on a recording.
package view

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/signal"
	"strings"
	"time"

	"sinew/cmd/internal/exit"
	"sinew/cmd/internal/verb"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/viewer"
)

// Cmd is the verb view.
type Cmd struct {
	Files    []string     `arg:"" name:"recording" help:"Recording (.mcap, .bag); a second one, such as one of hardware, is laid over the first."`
	View     string       `help:"Serve at this address of this computer: HOST:PORT, or HOST with the first free port from 8080; beyond loopback with a token." default:"127.0.0.1" placeholder:"HOST[:PORT]"`
	Offset   *float64     `help:"Time of the second recording is shown so much later, s. Without it both are shown by the times at which they were logged or, where the recordings have no moment in common, both begin together." placeholder:"S"`
	Duration verb.Seconds `help:"End after this much wall time." placeholder:"D"`
}

// recording is what can be moved through.
type recording interface {
	Topics() []record.Topic
	Span() (first, last time.Duration, ok bool)
	At(t time.Duration, visit func(record.Message)) error
	Between(from, to time.Duration, visit func(record.Message)) error
	Close() error
}

// maxOffset is how far a recording may be moved, s.
const maxOffset = 3.2e9

// Run serves until a signal or the end of the duration.
func (c *Cmd) Run(e *verb.Env) (err error) {
	if len(c.Files) > 2 {
		return exit.Usagef("%d recordings; allowed: one, or two over one another", len(c.Files))
	}
	if c.Offset != nil && len(c.Files) < 2 {
		return exit.Usagef("--offset %g: there is no second recording that it could move", *c.Offset)
	}
	if c.Offset != nil && !(math.Abs(*c.Offset) <= maxOffset) {
		return exit.Usagef("--offset %g s: allowed are %g to %g, a century", *c.Offset, -maxOffset, maxOffset)
	}
	var reels []*reel
	for i, file := range c.Files {
		r, err := c.open(e, file, i)
		if err != nil {
			return err
		}
		defer r.Close()
		reels = append(reels, r)
	}
	p := newPlayer(reels, e.Logger(reels[0].node, nil))
	if len(reels) > 1 {
		fmt.Fprintln(e.Stdout, reels[1].align(reels[0], c.Offset))
	}
	s, err := viewer.New(viewer.Options{
		Address: c.View, Node: reels[0].node, Log: p.log, Metadata: p.panel(e),
		Playback: &viewer.Playback{From: reels[0].first, To: reels[0].last, Control: p.control, State: p.now},
	})
	if err != nil {
		return exit.Usagef("--view %s: %w", c.View, err)
	}
	if err := p.open(s); err != nil {
		return errors.Join(err, s.Close())
	}
	s.Start()
	for _, r := range reels {
		fmt.Fprintf(e.Stdout, "%s: %.6g s, %s\n", r.file, (r.last - r.first).Seconds(), r.node)
	}
	fmt.Fprintf(e.Stdout, "view     %s\n", s.Link())
	ctx, stop := signal.NotifyContext(context.Background(), verb.EndSignals()...)
	defer stop()
	if c.Duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(float64(c.Duration)*1e9))
		defer cancel()
	}
	p.run(ctx)
	return s.Close()
}

// open opens a recording.
func (c *Cmd) open(e *verb.Env, file string, number int) (*reel, error) {
	if !verb.IsRecording(file) {
		return nil, exit.Usagef("%s: no recording; allowed: .mcap, .bag", file)
	}
	x, err := record.OpenIndex(file)
	if x == nil {
		return nil, exit.Usage(err)
	}
	r := &reel{recording: x, file: file, overlay: number > 0}
	if err = e.WarnIncomplete(err); err == nil {
		err = r.describe(e)
	}
	if err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return r, nil
}

// listTopics names topics for an error.
func listTopics(topics []record.Topic) string {
	const most = 10
	var names []string
	for _, t := range topics {
		if len(names) == most {
			names = append(names, "...")
			break
		}
		names = append(names, t.Name+" ("+t.TypeName+")")
	}
	return strings.Join(names, ", ")
}
