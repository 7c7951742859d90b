package offline

import (
	"fmt"
	"slices"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
)

// recordedTransport is a transport on which the messages of a recording arrive.
type recordedTransport struct {
	cli.NoTransport
	subscriptions []*subscription
	feeds         map[string][]*subscription      // subscriptions by recorded topic
	originals     map[string]string               // of recorded topics, before remapping
	commands      map[string]bool                 // recorded topics that command the robot
	advertised    map[string]bool                 // topics that the bridge publishes
	played        map[string]int                  // number of messages by recorded topic
	refused       map[string]map[string]*refusals // by recorded topic and verdict
	reason        string                          // reason of the newest operating state
	node          string                          // of the recording, whose commands are played
	history       *history                        // nil: what else happened to the node is left out
	// simulatedSensors lets what simulated sensors have measured stand for measurements of hardware that were not recorded.
	simulatedSensors bool
}

// subscription is a topic that the bridge listens to.
type subscription struct {
	topic  ros.Topic
	handle func(ros.Received)
}

func newRecordedTransport() *recordedTransport {
	return &recordedTransport{
		feeds: make(map[string][]*subscription), played: make(map[string]int), originals: make(map[string]string), commands: make(map[string]bool),
		advertised: make(map[string]bool), refused: make(map[string]map[string]*refusals),
	}
}

// privateTopic is a topic of the robot: its name within the node and its resolved
// one.
type privateTopic struct{ name, resolved string }

// connect finds the topics of a recording that feed the subscriptions: topics of
// the same name or, if there is no command among them, topics of the same name
// within another node. Errors call the robot as robot says.
func (p *recordedTransport) connect(topics []record.Topic, names *naming.Names, ports []sim.Port, node, file, robot string) error {
	commands, err := commandTopics(names, ports)
	if err != nil {
		return err
	}
	if node == "" && p.match(topics, commands, names.Node(), names.Node()) > 0 {
		p.node = names.Node()
		return nil
	}
	if node == "" {
		switch nodes := p.nodes(topics, commands); len(nodes) {
		case 0:
			return fmt.Errorf("%s has no commands for %s, which takes %s; recorded are %s", file, robot, commandNames(commands), describeTopics(topics))
		case 1:
			node = nodes[0]
		default:
			return fmt.Errorf("%s has commands for several nodes, %s; choose one with --node", file, strings.Join(nodes, ", "))
		}
	}
	p.node = node
	if p.match(topics, commands, names.Node(), node) == 0 {
		return fmt.Errorf("%s has no commands for %s of %s, which takes %s; recorded are %s", file, node, robot, commandNames(commands), describeTopics(topics))
	}
	return nil
}

// commandTopics lists the topics of the robot's In ports.
func commandTopics(names *naming.Names, ports []sim.Port) (list []privateTopic, err error) {
	for i := range ports {
		if ports[i].Direction != sim.In {
			continue
		}
		for _, name := range []string{ports[i].Name, ports[i].Plain} {
			if name == "" {
				continue
			}
			resolved, err := names.Resolve("~" + name)
			if err != nil {
				return nil, exitcode.Usage(err)
			}
			list = append(list, privateTopic{name, resolved})
		}
	}
	return list, nil
}

// match feeds the subscriptions by topics of the recording and returns the number of
// command topics. The node called own is called node in the recording. Requests to
// change the operating state are not fed: what became of them is in the history.
func (p *recordedTransport) match(topics []record.Topic, commands []privateTopic, own, node string) (n int) {
	clear(p.feeds)
	for _, s := range p.subscriptions {
		recorded := s.topic.Name
		if rest, ok := strings.CutPrefix(recorded, own+"/"); ok {
			recorded = node + "/" + rest
		}
		find := func(name string) int {
			return slices.IndexFunc(topics, func(t record.Topic) bool {
				return (t.Name == name || t.Original == name) && t.Type == s.topic.Type && t.Messages > 0
			})
		}
		i := find(recorded)
		if rest, ok := strings.CutPrefix(recorded, node+"/hardware/sensors/"); i < 0 && ok && p.simulatedSensors {
			i = find(node + "/sensors/" + rest)
		}
		if strings.HasSuffix(recorded, "/state_command") || i < 0 {
			continue
		}
		p.originals[topics[i].Name] = topics[i].Original
		p.feeds[topics[i].Name] = append(p.feeds[topics[i].Name], s)
		if slices.ContainsFunc(commands, func(c privateTopic) bool { return c.resolved == s.topic.Name }) {
			p.commands[topics[i].Name] = true
			n++
		}
	}
	return n
}

// nodes lists the nodes that a recording has commands for.
func (p *recordedTransport) nodes(topics []record.Topic, commands []privateTopic) (list []string) {
	for _, t := range topics {
		if strings.Contains(t.InNode(), "/"+sim.EstimateTopics) { // as of a wrench, which has the name of a command
			continue
		}
		for _, c := range commands {
			node, ok := strings.CutSuffix(t.InNode(), "/"+c.name)
			if !ok && p.simulatedSensors {
				if rest, measured := strings.CutPrefix(c.name, "hardware/sensors/"); measured {
					node, ok = strings.CutSuffix(t.InNode(), "/sensors/"+rest)
				}
			}
			fits := slices.ContainsFunc(p.subscriptions, func(s *subscription) bool { return s.topic.Name == c.resolved && s.topic.Type == t.Type })
			if ok && fits && t.Messages > 0 && !slices.Contains(list, node) {
				list = append(list, node)
			}
		}
	}
	return list
}

// wanted tells which topics of the recording are played.
func (p *recordedTransport) wanted(topic string, t *msgs.Type) bool {
	return p.ofHistory(topic, t) || slices.ContainsFunc(p.feeds[topic], func(s *subscription) bool { return s.topic.Type == t })
}

// ofHistory reports whether a topic tells what else happened to the node.
func (p *recordedTransport) ofHistory(topic string, t *msgs.Type) bool {
	switch t {
	case sinew_msgs.OperatingStateType:
		return topic == p.node+"/operating_state"
	case sinew_msgs.SimStatsType:
		return topic == p.node+"/sim_stats"
	}
	return t == rcl_interfaces.ParameterEventType || t == diagnostic_msgs.DiagnosticArrayType
}

// deliver hands a message to the subscriptions of its topic, or to the history of the node.
func (p *recordedTransport) deliver(m record.Message) {
	if p.ofHistory(m.Topic, m.Type) {
		p.history.take(m.Message)
		return
	}
	p.played[m.Topic]++
	for _, s := range p.feeds[m.Topic] {
		if s.topic.Type == m.Type {
			s.handle(ros.Received{Message: m.Message, Refused: func(verdict, why string) { p.refuse(m.Topic, m.Time, verdict, why) }})
		}
	}
}

func commandNames(commands []privateTopic) string {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

// describeTopics lists topics for people, the first ones of many.
func describeTopics(topics []record.Topic) string {
	if len(topics) == 0 {
		return "no topics"
	}
	var list []string
	for _, t := range topics {
		list = append(list, fmt.Sprintf("%s (%d %s)", t.Name, t.Messages, t.TypeName))
	}
	slices.Sort(list)
	const most = 5 // more are no error message but a listing
	if n := len(list) - most; n > 0 {
		list = append(list[:most], fmt.Sprintf("%d more", n))
	}
	return strings.Join(list, ", ")
}

// Advertise implements ros.Transport. Nobody listens but this program, to the
// operating state.
func (p *recordedTransport) Advertise(t ros.Topic) (ros.Publisher, error) {
	p.advertised[t.Name] = true
	if t.Type == sinew_msgs.OperatingStateType {
		return stateReader{p}, nil
	}
	return cli.NoPublisher{}, nil
}

// Subscribe implements ros.Transport.
func (p *recordedTransport) Subscribe(t ros.Topic, receive func(ros.Received)) error {
	p.subscriptions = append(p.subscriptions, &subscription{t, receive})
	return nil
}

// stateReader keeps the reason of the operating state.
type stateReader struct{ p *recordedTransport }

// Publish implements ros.Publisher.
func (s stateReader) Publish(m *ros.Sample) {
	s.p.reason = m.Message().(*sinew_msgs.OperatingState).Reason
}

// HasSubscribers implements ros.Publisher.
func (s stateReader) HasSubscribers() bool { return true }
