package run

import (
	"sinew/cmd/internal/exit"
	"sinew/pkg/ros/viewer"
)

// noView is the --view without viewers.
const noView = "off"

// openViewer listens for viewers; they are served once everything is open.
func (n *node) openViewer(c *Cmd) (err error) {
	if c.View == noView {
		return nil
	}
	n.viewer, err = viewer.New(viewer.Options{Address: c.View, Node: n.names.Node(), SimTime: c.Clock, Log: n.log})
	if err != nil {
		return exit.Usagef("--view %s: %w", c.View, err)
	}
	return nil
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
