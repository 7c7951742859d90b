package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/cmd/internal/cli"
	"sinew/pkg/sim"
)

// robotGrace is the time that each robot of a fleet has for its shutdown. It ends before exitGrace,
// also where the loops took all of stepGrace, so that each robot reports what it did not wait for.
const robotGrace = exitGrace - stepGrace - 100*time.Millisecond

// runFleet is Run with --robots.
func (c *Cmd) runFleet(ctx context.Context, e *cli.Env) error {
	f, err := newFleet(ctx, e, c)
	if errors.Is(err, errInterrupted) {
		fmt.Fprintln(e.Stdout, err)
		return nil
	}
	if err != nil {
		return err
	}
	ctx, cancel := c.limit(ctx)
	defer cancel()
	return f.run(ctx)
}

// run simulates until ctx ends, the network requests the shutdown of the fleet or of all of its
// robots, or a loop fails. The error names the robots that have failed.
func (f *fleet) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	f.welcome()
	allowLoops(len(f.loops))
	ended := make([]<-chan struct{}, len(f.loops))
	for i, l := range f.loops {
		ended[i] = l.start(ctx, func() error { return sim.RunTogether(f.scheduled(i), l.begun()) }, cancel)
	}
	for _, m := range f.members {
		if m.demo != nil {
			go m.demo.run(ctx, m.log)
		}
	}
	go f.attend(ctx, cancel)
	st := newFleetStatus(f)
	go runStatus(ctx, st.show)

	select {
	case <-ctx.Done():
	case <-f.masterEnds:
		cancel(errNetwork)
	}
	cause := context.Cause(ctx)
	deadline := time.Now().Add(exitGrace)
	for _, m := range f.members {
		m.end()
	}
	late := time.After(stepGrace)
	for _, e := range ended {
		select {
		case <-e:
		case <-late:
			late = time.After(0) // for all loops together
		}
	}
	st.last()
	err := errors.Join(f.failed(), f.leave(deadline))
	if !cleanEnd(cause) {
		err = errors.Join(cause, err)
	}
	return err
}

// end makes the loop stop the robot.
func (m *member) end() { m.endLoop.Do(func() { close(m.stop) }) }

// attend shuts down each robot whose shutdown the network requests, and ends the run after the
// last.
func (f *fleet) attend(ctx context.Context, cancel context.CancelCauseFunc) {
	var all sync.WaitGroup
	for i, m := range f.members {
		all.Go(func() {
			select {
			case <-ctx.Done():
				return
			case <-m.net.done():
			case <-m.asked:
			}
			f.log.Info("robot shut down by a request from ROS", zap.String("robot", f.names[i]))
			m.end()
			m.hasLeft.Store(true)
			if err := m.leave(); err != nil {
				f.log.Warn("robot did not shut down cleanly", zap.String("robot", f.names[i]), zap.Error(err))
			}
		})
	}
	all.Wait()
	cancel(errNetwork)
}

// leave closes everything, all robots at once, by a deadline.
func (f *fleet) leave(deadline time.Time) error {
	f.ending.Store(true)
	errs := make([]error, len(f.members))
	var all sync.WaitGroup
	if f.viewers != nil {
		defer func() { _ = f.viewers.Close() }()
	}
	for i, m := range f.members {
		if m.net == nil {
			continue
		}
		all.Go(func() {
			if err := m.leave(); err != nil {
				errs[i] = fmt.Errorf("%s: %w", f.names[i], err)
			}
		})
	}
	left := make(chan struct{})
	go func() {
		all.Wait()
		close(left)
	}()
	select {
	case <-left:
	case <-time.After(time.Until(deadline)):
		return errors.New("shutdown timed out: recordings lack what was not written yet")
	}
	if f.context != nil {
		errs = append(errs, f.context.Close())
	}
	if f.master != nil {
		errs = append(errs, f.master.Close())
	}
	for _, l := range f.loops {
		l.close()
	}
	return errors.Join(errs...)
}

// failed returns an error that names the robots in FAULT after a failed step, with the reasons.
func (f *fleet) failed() error {
	var list []string
	for i, m := range f.members {
		if state, reason := m.sim.Condition(); state == sim.Fault && reason != sim.ReasonEStop {
			list = append(list, f.names[i]+": "+reason)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d robots have failed: %s", len(list), len(f.members), strings.Join(list, "; "))
}

// welcome prints the robots that run and their addresses.
func (f *fleet) welcome() {
	w := f.env.Stdout
	busy := 0.0
	for _, load := range f.load {
		busy += load
	}
	fmt.Fprintf(w, "%s %s: %s: %d robots on %d loops, whose steps take %.0f %% of a processor\n",
		f.env.Robot.Name, cli.Version, f.file.Name, len(f.members), len(f.loops), 100*busy)
	if len(f.members) <= listed {
		for i, m := range f.members {
			fmt.Fprintf(w, "robot    %s: %s\n", f.names[i], m.made.Describe)
		}
	} else {
		fmt.Fprintf(w, "robots   %s\n", abbreviate(f.names))
	}
	for i, m := range f.members {
		if file := m.recordings.Running(); file != "" && i < listed {
			fmt.Fprintf(w, "record   all topics of %s to %s: %s\n", f.names[i], file, m.recordedText())
		}
	}
	if f.viewers != nil {
		fmt.Fprintf(w, "view     %s\n", f.viewers.Link())
	}
	n := f.members[0].net
	if n.ros1 == nil && n.ros2 == nil {
		fmt.Fprintln(w, "ROS      off")
	}
	if n.ros1 != nil {
		fmt.Fprintf(w, "ROS 1    %s, %d nodes\n", n.ros1.note, len(f.members))
	}
	if n.ros2 != nil {
		fmt.Fprintf(w, "ROS 2    %s, %d nodes, one participant\n", n.ros2.place(), len(f.members))
	}
}

// listed is how many robots the welcome lists one by one.
const listed = 10

// oncePerLine writes each distinct line once: messages that robots of one file have in common.
type oncePerLine struct {
	to   io.Writer
	mu   sync.Mutex
	said map[string]bool
}

// mostSaid bounds the number of lines that are compared; further lines are always written.
const mostSaid = 10_000

// Write implements io.Writer. p holds whole lines.
func (o *oncePerLine) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, line := range bytes.SplitAfter(p, []byte("\n")) {
		if len(line) == 0 || o.said[string(line)] {
			continue
		}
		if len(o.said) < mostSaid {
			o.said[string(line)] = true
		}
		if _, err := o.to.Write(line); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}
