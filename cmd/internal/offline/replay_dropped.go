package offline

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/jacobian"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
)

// refusals are the commands of one recorded topic that had one verdict other than Accepted.
type refusals struct {
	n     int
	first time.Duration // log time of the first
	why   string        // it was refused or clamped
}

// refuse counts a command that did not act as it was recorded.
func (p *recordedTransport) refuse(topic string, at time.Duration, verdict, why string) {
	of := p.refused[topic]
	if of == nil {
		of = make(map[string]*refusals)
		p.refused[topic] = of
	}
	if of[verdict] == nil {
		of[verdict] = &refusals{first: at, why: why}
	}
	of[verdict].n++
}

// dropped says, once for each topic and reason, which recorded commands did not act as they are, in a
// replay that began at a log time.
func (p *recordedTransport) dropped(begin time.Duration) (list []string) {
	for _, topic := range slices.Sorted(maps.Keys(p.refused)) {
		for _, verdict := range slices.Sorted(maps.Keys(p.refused[topic])) {
			r, done := p.refused[topic][verdict], "refused as "+verdict
			if verdict == sim.Clamped.String() {
				done = verdict
			}
			list = append(list, fmt.Sprintf("%s: %d of %d commands were %s, the first at %.3f s: %s",
				topic, r.n, p.played[topic], done, (r.first-begin).Seconds(), r.why))
		}
	}
	return list
}

// leftOut lists recorded topics that a robot could be commanded by and that this one did nothing with: those
// of the node that it neither takes nor publishes and, unless the node was chosen, the commands for others.
func (p *recordedTransport) leftOut(topics []record.Topic, commands []privateTopic, own string, chosen bool) (list []string) {
	for _, t := range topics {
		name, ours := strings.CutPrefix(t.InNode(), p.node+"/")
		if t.Messages == 0 || !ours || !commandType(t.Type) || name == jacobian.Topic ||
			p.wanted(t.Name, t.Type) || p.advertised[own+"/"+name] {
			continue
		}
		want := "neither takes nor publishes it"
		if i := slices.IndexFunc(p.subscriptions, func(s *subscription) bool { return s.topic.Name == own+"/"+name }); i >= 0 {
			want = "takes it as " + p.subscriptions[i].topic.Type.Name
		}
		list = append(list, fmt.Sprintf("%s: %d messages (%s) are left out, as this robot %s", t.Name, t.Messages, t.TypeName, want))
	}
	for _, node := range p.nodes(topics, commands) {
		if node != p.node && !chosen {
			list = append(list, fmt.Sprintf("the commands for %s are left out; --node %s replays those instead of %s", node, node, p.node))
		}
	}
	return list
}

// commandType reports whether ports that can be commanded have messages of a type.
func commandType(t *msgs.Type) bool {
	if t == nil {
		return false
	}
	return t == std_msgs.Float64MultiArrayType || slices.ContainsFunc([]sim.Kind{
		sim.Tension, sim.Pose, sim.Twist, sim.Wrench, sim.PoseArray, sim.Field, sim.FieldGradient, sim.RotatingField, sim.Currents,
	}, func(k sim.Kind) bool { return ros.MessageType(k) == t })
}

// refusedLive keeps how many commands the recorded node says to have refused, by verdict.
func (h *history) refusedLive(m *diagnostic_msgs.DiagnosticArray) {
	for i := range m.Status {
		if m.Status[i].Name != h.node+": commands" {
			continue
		}
		h.refused = h.refused[:0]
		for _, v := range m.Status[i].Values {
			for k := sim.Clamped + 1; int(k) < sim.NumCommandStatuses; k++ {
				if v.Key == k.String() && v.Value != "0" {
					h.refused = append(h.refused, v.Value+" "+v.Key)
				}
			}
		}
	}
}

// sayDropped says which recorded commands did not act as they are, and what the recorded robot itself refused.
func (r *replayer) sayDropped() {
	texts := r.transport.dropped(r.first)
	if commands, err := commandTopics(r.names, r.sim.Ports()); err == nil { // they were found when it began
		texts = append(texts, r.transport.leftOut(r.topics, commands, r.names.Node(), r.cmd.Node != "")...)
	}
	for _, text := range texts {
		fmt.Fprintf(r.env.Stderr, "%s: warning: %s\n", r.env.Robot.Name, text)
	}
	if live := r.transport.history.refused; len(live) > 0 {
		fmt.Fprintf(r.env.Stderr, "%s: while it was recorded, %s itself refused %s (/diagnostics); of these, what was %v, %v, %v or %v is not in a recording of run\n",
			r.env.Robot.Name, r.transport.node, strings.Join(live, ", "), sim.NotInCommand, sim.NotEnabled, sim.Stale, sim.Overflow)
	}
}
