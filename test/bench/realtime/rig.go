package main

import (
	"context"
	"errors"
	"time"
)

// rig is a node with what watches it: its own reports once a second and, beside it, a bare
// probe of the priority of its loop.
type rig struct {
	*node
	watch   *observer
	reports *subscription
}

// quiet is the name of a phase in which nothing is done to the node.
const quiet = "none"

// startRig runs a program and begins to watch it; see start.
func startRig(ctx context.Context, program string, external bool, args ...string) (*rig, error) {
	n, err := start(ctx, program, external, args...)
	if err != nil {
		return nil, err
	}
	r := &rig{node: n}
	if r.watch, r.reports, err = observe(ctx, n); err == nil {
		r.watch.probe, err = startProbe(n.priority())
	}
	if err != nil {
		return nil, errors.Join(err, r.close())
	}
	return r, nil
}

// close ends the node, as Ctrl-C does, and what watches it.
func (r *rig) close() error {
	if r.reports != nil {
		r.reports.conn.Close()
	}
	err := r.stop()
	if r.watch != nil && r.watch.probe != nil {
		err = errors.Join(err, r.watch.probe.Close())
	}
	return err
}

// phase does something and tells how the node did meanwhile; the time since the last phase is
// of none.
func (r *rig) phase(ctx context.Context, name string, do func(context.Context) error) (Phase, error) {
	r.watch.end = 0
	return r.watch.phase(ctx, name, do)
}

// idle is what a phase does in which nothing is done for a time.
func idle(length time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		if !pause(ctx, length) {
			return ctx.Err()
		}
		return nil
	}
}
