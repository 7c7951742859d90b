package view

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/pkg/ros/viewer"
)

// Page is the address, title and duration of a page in the browser.
type Page struct {
	Address  string      // as in --view
	Duration cli.Seconds // wall time; 0: until a signal
	Title    string      // title; empty: the files and their contents
	Quiet    bool        // standard output has another use: the link is printed on stderr
}

// serve serves a page with recordings until a signal or the end of the duration.
func serve(e *cli.Env, recordings []*recording, page Page) error {
	first := recordings[0]
	agree(recordings)
	p := newPlayer(recordings, e.Logger(first.node, nil))
	s, err := viewer.New(viewer.Options{
		Address: page.Address, Node: first.node, Log: p.log, Metadata: p.metadata(e, page.Title),
		Playback: &viewer.Playback{From: first.first, To: first.last, Control: p.control, State: p.now, History: p.history},
	})
	if err != nil {
		return exitcode.Usagef("--view %s: %w", page.Address, err)
	}
	if err := p.open(s); err != nil {
		return errors.Join(err, s.Close())
	}
	asked := cli.WatchInterrupt()
	defer asked.Stop()
	s.Start()
	out := e.Stdout
	if page.Quiet {
		out = e.Stderr
	}
	for _, r := range recordings {
		if r.content == "" || page.Title != "" {
			continue
		}
		pose := ""
		if name := e.Robot.Shown; r.shown != "" && r.shown != r.node+"/"+name {
			pose = ", pose " + r.shown
		}
		fmt.Fprintf(out, "%s: %s, %s%s\n", r.file, r.about(), r.node, pose)
	}
	fmt.Fprintf(out, "view     %s\n", s.Link())
	ctx := asked.Context()
	if page.Duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(float64(page.Duration)*1e9))
		defer cancel()
	}
	p.run(ctx)
	return s.Close()
}
