package run

import (
	"go.uber.org/zap"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/pkg/ros/manifest"
	"sinew/pkg/ros/viewer"
	"sinew/pkg/sim"
)

// noView is the value of --view that disables viewers.
const noView = "off"

// openViewer listens for viewers; they are served once everything is open.
func (n *node) openViewer(c *Cmd) error {
	if n.host != nil {
		return n.listen("", true, c.Clock) // at the address of the host
	}
	if c.View != nil {
		return n.listen(*c.View, true, c.Clock)
	}
	return n.listen(cli.ViewHost, false, c.Clock)
}

// listen listens for viewers at an address. It returns an error if the user has requested an
// address that is not available; without such a request the robot runs without viewers.
func (n *node) listen(address string, asked, simTime bool) (err error) {
	if address == noView {
		return nil
	}
	n.viewer, err = viewer.New(viewer.Options{
		Address: address, Host: n.host, Path: n.names.Node() + "/", Node: n.names.Node(), Metadata: n.manifest, SimTime: simTime, Log: n.log,
		Recordings: func(name string) (string, bool) { return n.recordings.File(name) },
	})
	if err != nil && !asked {
		n.log.Warn("the page and Foxglove are not served; choose another address with --view HOST:PORT, or silence this with --view off", zap.Error(err))
		return nil
	}
	if err != nil {
		return exitcode.Usagef("--view %s: %w", address, err)
	}
	return nil
}

// manifest returns the description of the robot for viewers.
func (n *node) manifest() map[string]string {
	p := manifest.Manifest{
		Program: n.env.Robot.Name, Version: cli.Version, About: n.made.Describe, Length: n.made.LengthM,
		Timeout: n.sim.Options().CommandTimeoutS, Fleet: n.fleet,
	}
	if s, ok := sim.As[sim.Swarm](n.made.Model); ok {
		p.Swarm = n.swarm(s.Robots())
	}
	var err error
	if p.Shown, err = n.names.Resolve("~" + n.env.Robot.ShownOf(n.made)); err == nil {
		p.Ports, err = manifest.Ports(n.sim.Ports(), n.names)
	}
	if err != nil { // names were resolved when the topics were opened
		n.log.Error("viewers get no description of inputs and outputs: the page shows no controls", zap.Error(err))
	}
	return p.Metadata()
}

// swarm describes where the poses of the robots of a swarm are; nil for a single robot.
func (n *node) swarm(robots int) *manifest.Swarm {
	for _, p := range n.sim.Ports() {
		if p.Kind != sim.PoseArray || p.Direction != sim.Out || robots == 0 || len(p.Labels) != robots {
			continue
		}
		if topic, err := n.names.Resolve("~" + p.Name); err == nil {
			return &manifest.Swarm{Topic: topic, Count: robots}
		}
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

// closeViewer disconnects the viewers.
func (n *node) closeViewer() error {
	if n.viewer == nil {
		return nil
	}
	return n.viewer.Close()
}
