package viewer

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"sinew/msgs/sinew_msgs"
)

// request is a text message of a viewer: the fields of all operations.
type request struct {
	Op            string `json:"op"`
	Subscriptions []struct {
		ID        uint32 `json:"id"`
		ChannelID uint32 `json:"channelId"`
	} `json:"subscriptions"`
	SubscriptionIDs []uint32        `json:"subscriptionIds"`
	Channels        []clientChannel `json:"channels"`
	ChannelIDs      []uint32        `json:"channelIds"`
	ParameterNames  []string        `json:"parameterNames"`
	Parameters      []value         `json:"parameters"`
	ID              string          `json:"id"`
	RequestID       uint32          `json:"requestId"`
}

// clientChannel is a topic that a viewer publishes.
type clientChannel struct {
	ID         uint32 `json:"id"`
	Topic      string `json:"topic"`
	Encoding   string `json:"encoding"`
	SchemaName string `json:"schemaName"`
}

// maxHz is the greatest rate that a viewer can request; no topic is faster.
const maxHz = 1e6

// periodOf returns the least time between two frames of a topic that may drop samples, from the
// query max_hz of the address; 0 is none.
func periodOf(q url.Values) (time.Duration, error) {
	text := q.Get("max_hz")
	if text == "" {
		return 0, nil
	}
	hz, err := strconv.ParseFloat(text, 64)
	if err != nil || !(hz > 0 && hz <= maxHz) {
		return 0, fmt.Errorf("max_hz is %.40q; allowed: above 0 to %g", text, maxHz)
	}
	return time.Duration(math.Min(1e9/hz, math.MaxInt64/4)), nil
}

// operations maps the names of operations to their implementations.
var operations = map[string]func(c *client, r *request){
	"subscribe":                   (*client).subscribe,
	"unsubscribe":                 (*client).unsubscribe,
	"advertise":                   (*client).advertise,
	"unadvertise":                 (*client).unadvertise,
	"getParameters":               (*client).getParameters,
	"setParameters":               (*client).setParameters,
	"subscribeParameterUpdates":   (*client).watchParameters,
	"unsubscribeParameterUpdates": (*client).unwatchParameters,
	"subscribeConnectionGraph":    (*client).sendGraph,
	"unsubscribeConnectionGraph":  func(*client, *request) {},
	"fetchAsset":                  (*client).refuseAsset,
}

// parseRequest reads a request and returns it with its implementation.
func parseRequest(b []byte) (*request, func(*client, *request), error) {
	r := new(request)
	if err := json.Unmarshal(b, r); err != nil {
		return nil, nil, err
	}
	do, known := operations[r.Op]
	if !known {
		return nil, nil, fmt.Errorf("the operation %.40q is not known", r.Op)
	}
	return r, do, nil
}

// subscribe begins subscriptions.
func (c *client) subscribe(r *request) {
	for _, want := range r.Subscriptions {
		i := int64(want.ChannelID) - 1
		switch {
		case i < 0 || i >= int64(len(c.server.channels)):
			c.fault("subscribe: there is no channel %d", want.ChannelID)
		case c.subscriptions[want.ID] != nil:
			c.fault("subscribe: the subscription %d is in use", want.ID)
		case c.subscribed[want.ChannelID]:
			c.fault("subscribe: the channel %d has a subscription", want.ChannelID)
		default:
			s := newSubscription(want.ID, c.server.channels[i], c.outbox)
			s.pace = pace{period: c.period, grid: c.joined}
			if s.ends = s.channel.topic.Lossy && s.channel.topic.Type == sinew_msgs.SceneType; s.ends {
				c.outbox.countPictures(1)
			}
			c.subscriptions[want.ID], c.subscribed[want.ChannelID] = s, true
			s.channel.subscribe(s)
		}
	}
}

// unsubscribe ends subscriptions.
func (c *client) unsubscribe(r *request) {
	for _, id := range r.SubscriptionIDs {
		s := c.subscriptions[id]
		if s == nil {
			c.fault("unsubscribe: there is no subscription %d", id)
			continue
		}
		delete(c.subscriptions, id)
		delete(c.subscribed, s.channel.id)
		s.channel.unsubscribe(s)
		c.outbox.remove(s)
		if s.ends {
			c.outbox.countPictures(-1)
		}
	}
}

// refuseAsset answers that there are no assets.
func (c *client) refuseAsset(r *request) {
	c.replyBinary(appendNoAsset(nil, r.RequestID, "this node has no assets"))
}

// sendGraph sends the publishers, subscribers and servers, which are the node alone and do not
// change.
func (c *client) sendGraph(*request) {
	node := []string{c.server.options.Node}
	published, subscribed, served := []map[string]any{}, []map[string]any{}, []map[string]any{}
	for _, ch := range c.server.channels {
		published = append(published, map[string]any{"name": ch.topic.Name, "publisherIds": node})
	}
	for _, name := range slices.Sorted(maps.Keys(c.server.inboxes)) {
		subscribed = append(subscribed, map[string]any{"name": name, "subscriberIds": node})
	}
	for _, s := range c.server.services {
		served = append(served, map[string]any{"name": s.name, "providerIds": node})
	}
	c.replyJSON(map[string]any{
		"op": "connectionGraphUpdate", "publishedTopics": published, "subscribedTopics": subscribed,
		"advertisedServices": served, "removedTopics": []string{}, "removedServices": []string{},
	})
}
