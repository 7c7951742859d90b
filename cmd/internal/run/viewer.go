package run

import (
	"go.uber.org/zap"

	"sinew/cmd/internal/exit"
	"sinew/cmd/internal/verb"
	"sinew/pkg/ros/panel"
	"sinew/pkg/ros/viewer"
)

// The --view without viewers, and the one without --view.
const (
	noView      = "off"
	defaultView = "127.0.0.1"
)

// openViewer listens for viewers; they are served once everything is open. Where no port is free
// for viewers that nobody asked for by an address, there are none.
func (n *node) openViewer(c *Cmd) (err error) {
	if c.View == noView {
		return nil
	}
	n.viewer, err = viewer.New(viewer.Options{
		Address: c.View, Node: n.names.Node(), Metadata: n.panel, SimTime: c.Clock, Log: n.log,
		Recordings: func(name string) (string, bool) { return n.recordings.File(name) },
	})
	if err != nil && c.View == defaultView {
		n.log.Warn("no viewers", zap.Error(err))
		return nil
	}
	if err != nil {
		return exit.Usagef("--view %s: %w", c.View, err)
	}
	return nil
}

// panel describes the robot to the page.
func (n *node) panel() map[string]string {
	p := panel.Panel{
		Program: n.env.Robot.Name, Version: verb.Version, About: n.made.Describe, Length: n.made.LengthM,
		Timeout: n.sim.Options().CommandTimeoutS,
	}
	var err error
	if p.Shown, err = n.names.Resolve("~" + n.env.Robot.Shown); err == nil {
		p.Ports, err = panel.Ports(n.sim.Ports(), n.names)
	}
	if err != nil { // the names were resolved when the topics were opened
		n.log.Error("the page cannot tell the ports", zap.Error(err))
	}
	return p.Metadata()
}

// serveViewers begins to serve viewers.
func (n *node) serveViewers() {
	if n.viewer != nil {
		n.viewer.SetParameters(n.parameters.table)
		n.viewer.Start()
	}
}

// closeViewer sends viewers away.
func (n *node) closeViewer() error {
	if n.viewer == nil {
		return nil
	}
	return n.viewer.Close()
}
