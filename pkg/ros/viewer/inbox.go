package viewer

import (
	"slices"
	"sync"

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

// advertise opens topics that the viewer is going to publish.
func (c *client) advertise(r *request) {
	for _, ch := range r.Channels {
		inboxes := c.server.inboxes[ch.Topic]
		switch {
		case c.published[ch.ID] != nil:
			c.fault("advertise: the channel %d is in use", ch.ID)
		case len(c.published) >= maxPublished:
			c.fault("advertise: more than %d channels", maxPublished)
		case len(inboxes) == 0: // viewers advertise what their panels may publish once
			c.published[ch.ID] = []*inbox{}
			c.status(warning, "nobody here subscribes to "+short(ch.Topic))
		case ch.Encoding != encodingCDR:
			c.fault("advertise: %s in the encoding %.40q; allowed: %q", short(ch.Topic), ch.Encoding, encodingCDR)
		default:
			of := slices.Clone(inboxes)
			of = slices.DeleteFunc(of, func(i *inbox) bool {
				return ch.SchemaName != i.topic.Type.ROS2Name && ch.SchemaName != i.topic.Type.Name
			})
			if len(of) == 0 {
				c.fault("advertise: %s is of the type %s, not %s", ch.Topic, inboxes[0].topic.Type.ROS2Name, short(ch.SchemaName))
				continue
			}
			c.published[ch.ID] = of
		}
	}
}

// short is what is told of a name that a viewer gave.
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

// withdraw ends a channel and tells those who ask for it that this viewer publishes the topic no
// longer, unless by another channel.
func (c *client) withdraw(id uint32) {
	was := c.published[id]
	delete(c.published, id)
	for _, i := range was {
		still := false
		for _, other := range c.published {
			still = still || slices.Contains(other, i)
		}
		if i.topic.Departures && !still {
			i.put(ros.Received{Sender: c.sender, Gone: true})
		}
	}
}

// receive takes a message of the viewer.
func (c *client) receive(p published) {
	to, known := c.published[p.channel]
	if !known {
		c.fault("message data: there is no channel %d; advertise it first", p.channel)
		return
	}
	for _, i := range to {
		m := i.topic.Type.New()
		if err := m.ParseCDR(p.data); err != nil {
			c.fault("%s: %v", i.topic.Name, err)
			return
		}
		i.put(ros.Received{Message: m, Sender: c.sender})
	}
}
