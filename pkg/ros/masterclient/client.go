package masterclient

import (
	"context"
	"fmt"
)

// Client calls one master on behalf of one node. Calls have the bounds of Call. It is safe for
// concurrent use.
type Client struct {
	URI    string // of the master, for example "http://127.0.0.1:11311/"
	Caller string // the node's resolved name, for example "/tendonsim"
}

// PID returns the process number of the master: the cheapest way to check whether one answers.
func (c Client) PID(ctx context.Context) (int, error) {
	v, err := c.call(ctx, "getPid")
	if err != nil {
		return 0, err
	}
	return as[int]("getPid", v)
}

// LookupNode returns the URI of a node's slave API. For an unknown node, Refuses(err) is true.
func (c Client) LookupNode(ctx context.Context, node string) (uri string, err error) {
	return c.text(ctx, "lookupNode", node)
}

// LookupService returns the rosrpc URI of a service. For an unknown service, Refuses(err) is true.
func (c Client) LookupService(ctx context.Context, service string) (uri string, err error) {
	return c.text(ctx, "lookupService", service)
}

// RegisterPublisher announces that the caller, whose slave API is at slave,
// publishes topic. It returns the slave URIs of the topic's subscribers.
func (c Client) RegisterPublisher(ctx context.Context, topic, messageType, slave string) (subscribers []string, err error) {
	return c.texts(ctx, "registerPublisher", topic, messageType, slave)
}

// RegisterSubscriber announces that the caller, whose slave API is at slave,
// subscribes to topic. It returns the slave URIs of the topic's publishers.
func (c Client) RegisterSubscriber(ctx context.Context, topic, messageType, slave string) (publishers []string, err error) {
	return c.texts(ctx, "registerSubscriber", topic, messageType, slave)
}

// RegisterService announces that the caller, whose slave API is at slave,
// offers service at a rosrpc URI.
func (c Client) RegisterService(ctx context.Context, service, uri, slave string) error {
	_, err := c.call(ctx, "registerService", service, uri, slave)
	return err
}

// UnregisterPublisher removes a publication. It is no error if there was none.
func (c Client) UnregisterPublisher(ctx context.Context, topic, slave string) error {
	_, err := c.call(ctx, "unregisterPublisher", topic, slave)
	return err
}

// UnregisterSubscriber removes a subscription. It is no error if there was none.
func (c Client) UnregisterSubscriber(ctx context.Context, topic, slave string) error {
	_, err := c.call(ctx, "unregisterSubscriber", topic, slave)
	return err
}

// UnregisterService removes a service at a rosrpc URI. It is no error if there was none.
func (c Client) UnregisterService(ctx context.Context, service, uri string) error {
	_, err := c.call(ctx, "unregisterService", service, uri)
	return err
}

// TopicType is a topic with the type of its messages.
type TopicType struct{ Topic, Type string }

// PublishedTopics returns the topics in a namespace that have publishers; "" is all.
func (c Client) PublishedTopics(ctx context.Context, namespace string) ([]TopicType, error) {
	v, err := c.call(ctx, "getPublishedTopics", namespace)
	if err != nil {
		return nil, err
	}
	rows, err := as[[]any]("getPublishedTopics", v)
	if err != nil {
		return nil, err
	}
	topics := make([]TopicType, len(rows))
	for i, row := range rows {
		pair, err := toTexts("getPublishedTopics", row)
		if err != nil || len(pair) != 2 {
			return nil, fmt.Errorf("getPublishedTopics: row %d is no pair of topic and type", i)
		}
		topics[i] = TopicType{pair[0], pair[1]}
	}
	return topics, nil
}

// SystemState holds publishers, subscribers and services: names of nodes by name of topic or
// service.
type SystemState struct{ Publishers, Subscribers, Services map[string][]string }

// SystemState returns the whole ROS graph.
func (c Client) SystemState(ctx context.Context) (SystemState, error) {
	v, err := c.call(ctx, "getSystemState")
	if err != nil {
		return SystemState{}, err
	}
	parts, err := as[[]any]("getSystemState", v)
	if err != nil || len(parts) != 3 {
		return SystemState{}, fmt.Errorf("getSystemState: the reply has %d parts, want 3", len(parts))
	}
	var maps [3]map[string][]string
	for i, part := range parts {
		if maps[i], err = toUsers(part); err != nil {
			return SystemState{}, err
		}
	}
	return SystemState{maps[0], maps[1], maps[2]}, nil
}

// toUsers reads [[name, [node, ...]], ...].
func toUsers(v any) (map[string][]string, error) {
	rows, err := as[[]any]("getSystemState", v)
	if err != nil {
		return nil, err
	}
	users := make(map[string][]string, len(rows))
	for i, row := range rows {
		pair, _ := row.([]any)
		if len(pair) != 2 {
			return nil, fmt.Errorf("getSystemState: row %d is no pair of name and nodes", i)
		}
		name, err := as[string]("getSystemState", pair[0])
		if err != nil {
			return nil, err
		}
		if users[name], err = toTexts("getSystemState", pair[1]); err != nil {
			return nil, err
		}
	}
	return users, nil
}

func (c Client) call(ctx context.Context, method string, args ...any) (any, error) {
	return Call(ctx, c.URI, method, append([]any{c.Caller}, args...)...)
}

func (c Client) text(ctx context.Context, method string, args ...any) (string, error) {
	v, err := c.call(ctx, method, args...)
	if err != nil {
		return "", err
	}
	return as[string](method, v)
}

func (c Client) texts(ctx context.Context, method string, args ...any) ([]string, error) {
	v, err := c.call(ctx, method, args...)
	if err != nil {
		return nil, err
	}
	return toTexts(method, v)
}

func toTexts(method string, v any) ([]string, error) {
	items, err := as[[]any](method, v)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(items))
	for i, item := range items {
		if texts[i], err = as[string](method, item); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// as checks the type of a value that a server sent.
func as[T any](method string, v any) (T, error) {
	t, ok := v.(T)
	if !ok {
		return t, fmt.Errorf("%s: the reply holds a %T where a %T belongs", method, v, t)
	}
	return t, nil
}
