package run

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/cmd/internal/program"
	"sinew/msgs/diagnostic_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/jacobian"
	"sinew/pkg/ros/parameter"
	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
)

// liveParameters are the parameters of the running node: all keys of the robot file, and those that
// every node of ROS 2 has.
type liveParameters struct {
	node   *node
	table  *parameter.Table
	events []*parameter.Events // of the networks; the last is that of the recording, which never blocks
	mirror *parameter.Mirror   // nil before open, and without ROS 1
	own    []parameter.Parameter
	topic  string // of the events

	description *liveDescription // nil before the robot is described
}

func newLiveParameters(n *node) (*liveParameters, error) {
	topic, err := n.names.Resolve(parameter.EventsTopic)
	p := &liveParameters{node: n, topic: topic, own: nodeParameters(topic, n.follows, !n.env.Args.NoTypeDescription)}
	p.table = parameter.NewTable(parameter.Options{List: p.list, Apply: p.apply, Now: n.clock.Now, Log: n.log})
	return p, err
}

// nodeParameters returns the parameters that every node of ROS 2 has. All are read-only. topic is
// that of the events.
func nodeParameters(topic string, follows, describes bool) []parameter.Parameter {
	events := "qos_overrides." + topic + ".publisher."
	const given = "fixed while the node runs"
	own := func(name string, value any, description string) parameter.Parameter {
		return parameter.Parameter{Name: name, Value: value, Description: description, Fixed: given}
	}
	return []parameter.Parameter{
		own("use_sim_time", follows, "whether the node follows /clock"),
		own("start_type_description_service", describes, "whether the node has the service ~/get_type_description"),
		own(events+"depth", int64(1000), "of the topic "+topic),
		own(events+"durability", "volatile", "of the topic "+topic),
		own(events+"history", "keep_last", "of the topic "+topic),
		own(events+"reliability", "reliable", "of the topic "+topic),
	}
}

// open offers the parameters to the networks and records their changes. now is the clock of the
// stamps.
func (p *liveParameters) open(now func() time.Duration) error {
	n := p.node
	if one := n.net.ros1; one != nil && one.transport != nil {
		p.mirror = parameter.NewMirror(p.table, one.client(), one.given, one.read, n.log)
		each := func(mirror func()) func() { return func() { mirror(); p.description.checkServer() } }
		one.transport.WatchParams(n.names.Node(), each(p.mirror.Known), each(p.mirror.Changed))
	}
	if err := parameter.Serve(p.table, n.names, n.net.transports()); err != nil {
		return err
	}
	for _, a := range [][]ros.Transport{n.net.transports(), {n.recordings.Transport()}} {
		e, err := parameter.NewEvents(p.table, n.names.Node(), p.topic, a, now, func(lost int) {
			n.log.Warn("parameter events dropped: too many at once", zap.Int("events", lost))
		})
		if err != nil {
			return err
		}
		p.events = append(p.events, e)
	}
	return nil
}

// repeat records the present values of all parameters, for a recording that begins.
func (p *liveParameters) repeat() {
	if len(p.events) > 0 {
		p.events[len(p.events)-1].Repeat()
	}
}

// close ends the events and begins to delete the parameters from the parameter server; taken is
// closed when that is done. A master that hangs delays this as long as the unregistering. Both fit
// into the time of the shutdown only if they run at once.
func (p *liveParameters) close() (taken <-chan struct{}) {
	done := make(chan struct{})
	if p == nil {
		close(done)
		return done
	}
	for _, e := range p.events {
		e.Close()
	}
	go func() {
		defer close(done)
		var all sync.WaitGroup
		if p.mirror != nil {
			all.Go(p.mirror.Close)
		}
		all.Go(p.description.close)
		all.Wait()
	}()
	return done
}

// list returns all parameters with their present values.
func (p *liveParameters) list() []parameter.Parameter {
	list := append([]parameter.Parameter(nil), p.own...)
	for _, s := range p.node.made.Running.Settings() {
		list = append(list, describe(&s))
	}
	return list
}

// describe returns a key of the robot file as a parameter.
func describe(s *robotfile.Setting) parameter.Parameter {
	p := parameter.Parameter{
		Name: s.Path, Value: s.Value, Description: s.Doc,
		Bounded: s.Range != "", Min: s.Min, Max: s.Max, Words: s.Words,
	}
	unit := ""
	if s.Unit != "" && s.Unit != "1" {
		unit = " " + s.Unit
		p.Description += " (" + s.Unit + ")"
	}
	switch {
	case s.Range != "":
		p.Constraints = s.Range + unit
	case s.Words != nil:
		p.Constraints = fmt.Sprintf("one of %q", s.Words)
	}
	if s.Live == robotfile.Fixed {
		p.Fixed = "fixed while the robot runs; start with " + s.Path + ":=VALUE (-p or _) or edit the robot file"
	}
	return p
}

// apply sets live parameters.
func (p *liveParameters) apply(values []parameter.Assignment) error {
	n := p.node
	list := make([]program.Assignment, len(values))
	for i, v := range values {
		list[i] = program.Assignment{Path: v.Name, Value: v.Value}
	}
	changed, err := n.made.Running.Reconfigure(list)
	if err != nil {
		return err
	}
	c, now := sim.Reconfiguration{Options: changed.Instance.Timing.Simulator()}, n.sim.Options()
	c.Options.Lockstep, c.Options.Follow, c.Options.Disabled = now.Lockstep, now.Follow, now.Disabled
	if m := changed.Instance.Model; m != nil {
		c.Model, c.Ports = m, m.Ports()
	}
	if err := n.sim.Reconfigure(c); err != nil {
		return err
	}
	n.bridge.AcceptStamps(changed.Instance.Timing.AnyStamps)
	n.bridge.DisableTopics(changed.Instance.DisabledTopics)
	if n.jacobian != nil {
		n.jacobian.Change(jacobian.Source{Hz: changed.Instance.Timing.JacobianHz, NewModel: changed.Instance.NewModel})
	}
	p.description.update(n.sim.Ports())
	changed.Commit()
	for _, w := range changed.Instance.Warnings {
		n.log.Warn("suspicious value of a parameter", zap.String("warning", w.WithoutPlace()))
	}
	return nil
}

// status returns a diagnostic status with the parameters that were set.
func (p *liveParameters) status() diagnostic_msgs.DiagnosticStatus {
	set, refused, newest := p.table.Counts()
	st := diagnostic_msgs.DiagnosticStatus{Name: "parameters", Message: "as at the start", Values: []diagnostic_msgs.KeyValue{
		{Key: "set", Value: strconv.FormatUint(set, 10)},
		{Key: "refused", Value: strconv.FormatUint(refused, 10)},
	}}
	if newest != "" {
		st.Message = newest
	}
	return st
}
