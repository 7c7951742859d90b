package viewer

import (
	"slices"
	"sync"
	"time"

	"sinew/pkg/ros"
)

// inbox is a subscription of the node.
type inbox struct {
	topic   ros.Topic
	mu      sync.Mutex // held during receive
	receive func(ros.Received)
}

func (i *inbox) put(got ros.Received) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.receive(got)
}

// maxPublished is how many channels a viewer may advertise; a robot has a dozen.
const maxPublished = 256

// advertise opens topics that the viewer will publish.
func (c *client) advertise(r *request) {
	for _, ch := range r.Channels {
		topic := &clientTopic{json: ch.Encoding == encodingJSON}
		inboxes := c.server.inboxes[ch.Topic]
		switch {
		case c.published[ch.ID] != nil:
			c.fault("advertise: the channel %d is in use", ch.ID)
		case len(c.published) >= maxPublished:
			c.fault("advertise: more than %d channels", maxPublished)
		case len(inboxes) == 0: // viewers advertise all topics that their panels may publish
			c.published[ch.ID] = topic
			c.status(warning, "no command is possible there: this node does not subscribe to "+short(ch.Topic))
		case ch.Encoding != encodingCDR && ch.Encoding != encodingJSON:
			c.fault("advertise: %s in the encoding %.40q; allowed: %q, %q", short(ch.Topic), ch.Encoding, encodingCDR, encodingJSON)
		default:
			of := slices.DeleteFunc(slices.Clone(inboxes), func(i *inbox) bool {
				return ch.SchemaName != i.topic.Type.ROS2Name && ch.SchemaName != i.topic.Type.Name
			})
			if len(of) == 0 {
				c.fault("advertise: %s is of the type %s, not %s", ch.Topic, inboxes[0].topic.Type.ROS2Name, short(ch.SchemaName))
				continue
			}
			topic.inboxes = of
			c.published[ch.ID] = topic
		}
	}
}

// short shortens a name that a viewer gave, for messages.
func short(name string) string {
	const most = 100
	if len(name) > most {
		return name[:most] + "…"
	}
	return name
}

// unadvertise ends the publishing of topics.
func (c *client) unadvertise(r *request) {
	for _, id := range r.ChannelIDs {
		if c.published[id] == nil {
			c.fault("unadvertise: there is no channel %d", id)
			continue
		}
		c.withdraw(id)
	}
}

// withdraw ends a channel and reports to subscriptions with ReportsSenderLeft that this viewer no longer
// publishes the topic, unless by another channel.
func (c *client) withdraw(id uint32) {
	was := c.published[id]
	delete(c.published, id)
	for _, i := range was.inboxes {
		still := false
		for _, other := range c.published {
			still = still || slices.Contains(other.inboxes, i)
		}
		if i.topic.ReportsSenderLeft && !still {
			i.put(ros.Received{Sender: c.sender, SenderLeft: true})
		}
	}
}

// receive handles a message of the viewer.
func (c *client) receive(p published) {
	to, known := c.published[p.channel]
	if !known {
		c.fault("message data: there is no channel %d; advertise it first", p.channel)
		return
	}
	for _, i := range to.inboxes {
		m := i.topic.Type.New()
		parse := m.ParseCDR
		if to.json {
			parse = func(b []byte) error { return parseJSON(b, m) }
		}
		if err := parse(p.data); err != nil {
			c.fault("%s: %v", i.topic.Name, err)
			return
		}
		i.put(ros.Received{Message: m, Sender: c.sender, Lag: c.lag(), Refused: func(status, why string) { c.reportRefusal(to, i.topic.Name, status, why) }})
	}
}

// clientTopic is a topic that a viewer publishes, with the subscriptions of the node; there may be
// none.
type clientTopic struct {
	inboxes  []*inbox
	json     bool      // the encoding
	reported time.Time // time of the last status message about a refusal
}

// refusalPause is the least time between two status messages about refusals on a topic. Diagnostics
// count all of them.
const refusalPause = 500 * time.Millisecond

// reportRefusal sends the viewer the reason why a command was refused. The message replaces the one
// before with the same status and topic.
func (c *client) reportRefusal(to *clientTopic, topic, status, why string) {
	if now := time.Now(); now.Sub(to.reported) >= refusalPause {
		to.reported = now
		c.replyJSON(map[string]any{"op": "status", "level": warning, "id": status + ":" + topic, "message": topic + ": " + why})
	}
}
